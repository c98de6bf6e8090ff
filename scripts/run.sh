#!/usr/bin/env bash
# Installs missing packages, builds and starts the program: scripts/run.sh [ARGS], with the arguments of satdof --help.
# Without a display it renders one image headless, to satdof.png in the current folder.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

install_missing "${build_packages[@]}"
configure release
satdof=$root/build/release/bin/satdof
[[ -e $satdof ]] || echo "Building: the first build takes some minutes" >&2
cmake --build "$root/build/release" --target satdof >&2

if [[ -n ${DISPLAY:-}${WAYLAND_DISPLAY:-} || " $* " =~ \ (--headless|--list|--help|-h|--version)\  ]]; then
  exec "$satdof" "$@"
fi
arguments=(--headless "$@")
[[ " $* " =~ \ --(capture|sequence)[=\ ] ]] || arguments+=(--capture satdof.png)
"$satdof" "${arguments[@]}"
[[ " $* " =~ \ --(capture|sequence)[=\ ] ]] || echo "No display: rendered one image to $PWD/satdof.png"
echo "For the window, run this on a desktop, or with a virtual display: xvfb-run scripts/run.sh"
