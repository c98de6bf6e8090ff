#!/usr/bin/env bash
# Builds the wheel, installs it into a fresh environment and tests it there: scripts/test_wheel.sh [PYTHON [CASES [SEED]]]
#
# PYTHON: an interpreter from 3.9 on, python3 by default. CASES: random calls. The wheel stays in build/wheel-VERSION.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${1:-python3}
folder=build/wheel-$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
rm -rf "$folder"
"$python" -m venv "$folder/venv"
"$folder/venv/bin/pip" wheel --quiet --no-deps --wheel-dir "$folder" .
"$folder/venv/bin/pip" install --quiet "$folder"/satdof-*.whl
test=$PWD/tests/python/satdof_test.py
cd "$folder" # away from the sources of the package
venv/bin/python "$test" "${@:2}"
