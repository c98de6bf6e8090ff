#!/usr/bin/env bash
# Everything that needs a CUDA device, in one go, from an existing release build: gpu_proof.sh OUT [STEP...].
# Steps: tests sanitize demo window bench ncu quality (default: all). Results and logs go to the folder OUT.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
bin=$root/build/release/bin
out=${1:?usage: gpu_proof.sh OUT [STEP...]}
shift
steps=${*:-tests sanitize demo window bench ncu quality}
mkdir -p "$out"
failures=0

# step NAME COMMAND...: runs it with its output in OUT/NAME.log, and prints one line.
step() {
  local name=$1 start=$SECONDS
  shift
  if "$@" > "$out/$name.log" 2>&1; then echo "ok   $name ($((SECONDS - start)) s)"; else
    echo "FAIL $name (status $?, $((SECONDS - start)) s)"; tail -n 15 "$out/$name.log"; failures=$((failures + 1)); fi
}

tests() { step gpu-tests "$bin/satdof_gpu_tests"; step tests "$bin/satdof_tests"; }

sanitize() {
  for tool in memcheck racecheck initcheck synccheck; do
    step "sanitize-$tool" timeout 240 compute-sanitizer --tool $tool --error-exitcode 9 --kernel-name-exclude kns=cub \
      "$bin/satdof_gpu_tests" --gtest_filter="${SANITIZE_FILTER:-*}" --gtest_brief=1
  done
}

demo() {
  step list "$bin/satdof" --list
  local scan
  for scan in $("$bin/satdof" --list | awk '$1 == "scan" {print $2}'); do
    step "demo-$scan" "$bin/satdof" --headless --size 1920x1080 --frames 120 --backend cuda --scan "$scan" --gl-debug \
      --capture "$out/$scan.png" --stats "$out/stats-$scan.json"
  done
  for backend in gl-compute gl-fragment cpu; do
    step "demo-$backend" "$bin/satdof" --headless --size 1920x1080 --frames 60 --backend $backend \
      --capture "$out/$backend.png" --stats "$out/stats-$backend.json"
  done
}

quality() { step quality python3 "$root/scripts/quality.py" --out "$out"; }

for name in $steps; do $name; done
exit $((failures > 0))
