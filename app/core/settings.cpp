#include "app/core/settings.h"

#include <array>

namespace satdof {

namespace {

constexpr std::array kDevices = {
    EnumEntry<DeviceId>{DeviceId::automatic, "auto", "the fastest device available here"},
    EnumEntry<DeviceId>{DeviceId::cuda, "cuda", "CUDA, sharing images with OpenGL or copying them"},
    EnumEntry<DeviceId>{DeviceId::glCompute, "gl-compute", "OpenGL compute shaders"},
    EnumEntry<DeviceId>{DeviceId::glFragment, "gl-fragment",
                        "OpenGL fragment shaders (39.2.6, Sengupta et al. 2006)"},
    EnumEntry<DeviceId>{DeviceId::cpu, "cpu", "all CPU cores, vectorised"},
    EnumEntry<DeviceId>{DeviceId::cpuSequential, "cpu-sequential", "one CPU core; the reference for tests"},
    EnumEntry<DeviceId>{DeviceId::cudaEmulated, "cuda-emulated",
                        "the source of the CUDA kernels, for looking into them at small sizes"},
};

constexpr std::array kFormats = {
    EnumEntry<TableFormat>{TableFormat::uint32, "uint32", "fixed point modulo 2^32, exact"},
    EnumEntry<TableFormat>{TableFormat::float32, "float32",
                           "32-bit floats, as in GPU Gems 3; noise grows towards the top right"},
    EnumEntry<TableFormat>{TableFormat::float32Mean, "float32-mean",
                           "32-bit floats after subtracting the image's mean (Hensley et al. 2005)"},
};

constexpr std::array kLenses = {
    EnumEntry<LensKind>{
        LensKind::automatic, "auto",
        "layered, or box where layered is slow at any resolution; bokeh sprites where they are fast"},
    EnumEntry<LensKind>{LensKind::box, "box",
                        "box mean with a fractional width; thin-lens circle of confusion"},
    EnumEntry<LensKind>{LensKind::tent, "tent", "tent filter from a second-order table (Heckbert 1986)"},
    EnumEntry<LensKind>{LensKind::layered, "layered",
                        "scattered near field over a far field that does not leak"},
    EnumEntry<LensKind>{LensKind::reference, "reference",
                        "mean of many renderings, each from a point of the aperture"},
    EnumEntry<LensKind>{LensKind::gems, "gems", "box mean with the linear blur factor of GPU Gems 3, 39.3.2"},
};

constexpr std::array kLensesOn = {
    EnumEntry<LensOn>{LensOn::automatic, "auto", "where the tables are: cuda, cpu or gl"},
    EnumEntry<LensOn>{LensOn::openGl, "gl",
                      "OpenGL; box, tent and gems in a fragment shader as in GPU Gems 3, on gl-compute in a "
                      "compute shader"},
    EnumEntry<LensOn>{LensOn::cpu, "cpu", "all CPU cores, in main memory: box, gems and layered lenses"},
    EnumEntry<LensOn>{LensOn::cuda, "cuda", "CUDA: all passes of the lens before OpenGL gets the image back"},
    EnumEntry<LensOn>{LensOn::cudaDirect, "cuda-direct",
                      "CUDA without a table, box and gems lenses: sum every pixel of the box, O(r^2)"},
    EnumEntry<LensOn>{LensOn::cudaSeparable, "cuda-separable",
                      "CUDA without a table, box and gems lenses: means along x, then the mean of these "
                      "along y, O(r). Not the "
                      "box where the radius varies: each row mean has its own pixel's radius"},
};

constexpr std::array kOverscans = {
    EnumEntry<Overscan>{Overscan::automatic, "auto", "always; on software OpenGL in the best image alone"},
    EnumEntry<Overscan>{Overscan::off, "never", "what lies outside the image is unknown to the lens"},
    EnumEntry<Overscan>{Overscan::on, "always",
                        "draw a margin as wide as the blur, at most a quarter of the height"},
};
constexpr std::array kAutofocusOn = {
    EnumEntry<AutofocusOn>{AutofocusOn::centre, "centre",
                           "median of a square in the middle of the visible image"},
    EnumEntry<AutofocusOn>{AutofocusOn::point, "point", "what is at the place of the last click"},
    EnumEntry<AutofocusOn>{AutofocusOn::area, "area", "median of a square around this place"},
    EnumEntry<AutofocusOn>{AutofocusOn::nearest, "nearest", "nearest surface in this square"},
    EnumEntry<AutofocusOn>{
        AutofocusOn::tracked, "tracked",
        "the clicked surface, wherever teapot, body or model move it; in frames of a film, what "
        "the first one shows at the place"},
};
constexpr std::array kAspectFrames = {
    EnumEntry<AspectFrame>{AspectFrame::none, "none", "no frame"},
    EnumEntry<AspectFrame>{AspectFrame::wide, "16:9", "of television"},
    EnumEntry<AspectFrame>{AspectFrame::scope, "2.39:1", "of wide films"},
    EnumEntry<AspectFrame>{AspectFrame::square, "1:1", "a square"},
};
constexpr std::array kCullings = {
    EnumEntry<Culling>{Culling::automatic, "auto", "cpu: 5000 teapots take a tenth of a millisecond"},
    EnumEntry<Culling>{Culling::none, "none", "draw all teapots"},
    EnumEntry<Culling>{Culling::cpu, "cpu", "hierarchy of bounding spheres, traversed by one CPU core"},
    EnumEntry<Culling>{Culling::glCompute, "gl-compute",
                       "hierarchy of bounding spheres, one stream compaction a level, indirect draws"},
};

constexpr std::array kBackgrounds = {
    EnumEntry<Background>{Background::scene, "scene", "the sky of the scene"},
    EnumEntry<Background>{Background::transparent, "transparent",
                          "nothing: PNG and EXR captures get an alpha channel"},
    EnumEntry<Background>{Background::matte, "matte", "white behind black surfaces: 1 - alpha"},
};

constexpr std::array kViews = {
    EnumEntry<View>{View::final, "final", "finished image"},
    EnumEntry<View>{View::sharp, "sharp", "scene without blur"},
    EnumEntry<View>{View::coc, "coc", "circle of confusion: near blue, far orange, in focus white"},
    EnumEntry<View>{View::depth, "depth", "brightness is the distance in diopters"},
    EnumEntry<View>{View::table, "table",
                    "summed-area table, with its element and the box of the pixel at the mouse in numbers"},
    EnumEntry<View>{View::difference, "difference",
                    "difference of A and B, amplified 8 times: black, blue, red, yellow, white"},
    EnumEntry<View>{View::peaking, "focus-peaking", "finished image, edges in focus in red"},
    EnumEntry<View>{View::near, "near", "layered lens: coverage of each pixel by the near field"},
    EnumEntry<View>{View::fill, "fill", "layered lens: scene without the near field, before the blur"},
    EnumEntry<View>{View::layers, "layers",
                    "layered lens: shares of near (blue), in focus (green) and far (red)"},
    EnumEntry<View>{View::weights, "weights",
                    "layered lens: part of the circle of confusion that the far field fills"},
    EnumEntry<View>{View::sprites, "sprites", "bokeh sprites alone"},
    EnumEntry<View>{View::tableError, "table-error",
                    "image by an exact table (left), error of a float table, amplified 128 times (right)"},
    EnumEntry<View>{View::footprint, "footprint",
                    "outline of the pixels averaged at the mouse, with their numbers beside it"},
    EnumEntry<View>{View::focusPlane, "focus-plane", "finished image, the focus plane in green"},
};

constexpr std::array kFilterVariants = {
    EnumEntry<FilterVariant>{FilterVariant::automatic, "auto", "the fastest variant available here"},
    EnumEntry<FilterVariant>{FilterVariant::cudaTiled, "cuda-tiled",
                             "CUDA: mask in constant memory, tiles of the image in shared memory"},
    EnumEntry<FilterVariant>{FilterVariant::cudaConstant, "cuda-constant",
                             "CUDA: mask in constant memory, image in global memory"},
    EnumEntry<FilterVariant>{FilterVariant::cudaNaive, "cuda-naive", "CUDA: mask and image in global memory"},
    EnumEntry<FilterVariant>{FilterVariant::glFragment, "gl-fragment",
                             "an OpenGL fragment shader, mask in a uniform block"},
    EnumEntry<FilterVariant>{FilterVariant::cpu, "cpu", "all CPU cores, vectorised"},
    EnumEntry<FilterVariant>{FilterVariant::cpuSequential, "cpu-sequential",
                             "one CPU core; the reference for tests"},
    EnumEntry<FilterVariant>{FilterVariant::cudaEmulated, "cuda-emulated",
                             "the kernels of cuda-tiled, emulated on the processor"},
};

constexpr std::array kFilterForms = {
    EnumEntry<FilterForm>{FilterForm::automatic, "auto", "separable if the mask is, else direct"},
    EnumEntry<FilterForm>{FilterForm::direct, "direct", "the whole mask: width x height products a pixel"},
    EnumEntry<FilterForm>{FilterForm::separable, "separable",
                          "along x, then along y: width + height products a pixel"},
};

constexpr std::array kFilterMasks = {
    MaskEntry{MaskName::kNone, "no filter"},
    MaskEntry{"blur", "Gaussian with a standard deviation of half the radius; separable"},
    MaskEntry{"sharpen", "unsharp mask: twice the image less its blur"},
    MaskEntry{"edges", "Laplacian of the eight neighbours"},
    MaskEntry{"emboss", "relief, lit from the top left"},
};

constexpr std::array kBodyColours = {
    EnumEntry<BodyColour>{BodyColour::speed, "speed", "slow bodies are orange, fast bodies blue"},
    EnumEntry<BodyColour>{BodyColour::mass, "mass", "light bodies are orange, heavy bodies blue"},
};

constexpr std::array kDepthMeanings = {
    EnumEntry<DepthMeaning>{DepthMeaning::automatic, "auto",
                            "what the file says, or calib.txt beside it; else metres for floats and relative "
                            "for integers"},
    EnumEntry<DepthMeaning>{DepthMeaning::metres, "metres", "distance along the view axis"},
    EnumEntry<DepthMeaning>{DepthMeaning::inverseMetres, "inverse-metres", "1 / distance; 0 is infinity"},
    EnumEntry<DepthMeaning>{DepthMeaning::disparity, "disparity",
                            "pixels between two cameras: distance = baseline * focal length / (d + offset)"},
    EnumEntry<DepthMeaning>{
        DepthMeaning::relative, "relative",
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
