#!/usr/bin/env bash
# Installs what is missing, builds, and runs every test: scripts/test.sh [PRESET], one of release (default), asan,
# no-cuda. Tests that need a CUDA device report themselves skipped, with the reason, where there is none.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
preset=${1:-release}

install_missing "${build_packages[@]}" "${test_packages[@]}"
cd "$root"
if command -v clang-format-14 > /dev/null && git rev-parse --git-dir > /dev/null 2>&1; then
  git ls-files '*.h' '*.cpp' '*.cu' '*.cuh' | xargs clang-format-14 --dry-run --Werror
fi
configure "$preset"
cmake --build "build/$preset"
ctest --test-dir "build/$preset" --output-on-failure -j "$(nproc)"
grep -hA1 ': Skipped$' "build/$preset/Testing/Temporary/LastTest.log" | grep -vE ': Skipped$|^--$' |
  sort | uniq -c | sed -E 's/^ *([0-9]+) /Skipped \1: /' || true
