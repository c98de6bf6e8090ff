#include "app/core/settings.h"

namespace satdof {

namespace {

constexpr EnumEntry<DeviceId> kDevices[] = {
    {DeviceId::automatic, "auto", "the fastest device available here"},
    {DeviceId::cuda, "cuda", "CUDA, sharing images with OpenGL or copying them"},
    {DeviceId::glCompute, "gl-compute", "OpenGL compute shaders"},
    {DeviceId::glFragment, "gl-fragment", "OpenGL fragment shaders (39.2.6, Sengupta et al. 2006)"},
    {DeviceId::cpu, "cpu", "all CPU cores, vectorised"},
    {DeviceId::cpuSequential, "cpu-sequential", "one CPU core; the reference for tests"},
    {DeviceId::cudaEmulated, "cuda-emulated",
     "the source of the CUDA kernels on the emulator, for inspection at small sizes"},
};

constexpr EnumEntry<TableFormat> kFormats[] = {
    {TableFormat::uint32, "uint32", "fixed point modulo 2^32, exact"},
    {TableFormat::float32, "float32", "32-bit floats, as in GPU Gems 3; noise grows towards the top right"},
    {TableFormat::float32Mean, "float32-mean",
     "32-bit floats after subtracting the image's mean (Hensley et al. 2005)"},
};

constexpr EnumEntry<LensKind> kLenses[] = {
    {LensKind::automatic, "auto",
     "layered, or box where layered is slow at every resolution; bokeh sprites where they are fast"},
    {LensKind::box, "box", "box mean with a fractional width; thin-lens circle of confusion"},
    {LensKind::tent, "tent", "tent filter from a second-order table (Heckbert 1986)"},
    {LensKind::layered, "layered", "scattered near field over a gathered far field without leaking"},
    {LensKind::reference, "reference", "mean of many renderings, each from a point on the aperture"},
    {LensKind::gems, "gems", "box mean with the linear blur factor of GPU Gems 3, 39.3.2"},
};

constexpr EnumEntry<LensOn> kLensesOn[] = {
    {LensOn::automatic, "auto", "where the tables are: cuda, cpu or gl"},
    {LensOn::openGl, "gl",
     "OpenGL; box, tent and gems in a fragment shader as in GPU Gems 3, on gl-compute in a "
     "compute shader"},
    {LensOn::cpu, "cpu", "all CPU cores, in main memory: box, gems and layered lenses"},
    {LensOn::cuda, "cuda", "CUDA: all passes of the lens before OpenGL gets the image back"},
    {LensOn::cudaDirect, "cuda-direct",
     "CUDA without a table, box and gems lenses: sum every pixel of the box, O(r^2)"},
    {LensOn::cudaSeparable, "cuda-separable",
     "CUDA without a table, box and gems lenses: means along x, then along y, O(r). Differs from the box "
     "where the radius varies: each row mean has the radius of its own pixel"},
};

constexpr EnumEntry<Overscan> kOverscans[] = {
    {Overscan::automatic, "auto", "always; on software OpenGL only in the best image"},
    {Overscan::off, "never", "the lens does not see the scene outside the image"},
    {Overscan::on, "always", "draw a margin as wide as the blur, at most a quarter of the height"},
};
constexpr EnumEntry<AutofocusOn> kAutofocusOn[] = {
    {AutofocusOn::centre, "centre", "median of a square in the middle of the visible image"},
    {AutofocusOn::point, "point", "surface at the last click"},
    {AutofocusOn::area, "area", "median of a square around the last click"},
    {AutofocusOn::nearest, "nearest", "nearest surface in this square"},
    {AutofocusOn::tracked, "tracked",
     "the clicked surface, followed as it moves; in films, the surface at the position of the autofocus in "
     "the first frame"},
};
constexpr EnumEntry<AspectFrame> kAspectFrames[] = {
    {AspectFrame::none, "none", "no frame"},
    {AspectFrame::wide, "16:9", "television"},
    {AspectFrame::scope, "2.39:1", "anamorphic widescreen film"},
    {AspectFrame::square, "1:1", "square"},
};
constexpr EnumEntry<Culling> kCullings[] = {
    {Culling::automatic, "auto", "cpu: 5000 teapots take a tenth of a millisecond"},
    {Culling::none, "none", "draw all teapots"},
    {Culling::cpu, "cpu", "hierarchy of bounding spheres, traversed by one CPU core"},
    {Culling::glCompute, "gl-compute", "hierarchy of bounding spheres, one stream compaction a level, indirect draws"},
};

constexpr EnumEntry<Background> kBackgrounds[] = {
    {Background::scene, "scene", "the sky of the scene"},
    {Background::transparent, "transparent", "no background: PNG and EXR captures get an alpha channel"},
    {Background::matte, "matte", "white, with black surfaces: 1 - alpha"},
};

constexpr EnumEntry<View> kViews[] = {
    {View::final, "final", "finished image"},
    {View::sharp, "sharp", "scene without blur"},
    {View::coc, "coc", "circle of confusion: near blue, far orange, in focus white"},
    {View::depth, "depth", "brightness is the distance in diopters"},
    {View::table, "table", "summed-area table; numbers of the element and of the box at the mouse"},
    {View::difference, "difference", "difference of A and B, amplified 8 times: black, blue, red, yellow, white"},
    {View::peaking, "focus-peaking", "finished image, edges in focus in red"},
    {View::near, "near", "layered lens: coverage of each pixel by the near field"},
    {View::fill, "fill", "layered lens: scene without the near field, before the blur"},
    {View::layers, "layers", "layered lens: weights of near (blue), in focus (green) and far (red)"},
    {View::weights, "weights", "layered lens: fraction of the circle of confusion that the far field fills"},
    {View::sprites, "sprites", "only the bokeh sprites"},
    {View::tableError, "table-error",
     "image by an exact table (left), error of a float table, amplified 128 times (right)"},
    {View::footprint, "footprint", "outline of the pixels averaged at the mouse, with their numbers beside it"},
    {View::focusPlane, "focus-plane", "finished image, the focus plane in green"},
};

constexpr EnumEntry<FilterVariant> kFilterVariants[] = {
    {FilterVariant::automatic, "auto", "the fastest variant available here"},
    {FilterVariant::cudaTiled, "cuda-tiled", "CUDA: mask in constant memory, tiles of the image in shared memory"},
    {FilterVariant::cudaConstant, "cuda-constant", "CUDA: mask in constant memory, image in global memory"},
    {FilterVariant::cudaNaive, "cuda-naive", "CUDA: mask and image in global memory"},
    {FilterVariant::glFragment, "gl-fragment", "an OpenGL fragment shader, mask in a uniform block"},
    {FilterVariant::cpu, "cpu", "all CPU cores, vectorised"},
    {FilterVariant::cpuSequential, "cpu-sequential", "one CPU core; the reference for tests"},
    {FilterVariant::cudaEmulated, "cuda-emulated", "the kernels of cuda-tiled, emulated on the processor"},
};

constexpr EnumEntry<FilterForm> kFilterForms[] = {
    {FilterForm::automatic, "auto", "separable if the mask is separable, else direct"},
    {FilterForm::direct, "direct", "the whole mask: width x height products a pixel"},
    {FilterForm::separable, "separable", "along x, then along y: width + height products a pixel"},
};

constexpr MaskEntry kFilterMasks[] = {
    {MaskName::kNone, "no filter"},
    {"blur", "Gaussian with a standard deviation of half the radius; separable"},
    {"sharpen", "unsharp mask: twice the image less its blur"},
    {"edges", "Laplacian of the eight neighbours"},
    {"emboss", "relief, lit from the top left"},
};

constexpr EnumEntry<BodyColour> kBodyColours[] = {
    {BodyColour::speed, "speed", "slow bodies are orange, fast bodies blue"},
    {BodyColour::mass, "mass", "light bodies are orange, heavy bodies blue"},
};

constexpr EnumEntry<DepthMeaning> kDepthMeanings[] = {
    {DepthMeaning::automatic, "auto",
     "as the file or calib.txt beside it states; else metres for floats, relative for integers"},
    {DepthMeaning::metres, "metres", "distance along the view axis"},
    {DepthMeaning::inverseMetres, "inverse-metres", "1 / distance; 0 is infinity"},
    {DepthMeaning::disparity, "disparity",
     "pixels between two cameras: distance = baseline * focal length / (d + offset)"},
    {DepthMeaning::relative, "relative",
     "large numbers are near; linear in 1 / distance between the near and far distance"},
};

}  // namespace

std::span<const EnumEntry<DeviceId>> entries(DeviceId) { return kDevices; }
std::span<const EnumEntry<TableFormat>> entries(TableFormat) { return kFormats; }
std::span<const EnumEntry<LensKind>> entries(LensKind) { return kLenses; }
std::span<const EnumEntry<LensOn>> entries(LensOn) { return kLensesOn; }
std::span<const EnumEntry<Overscan>> entries(Overscan) { return kOverscans; }
std::span<const EnumEntry<AutofocusOn>> entries(AutofocusOn) { return kAutofocusOn; }
std::span<const EnumEntry<AspectFrame>> entries(AspectFrame) { return kAspectFrames; }
std::span<const EnumEntry<Culling>> entries(Culling) { return kCullings; }
std::span<const EnumEntry<Background>> entries(Background) { return kBackgrounds; }
std::span<const EnumEntry<View>> entries(View) { return kViews; }
std::span<const EnumEntry<FilterVariant>> entries(FilterVariant) { return kFilterVariants; }
std::span<const EnumEntry<FilterForm>> entries(FilterForm) { return kFilterForms; }
std::span<const MaskEntry> filterMasks() { return kFilterMasks; }
std::span<const EnumEntry<BodyColour>> entries(BodyColour) { return kBodyColours; }
std::span<const EnumEntry<DepthMeaning>> entries(DepthMeaning) { return kDepthMeanings; }

}  // namespace satdof
