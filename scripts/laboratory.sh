#!/usr/bin/env bash
# Measures this machine for docs/laboratory.md: laboratory.sh NAME [PROGRAM]
#
# Writes docs/bench/lab-NAME.json (the published figures) and docs/bench/lab-NAME-curves.json (all experiments by
# size), and a plot of the scans to docs/lab-scan.svg. With PLOTS=only it draws the plot of existing files.
set -euo pipefail
cd "$(dirname "$0")/.."
name=${1:?usage: laboratory.sh NAME [PROGRAM]} program=${2:-build/release/bin/satdof}
if [[ ${PLOTS:-} != only ]]; then
  "$program" --lab "docs/bench/lab-$name.json" --lab-only figures
  "$program" --lab "docs/bench/lab-$name-curves.json" --lab-only curves
fi
"$program" --lab docs/lab-scan.svg --lab-from "docs/bench/lab-$name-curves.json" --lab-only scan --lab-timed kernel
