#!/usr/bin/env bash
# Packs the fuzz targets for a machine without compiler, libraries or network: scripts/fuzz_package.sh FILE.tar.xz
#
# There, with glibc as new as here: tar -xJf FILE.tar.xz && fuzz-package/run.sh OUT SECONDS, see scripts/fuzz_long.sh.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
build=$root/build/fuzz
install_missing "${build_packages[@]}" "${fuzz_packages[@]}"
configure fuzz
# shellcheck disable=SC2046  # names of targets
cmake --build "$build" --target $(sed "s/^/fuzz_/; s/ .*//" "$build/fuzz_targets.txt") > "$build/build.log" 2>&1 || { cat "$build/build.log" >&2; exit 1; }
"$root/fuzz/seeds.py" "$build/seeds"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
package=$folder/fuzz-package
mkdir -p "$package"/{bin,lib}
cp "$root/scripts/fuzz_long.sh" "$package/run.sh"
cp -r "$build/seeds" "$package/seeds"
while read -r target _; do
  strip --strip-debug -o "$package/bin/fuzz_$target" "$build/bin/fuzz_$target"
  # All libraries but those of glibc, which must be as new as its loader.
  ldd "$build/bin/fuzz_$target" | awk '$3 ~ /^\// && $1 !~ /^(libc|libm|libdl|libpthread|librt)\.so/ {print $3}'
done < "$build/fuzz_targets.txt" | sort -u | xargs cp -L -t "$package/lib"
tar -C "$folder" -c fuzz-package | xz -T0 -9 > "$1"
