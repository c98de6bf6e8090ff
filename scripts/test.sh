#!/usr/bin/env bash
# Installs missing packages, checks the style, builds, and runs every test: scripts/test.sh [PRESET]
#
# PRESET is release (default), ci (also runs scripts/fuzz ci, and tests of threads with the thread sanitizer), no-cuda, dev or asan.
# Tests that need a CUDA device are skipped without one and say why. LINT_BASE names the commit that clang-tidy compares with: see
# scripts/lint.sh.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
preset=${1:-release}

install_missing "${build_packages[@]}" "${test_packages[@]}" "${lint_packages[@]}"
cd "$root"
configure "$preset"
if [[ -e .git ]]; then
  scripts/lint.sh --build "build/$preset" ${LINT_BASE:+--changed "$LINT_BASE"}
else
  echo "Style checks skipped: not a git checkout"
fi
cmake --build "build/$preset"
ctest --test-dir "build/$preset" --output-on-failure -j "$((2 * $(nproc)))" # tests of the window mostly wait
grep -hA1 ': Skipped$' "build/$preset/Testing/Temporary/LastTest.log" | grep -vE ': Skipped$|^--$' |
  sort | uniq -c | sed -E 's/^ *([0-9]+) /Skipped \1: /' || true
if [[ $preset == ci ]]; then
  configure tsan
  cmake --build --preset tsan
  build/tsan/bin/satdof_thread_tests --gtest_brief=1 --gtest_filter=-LargestError.* & # one thread, and long
  scripts/fuzz ci
  wait "$!"
fi
