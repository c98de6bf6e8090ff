#pragma once
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "app/core/settings.h"

namespace satdof {

// Whether a change of the field restarts the reference or keeps its samples.
enum class Reference { goesOn, restarts };

// Whether a field belongs to the look, which describes how the lens draws any scene. Presets and "Copy look" contain
// only the look.
enum class Look { other, look };

// How a number is interpolated between two keys and along a slider. step: the first value until the second; diopters:
// linear in inverse metres; angle: the shorter way around; fixed: no keys, one value for a whole run.
enum class Interpolation { step, linear, logarithmic, diopters, angle, fixed };

// Returns the interpolated value at `t`: `from` at 0, `to` at 1.
float between(Interpolation how, float from, float to, float t);

// A group of fields: the prefix of their keys and of their options.
struct Scope {
  const char* path = "";
  const char* option = "--";
  bool hasLook = true;  // false: no field belongs to the look
};

// One field of Settings, for the command line, saved settings, range checks and tooltips.
struct Field {
  Reference reference{};  // `reference` and `look` come first: every row of the table must state both
  Look look{};
  const char* key = "";        // after scope.path, in saved settings: "lens.focusDistanceM"
  const char* flag = nullptr;  // after scope.option: "focus"; null: no option
  const char* help = nullptr;
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  Interpolation interpolation = Interpolation::step;
  bool powerOfTwo = false;
  Scope scope = {};

