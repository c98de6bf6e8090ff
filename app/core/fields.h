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

// Whether a field belongs to the look: how the lens draws any image. A preset and "Copy look" carry the look alone.
enum class Look { other, look };

// How numbers lie between two values, in time and on a slider: a step keeps the first, diopters are inverse
// metres, angles take the shorter way. A fixed field takes no keys: the value holds for a whole run.
enum class Interpolation { step, linear, logarithmic, diopters, angle, fixed };

// Returns the value at `t`, 0 (from) to 1 (to).
float between(Interpolation how, float from, float to, float t);

// A group of fields: the prefix of their keys and of their options.
struct Scope {
  const char* path = "";
  const char* option = "--";
  bool hasLook = true;  // false: no field belongs to the look
};

// One field of Settings, for the command line, saved settings, range checks and tooltips.
struct Field {
  Reference reference{};  // first, so that no row forgets both
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
  // Whether path() is `path`.
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

// Whether values of the type can have keys: numbers, switches and choices.
template <class T>
inline constexpr bool isKeyed = std::is_arithmetic_v<T> || std::is_enum_v<T>;

inline constexpr Scope kNoScope{};
inline constexpr Scope kTechniqueA{"technique.", "--"};
inline constexpr Scope kTechniqueB{"split.b.", "--split-", false};

// Calls visit(field, value&...) for every field of a technique, with its values in all of `t`.
template <class Visit, class... T>
constexpr void describeTechniques(const Scope& scope, const Visit& visitAny, T&... t) {
  using enum Reference;
  using enum Look;
  using enum Interpolation;
  const auto visit = [&](Field field, auto&... values) {
    field.scope = scope;
    visitAny(field, values...);
  };
  visit(Field{goesOn, other, "device", "device", "what builds the table"}, t.device...);
  visit(Field{goesOn, other, "table.scan", "scan",
              "scan of the tables, the compaction and the sort of the cuda device"},
        t.table.scan...);
  visit(Field{goesOn, other, "table.format", "table-format", "number format of the table"},
        t.table.format...);
  visit(Field{goesOn, other, "table.blockSize", "block-size", "threads per block of the scan", 32, 1024, step,
              true},
        t.table.blockSize...);
  visit(Field{goesOn, other, "table.reducePasses", "reduce-passes",
              "reduce passes of gl-fragment before doubling; 0: Hensley et al. 2005", 0, 16},
        t.table.reducePasses...);
  visit(Field{goesOn, look, "lens.kind", "lens", "lens model"}, t.lens.kind...);
  visit(Field{goesOn, other, "lens.on", "lens-on", "what computes the blur"}, t.lens.on...);
  visit(Field{goesOn, other, "view", "view", "finished image or debug view"}, t.view...);
  visit(Field{goesOn, look, "bokeh.enabled", "bokeh",
              "draw bright pixels out of focus as bokeh sprites (box, tent and layered lenses)"},
        t.bokeh.enabled...);
  visit(Field{goesOn, other, "bokeh.compaction", "compaction",
              "how the cuda device collects bright pixels; scan-scatter uses --scan"},
        t.bokeh.compaction...);
  visit(Field{goesOn, other, "bokeh.sort", "sort",
              "how the cuda device sorts bokeh sprites by depth, far to near; split uses --scan. Sprites add "
              "up, so "
              "their order changes only the rounding of the image"},
        t.bokeh.sort...);
}

// Calls visit(field, value&...) for every field, with its values in all of `s`. Value types: bool, int, float,
// glm::ivec2, MaskName, FilePath and the enumerations.
template <class Visit, class... S>
constexpr void describeAll(const Visit& visit, S&... s) {
  using enum Reference;
  using enum Look;
  using enum Interpolation;
  visit(Field{restarts, other, "size", "size", "image size in pixels", 1, 16384, fixed}, s.size...);
  describeTechniques(kTechniqueA, visit, s.technique...);
  visit(Field{restarts, other, "lens.focusDistanceM", "focus", "focus distance in metres", 0.1, 10000,
              diopters},
        s.lens.focusDistanceM...);
  visit(Field{restarts, look, "lens.focalLengthMm", "focal-length", "focal length in millimetres", 1, 2000,
              logarithmic},
        s.lens.focalLengthMm...);
  visit(Field{restarts, look, "lens.fNumber", "f-number",
              "f-number: focal length divided by aperture diameter", 0.1, 128, logarithmic},
        s.lens.fNumber...);
  visit(Field{restarts, look, "lens.sensorHeightMm", "sensor-height", "sensor height in millimetres", 1, 500,
              linear},
        s.lens.sensorHeightMm...);
  visit(Field{goesOn, other, "lens.autofocus", "autofocus", "focus where --autofocus-on says"},
        s.lens.autofocus...);
  visit(Field{goesOn, other, "lens.autofocusOn", "autofocus-on", "where the autofocus measures"},
        s.lens.autofocusOn...);
  visit(Field{goesOn, other, "lens.autofocusX", "autofocus-x",
              "place of the autofocus: 0 at the left of the image, 1 at the right", 0, 1, linear},
        s.lens.autofocusX...);
  visit(Field{goesOn, other, "lens.autofocusY", "autofocus-y",
              "place of the autofocus: 0 at the top of the image, 1 at the bottom", 0, 1, linear},
        s.lens.autofocusY...);
  visit(Field{goesOn, other, "lens.autofocusSize", "autofocus-size",
              "side of the square of the autofocus in image heights", 0.01, 0.5, logarithmic},
        s.lens.autofocusSize...);
  visit(
      Field{goesOn, other, "lens.autofocusSpeed", "autofocus-speed",
            "diopters a second that the autofocus moves at most (in a window; a frame of a file is in focus)",
            0.01, 100, logarithmic},
      s.lens.autofocusSpeed...);
  visit(
      Field{goesOn, other, "lens.autofocusDelayS", "autofocus-delay",
            "seconds for which a jump of the distance must last, before the autofocus follows (in a window)",
            0, 10, linear},
      s.lens.autofocusDelayS...);
  visit(Field{goesOn, other, "lens.trackedObject", "tracked-object",
              "object that the autofocus tracks, as a click sets it; 0: none", 0, 1 << 24},
        s.lens.trackedObject...);
  visit(Field{goesOn, other, "lens.trackedX", "tracked-x", "the tracked point in the space of its object",
              -1e6, 1e6, linear},
        s.lens.trackedX...);
  visit(Field{goesOn, other, "lens.trackedY", "tracked-y", "the tracked point in the space of its object",
              -1e6, 1e6, linear},
        s.lens.trackedY...);
  visit(Field{goesOn, other, "lens.trackedZ", "tracked-z", "the tracked point in the space of its object",
              -1e6, 1e6, linear},
        s.lens.trackedZ...);
  visit(Field{restarts, look, "lens.nearScale", "near-scale",
              "factor of the blur in front of the focus plane", 0, 10, linear},
        s.lens.nearScale...);
  visit(Field{restarts, look, "lens.farScale", "far-scale", "factor of the blur behind the focus plane", 0,
              10, linear},
        s.lens.farScale...);
  visit(Field{restarts, look, "lens.anamorphicRatio", "anamorphic-ratio",
              "width over height of the aperture and its bokeh sprites (all lenses but gems)", 0.25, 4,
              logarithmic},
        s.lens.anamorphicRatio...);
  visit(Field{goesOn, look, "lens.kernelSteps", "kernel-steps",
              "boxes that approximate the disc of the layered lens; 1: a square", 1, 5},
        s.lens.kernelSteps...);
  visit(Field{goesOn, other, "lens.layers", "layers",
              "depth layers of the layered lens; 0: 1, or 2 in the best image", 0, 2},
        s.lens.layers...);
  visit(Field{restarts, look, "lens.blades", "blades",
              "blades of the aperture for the reference and bokeh sprites; below 3: a disc", 0, 16},
        s.lens.blades...);
  visit(Field{restarts, look, "lens.bladeRotationDegrees", "blade-rotation",
              "rotation of the aperture in degrees", -360, 360, angle},
        s.lens.bladeRotationDegrees...);
  visit(Field{restarts, look, "lens.bladeCurvature", "blade-curvature",
              "curvature of the blades; 0: straight, 1: a disc", 0, 1, linear},
        s.lens.bladeCurvature...);
  visit(unkeyed(Field{restarts, look, "lens.apertureImage", "aperture-image",
                      "image of the aperture in place of its blades, of 16 to 1024 pixels a side"}),
        s.lens.apertureImage...);
  visit(Field{restarts, look, "lens.spherical", "spherical",
              "diopters by which the aperture's edge focuses nearer than its centre; below 0: soap bubbles "
              "behind the focus plane",
              -2, 2, linear},
        s.lens.spherical...);
  visit(Field{goesOn, look, "lens.diffraction", "diffraction",
              "light spreads by the waves at the aperture's edge: softer at high f-numbers, stars by blades"},
        s.lens.diffraction...);
  visit(Field{restarts, look, "lens.catEye", "cat-eye",
              "how far the barrel cuts the aperture 21.6 mm from the axis, in radii: bokeh like cat's eyes",
              0, 1.5, linear},
        s.lens.catEye...);
  visit(Field{restarts, look, "lens.vignetting", "vignetting",
              "part of the light that --cat-eye takes from the image's corners; 0: none", 0, 1, linear},
        s.lens.vignetting...);
  visit(Field{restarts, look, "lens.tiltXDegrees", "tilt-x",
              "tilt of the lens in degrees: the focus plane leans back at the top (all lenses but gems)", -20,
              20, linear},
        s.lens.tiltXDegrees...);
  visit(Field{restarts, look, "lens.tiltYDegrees", "tilt-y",
              "tilt of the lens in degrees: the focus plane leans back at the right (all lenses but gems)",
              -20, 20, linear},
        s.lens.tiltYDegrees...);
  visit(Field{restarts, look, "lens.fieldCurvature", "field-curvature",
              "diopters by which focus is nearer 45 degrees off the axis (all lenses but gems)", -20, 20,
              linear},
        s.lens.fieldCurvature...);
  visit(
      Field{restarts, look, "lens.breathing", "breathing",
            "how much focus nearby narrows the field of view; 1: a thin lens (no photographs)", 0, 2, linear},
      s.lens.breathing...);
  visit(Field{restarts, look, "lens.axialColour", "axial-colour",
              "diopters from the focus of red to the focus of blue (all lenses but gems)", -2, 2, linear},
        s.lens.axialColour...);
  visit(Field{restarts, look, "lens.lateralColour", "lateral-colour",
              "percent by which red is larger and blue is smaller than green 12 mm from the axis", -2, 2,
              linear},
        s.lens.lateralColour...);
  visit(Field{goesOn, look, "lens.highlightThreshold", "highlight-threshold",
              "linear luminance above which light is drawn as bokeh sprites", 0.01, 64, logarithmic},
        s.lens.highlightThreshold...);
  visit(Field{goesOn, other, "lens.lensSamples", "lens-samples",
              "renderings that the reference averages, each from a point of the aperture", 1, 65536,
              logarithmic},
        s.lens.lensSamples...);
  visit(Field{restarts, other, "lens.lensSeed", "lens-seed",
              "random seed of the reference; changes its noise", 0, 1000},
        s.lens.lensSeed...);
  visit(Field{goesOn, look, "lens.gemsFocusRangeM", "gems-range",
              "gems: metres from the focus plane to full blur", 0.01, 1000, logarithmic},
        s.lens.gemsFocusRangeM...);
  visit(Field{goesOn, look, "lens.gemsMaxRadiusPx", "gems-radius",
              "gems: half-width of the full blur in pixels, at an image height of 1080", 0, 1000, linear},
        s.lens.gemsMaxRadiusPx...);
  visit(Field{goesOn, other, "lens.overscan", "overscan",
              "blur with the light from a margin around the image (all lenses but the reference)"},
        s.lens.overscan...);
  visit(unkeyed(Field{goesOn, other, "lens.linkFieldOfView", "link-fov",
                      "panels: focal length, sensor height and field of view move together"}),
        s.lens.linkFieldOfView...);
  visit(unkeyed(Field{goesOn, look, "filter.mask", "filter",
                      "filter of the image after the lens, in linear light"}),
        s.filter.mask...);
  visit(Field{goesOn, look, "filter.radiusPx", "filter-radius",
              "half-width of the masks of blur and sharpen in pixels", 1, 31, linear},
        s.filter.radiusPx...);
  visit(Field{goesOn, other, "filter.variant", "filter-variant", "what filters the image"},
        s.filter.variant...);
  visit(Field{goesOn, other, "filter.form", "filter-form", "how the mask is applied"}, s.filter.form...);
  visit(unkeyed(Field{restarts, other, "scene.kind", "scene", "scene to render"}), s.scene.kind...);
  visit(Field{restarts, other, "scene.teapots.count", "teapots", "number of teapots", 1, 5000, logarithmic},
        s.scene.teapots.count...);
  visit(Field{restarts, other, "scene.teapots.lamps", "lamps", "add small bright lamps, which show bokeh"},
        s.scene.teapots.lamps...);
  visit(Field{goesOn, other, "scene.teapots.culling", "culling",
              "what finds the teapots in the image; all give the same image"},
        s.scene.teapots.culling...);
  visit(Field{restarts, other, "scene.bodies.count", "bodies", "number of bodies", 1, 1 << 24, logarithmic},
        s.scene.bodies.count...);
  visit(Field{restarts, other, "scene.bodies.solver", "solver", "what moves the bodies"},
        s.scene.bodies.solver...);
  visit(Field{restarts, other, "scene.bodies.initial", "initial", "how the bodies start"},
        s.scene.bodies.initial...);
  visit(Field{restarts, other, "scene.bodies.seed", "body-seed", "random seed of the initial state", 0,
              1000000},
        s.scene.bodies.seed...);
  visit(Field{restarts, other, "scene.bodies.softening", "softening",
              "Plummer softening of gravity; the unit is the total extent", 0.0001, 1, logarithmic},
        s.scene.bodies.softening...);
  visit(Field{restarts, other, "scene.bodies.timeStep", "time-step",
              "step of the leapfrog in units of simulated time", 1e-5, 0.25, logarithmic},
        s.scene.bodies.timeStep...);
  visit(Field{restarts, other, "scene.bodies.speed", "body-speed",
              "units of simulated time per second of animation", 0, 10, linear},
        s.scene.bodies.speed...);
  visit(Field{restarts, other, "scene.bodies.startS", "body-start",
              "animation time at which the simulation starts, in seconds", 0, 1e6, linear},
        s.scene.bodies.startS...);
  visit(Field{restarts, other, "scene.bodies.openingAngle", "opening-angle",
              "trees: size over distance above which a cell is opened; 0 opens all", 0, 2, linear},
        s.scene.bodies.openingAngle...);
  visit(Field{restarts, other, "scene.bodies.traversal", "traversal",
              "order in which cuda-tree visits its cells"},
        s.scene.bodies.traversal...);
  visit(Field{restarts, other, "scene.bodies.sort", "body-sort", "how cuda-tree sorts the bodies"},
        s.scene.bodies.sort...);
  visit(Field{restarts, other, "scene.bodies.scan", "body-scan", "scan that cuda-tree is built on"},
        s.scene.bodies.scan...);
  visit(Field{restarts, other, "scene.bodies.compaction", "body-compaction",
              "compaction of the breadth-first traversal"},
        s.scene.bodies.compaction...);
  visit(Field{restarts, other, "scene.bodies.colour", "body-colour", "what the colour of a body shows"},
        s.scene.bodies.colour...);
  visit(unkeyed(Field{restarts, other, "scene.image.file", "image",
                      "image to refocus: .png, .jpg, .hdr, .pfm and others"}),
        s.scene.image.file...);
  visit(unkeyed(Field{restarts, other, "scene.image.depth", "depth",
                      "depth of the image; without it, the depth in the image file"}),
        s.scene.image.depth...);
  visit(Field{restarts, other, "scene.image.meaning", "depth-means", "what the numbers of the depth mean"},
        s.scene.image.meaning...);
  visit(Field{restarts, other, "scene.image.inverted", "depth-inverted",
              "relative depth: small numbers are near"},
        s.scene.image.inverted...);
  visit(Field{restarts, other, "scene.image.scale", "depth-scale",
              "metres or inverse metres of the number 1 in the depth; 0.001 for millimetres", 1e-9, 1e9,
              logarithmic},
        s.scene.image.scale...);
  visit(Field{restarts, other, "scene.image.nearM", "depth-near",
              "relative depth: distance of the nearest number in metres", 0.05, 10000, logarithmic},
        s.scene.image.nearM...);
  visit(Field{restarts, other, "scene.image.farM", "depth-far",
              "relative depth: distance of the farthest number in metres", 0.05, 10000, logarithmic},
        s.scene.image.farM...);
  visit(Field{restarts, other, "scene.image.baselineMm", "baseline",
              "disparity: distance between the two cameras in millimetres", 0.001, 1e6, logarithmic},
        s.scene.image.baselineMm...);
  visit(Field{restarts, other, "scene.image.focalLengthPx", "disparity-focal",
              "disparity: focal length in pixels of the depth; 0: its width", 0, 1e6, linear},
        s.scene.image.focalLengthPx...);
  visit(Field{restarts, other, "scene.image.offsetPx", "disparity-offset",
              "disparity: added to every number (doffs of calib.txt)", -1e5, 1e5, linear},
        s.scene.image.offsetPx...);
  visit(Field{restarts, other, "scene.image.levelFar", "depth-level-far",
              "inverse distance, in parts of the nearest, that becomes infinitely far", 0, 1, linear},
        s.scene.image.levelFar...);
  visit(Field{restarts, other, "scene.image.levelNear", "depth-level-near",
              "inverse distance, in parts of the nearest, that becomes the nearest", 0, 1, linear},
        s.scene.image.levelNear...);
  visit(
      Field{restarts, other, "scene.image.levelGamma", "depth-gamma",
            "curve of the depth between its levels; above 1, the middle comes nearer", 0.1, 10, logarithmic},
      s.scene.image.levelGamma...);
  visit(Field{restarts, other, "scene.image.skyBelow", "depth-sky",
              "inverse distances below this part of the nearest are infinitely far", 0, 1, linear},
        s.scene.image.skyBelow...);
  visit(Field{restarts, other, "scene.image.edgeRadiusPx", "depth-edge-radius",
              "pixels by which edges of the depth may move to edges of the image; 0: off", 0, 64, linear},
        s.scene.image.edgeRadiusPx...);
  visit(Field{restarts, other, "scene.image.edgeContrast", "depth-edge-contrast",
              "differences of colour below this are no edge of the image", 0.001, 1, logarithmic},
        s.scene.image.edgeContrast...);
  visit(
      unkeyed(Field{restarts, other, "scene.image.smoothFrames", "depth-smooth",
                    "frames of a film: earlier ones over which the depth of each is averaged, where colours "
                    "stay; 0: off",
                    0, 16, linear}),
      s.scene.image.smoothFrames...);
  visit(Field{restarts, look, "scene.image.highlights", "restore-highlights",
              "light that white of an 8- or 16-bit image stands for; 1: nothing is restored", 1, 64,
              logarithmic},
        s.scene.image.highlights...);
  visit(Field{restarts, look, "scene.image.highlightsFrom", "restore-from",
              "linear light above which highlights are restored", 0, 0.99, linear},
        s.scene.image.highlightsFrom...);
  visit(Field{restarts, other, "scene.image.parallax", "parallax",
              "the viewpoint sways: way of the nearest surface, in image widths; 0: it stands still", 0, 0.1,
              linear},
        s.scene.image.parallax...);
  visit(unkeyed(
            Field{restarts, other, "scene.model.file", "model", "model to show: .gltf, .glb, .vrm or .obj"}),
        s.scene.model.file...);
  visit(unkeyed(Field{restarts, other, "scene.model.camera", "model-camera",
                      "camera of the model's file, from 1 on; 0: placed from the model's size", 0, 1000}),
        s.scene.model.camera...);
  visit(Field{restarts, other, "scene.model.clip", "clip",
              "animation of the model's file, from 1 on; 0: at rest", 0, 1000},
        s.scene.model.clip...);
  visit(Field{restarts, other, "scene.model.scale", "model-scale",
              "metres of a unit of the model; 0: 1, or from the size of a very small or large model", 0, 1e6,
              linear},
        s.scene.model.scale...);
  visit(unkeyed(Field{restarts, other, "scene.model.environment", "environment",
                      "light and sky: a .hdr or .exr file, evening (the default) or studio"}),
        s.scene.model.environment...);
  visit(Field{restarts, other, "scene.model.environmentDegrees", "environment-turn",
              "turn of the environment about the vertical in degrees", -360, 360, angle},
        s.scene.model.environmentDegrees...);
  visit(Field{restarts, other, "scene.model.environmentStrength", "environment-strength",
              "factor of the light of the environment", 0, 100, logarithmic},
        s.scene.model.environmentStrength...);
  visit(Field{restarts, other, "scene.model.ground", "ground",
              "a ground under the model that shows its shadow"},
        s.scene.model.ground...);
  visit(Field{restarts, other, "scene.background", "background",
              "what lies behind the surfaces of teapots and models"},
        s.scene.background...);
  visit(unkeyed(Field{goesOn, other, "scene.frame", "frame",
                      "place camera and focus for the scene's file once it is read"}),
        s.scene.frame...);
  visit(Field{restarts, other, "scene.samples", "samples", "samples per pixel; 0: 4, or 1 on software OpenGL",
              0, 16},
        s.scene.samples...);
  visit(unkeyed(Field{goesOn, other, "scene.animate", "animate", "animate the scene"}), s.scene.animate...);
  visit(unkeyed(Field{restarts, other, "scene.timeS", "time", "animation time of the first frame in seconds",
                      0, 1e6}),
        s.scene.timeS...);
  visit(Field{restarts, other, "camera.yawDegrees", "yaw", "camera angle around the target in degrees",
              -360000, 360000, angle},
        s.camera.yawDegrees...);
  visit(Field{restarts, other, "camera.pitchDegrees", "pitch", "camera angle above the ground in degrees",
              -90, 90, angle},
        s.camera.pitchDegrees...);
  visit(
      Field{restarts, other, "camera.rollDegrees", "roll",
            "turn of the camera about its view axis in degrees; the image turns clockwise", -180, 180, angle},
      s.camera.rollDegrees...);
  visit(Field{restarts, other, "camera.distanceM", "distance", "camera distance from the target in metres",
              0.5, 200, logarithmic},
        s.camera.distanceM...);
  visit(Field{restarts, other, "camera.targetXM", "target-x", "camera target, metres to the right", -1000,
              1000, linear},
        s.camera.targetXM...);
  visit(Field{restarts, other, "camera.targetYM", "target-y", "height of the camera target in metres", -1000,
              1000, linear},
        s.camera.targetYM...);
  visit(Field{restarts, other, "camera.targetZM", "target-z", "camera target, metres to the front", -1000,
              1000, linear},
        s.camera.targetZM...);
  visit(Field{restarts, other, "camera.verticalFovDegrees", "fov", "vertical field of view in degrees", 5,
              120, linear},
        s.camera.verticalFovDegrees...);
  visit(Field{restarts, other, "camera.shiftX", "shift-x",
              "place of the camera target right of the image's centre, in image widths", -0.5, 0.5, linear},
        s.camera.shiftX...);
  visit(Field{goesOn, other, "split.enabled", "split", "compare techniques A and B side by side"},
        s.split.enabled...);
  visit(Field{goesOn, other, "split.position", "split-position",
              "position of the split line, from 0 (left) to 1 (right)", 0, 1, linear},
        s.split.position...);
  visit(Field{goesOn, other, "split.ownLens", "split-own-lens", "side B has its own f-number and focus"},
        s.split.ownLens...);
  visit(Field{goesOn, other, "split.fNumber", "split-f-number", "f-number of side B, if it has its own", 0.1,
              128, logarithmic},
        s.split.fNumber...);
  visit(Field{goesOn, other, "split.focusDistanceM", "split-focus",
              "focus distance of side B in metres, if it has its own", 0.1, 10000, diopters},
        s.split.focusDistanceM...);
  describeTechniques(kTechniqueB, visit, s.split.b...);
  visit(unkeyed(Field{goesOn, other, "quality.adaptive", "adaptive",
                      "window: at rest, the best image (automatic lens, layers, samples); quick while "
                      "something moves"}),
        s.quality.adaptive...);
  visit(unkeyed(Field{goesOn, other, "quality.lowerResolution", "lower-resolution",
                      "window: lower resolution while something moves, if slow"}),
        s.quality.lowerResolution...);
  visit(unkeyed(Field{goesOn, other, "quality.converge", "converge",
                      "window: after two seconds of rest, converge to the reference"}),
        s.quality.converge...);
  visit(Field{goesOn, look, "present.exposureStops", "exposure", "exposure in stops", -20, 20, linear},
        s.present.exposureStops...);
  visit(unkeyed(Field{goesOn, other, "present.frame", "aspect-frame",
                      "window: a frame to compose in, with safe areas"}),
        s.present.frame...);
  visit(unkeyed(Field{goesOn, other, "present.vsync", "vsync", "wait for the display's refresh"}),
        s.present.vsync...);
  visit(unkeyed(Field{goesOn, other, "present.fullScreen", "full-screen", "use the whole display"}),
        s.present.fullScreen...);
  visit(unkeyed(Field{goesOn, other, "present.showUi", "ui", "show the panels"}), s.present.showUi...);
}

// The same for the fields of one, or of two at once.
template <class S, class Visit>
constexpr void describe(S& s, const Visit& visit) {
  describeAll(visit, s);
}
template <class S, class T, class Visit>
constexpr void describe(S& s, T& t, const Visit& visit) {
  describeAll(visit, s, t);
}

// Stands for any settings where only the rows matter. Declared alone: it has no value.
extern const Settings kAnySettings;

// The row of a key. An unknown key does not compile.
consteval Field fieldOf(std::string_view key) {
  std::optional<Field> found;
  describe(kAnySettings, [&](const Field& field, const auto&) {
    if (field.key == key) found = field;
  });
  return found.value();
}

}  // namespace satdof
