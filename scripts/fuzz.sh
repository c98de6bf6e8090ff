#!/usr/bin/env bash
# Fuzzes the readers of files and arguments: scripts/fuzz.sh [TARGET [SECONDS] | list | ci]
#
# TARGET, as `list` prints them, runs for SECONDS (60) and keeps its corpus in build/fuzz/corpus/TARGET. ci, the
# default, runs the targets without OpenGL a fixed number of times with a fixed seed on the seeds alone. A failing input is left in
# build/fuzz/findings: build/fuzz/bin/fuzz_TARGET FILE repeats it.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
target=${1:-ci}
seconds=${2:-60}
build=$root/build/fuzz

install_missing "${build_packages[@]}" "${fuzz_packages[@]}"
configure fuzz
[[ $target == list ]] && { cut -d ' ' -f 1 "$build/fuzz_targets.txt"; exit; }
goal=fuzz_targets
[[ $target == ci ]] || goal=fuzz_$target
grep -qE "^($target|ci) " <(cat "$build/fuzz_targets.txt"; echo "ci ") ||
  { echo "no fuzz target $target: use one of" "$(cut -d ' ' -f 1 "$build/fuzz_targets.txt" | xargs)" >&2; exit 2; }
cmake --build "$build" --target "$goal" > "$build/build.log" 2>&1 || { cat "$build/build.log" >&2; exit 1; }
mkdir -p "$build/findings"
"$root/fuzz/seeds.py" "$build/seeds"

# fuzz NAME ARGUMENTS: runs the target with the limits that every input must keep.
fuzz() {
  local name=$1
  shift
  "$build/bin/fuzz_$name" -artifact_prefix="$build/findings/$name-" -dict="$build/seeds/$name.dict" -timeout=10 \
    -rss_limit_mb=1500 -malloc_limit_mb=256 -max_len=8192 -print_final_stats=1 "$@"
}

if [[ $target != ci ]]; then
  mkdir -p "$build/corpus/$target"
  fuzz "$target" -max_total_time="$seconds" "$build/corpus/$target" "$build/seeds/$target"
  exit
fi

# run NAME RUNS: prints one line, or everything if the target fails.
run() {
  local log=$build/fuzz_$1.log
  if ! fuzz "$1" -seed=1 -runs="$2" "$build/seeds/$1" > "$log" 2>&1; then
    cat "$log"
    return 1
  fi
  echo "fuzz $1: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") executions"
}
export root build
export -f fuzz run
# shellcheck disable=SC2016  # bash -c expands
grep -v ' 0$' "$build/fuzz_targets.txt" | xargs -P "$(nproc)" -n 2 bash -c 'run "$0" "$1"'
