#!/usr/bin/env bash
# Builds satdof for 64-bit Windows, without CUDA, by mingw-w64: scripts/make windows [--try] [CMAKE_ARGUMENT...]
#
# Writes build/windows/satdof-windows.zip with satdof.exe, shaders, assets and font, which needs only Windows and a driver with OpenGL
# 4.5. --try then builds build/no-cuda/bin/satdof, draws images by satdof.exe under Wine and Xvfb, and compares both.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
try=no
[[ ${1:-} != --try ]] || { try=yes; shift; }

install_missing "${build_packages[@]}" g++-mingw-w64-x86-64-posix libz-mingw-w64-dev zip
configure windows "$@"
cmake --build "$root/build/windows" --target satdof >&2
package=$(mktemp -d)
trap 'rm -rf "$package"' EXIT
mkdir -p "$package/satdof/bin" "$package/satdof/share"
x86_64-w64-mingw32-strip -o "$package/satdof/bin/satdof.exe" "$root/build/windows/bin/satdof.exe"
cp -rL "$root/build/windows/share/satdof" "$package/satdof/share"
cp "$root"/{LICENSE,THIRD_PARTY.md,third_party/Apache-2.0.txt} "$package/satdof"
rm -f "$root/build/windows/satdof-windows.zip"
(cd "$package" && zip -qr "$root/build/windows/satdof-windows.zip" satdof)
echo "$root/build/windows/satdof-windows.zip"
[[ $try == yes ]] || exit 0

install_missing wine64 wine "${test_packages[@]}"
configure no-cuda
cmake --build "$root/build/no-cuda" --target satdof >&2
export WINEPREFIX=$package/prefix WINEDEBUG=-all
xvfb-run -a -s "-screen 0 800x600x24" /usr/bin/python3 "$root/tests/program/windows_test.py" "$root/build/no-cuda/bin/satdof" \
  "$package/satdof/bin/satdof.exe"
