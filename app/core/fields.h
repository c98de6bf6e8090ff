#pragma once
#include <limits>
#include <string>

#include "app/core/settings.h"

namespace satdof {

// Whether a field belongs to the look: how the lens draws any image. A preset and "Copy look" carry the look alone.
enum class Look { no, yes };

// A group of fields: the prefix of their keys and of their options.
struct Scope {
  const char* path = "";
  const char* option = "--";
  bool hasLook = true;  // false: no field belongs to the look
};

// One field of Settings, for the command line, saved settings, range checks and tooltips.
struct Field {
  Look look = Look::no;        // first, so that no field forgets it
  const char* key = "";        // after scope.path, in saved settings: "lens.focusDistanceM"
  const char* flag = nullptr;  // after scope.option: "focus"; null: no option
  const char* help = nullptr;
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool powerOfTwo = false;
  Scope scope = {};

  Field in(const Scope& group) const {
    Field field = *this;
    field.scope = group;
    return field;
  }

  bool ofLook() const { return look == Look::yes && scope.hasLook; }
  std::string path() const { return std::string(scope.path) + key; }
  std::string option() const { return flag == nullptr ? std::string() : std::string(scope.option) + flag; }
};

inline constexpr Scope kNoScope{};
inline constexpr Scope kTechniqueA{"technique.", "--"};
inline constexpr Scope kTechniqueB{"split.b.", "--split-", false};

// Calls visit(field, value&) for every field of a technique.
template <class T, class Visit>
void describeTechnique(T& t, const Scope& scope, Visit&& visit) {
  visit(Field{Look::no, "device", "device", "what builds the table"}.in(scope), t.device);
  visit(Field{Look::no, "table.scan", "scan",
              "scan of the tables, the compaction and the sort of the cuda device"}
            .in(scope),
        t.table.scan);
  visit(Field{Look::no, "table.format", "table-format", "number format of the table"}.in(scope),
        t.table.format);
  visit(Field{Look::no, "table.blockSize", "block-size", "threads per block of the scan", 32, 1024, true}.in(
            scope),
        t.table.blockSize);
  visit(Field{Look::no, "table.reducePasses", "reduce-passes",
              "reduce passes of gl-fragment before doubling; 0: Hensley et al. 2005", 0, 16}
            .in(scope),
        t.table.reducePasses);
  visit(Field{Look::yes, "lens.kind", "lens", "lens model"}.in(scope), t.lens.kind);
  visit(Field{Look::no, "lens.on", "lens-on", "what computes the blur"}.in(scope), t.lens.on);
  visit(Field{Look::no, "view", "view", "finished image or debug view"}.in(scope), t.view);
  visit(Field{Look::yes, "bokeh.enabled", "bokeh",
              "draw bright pixels out of focus as bokeh sprites (box, tent and layered lenses)"}
            .in(scope),
        t.bokeh.enabled);
  visit(Field{Look::no, "bokeh.compaction", "compaction",
              "how the cuda device collects bright pixels; scan-scatter uses --scan"}
            .in(scope),
        t.bokeh.compaction);
  visit(Field{Look::no, "bokeh.sort", "sort",
              "how the cuda device sorts bokeh sprites by depth, far to near; split uses --scan. Sprites add "
              "up, so "
              "their order changes only the rounding of the image"}
            .in(scope),
        t.bokeh.sort);
}

// Calls visit(field, value&) for every field. Value types: bool, int, float, glm::ivec2, MaskName, FilePath
// and the enumerations.
template <class S, class Visit>
void describe(S& s, Visit&& visit) {
  visit(Field{Look::no, "size", "size", "image size in pixels", 1, 16384}, s.size);
  describeTechnique(s.technique, kTechniqueA, visit);
  visit(Field{Look::no, "lens.focusDistanceM", "focus", "focus distance in metres", 0.1, 10000},
        s.lens.focusDistanceM);
  visit(Field{Look::yes, "lens.focalLengthMm", "focal-length", "focal length in millimetres", 1, 2000},
        s.lens.focalLengthMm);
  visit(Field{Look::yes, "lens.fNumber", "f-number", "f-number: focal length divided by aperture diameter",
              0.1, 128},
        s.lens.fNumber);
  visit(Field{Look::yes, "lens.sensorHeightMm", "sensor-height", "sensor height in millimetres", 1, 500},
        s.lens.sensorHeightMm);
  visit(Field{Look::no, "lens.autofocus", "autofocus",
              "focus on the median depth at the centre of the visible image"},
        s.lens.autofocus);
  visit(Field{Look::yes, "lens.nearScale", "near-scale", "factor of the blur in front of the focus plane", 0,
              10},
        s.lens.nearScale);
  visit(Field{Look::yes, "lens.farScale", "far-scale", "factor of the blur behind the focus plane", 0, 10},
        s.lens.farScale);
  visit(Field{Look::yes, "lens.anamorphicRatio", "anamorphic-ratio",
              "width over height of the aperture and its bokeh sprites (all lenses but gems)", 0.25, 4},
        s.lens.anamorphicRatio);
  visit(Field{Look::yes, "lens.kernelSteps", "kernel-steps",
              "boxes that approximate the disc of the layered lens; 1: a square", 1, 5},
        s.lens.kernelSteps);
  visit(Field{Look::no, "lens.layers", "layers",
              "depth layers of the layered lens; 0: 1, or 2 in the best image", 0, 2},
        s.lens.layers);
  visit(Field{Look::yes, "lens.blades", "blades",
              "blades of the aperture for the reference and bokeh sprites; below 3: a disc", 0, 16},
        s.lens.blades);
  visit(Field{Look::yes, "lens.bladeRotationDegrees", "blade-rotation", "rotation of the aperture in degrees",
              -360, 360},
        s.lens.bladeRotationDegrees);
  visit(Field{Look::yes, "lens.highlightThreshold", "highlight-threshold",
              "linear luminance above which light is drawn as bokeh sprites", 0.01, 64},
        s.lens.highlightThreshold);
  visit(Field{Look::no, "lens.lensSamples", "lens-samples",
              "renderings that the reference averages, each from a point of the aperture", 1, 65536},
        s.lens.lensSamples);
  visit(Field{Look::no, "lens.lensSeed", "lens-seed", "random seed of the reference; changes its noise", 0,
              1000},
        s.lens.lensSeed);
  visit(Field{Look::yes, "lens.gemsFocusRangeM", "gems-range",
              "gems: metres from the focus plane to full blur", 0.01, 1000},
        s.lens.gemsFocusRangeM);
  visit(Field{Look::yes, "lens.gemsMaxRadiusPx", "gems-radius",
              "gems: half-width of the full blur in pixels, at an image height of 1080", 0, 1000},
        s.lens.gemsMaxRadiusPx);
  visit(Field{Look::no, "lens.overscan", "overscan",
              "blur with the light from a margin around the image (all lenses but the reference)"},
        s.lens.overscan);
  visit(Field{Look::no, "lens.linkFieldOfView", "link-fov",
              "panels: focal length, sensor height and field of view move together"},
        s.lens.linkFieldOfView);
  visit(Field{Look::yes, "filter.mask", "filter", "filter of the image after the lens, in linear light"},
        s.filter.mask);
  visit(Field{Look::yes, "filter.radiusPx", "filter-radius",
              "half-width of the masks of blur and sharpen in pixels", 1, 31},
        s.filter.radiusPx);
  visit(Field{Look::no, "filter.variant", "filter-variant", "what filters the image"}, s.filter.variant);
  visit(Field{Look::no, "filter.form", "filter-form", "how the mask is applied"}, s.filter.form);
  visit(Field{Look::no, "scene.kind", "scene", "scene to render"}, s.scene.kind);
  visit(Field{Look::no, "scene.teapots.count", "teapots", "number of teapots", 1, 5000},
        s.scene.teapots.count);
  visit(Field{Look::no, "scene.teapots.lamps", "lamps", "add small bright lamps, which show bokeh"},
        s.scene.teapots.lamps);
  visit(Field{Look::no, "scene.teapots.culling", "culling",
              "what finds the teapots in the image; all give the same image"},
        s.scene.teapots.culling);
  visit(Field{Look::no, "scene.bodies.count", "bodies", "number of bodies", 1, 1 << 24},
        s.scene.bodies.count);
  visit(Field{Look::no, "scene.bodies.solver", "solver", "what moves the bodies"}, s.scene.bodies.solver);
  visit(Field{Look::no, "scene.bodies.initial", "initial", "how the bodies start"}, s.scene.bodies.initial);
  visit(Field{Look::no, "scene.bodies.seed", "body-seed", "random seed of the initial state", 0, 1000000},
        s.scene.bodies.seed);
  visit(Field{Look::no, "scene.bodies.softening", "softening",
              "Plummer softening of gravity; the unit is the total extent", 0.0001, 1},
        s.scene.bodies.softening);
  visit(Field{Look::no, "scene.bodies.timeStep", "time-step",
              "step of the leapfrog in units of simulated time", 1e-5, 0.25},
        s.scene.bodies.timeStep);
  visit(Field{Look::no, "scene.bodies.speed", "body-speed", "units of simulated time per second of animation",
              0, 10},
        s.scene.bodies.speed);
  visit(Field{Look::no, "scene.bodies.startS", "body-start",
              "animation time at which the simulation starts, in seconds", 0, 1e6},
        s.scene.bodies.startS);
  visit(Field{Look::no, "scene.bodies.openingAngle", "opening-angle",
              "trees: size over distance above which a cell is opened; 0 opens all", 0, 2},
        s.scene.bodies.openingAngle);
  visit(Field{Look::no, "scene.bodies.traversal", "traversal", "order in which cuda-tree visits its cells"},
        s.scene.bodies.traversal);
  visit(Field{Look::no, "scene.bodies.sort", "body-sort", "how cuda-tree sorts the bodies"},
        s.scene.bodies.sort);
  visit(Field{Look::no, "scene.bodies.scan", "body-scan", "scan that cuda-tree is built on"},
        s.scene.bodies.scan);
  visit(Field{Look::no, "scene.bodies.compaction", "body-compaction",
              "compaction of the breadth-first traversal"},
        s.scene.bodies.compaction);
  visit(Field{Look::no, "scene.bodies.colour", "body-colour", "what the colour of a body shows"},
        s.scene.bodies.colour);
  visit(Field{Look::no, "scene.image.file", "image", "image to refocus: .png, .jpg, .hdr, .pfm and others"},
        s.scene.image.file);
  visit(Field{Look::no, "scene.image.depth", "depth",
              "depth of the image; without it, the depth in the image file"},
        s.scene.image.depth);
  visit(Field{Look::no, "scene.image.meaning", "depth-means", "what the numbers of the depth mean"},
        s.scene.image.meaning);
  visit(Field{Look::no, "scene.image.inverted", "depth-inverted", "relative depth: small numbers are near"},
        s.scene.image.inverted);
  visit(Field{Look::no, "scene.image.scale", "depth-scale",
              "metres or inverse metres of the number 1 in the depth; 0.001 for millimetres", 1e-9, 1e9},
        s.scene.image.scale);
  visit(Field{Look::no, "scene.image.nearM", "depth-near",
              "relative depth: distance of the nearest number in metres", 0.05, 10000},
        s.scene.image.nearM);
  visit(Field{Look::no, "scene.image.farM", "depth-far",
              "relative depth: distance of the farthest number in metres", 0.05, 10000},
        s.scene.image.farM);
  visit(Field{Look::no, "scene.image.baselineMm", "baseline",
              "disparity: distance between the two cameras in millimetres", 0.001, 1e6},
        s.scene.image.baselineMm);
  visit(Field{Look::no, "scene.image.focalLengthPx", "disparity-focal",
              "disparity: focal length in pixels of the depth; 0: its width", 0, 1e6},
        s.scene.image.focalLengthPx);
  visit(Field{Look::no, "scene.image.offsetPx", "disparity-offset",
              "disparity: added to every number (doffs of calib.txt)", -1e5, 1e5},
        s.scene.image.offsetPx);
  visit(Field{Look::no, "scene.image.edgeRadiusPx", "depth-edge-radius",
              "pixels by which edges of the depth may move to edges of the image; 0: off", 0, 64},
        s.scene.image.edgeRadiusPx);
  visit(Field{Look::no, "scene.image.edgeContrast", "depth-edge-contrast",
              "differences of colour below this are no edge of the image", 0.001, 1},
        s.scene.image.edgeContrast);
  visit(Field{Look::yes, "scene.image.highlights", "restore-highlights",
              "light that white of an 8- or 16-bit image stands for; 1: nothing is restored", 1, 64},
        s.scene.image.highlights);
  visit(Field{Look::yes, "scene.image.highlightsFrom", "restore-from",
              "linear light above which highlights are restored", 0, 0.99},
        s.scene.image.highlightsFrom);
  visit(Field{Look::no, "scene.image.parallax", "parallax",
              "the viewpoint sways: way of the nearest surface, in image widths; 0: it stands still", 0, 0.1},
        s.scene.image.parallax);
  visit(Field{Look::no, "scene.model.file", "model", "model to show: .gltf, .glb or .obj"},
        s.scene.model.file);
  visit(Field{Look::no, "scene.model.camera", "model-camera",
              "camera of the model's file, from 1 on; 0: placed from the model's size", 0, 1000},
        s.scene.model.camera);
  visit(Field{Look::no, "scene.model.clip", "clip", "animation of the model's file, from 1 on; 0: at rest", 0,
              1000},
        s.scene.model.clip);
  visit(Field{Look::no, "scene.model.scale", "model-scale",
              "metres of a unit of the model; 0: 1, or from the size of a very small or large model", 0, 1e6},
        s.scene.model.scale);
  visit(Field{Look::no, "scene.model.environment", "environment",
              "light and sky: a .hdr or .exr file, evening (the default) or studio"},
        s.scene.model.environment);
  visit(Field{Look::no, "scene.model.environmentDegrees", "environment-turn",
              "turn of the environment about the vertical in degrees", -360, 360},
        s.scene.model.environmentDegrees);
  visit(Field{Look::no, "scene.model.environmentStrength", "environment-strength",
              "factor of the light of the environment", 0, 100},
        s.scene.model.environmentStrength);
  visit(
      Field{Look::no, "scene.frame", "frame", "place camera and focus for the scene's file once it is read"},
      s.scene.frame);
  visit(
      Field{Look::no, "scene.samples", "samples", "samples per pixel; 0: 4, or 1 on software OpenGL", 0, 16},
      s.scene.samples);
  visit(Field{Look::no, "scene.animate", "animate", "animate the scene"}, s.scene.animate);
  visit(Field{Look::no, "scene.timeS", "time", "animation time of the first frame in seconds", 0, 1e6},
        s.scene.timeS);
  visit(Field{Look::no, "camera.yawDegrees", "yaw", "camera angle around the target in degrees", -360000,
              360000},
        s.camera.yawDegrees);
  visit(Field{Look::no, "camera.pitchDegrees", "pitch", "camera angle above the ground in degrees", -10, 89},
        s.camera.pitchDegrees);
  visit(
      Field{Look::no, "camera.distanceM", "distance", "camera distance from the target in metres", 0.5, 200},
      s.camera.distanceM);
  visit(Field{Look::no, "camera.targetXM", "target-x", "camera target, metres to the right", -1000, 1000},
        s.camera.targetXM);
  visit(Field{Look::no, "camera.targetYM", "target-y", "height of the camera target in metres", -1000, 1000},
        s.camera.targetYM);
  visit(Field{Look::no, "camera.targetZM", "target-z", "camera target, metres to the front", -1000, 1000},
        s.camera.targetZM);
  visit(Field{Look::no, "camera.verticalFovDegrees", "fov", "vertical field of view in degrees", 5, 120},
        s.camera.verticalFovDegrees);
  visit(Field{Look::no, "camera.shiftX", "shift-x",
              "place of the camera target right of the image's centre, in image widths", -0.5, 0.5},
        s.camera.shiftX);
  visit(Field{Look::no, "split.enabled", "split", "compare techniques A and B side by side"},
        s.split.enabled);
  visit(Field{Look::no, "split.position", "split-position",
              "position of the split line, from 0 (left) to 1 (right)", 0, 1},
        s.split.position);
  describeTechnique(s.split.b, kTechniqueB, visit);
  visit(
      Field{Look::no, "quality.adaptive", "adaptive",
            "window: at rest, the best image (automatic lens, layers, samples); quick while something moves"},
      s.quality.adaptive);
  visit(Field{Look::no, "quality.lowerResolution", "lower-resolution",
              "window: lower resolution while something moves, if slow"},
        s.quality.lowerResolution);
  visit(Field{Look::no, "quality.converge", "converge",
              "window: after two seconds of rest, converge to the reference"},
        s.quality.converge);
  visit(Field{Look::yes, "present.exposureStops", "exposure", "exposure in stops", -20, 20},
        s.present.exposureStops);
  visit(Field{Look::no, "present.vsync", "vsync", "wait for the display's refresh"}, s.present.vsync);
  visit(Field{Look::no, "present.fullScreen", "full-screen", "use the whole display"}, s.present.fullScreen);
  visit(Field{Look::no, "present.showUi", "ui", "show the panels"}, s.present.showUi);
}

}  // namespace satdof
