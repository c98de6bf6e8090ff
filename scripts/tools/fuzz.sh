#!/usr/bin/env bash
# Fuzzes the readers of files and arguments: scripts/fuzz ci | list | target NAME [SECONDS]
#
# target: runs NAME (see list) for SECONDS (60) and keeps its corpus in build/fuzz/corpus/NAME.
# ci: runs the targets without OpenGL a fixed number of times from the seeds, with a fixed random seed, and the tests without OpenGL.
# build: builds all targets and their seeds, for other scripts.
# Failing inputs are written to build/fuzz/findings; build/fuzz/bin/fuzz_NAME FILE repeats one.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
build=$root/build/fuzz

install_missing "${build_packages[@]}" "${fuzz_packages[@]}"
configure fuzz
mapfile -t names < <(cut -d ' ' -f 1 "$build/fuzz_targets.txt")
case $1 in
  list) printf '%s\n' "${names[@]}"; exit ;;
  ci) goals=(fuzz_targets) ;;
  build) goals=("${names[@]/#/fuzz_}") ;;
  target)
    [[ " ${names[*]} " == *" ${2:-} "* ]] || { echo "no fuzz target \"${2:-}\": use one of ${names[*]}" >&2; exit 2; }
    goals=("fuzz_$2")
    ;;
esac
cmake --build "$build" --target "${goals[@]}" > "$build/build.log" 2>&1 || { cat "$build/build.log" >&2; exit 1; }
mkdir -p "$build/findings"
"$root/fuzz/seeds.py" "$build/seeds"

# fuzz NAME ARGUMENTS: runs the target with limits of time and memory for each input.
fuzz() {
  local name=$1
  shift
  "$build/bin/fuzz_$name" -artifact_prefix="$build/findings/$name-" -dict="$build/seeds/$name.dict" -timeout=10 \
    -rss_limit_mb=1500 -malloc_limit_mb=256 -max_len=8192 -print_final_stats=1 "$@"
}

# run NAME RUNS: runs the target. Prints one line, or the whole log if it fails.
run() {
  local log=$build/fuzz_$1.log
  if ! fuzz "$1" -seed=1 -runs="$2" "$build/seeds/$1" > "$log" 2>&1; then
    cat "$log"
    return 1
  fi
  echo "fuzz $1: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") executions"
}

# tests PROGRAM FILTER: runs the tests except FILTER, which take long. Without leak detection: encoders of other libraries leak.
tests() {
  local log=$build/$1.log
  if ! ASAN_OPTIONS=detect_leaks=0 "$build/bin/$1" --gtest_filter="-$2" > "$log" 2>&1; then
    cat "$log"
    return 1
  fi
  echo "$1: $(grep -c '       OK ' "$log") pass"
}

case $1 in
  target)
    mkdir -p "$build/corpus/$2"
    fuzz "$2" -max_total_time="${3:-60}" "$build/corpus/$2" "$build/seeds/$2"
    ;;
  ci)
    (tests reader_tests "*TooManyKeys:*MoreKeysOrSeconds*" && tests processor_tests "LargestError.*:CpuSort.EveryVariantSortsLike*") &
    export root build
    export -f fuzz run
    # shellcheck disable=SC2016  # bash -c expands
    grep -v ' 0$' "$build/fuzz_targets.txt" | xargs -P "$(nproc)" -n 2 bash -c 'run "$0" "$1"'
    wait "$!"
    ;;
esac
