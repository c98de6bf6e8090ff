# Sourced by the other shell scripts: sets root and the package lists, defines install_missing, configure and copy_libraries.
# shellcheck shell=bash
# shellcheck disable=SC2034  # the scripts that source this file use the lists
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

build_packages=(g++ cmake ninja-build pkg-config python3 python3-glad libglfw3-dev libglm-dev libimgui-dev libstb-dev
  libcli11-dev nlohmann-json3-dev libpng-dev libopenexr-dev liblcms2-dev libpugixml-dev libheif-dev
  libwebp-dev libjpeg-dev libtiff-dev libdraco-dev libmeshoptimizer-dev
  libgl-dev libegl-dev libxcb1-dev libdbus-1-dev libboost-context-dev libgl1-mesa-dri libegl1
  fonts-dejavu-core)
test_packages=(python3-dev python3-venv libgtest-dev libgmock-dev libbenchmark-dev xvfb xdotool x11-utils imagemagick dpkg-dev
  locales python3-numpy python3-pil python3-skimage python3-xlib python3-dbus python3-gi dbus-daemon python3-distributed openexr ffmpeg valgrind assimp-testmodels)
fuzz_packages=(clang-14 libclang-rt-14-dev llvm-14 zlib1g-dev)
lint_packages=(git clang-format-14 clang-tidy-14 shellcheck python3-venv)

# install_missing PACKAGE...: installs missing packages with apt. Skips packages that this release lacks:
# third_party/CMakeLists.txt then fetches a pinned source.
install_missing() {
  local package missing=() wanted=() as_root=()
  for package in "$@"; do
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2> /dev/null) == installed ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  if ! command -v apt-get > /dev/null; then
    echo "Not a Debian or Ubuntu system: please install the equivalents of: ${missing[*]}" >&2
    return 0
  fi
  if ((EUID != 0)); then
    command -v sudo > /dev/null || { echo "Needs root or sudo to install: ${missing[*]}" >&2; exit 1; }
    as_root=(sudo)
  fi
  echo "Installing: ${missing[*]}"
  "${as_root[@]}" apt-get update -qq
  for package in "${missing[@]}"; do
    if apt-cache show "$package" > /dev/null 2>&1; then wanted+=("$package"); else echo "Not packaged here: $package"; fi
  done
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${wanted[@]}" > /dev/null
}

# configure PRESET [ARGS]: runs CMake if build/PRESET is not configured yet or ARGS are given.
configure() {
  local preset=$1 log
  shift
  [[ -e $root/build/$preset/build.ninja && $# -eq 0 ]] && return
  mkdir -p "$root/build"
  log=$root/build/configure-$preset.log
  if ! (cd "$root" && cmake --preset "$preset" "$@" > "$log" 2>&1); then
    cat "$log" >&2
    exit 1
  fi
  grep -E '^-- (CUDA kernels|FLIP image metric):' "$log" || true
}

# copy_libraries FOLDER PROGRAM...: copies the shared libraries of programs except those of glibc, which must match the dynamic loader.
copy_libraries() {
  local folder=$1
  mkdir -p "$folder"
  shift
  ldd "$@" | awk '$3 ~ /^\// && $1 !~ /^(libc|libm|libdl|libpthread|librt)\.so/ {print $3}' | sort -u | xargs cp -L -t "$folder"
}
