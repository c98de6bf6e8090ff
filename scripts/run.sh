#!/usr/bin/env bash
# Installs missing packages, builds and starts the program: scripts/run.sh [--cuda] [ARGS]; ARGS are options of satdof.
# Without a display, renders one image to satdof.png in the current folder.
# scripts/run.sh [--cuda] --install builds and installs the package; apt-get remove satdof removes it.
#
# The build in build/run is for the NVIDIA GPU of this machine; without one, CUDA kernels run only in the emulator.
# --cuda builds for every supported GPU.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

gpu=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2> /dev/null | head -n 1 | tr -d .) || gpu=''
if [[ ${1:-} == --cuda ]]; then
  shift
  kernels=(-DSATDOF_CUDA=ON "-DCMAKE_CUDA_ARCHITECTURES=75-real;80-real;90")
elif [[ $gpu =~ ^[0-9]+$ ]]; then
  kernels=(-DSATDOF_CUDA=AUTO "-DCMAKE_CUDA_ARCHITECTURES=$gpu-real")
else
  kernels=(-DSATDOF_CUDA=OFF)
fi
build=$root/build/run
install_missing "${build_packages[@]}"
# Configures again only if the choice of kernels changes.
if [[ $(cat "$build/kernels.txt" 2> /dev/null) != "${kernels[*]}" ]]; then
  configure run "${kernels[@]}"
  echo "${kernels[*]}" > "$build/kernels.txt"
fi
satdof=$build/bin/satdof
[[ -e $satdof ]] || echo "Building: the first build takes some minutes" >&2
cmake --build "$build" --target satdof >&2

if [[ ${1:-} == --install ]]; then
  install_missing dpkg-dev
  cmake --build "$build" >&2
  if ! command -v apt-get > /dev/null; then
    cmake --install "$build" --prefix "$HOME/.local"
    exit
  fi
  cd "$build"
  cpack -G DEB -B . > cpack.log || { cat cpack.log >&2; exit 1; }
  as_root=()
  ((EUID == 0)) || as_root=(sudo)
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --reinstall "$build"/satdof_*.deb
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
