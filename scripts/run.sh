#!/usr/bin/env bash
# Installs missing packages, builds and starts the program: scripts/run.sh [ARGS], with the arguments of satdof --help.
# scripts/run.sh --install builds the package and installs it; apt-get remove satdof removes it. Without a display it
# renders one image headless, to satdof.png in the current folder.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

install_missing "${build_packages[@]}"
configure release
satdof=$root/build/release/bin/satdof
[[ -e $satdof ]] || echo "Building: the first build takes some minutes" >&2
cmake --build "$root/build/release" --target satdof >&2

if [[ ${1:-} == --install ]]; then
  install_missing dpkg-dev
  cmake --build "$root/build/release" >&2
  if ! command -v apt-get > /dev/null; then
    cmake --install "$root/build/release" --prefix "$HOME/.local"
    exit
  fi
  cd "$root/build/release"
  cpack -G DEB -B . > cpack.log || { cat cpack.log >&2; exit 1; }
  as_root=()
  ((EUID == 0)) || as_root=(sudo)
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --reinstall "$root"/build/release/satdof_*.deb
  echo "Installed: satdof, in the menu of applications and on PATH; apt-get remove satdof removes it"
  exit
fi

if [[ -n ${DISPLAY:-}${WAYLAND_DISPLAY:-} || " $* " =~ \ (--headless|--list|--help|-h|--version)\  ]]; then
  exec "$satdof" "$@"
fi
arguments=(--headless "$@")
[[ " $* " =~ \ --(capture|sequence)[=\ ] ]] || arguments+=(--capture satdof.png)
"$satdof" "${arguments[@]}"
[[ " $* " =~ \ --(capture|sequence)[=\ ] ]] || echo "No display: rendered one image to $PWD/satdof.png"
echo "For the window, run this on a desktop, or with a virtual display: xvfb-run scripts/run.sh"
