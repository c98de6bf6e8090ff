#!/usr/bin/env bash
# Packs the fuzz targets for a machine without compiler, libraries or network: scripts/fuzz package FILE.tar.xz
#
# Usage there, with Python and the same or a newer glibc: tar -xJf FILE.tar.xz && fuzz-package/run.py OUT SECONDS [CORES], which is
# scripts/fuzz long.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
(($# == 1)) || { sed -n '2,5s/^# \?//p' "$0" >&2; exit 2; }
build=$root/build/fuzz
bash "$root/scripts/tools/fuzz.sh" build
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
package=$folder/fuzz-package
mkdir -p "$package/bin"
cp "$root/scripts/tools/fuzz_long.py" "$package/run.py"
chmod +x "$package/run.py"
cp -r "$build/seeds" "$package/seeds"
for program in "$build"/bin/fuzz_*; do strip --strip-debug -o "$package/bin/${program##*/}" "$program"; done
copy_libraries "$package/lib" "$build"/bin/fuzz_*
tar -C "$folder" -c fuzz-package | xz -T0 -9 > "$1"
