#!/usr/bin/env bash
# Packs the program with random settings and fault injection for another machine: scripts/fuzz package-faults BUILD_DIR FILE.tar.xz [host]
#
# BUILD_DIR needs the targets satdof, satdof_drawer and satdof_faults. The other machine needs the same or a newer glibc, bash, and
# python3 with numpy and Pillow. The package contains software OpenGL; with `host` it uses the OpenGL driver of that machine. Usage there:
#   tar -xJf FILE.tar.xz && cd faults-package
#   ./run.sh settings OUT COUNT SEED           scripts/fuzz random-settings, in parallel
#   ./run.sh gl|memory|reset OUT [POINTS]      satdof_faults, on all cores
#   ./run.sh cuda|cuda-lost OUT [POINTS]       the same; needs `host`, a build with CUDA and a CUDA device
set -euo pipefail
(($# == 2 || $# == 3)) || { sed -n '2,9s/^# \?//p' "$0" >&2; exit 2; }
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
build=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
package=$folder/faults-package
mkdir -p "$package"/{bin,lib/dri}
for program in satdof satdof_drawer satdof_faults; do strip -o "$package/bin/$program" "$build/bin/$program"; done
cp -r "$root/scripts" "$package"
cp -rL "$build/share" "$package"

libraries=/usr/lib/$(uname -m)-linux-gnu
# GLVND and GLFW load these by name.
loaded=("$libraries"/{libGLX.so.0,libGL.so.1,libOpenGL.so.0,libX11.so.6})
if [[ ${3:-} != host ]]; then
  loaded+=("$libraries/libEGL_mesa.so.0" "$libraries/dri/swrast_dri.so")
  echo '{"file_format_version": "1.0.0", "ICD": {"library_path": "libEGL_mesa.so.0"}}' > "$package/lib/mesa.json"
fi
copy_libraries "$package/lib" "$build"/bin/{satdof,satdof_drawer,satdof_faults} "${loaded[@]}"
cp -L "${loaded[@]}" "$package/lib"
[[ ! -e $package/lib/swrast_dri.so ]] || mv "$package/lib/swrast_dri.so" "$package/lib/dri"
cat > "$package/run.sh" << 'SCRIPT'
#!/usr/bin/env bash
# run.sh settings OUT COUNT SEED | run.sh gl|memory|reset|cuda|cuda-lost OUT [POINTS]: see scripts/fuzz package-faults
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
what=$1
mkdir -p "$2"
out=$(cd "$2" && pwd)
libraries=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
if [[ -e $here/lib/mesa.json ]]; then
  export __EGL_VENDOR_LIBRARY_FILENAMES=$here/lib/mesa.json LIBGL_DRIVERS_PATH=$here/lib/dri LP_NUM_THREADS=2
fi
if [[ $what == settings ]]; then
  # python3 must not use the libraries of the package.
  for program in satdof satdof_drawer; do
    printf '#!/bin/sh\nLD_LIBRARY_PATH=%q exec %q "$@"\n' "$libraries" "$here/bin/$program" > "$out/$program"
    chmod +x "$out/$program"
  done
  python3 "$here/scripts/fuzz" random-settings "$out/satdof" "$3" "$4" 2>&1 | tee "$out/settings-$4.log"
  exit "${PIPESTATUS[0]}"
fi
parts=$(nproc)
for ((part = 1; part <= parts; ++part)); do
  LD_LIBRARY_PATH=$libraries "$here/bin/satdof_faults" "$what" "${3:-0}" "$part" "$parts" > "$out/$what.part$part.log" 2>&1 &
done
status=0
for ((part = 1; part <= parts; ++part)); do wait -n || status=1; done
cat "$out/$what".part*.log | tee "$out/$what.log"
awk -v what="$what" '/points injected/ { injected += $2; all = $4; told += $7; same += $12; bad += $17 }
  END { printf "%s, all parts: %d of %d points injected: %d ended with a message, %d with the same image, %d badly\n",
          what, injected, all, told, same, bad }' "$out/$what.log"
exit "$status"
SCRIPT
chmod +x "$package/run.sh"
tar -C "$folder" -c faults-package | xz -T0 -6 > "$2"
