#!/usr/bin/env bash
# Installs missing packages, checks the style, builds, and runs every test: scripts/test.sh [PRESET]
#
# PRESET is release (default), no-cuda, dev, asan or ci. ci also tests a wheel and the notebooks, runs scripts/fuzz ci, and tests
# threads with the thread sanitizer. Without a CUDA device, tests that need one are skipped.
# LINT_BASE: the commit that clang-tidy compares with; see scripts/lint.sh.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
preset=${1:-release}

packages=("${build_packages[@]}" "${test_packages[@]}" "${lint_packages[@]}")
[[ $preset != ci ]] || packages+=("${fuzz_packages[@]}")
install_missing "${packages[@]}"
cd "$root"
if [[ $preset == ci ]]; then
  (configure tsan && configure fuzz) & # configuring uses one thread, beside the next steps
  configured=$!
fi
configure "$preset"
if [[ -e .git ]]; then
  scripts/lint.sh --build "build/$preset" ${LINT_BASE:+--changed "$LINT_BASE"}
else
  echo "Style checks skipped: not a git checkout"
fi
cmake --build "build/$preset"

# The wheel and the sanitizer builds use the cores that waiting window tests leave idle.
if [[ $preset == ci ]]; then
  wait "$configured"
  CMAKE_ARGS=-DSATDOF_CUDA=OFF NOTEBOOKS=1 SATDOF_PROGRAM=$root/build/ci/bin/satdof \
    nice -n 19 scripts/wheel python3 60 > build/wheel.log 2>&1 &
  wheel=$!
  for sanitized in tsan fuzz; do
    nice -n 19 cmake --build --preset "$sanitized" -j "$(nproc)" || exit 1
  done > build/sanitized.log 2>&1 &
  built=$!
fi
status=0
# Window tests mostly wait: run two tests a core.
ctest --test-dir "build/$preset" --output-on-failure -j "$((2 * $(nproc)))" || status=1
grep -hA1 ': Skipped$' "build/$preset/Testing/Temporary/LastTest.log" | grep -vE ': Skipped$|^--$' |
  sort | uniq -c | sed -E 's/^ *([0-9]+) /Skipped \1: /' || true
if [[ $preset == ci ]]; then
  wait "$wheel" || { cat build/wheel.log >&2; status=1; }
  wait "$built" || { cat build/sanitized.log >&2; exit 1; }
  build/tsan/bin/satdof_thread_tests --gtest_brief=1 --gtest_filter=-LargestError.* & # LargestError takes long on one thread
  scripts/fuzz ci || status=1
  wait "$!" || status=1
fi
exit "$status"
