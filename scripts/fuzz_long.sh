#!/usr/bin/env bash
# Fuzzes every target for long on all cores: scripts/fuzz_long.sh OUT SECONDS [CORES]
#
# Each core runs short slices, each with a seed of its own, of the target with the fewest executions so far; the slices of a
# target share the corpus OUT/corpus/TARGET. Prints a table and writes it to OUT/fuzz.json. Failing inputs are in
# OUT/findings, the output of each slice in OUT/logs. Exit status 1 if an input fails.
#
# Beside the folders bin/ and seeds/, as scripts/fuzz_package.sh packs them, the script needs neither sources nor a
# compiler. In the source tree it builds the targets first.
set -euo pipefail
(($# == 2 || $# == 3)) || { sed -n '2,9s/^# \?//p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
seconds=$2
cores=${3:-$(nproc)}

if [[ -d $here/bin && -d $here/seeds ]]; then
  home=$here
  export LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
else
  source "$here/common.sh"
  home=$root/build/fuzz
  install_missing "${build_packages[@]}" "${fuzz_packages[@]}"
  configure fuzz
  # shellcheck disable=SC2046  # names of targets
  cmake --build "$home" --target $(sed "s/^/fuzz_/; s/ .*//" "$home/fuzz_targets.txt") > "$home/build.log" 2>&1 || { cat "$home/build.log" >&2; exit 1; }
  "$root/fuzz/seeds.py" "$home/seeds"
fi
targets=()
for binary in "$home"/bin/fuzz_*; do targets+=("${binary##*/fuzz_}"); done
mkdir -p "$out"/{corpus,findings,logs}
cd "$out"
export ASAN_OPTIONS=malloc_context_size=1

# Some containers forbid what the leak checker needs.
leaks=1
if "$home/bin/fuzz_mask" -runs=1 2>&1 | grep -q "LeakSanitizer has encountered a fatal error"; then
  leaks=0
  export ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0
  echo "leaks are not checked: this machine does not let the leak checker stop threads" >&2
fi

# The sizes of the files of a folder.
sizes() { wc -c "$1"/* | awk '$2 != "total" {print $1}'; }

# slice TARGET NUMBER SECONDS: the slice number NUMBER of the target.
slice() {
  local largest
  mkdir -p "corpus/$1"
  largest=$(sizes "$home/seeds/$1" | sort -n | tail -1)
  "$home/bin/fuzz_$1" -seed="$(($2 + 1))" -max_total_time="$3" -dict="$home/seeds/$1.dict" -timeout=5 -rss_limit_mb=2000 \
    -malloc_limit_mb=256 -max_len="$((largest < 1024 ? 1024 : largest))" -detect_leaks="$leaks" -close_fd_mask=1 -report_slow_units=1 -print_final_stats=1 \
    -artifact_prefix="$out/findings/$1-" "$out/corpus/$1" "$home/seeds/$1" > "logs/$1-$2.log" 2>&1
}

# The numbers of the log of a slice.
final() { sed -n "s/^stat::$2: *//p" "$1"; }
coverage() { sed -n 's/^#.* cov: \([0-9]*\) .*/\1/p' "$1" | sort -n | tail -1; }

declare -A executions slices running failures leaked slowest covered target_of=()
for target in "${targets[@]}"; do
  executions[$target]=0 slices[$target]=0 running[$target]=0 failures[$target]=0 leaked[$target]=0
  slowest[$target]=0 covered[$target]=0
done

# Prints the target with the fewest executions, those of its running slices estimated from its finished ones. A target that
# keeps failing is left.
next_target() {
  local target count best=
  for target in "${targets[@]}"; do
    ((failures[$target] < 20)) || continue
    local done=$((slices[$target] - running[$target]))
    count=$((executions[$target] + (done > 0 ? executions[$target] * running[$target] / done : 0)))
    echo "$count ${running[$target]} $target"
  done | sort -n -k 1,1 -k 2,2 | { read -r _ _ best; echo "$best"; }
}

# collect TARGET NUMBER STATUS: adds the log of a slice to the sums.
collect() {
  local target=$1 log=logs/$1-$2.log number
  running[$target]=$((running[$target] - 1))
  number=$(final "$log" number_of_executed_units)
  executions[$target]=$((executions[$target] + ${number:-0}))
  number=$(final "$log" slowest_unit_time_sec)
  ((${number:-0} <= slowest[$target])) || slowest[$target]=$number
  number=$(coverage "$log")
  ((${number:-0} <= covered[$target])) || covered[$target]=$number
  (($3 == 0)) || failures[$target]=$((failures[$target] + 1))
  ! grep -q "LeakSanitizer: detected memory leaks" "$log" || leaked[$target]=$((leaked[$target] + 1))
}

# A slice is so short that every target gets several, and not so short that reading its corpus counts.
length=$((seconds * cores / ${#targets[@]} / 8))
((length >= 5)) || length=5
((length <= 60)) || length=60
trap 'kill $(jobs -p) 2> /dev/null || true' INT TERM
end=$((SECONDS + seconds))
while true; do
  left=$((end - SECONDS))
  target=$(next_target)
  if [[ $target ]] && ((left >= 3 && ${#target_of[@]} < cores)); then
    number=${slices[$target]}
    slice "$target" "$number" $((left < length ? left : length)) &
    target_of[$!]="$target $number"
    slices[$target]=$((number + 1))
    running[$target]=$((running[$target] + 1))
  elif ((${#target_of[@]})); then
    status=0
    wait -n -p ended "${!target_of[@]}" || status=$?
    # shellcheck disable=SC2086  # a target and a number
    collect ${target_of[$ended]} "$status"
    unset "target_of[$ended]"
  else
    break
  fi
done

status=0
printf '%-15s %12s %8s %8s %6s %12s %9s\n' target executions slices failures leaks "slowest (s)" coverage
separator=
exec 3>&1
{
  printf '{"seconds": %d, "cores": %d, "leaks checked": %s, "targets": [' "$seconds" "$cores" \
    "$( ((leaks)) && echo true || echo false)"
  for target in "${targets[@]}"; do
    printf '%-15s %12d %8d %8d %6d %12d %9d\n' "$target" "${executions[$target]}" "${slices[$target]}" \
      "${failures[$target]}" "${leaked[$target]}" "${slowest[$target]}" "${covered[$target]}" >&3
    printf '%s\n  {"name": "%s", "executions": %d, "slices": %d, "failures": %d, "leaks": %d, "slowest s": %d, "coverage": %d}' \
      "$separator" "$target" "${executions[$target]}" "${slices[$target]}" "${failures[$target]}" "${leaked[$target]}" \
      "${slowest[$target]}" "${covered[$target]}"
    separator=,
    ((failures[$target] == 0)) || status=1
  done
  printf '\n]}\n'
} > fuzz.json
exit "$status"
