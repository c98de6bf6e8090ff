#!/usr/bin/env bash
# Installs what is missing, builds, and starts the demo: scripts/run.sh [ARGS], with the arguments of satdof --help.
# Without a display it renders one picture headless and says where it is.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

install_missing "${build_packages[@]}"
configure release
satdof=$root/build/release/bin/satdof
[[ -e $satdof ]] || echo "Building, for some minutes the first time" >&2
cmake --build "$root/build/release" --target satdof >&2

if [[ -n ${DISPLAY:-}${WAYLAND_DISPLAY:-} || " $* " =~ \ (--headless|--list|--help|-h|--version)\  ]]; then
  exec "$satdof" "$@"
fi
arguments=(--headless "$@")
[[ " $* " =~ \ --(capture|sequence)[=\ ] ]] || arguments+=(--capture satdof.png)
"$satdof" "${arguments[@]}"
[[ " $* " =~ \ --(capture|sequence)[=\ ] ]] || echo "No display here, so one picture was rendered: $PWD/satdof.png"
echo "For the window, start this on a desktop, or with a virtual display: xvfb-run scripts/run.sh"
