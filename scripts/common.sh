# Sourced by run.sh and test.sh. Sets root, and installs Debian or Ubuntu packages that are missing.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

build_packages=(g++ cmake ninja-build pkg-config python3 python3-glad libglfw3-dev libglm-dev libimgui-dev libstb-dev
  libcli11-dev nlohmann-json3-dev libpng-dev libgl-dev libegl-dev libgl1-mesa-dri libegl1
  fonts-dejavu-core)
test_packages=(libgtest-dev libgmock-dev libbenchmark-dev clang-format-14 xvfb xdotool x11-utils imagemagick
  python3-numpy python3-pil python3-skimage)

# install_missing PACKAGE...: one apt call for what is missing, none when nothing is. A package that this release does
# not have is left to third_party/CMakeLists.txt, which then fetches a pinned source.
install_missing() {
  local package missing=() wanted=() as_root=()
  for package in "$@"; do
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2> /dev/null) == installed ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  if ! command -v apt-get > /dev/null; then
    echo "Not a Debian or Ubuntu system: please install what corresponds to: ${missing[*]}" >&2
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

# configure PRESET [ARGS]: only when the build folder has not been configured yet, or arguments are given.
configure() {
  local preset=$1
  shift
  [[ -e $root/build/$preset/build.ninja && $# -eq 0 ]] || (cd "$root" && cmake --preset "$preset" "$@" > build-configure.log 2>&1) ||
    { cat "$root/build-configure.log" >&2; exit 1; }
  [[ ! -e $root/build-configure.log ]] || { grep -E '^-- CUDA backend' "$root/build-configure.log" || true; rm "$root/build-configure.log"; }
}
