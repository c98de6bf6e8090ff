#!/usr/bin/env bash
# Runs the window for MINUTES under Xvfb with random input: scripts/soak.sh MINUTES [SEED [PROGRAM]]
#
# Prints a line a minute and a verdict; exit status 1 if the program ends, hangs or grows. PROGRAM is
# build/release/bin/satdof by default, which is built. See scripts/soak.py.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
[[ ${1:-} =~ ^[1-9][0-9]*$ ]] || { echo "usage: scripts/soak.sh MINUTES [SEED [PROGRAM]]" >&2; exit 2; }

install_missing "${build_packages[@]}" "${test_packages[@]}"
program=${3:-}
if [[ -z $program ]]; then
  configure release
  cmake --build "$root/build/release" --target satdof >&2
  program=$root/build/release/bin/satdof
fi
exec /usr/bin/python3 "$root/scripts/soak.py" "$program" "$1" "${2:-1}"
