#!/usr/bin/env bash
# Runs everything that needs a CUDA device, with an existing release build: scripts/bench proof OUT [STEP...]
#
# A build from a machine without a CUDA device needs -DSATDOF_GPU_TESTS=ON.
# STEP: tests, sanitize, demo, window, bench, ncu or quality; default: all. Writes logs, images and JSON to the folder OUT. Prints one
# line a command, and the end of the log of a failed command.
# Exit status: 0 all passed, 1 a command failed.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
bin=$root/build/release/bin
out=${1:?usage: scripts/bench proof OUT [STEP...]}
shift
steps=${*:-tests sanitize demo window bench ncu quality}
mkdir -p "$out"
failures=0

# step NAME COMMAND...: runs the command with its output in OUT/NAME.log.
step() {
  local name=$1 start=$SECONDS status
  shift
  "$@" > "$out/$name.log" 2>&1
  status=$?
  if ((status == 0)); then
    echo "ok   $name ($((SECONDS - start)) s)"
  else
    echo "FAIL $name (status $status, $((SECONDS - start)) s)"
    tail -n 15 "$out/$name.log"
    failures=$((failures + 1))
  fi
}

tests() {
  step gpu-tests "$bin/satdof_gpu_tests" --gtest_brief=1
  step tests "$bin/satdof_tests" --gtest_brief=1
}

# Small sizes, because the sanitizers slow kernels down a hundredfold. racecheck is the slowest and runs in parallel shards.
# Excludes a test that makes an API call fail.
sanitize() {
  local tool shard shards=12
  local -a tests=("$bin/satdof_gpu_tests" --gtest_brief=1 --gtest_filter=-FrameGraphTest.LaunchesDirectlyIfCaptureFails)
  for shard in $(seq 0 $((shards - 1))); do
    step "sanitize-racecheck-$shard" env SATDOF_TEST_ELEMENTS=1200 GTEST_TOTAL_SHARDS="$shards" GTEST_SHARD_INDEX="$shard" \
      timeout 300 compute-sanitizer --tool racecheck --error-exitcode 9 "${tests[@]}" &
  done
  wait
  for tool in memcheck initcheck synccheck; do
    step "sanitize-$tool" env SATDOF_TEST_ELEMENTS=70000 timeout 300 compute-sanitizer --tool "$tool" --error-exitcode 9 "${tests[@]}"
  done
  grep -h "SUMMARY" "$out"/sanitize-*.log
  failures=$((failures + $(grep -L "SUMMARY: 0" "$out"/sanitize-*.log | wc -l)))
}

demo() {
  local scan device lens
  step list "$bin/satdof" --list
  for scan in $("$bin/satdof" --list | awk '$1 == "scan" {print $2}'); do
    step "demo-$scan" "$bin/satdof" --headless --size 1920x1080 --frames 120 --device cuda --lens box --no-bokeh --scan "$scan" \
      --gl-debug --capture "$out/scan-$scan.png" --stats "$out/stats-scan-$scan.json"
  done
  for device in gl-compute gl-fragment cpu; do
    step "demo-$device" "$bin/satdof" --headless --size 1920x1080 --frames 60 --device "$device" --lens box --no-bokeh --gl-debug \
      --capture "$out/device-$device.png" --stats "$out/stats-device-$device.json"
  done
  for lens in layered tent gems; do
    step "demo-$lens" "$bin/satdof" --headless --size 1920x1080 --frames 120 --lens "$lens" --gl-debug \
      --capture "$out/lens-$lens.png" --stats "$out/stats-lens-$lens.json"
  done
  step demo-staged env SATDOF_INTEROP=staged "$bin/satdof" --headless --size 1920x1080 --frames 30 --gl-debug \
    --stats "$out/stats-staged.json"
}

# Needs a display whose OpenGL runs on the CUDA device.
window() {
  step window "$bin/satdof" --size 1280x720 --frames 240 --with-ui --gl-debug --no-vsync --capture "$out/window.png" \
    --stats "$out/stats-window.json"
}

bench() {
  step bench "$bin/satdof_bench" --benchmark_out="$out/bench.json" --benchmark_out_format=json
}

ncu() {
  step ncu command ncu --clock-control none --set detailed --section WarpStateStats -k 'regex:fused' \
    --launch-skip 8 -c 8 "$bin/satdof_bench" --benchmark_filter='^table/fused/uint32/(1920x1080|7680x4320)/warm'
}

quality() { step quality python3 "$root/scripts/quality" measure --out "$out" --samples 1024; }

for name in $steps; do $name; done
exit $((failures > 0))
