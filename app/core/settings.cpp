#include "app/core/settings.h"

#include <array>

namespace satdof {

namespace {

constexpr std::array kDevices = {
    EnumEntry<DeviceId>{DeviceId::automatic, "auto", "the fastest that works here"},
    EnumEntry<DeviceId>{DeviceId::cuda, "cuda", "CUDA through CUDA-OpenGL interop, or staged copies"},
    EnumEntry<DeviceId>{DeviceId::glCompute, "gl-compute", "OpenGL compute shaders"},
    EnumEntry<DeviceId>{DeviceId::glFragment, "gl-fragment",
                        "OpenGL fragment shaders (39.2.6, Sengupta et al. 2006)"},
    EnumEntry<DeviceId>{DeviceId::cpu, "cpu", "all processor cores, vectorised"},
    EnumEntry<DeviceId>{DeviceId::cpuSequential, "cpu-sequential", "one core, the reference"},
};

constexpr std::array kFormats = {
    EnumEntry<TableFormat>{TableFormat::uint32, "uint32", "fixed point modulo 2^32, exact"},
    EnumEntry<TableFormat>{TableFormat::float32, "float32", "as in GPU Gems 3; noisy far from the origin"},
    EnumEntry<TableFormat>{TableFormat::float32Mean, "float32-mean",
                           "the image's mean subtracted first (Hensley et al. 2005)"},
};

constexpr std::array kLenses = {
    EnumEntry<LensKind>{LensKind::automatic, "auto",
                        "layered, or box on software OpenGL; highlights as sprites only on a GPU"},
    EnumEntry<LensKind>{LensKind::box, "box", "one table, fractional boxes, thin-lens circle of confusion"},
    EnumEntry<LensKind>{LensKind::tent, "tent", "tents from the table of the table (Heckbert 1986)"},
    EnumEntry<LensKind>{LensKind::layered, "layered",
                        "near field scatter over a far field gathered without leaks"},
    EnumEntry<LensKind>{LensKind::reference, "reference", "the scene drawn from many points of the aperture"},
    EnumEntry<LensKind>{LensKind::gems, "gems", "the linear blur factor of GPU Gems 3, 39.3.2"},
};

constexpr std::array kLensesOn = {
    EnumEntry<LensOn>{LensOn::openGl, "gl", "a fragment shader"},
    EnumEntry<LensOn>{LensOn::cuda, "cuda", "CUDA, from the table while it is still CUDA's"},
    EnumEntry<LensOn>{LensOn::cudaDirect, "cuda-direct",
                      "CUDA without a table: every pixel of the box, O(r^2)"},
    EnumEntry<LensOn>{LensOn::cudaSeparable, "cuda-separable",
                      "CUDA without a table: along x, then along y, O(r)"},
};

constexpr std::array kViews = {
    EnumEntry<View>{View::final, "final", "the finished image"},
    EnumEntry<View>{View::sharp, "sharp", "the scene without blur"},
    EnumEntry<View>{View::coc, "coc", "circle of confusion: blue near, orange far, white where in focus"},
    EnumEntry<View>{View::depth, "depth", "distance, as brightness in diopters"},
    EnumEntry<View>{View::table, "table", "the summed-area table itself"},
    EnumEntry<View>{View::difference, "difference",
                    "A and B of the split apart, as displayed, times 8: black, blue, red, yellow, white"},
    EnumEntry<View>{View::peaking, "focus-peaking", "the scene without blur, edges in focus in red"},
    EnumEntry<View>{View::near, "near", "layered: how much of a pixel the near field covers"},
    EnumEntry<View>{View::fill, "fill", "layered: the scene without its near field, before it is blurred"},
    EnumEntry<View>{View::layers, "layers", "layered: near in blue, in focus in green, far in red, by share"},
    EnumEntry<View>{View::weights, "weights",
                    "layered: how much of the circle of confusion the far field fills"},
    EnumEntry<View>{View::sprites, "sprites", "highlights alone, drawn as images of the aperture"},
    EnumEntry<View>{View::tableError, "table-error",
                    "left exact, right the noise of a float table, as displayed, times 128: black to white"},
    EnumEntry<View>{View::footprint, "footprint",
                    "what the kernel at the cursor takes, outlined; its numbers are in the state line"},
};

}  // namespace

std::span<const EnumEntry<DeviceId>> entries(DeviceId) { return kDevices; }
std::span<const EnumEntry<TableFormat>> entries(TableFormat) { return kFormats; }
std::span<const EnumEntry<LensKind>> entries(LensKind) { return kLenses; }
std::span<const EnumEntry<LensOn>> entries(LensOn) { return kLensesOn; }
std::span<const EnumEntry<View>> entries(View) { return kViews; }

}  // namespace satdof