  constexpr bool takesKeys() const { return interpolation != Interpolation::fixed; }
  // Whether path() == path, without an allocation.
  constexpr bool isAt(std::string_view path) const {
    const std::string_view group = scope.path;
    return path.starts_with(group) && path.substr(group.size()) == key;
  }
  bool ofLook() const { return look == Look::look && scope.hasLook; }
  std::string path() const { return std::string(scope.path) + key; }
  std::string option() const { return flag == nullptr ? std::string() : std::string(scope.option) + flag; }
};

constexpr Field unkeyed(Field field) {
  field.interpolation = Interpolation::fixed;
  return field;
}

// Whether a value of type T can have keys: numbers, booleans and enumerations.
template <class T>
inline constexpr bool isKeyed = std::is_arithmetic_v<T> || std::is_enum_v<T>;

inline constexpr Scope kNoScope{};
inline constexpr Scope kTechniqueA{"technique.", "--"};
inline constexpr Scope kTechniqueB{"split.b.", "--split-", false};

// A row: a member of each of `s`, whose name becomes the key; then the other members of Field in their order.
#define FIELD(member, reference, look, ...) visit(Field{reference, look, #member, __VA_ARGS__}, s.member...)
#define UNKEYED(member, reference, look, ...) visit(unkeyed(Field{reference, look, #member, __VA_ARGS__}), s.member...)

// Calls visit(field, value&...) for every field of a technique, with one value for each of `s`.
template <class Visit, class... T>
constexpr void describeTechniques(const Scope& scope, const Visit& visitAny, T&... s) {
  using enum Reference;
  using enum Look;
  using enum Interpolation;
  const auto visit = [&](Field field, auto&... values) {
    field.scope = scope;
    visitAny(field, values...);
  };
  FIELD(device, goesOn, other, "device", "device that builds the table");
  FIELD(table.scan, goesOn, other, "scan", "scan of the tables, the compaction and the sort of the cuda device");
  FIELD(table.format, goesOn, other, "table-format", "number format of the table");
  FIELD(table.blockSize, goesOn, other, "block-size", "threads per block of the scan", 32, 1024, step, true);
  FIELD(table.reducePasses, goesOn, other, "reduce-passes",
        "reduce passes of gl-fragment before doubling; 0: Hensley et al. 2005", 0, 16);
  FIELD(lens.kind, goesOn, look, "lens", "lens model");
  FIELD(lens.on, goesOn, other, "lens-on", "what computes the blur");
  FIELD(view, goesOn, other, "view", "finished image or debug view");
  FIELD(bokeh.enabled, goesOn, look, "bokeh",
        "draw bright pixels out of focus as bokeh sprites (box, tent and layered lenses)");
  FIELD(bokeh.compaction, goesOn, other, "compaction",
        "how the cuda device collects bright pixels; scan-scatter uses --scan");
  FIELD(bokeh.sort, goesOn, other, "sort",
        "how the cuda device sorts bokeh sprites by depth, far to near; split uses --scan. Blending is "
        "additive: the order changes only the rounding of the image");
}

// Calls visit(field, value&...) for every field, with one value for each of `s`. Value types: bool, int, float,
// glm::ivec2, MaskName, FilePath and the enumerations.
template <class Visit, class... S>
constexpr void describeAll(const Visit& visit, S&... s) {
  using enum Reference;
  using enum Look;
  using enum Interpolation;
  UNKEYED(size, restarts, other, "size", "image size in pixels", 1, 16384);
  describeTechniques(kTechniqueA, visit, s.technique...);
  FIELD(lens.focusDistanceM, restarts, other, "focus", "focus distance in metres", 0.1, 10000, diopters);
  FIELD(lens.focalLengthMm, restarts, look, "focal-length", "focal length in millimetres", 1, 2000, logarithmic);
  FIELD(lens.fNumber, restarts, look, "f-number", "f-number: focal length divided by aperture diameter", 0.1, 128,
        logarithmic);
  FIELD(lens.sensorHeightMm, restarts, look, "sensor-height", "sensor height in millimetres", 1, 500, linear);
  FIELD(lens.autofocus, goesOn, other, "autofocus", "focus on the target of --autofocus-on");
  FIELD(lens.autofocusOn, goesOn, other, "autofocus-on", "where the autofocus measures");
  FIELD(lens.autofocusX, goesOn, other, "autofocus-x",
        "position of the autofocus: 0 at the left of the image, 1 at the right", 0, 1, linear);
  FIELD(lens.autofocusY, goesOn, other, "autofocus-y",
        "position of the autofocus: 0 at the top of the image, 1 at the bottom", 0, 1, linear);
  FIELD(lens.autofocusSize, goesOn, other, "autofocus-size", "side of the square of the autofocus in image heights",
        0.01, 0.5, logarithmic);
  FIELD(lens.autofocusSpeed, goesOn, other, "autofocus-speed",
        "largest speed of the autofocus in diopters a second (a single image is in focus at once)", 0.01, 100,
        logarithmic);
  FIELD(lens.autofocusDelayS, goesOn, other, "autofocus-delay",
        "seconds that a jump of the distance must last before the autofocus follows", 0, 10, linear);
  FIELD(lens.trackedObject, goesOn, other, "tracked-object",
        "object, or frame of a film, of the point that the autofocus tracks; set by a click; 0: none", 0, 1 << 24);
  FIELD(lens.trackedX, goesOn, other, "tracked-x",
        "the tracked point in the space of its object, or 0 to 1 from the left of its frame", -1e6, 1e6, step);
  FIELD(lens.trackedY, goesOn, other, "tracked-y",
        "the tracked point in the space of its object, or 0 to 1 from the top of its frame", -1e6, 1e6, step);
  FIELD(lens.trackedZ, goesOn, other, "tracked-z", "the tracked point in the space of its object", -1e6, 1e6, step);
  FIELD(lens.nearScale, restarts, look, "near-scale", "factor of the blur in front of the focus plane", 0, 10, linear);
  FIELD(lens.farScale, restarts, look, "far-scale", "factor of the blur behind the focus plane", 0, 10, linear);
  FIELD(lens.anamorphicRatio, restarts, look, "anamorphic-ratio",
        "width over height of the aperture and its bokeh sprites (all lenses but gems)", 0.25, 4, logarithmic);
  FIELD(lens.kernelSteps, goesOn, look, "kernel-steps",
        "boxes that approximate the disc of the layered lens; 1: a square", 1, 5);
  FIELD(lens.layers, goesOn, other, "layers", "depth layers of the layered lens; 0: 1, or 2 in the best image", 0, 2);
  FIELD(lens.blades, restarts, look, "blades",
        "blades of the aperture for the reference and bokeh sprites; below 3: a disc", 0, 16);
  FIELD(lens.bladeRotationDegrees, restarts, look, "blade-rotation", "rotation of the aperture in degrees", -360, 360,
        angle);
  FIELD(lens.bladeCurvature, restarts, look, "blade-curvature", "curvature of the blades; 0: straight, 1: a disc", 0, 1,
        linear);
  UNKEYED(lens.apertureImage, restarts, look, "aperture-image",
          "image of the aperture in place of its blades, of 16 to 1024 pixels a side");
  FIELD(lens.spherical, restarts, look, "spherical",
        "diopters by which the aperture's edge focuses nearer than its centre; below 0: soap bubbles "
        "behind the focus plane",
        -2, 2, linear);
  FIELD(lens.diffraction, goesOn, look, "diffraction",
        "diffraction at the aperture's edge: softer at high f-numbers, starbursts by blades");
  FIELD(lens.catEye, restarts, look, "cat-eye",
        "how far the barrel covers the aperture 21.6 mm off the axis, in radii: bokeh like cat's eyes", 0, 1.5, linear);
  FIELD(lens.vignetting, restarts, look, "vignetting",
        "fraction of the light lost by --cat-eye that darkens the corners; 0: none", 0, 1, linear);
  FIELD(lens.tiltXDegrees, restarts, look, "tilt-x",
        "tilt of the lens in degrees: the focus plane leans back at the top (all lenses but gems)", -20, 20, linear);
  FIELD(lens.tiltYDegrees, restarts, look, "tilt-y",
        "tilt of the lens in degrees: the focus plane leans back at the right (all lenses but gems)", -20, 20, linear);
  FIELD(lens.fieldCurvature, restarts, look, "field-curvature",
        "diopters by which focus is nearer 45 degrees off the axis (all lenses but gems)", -20, 20, linear);
  FIELD(lens.breathing, restarts, look, "breathing",
        "how much a near focus narrows the field of view; 1: a thin lens (no photographs)", 0, 2, linear);
  FIELD(lens.axialColour, restarts, look, "axial-colour",
        "diopters from the focus of red to the focus of blue (all lenses but gems)", -2, 2, linear);
  FIELD(lens.lateralColour, restarts, look, "lateral-colour",
        "percent by which red is larger and blue smaller than green, 12 mm off the axis", -2, 2, linear);
  FIELD(lens.highlightThreshold, goesOn, look, "highlight-threshold",
        "linear luminance above which light is drawn as bokeh sprites", 0.01, 64, logarithmic);
  FIELD(lens.lensSamples, goesOn, other, "lens-samples",
        "renderings that the reference averages, each from a point of the aperture", 1, 65536, logarithmic);
  FIELD(lens.lensSeed, restarts, other, "lens-seed", "random seed of the reference; changes its noise", 0, 1000);
  FIELD(lens.jitter, restarts, other, "jitter",
        "reference: one sample a pixel from each point of the aperture, jittered within the pixel");
  FIELD(lens.gemsFocusRangeM, goesOn, look, "gems-range", "gems: metres from the focus plane to full blur", 0.01, 1000,
        logarithmic);
  FIELD(lens.gemsMaxRadiusPx, goesOn, look, "gems-radius",
        "gems: half-width of the full blur in pixels, at an image height of 1080", 0, 1000, linear);
  FIELD(lens.overscan, goesOn, other, "overscan",
        "blur with the light from a margin around the image (all lenses but the reference)");
  UNKEYED(lens.linkFieldOfView, goesOn, other, "link-fov",
          "panels: focal length, sensor height and field of view move together");
  UNKEYED(filter.mask, goesOn, look, "filter", "filter of the image after the lens, in linear light");
  FIELD(filter.radiusPx, goesOn, look, "filter-radius", "half-width of the masks of blur and sharpen in pixels", 1, 31,
        linear);
  FIELD(filter.variant, goesOn, other, "filter-variant", "implementation of the filter");
  FIELD(filter.form, goesOn, other, "filter-form", "how the mask is applied");
  UNKEYED(scene.kind, restarts, other, "scene", "scene to render");
  FIELD(scene.teapots.count, restarts, other, "teapots", "number of teapots", 1, 5000, logarithmic);
  FIELD(scene.teapots.lamps, restarts, other, "lamps", "add small bright lamps, which show bokeh");
  FIELD(scene.teapots.culling, goesOn, other, "culling",
        "how teapots outside the image are culled; all choices give the same image");
  FIELD(scene.bodies.count, restarts, other, "bodies", "number of bodies", 1, 1 << 24, logarithmic);
  FIELD(scene.bodies.solver, restarts, other, "solver", "solver of the gravity of the bodies");
  FIELD(scene.bodies.initial, restarts, other, "initial", "initial state of the bodies");
  FIELD(scene.bodies.seed, restarts, other, "body-seed", "random seed of the initial state", 0, 1000000);
  FIELD(scene.bodies.softening, restarts, other, "softening",
        "Plummer softening of gravity; the unit is the total extent", 0.0001, 1, logarithmic);
  FIELD(scene.bodies.timeStep, restarts, other, "time-step", "step of the leapfrog in units of simulated time", 1e-5,
        0.25, logarithmic);
  FIELD(scene.bodies.speed, restarts, other, "body-speed", "units of simulated time per second of animation", 0, 10,
        linear);
  FIELD(scene.bodies.startS, restarts, other, "body-start", "animation time at which the simulation starts, in seconds",
        0, 1e6, linear);
  FIELD(scene.bodies.openingAngle, restarts, other, "opening-angle",
        "trees: size over distance above which a cell is opened; 0 opens all", 0, 2, linear);
  FIELD(scene.bodies.traversal, restarts, other, "traversal", "order in which cuda-tree visits its cells");
  FIELD(scene.bodies.sort, restarts, other, "body-sort", "how cuda-tree sorts the bodies");
  FIELD(scene.bodies.scan, restarts, other, "body-scan", "scan of cuda-tree");
  FIELD(scene.bodies.compaction, restarts, other, "body-compaction", "compaction of the breadth-first traversal");
  FIELD(scene.bodies.colour, restarts, other, "body-colour", "quantity that the colour of a body shows");
  UNKEYED(scene.image.file, restarts, other, "image", "image to refocus: .png, .jpg, .hdr, .pfm and others");
  UNKEYED(scene.image.depth, restarts, other, "depth", "depth of the image; without it, the depth in the image file");
  FIELD(scene.image.meaning, restarts, other, "depth-means", "quantity and unit of the numbers in the depth file");
  FIELD(scene.image.inverted, restarts, other, "depth-inverted", "relative depth: small numbers are near");
  FIELD(scene.image.scale, restarts, other, "depth-scale",
        "metres or inverse metres of the number 1 in the depth file; 0.001 for millimetres", 1e-9, 1e9, logarithmic);
  FIELD(scene.image.nearM, restarts, other, "depth-near", "relative depth: distance of the nearest number in metres",
        0.05, 10000, logarithmic);
  FIELD(scene.image.farM, restarts, other, "depth-far", "relative depth: distance of the farthest number in metres",
        0.05, 10000, logarithmic);
  FIELD(scene.image.baselineMm, restarts, other, "baseline",
        "disparity: distance between the two cameras in millimetres", 0.001, 1e6, logarithmic);
  FIELD(scene.image.focalLengthPx, restarts, other, "disparity-focal",
        "disparity: focal length in pixels of the depth; 0: its width", 0, 1e6, linear);
  FIELD(scene.image.offsetPx, restarts, other, "disparity-offset",
        "disparity: added to every number (doffs of calib.txt)", -1e5, 1e5, linear);
  FIELD(scene.image.levelFar, restarts, other, "depth-level-far",
        "inverse distance, as a fraction of the nearest, that becomes infinitely far", 0, 1, linear);
  FIELD(scene.image.levelNear, restarts, other, "depth-level-near",
        "inverse distance, as a fraction of the nearest, that becomes the nearest", 0, 1, linear);
  FIELD(scene.image.levelGamma, restarts, other, "depth-gamma",
        "curve of the depth between its levels; above 1, the middle comes nearer", 0.1, 10, logarithmic);
  FIELD(scene.image.skyBelow, restarts, other, "depth-sky",
        "inverse distances below this fraction of the nearest are infinitely far", 0, 1, linear);
  FIELD(scene.image.edgeRadiusPx, restarts, other, "depth-edge-radius",
        "pixels by which edges of the depth may move to edges of the image; 0: off", 0, 64, linear);
  FIELD(scene.image.edgeContrast, restarts, other, "depth-edge-contrast",
        "smallest difference of colour that counts as an edge of the image", 0.001, 1, logarithmic);
  UNKEYED(scene.image.smoothFrames, restarts, other, "depth-smooth",
          "films: earlier frames over which depth is averaged where colours do not change; 0: off", 0, 16);
  FIELD(scene.image.highlights, restarts, look, "restore-highlights",
        "linear light that white of an 8- or 16-bit image becomes; 1: off", 1, 64, logarithmic);
  FIELD(scene.image.highlightsFrom, restarts, look, "restore-from", "linear light above which highlights are restored",
        0, 0.99, linear);
  FIELD(scene.image.parallax, restarts, other, "parallax",
        "swaying viewpoint: motion of the nearest surface, in image widths; 0: off", 0, 0.1, linear);
  UNKEYED(scene.model.file, restarts, other, "model", "model to show: .gltf, .glb, .vrm or .obj");
  UNKEYED(scene.model.camera, restarts, other, "model-camera",
          "camera in the model file, from 1 on; 0: placed by the model's size", 0, 1000);
  FIELD(scene.model.clip, restarts, other, "clip", "animation in the model file, from 1 on; 0: at rest", 0, 1000);
  FIELD(scene.model.scale, restarts, other, "model-scale",
        "metres a unit of the model; 0: 1, or fitted to a very small or large model", 0, 1e6, linear);
  UNKEYED(scene.model.environment, restarts, other, "environment",
          "light and sky: a .hdr or .exr file, evening (the default) or studio");
  FIELD(scene.model.environmentDegrees, restarts, other, "environment-turn",
        "rotation of the environment about the vertical axis in degrees", -360, 360, angle);
  FIELD(scene.model.environmentStrength, restarts, other, "environment-strength",
        "factor of the light of the environment", 0, 100, logarithmic);
  FIELD(scene.model.ground, restarts, other, "ground", "a ground under the model that shows its shadow");
  FIELD(scene.background, restarts, other, "background", "background of teapots and models");
  UNKEYED(scene.frame, goesOn, other, "frame", "place camera and focus to fit the file once it is read");
  FIELD(scene.samples, restarts, other, "samples", "samples per pixel; 0: 4, or 1 on software OpenGL", 0, 16);
  UNKEYED(scene.animate, goesOn, other, "animate", "animate the scene");
  UNKEYED(scene.timeS, restarts, other, "time", "animation time of the first frame in seconds", 0, 1e6);
  FIELD(camera.yawDegrees, restarts, other, "yaw", "camera angle around the target in degrees", -360000, 360000, angle);
  FIELD(camera.pitchDegrees, restarts, other, "pitch", "camera angle above the ground in degrees", -90, 90, angle);
  FIELD(camera.rollDegrees, restarts, other, "roll",
        "rotation of the camera about its view axis in degrees; the image turns clockwise", -180, 180, angle);
  FIELD(camera.distanceM, restarts, other, "distance", "camera distance from the target in metres", 0.5, 200,
        logarithmic);
  FIELD(camera.targetXM, restarts, other, "target-x", "camera target, metres to the right", -1000, 1000, linear);
  FIELD(camera.targetYM, restarts, other, "target-y", "height of the camera target in metres", -1000, 1000, linear);
  FIELD(camera.targetZM, restarts, other, "target-z", "camera target, metres to the front", -1000, 1000, linear);
  FIELD(camera.verticalFovDegrees, restarts, other, "fov", "vertical field of view in degrees", 5, 120, linear);
  FIELD(camera.shiftX, restarts, other, "shift-x",
        "offset of the camera target to the right of the image centre, in image widths", -0.5, 0.5, linear);
  FIELD(camera.shiftY, restarts, other, "shift-y",
        "offset of the camera target above the image centre, in image heights", -0.5, 0.5, linear);
  FIELD(split.enabled, goesOn, other, "split", "compare techniques A and B side by side");
  FIELD(split.position, goesOn, other, "split-position", "position of the split line, from 0 (left) to 1 (right)", 0, 1,
        linear);
  FIELD(split.ownLens, goesOn, other, "split-own-lens", "side B has its own f-number and focus, but A's field of view");
  FIELD(split.fNumber, goesOn, other, "split-f-number", "f-number of side B, if it has its own", 0.1, 128, logarithmic);
  FIELD(split.focusDistanceM, goesOn, other, "split-focus", "focus distance of side B in metres, if it has its own",
        0.1, 10000, diopters);
  describeTechniques(kTechniqueB, visit, s.split.b...);
  UNKEYED(quality.adaptive, goesOn, other, "adaptive",
          "window: best automatic lens, layers and samples at rest; faster ones while something moves");
  UNKEYED(quality.lowerResolution, goesOn, other, "lower-resolution",
          "window: lower resolution while something moves, if frames are slow");
  UNKEYED(quality.converge, goesOn, other, "converge", "window: converge to the reference after two seconds at rest");
  FIELD(present.exposureStops, goesOn, look, "exposure", "exposure in stops", -20, 20, linear);
  UNKEYED(present.frame, goesOn, other, "aspect-frame", "window: overlay of an aspect ratio with safe areas");
  UNKEYED(present.vsync, goesOn, other, "vsync", "wait for the display's refresh");
  UNKEYED(present.fullScreen, goesOn, other, "full-screen", "use the whole display");
  UNKEYED(present.showUi, goesOn, other, "ui", "show the panels");
}

#undef FIELD
#undef UNKEYED

// Calls visit() for every field of one Settings, or of two at once.
template <class S, class Visit>
constexpr void describe(S& s, const Visit& visit) {
  describeAll(visit, s);
}
template <class S, class T, class Visit>
constexpr void describe(S& s, T& t, const Visit& visit) {
  describeAll(visit, s, t);
}

// Clamps every number to its range.
void clampToRanges(Settings& settings);

// Calls use(field, file) for every field of type FilePath.
template <class S, class Use>
void forEachFile(S& settings, const Use& use) {
  describe(settings, [&]<class T>(const Field& field, T& value) {
    if constexpr (std::is_same_v<std::remove_const_t<T>, FilePath>) use(field, value);
  });
}
// Returns the address of the file at a path such as "scene.image.file"; null if the field is not a file.
template <class S>
auto fileAt(S& settings, std::string_view path) {
  decltype(&settings.scene.image.file) found = nullptr;
  forEachFile(settings, [&](const Field& field, auto& file) {
    if (field.isAt(path)) found = &file;
  });
  return found;
}

// Only for iterating over rows: declared but never defined, so its values cannot be used.
extern const Settings kAnySettings;

// Returns the row of a path such as "split.b.device". An unknown path does not compile.
consteval Field fieldOf(std::string_view path) {
  std::optional<Field> found;
  describe(kAnySettings, [&](const Field& field, const auto&) {
    if (field.isAt(path)) found = field;
  });
  return found.value();
}

}  // namespace satdof
