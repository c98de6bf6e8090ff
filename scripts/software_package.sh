#!/usr/bin/env bash
# Packs the program, software OpenGL and what attacks the program for another machine, which needs only glibc as new as
# here, bash and python3 with numpy and Pillow: scripts/software_package.sh BUILD_DIR FILE.tar.xz
#
# BUILD_DIR needs the targets satdof and satdof_faults. There: tar -xJf FILE.tar.xz, then in software-package
#   ./run.sh settings OUT COUNT SEED           scripts/random_settings.py, in parallel
#   ./run.sh gl|memory|reset OUT [POINTS]      satdof_faults, a part for each core
set -euo pipefail
(($# == 2)) || { sed -n '2,7s/^# \?//p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
package=$folder/software-package
mkdir -p "$package"/{bin,lib/dri}
cp "$build"/bin/{satdof,satdof_faults} "$root/scripts/random_settings.py" "$package/bin"
cp -rL "$build/share" "$package"

libraries=/usr/lib/$(uname -m)-linux-gnu
driver=$libraries/dri/swrast_dri.so
# GLVND and GLFW load these by name.
by_name=("$libraries"/{libEGL_mesa.so.0,libGLX.so.0,libGL.so.1,libOpenGL.so.0,libX11.so.6})
cp -L "$driver" "$package/lib/dri"
cp -L "${by_name[@]}" "$package/lib"
# All others but those of glibc, which must be as new as its loader.
ldd "$build"/bin/{satdof,satdof_faults} "$driver" "${by_name[@]}" |
  awk '$3 ~ /^\// && $1 !~ /^(libc|libm|libdl|libpthread|librt)\.so/ {print $3}' | sort -u | xargs cp -L -t "$package/lib"
cat > "$package/lib/mesa.json" << 'SCRIPT'
{"file_format_version": "1.0.0", "ICD": {"library_path": "libEGL_mesa.so.0"}}
SCRIPT
cat > "$package/run.sh" << 'SCRIPT'
#!/usr/bin/env bash
# run.sh settings OUT COUNT SEED | run.sh gl|memory|reset OUT [POINTS]: see scripts/software_package.sh
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
what=$1
mkdir -p "$2"
out=$(cd "$2" && pwd)
python=$(command -v python3 || true)  # finds its own libraries
libraries=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
gl=(__EGL_VENDOR_LIBRARY_FILENAMES="$here/lib/mesa.json" LIBGL_DRIVERS_PATH="$here/lib/dri" LP_NUM_THREADS=2)
if [[ $what == settings ]]; then
  # A wrapper, so that only the program takes the libraries of the package.
  printf '#!/bin/sh\nLD_LIBRARY_PATH=%q exec %q "$@"\n' "$libraries" "$here/bin/satdof" > "$out/satdof"
  chmod +x "$out/satdof"
  env "${gl[@]}" "$python" "$here/bin/random_settings.py" "$out/satdof" "$3" "$4" 2>&1 | tee "$out/settings-$4.log"
  exit "${PIPESTATUS[0]}"
fi
parts=$(nproc)
for ((part = 1; part <= parts; ++part)); do
  env "${gl[@]}" LD_LIBRARY_PATH="$libraries" "$here/bin/satdof_faults" "$what" "${3:-0}" "$part" "$parts" \
    > "$out/$what-$part.log" 2>&1 &
done
status=0
for ((part = 1; part <= parts; ++part)); do wait -n || status=1; done
cat "$out/$what"-*.log | tee "$out/$what.log"
awk '/points injected/ {injected += $2; all = $4; told += $7; same += $12; bad += $17}
  END {print injected " of " all " points injected: " told " ended with a message, " same " with the same image, " bad " badly"}' \
  "$out/$what.log"
exit "$status"
SCRIPT
chmod +x "$package/run.sh"
tar -C "$folder" -c software-package | xz -T0 -6 > "$2"
