#pragma once
#include <limits>
#include <string>

#include "app/core/settings.h"

namespace satdof {

// Where a group of fields lies: the start of its keys and of its options.
struct Scope {
  const char* path = "";
  const char* option = "--";
  const char* oldPath = "";  // of the keys in settings saved by version 0.1
};

// One field of Settings, for the command line, saved settings, checks and tooltips.
struct Field {
  const char* key = "";        // in saved settings, after scope.path: "lens.focusDistanceM"
  const char* flag = nullptr;  // the option, after scope.option: "focus"; null where there is none
  const char* help = nullptr;
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool powerOfTwo = false;
  const char* oldKey = nullptr;   // read where the key is missing; null: as `key`
  const char* oldFlag = nullptr;  // accepted as the option is; null: none
  Scope scope = {};

  Field in(const Scope& group) const {
    Field field = *this;
    field.scope = group;
    return field;
  }
  // The names that version 0.1 knew the field by.
  Field formerly(const char* keyThen, const char* flagThen = nullptr) const {
    Field field = *this;
    field.oldKey = keyThen;
    field.oldFlag = flagThen;
    return field;
  }

  std::string path() const { return std::string(scope.path) + key; }
  std::string oldPath() const { return std::string(scope.oldPath) + (oldKey != nullptr ? oldKey : key); }
  std::string option() const { return flag == nullptr ? std::string() : std::string(scope.option) + flag; }
  std::string oldOption() const {
    return oldFlag == nullptr ? std::string() : std::string(scope.option) + oldFlag;
  }
};

inline constexpr Scope kNoScope{};
inline constexpr Scope kTechniqueA{"technique.", "--", "method."};
inline constexpr Scope kTechniqueB{"split.b.", "--split-", "split.other."};

// Calls visit(field, value) for every field of a technique.
template <class T, class Visit>
void describeTechnique(T& t, const Scope& scope, Visit&& visit) {
  visit(Field{"device", "device", "what builds the table"}.in(scope).formerly("backend", "backend"),
        t.device);
  visit(Field{"table.scan", "scan", "scan variant of CUDA tables"}.in(scope).formerly("scan"), t.table.scan);
  visit(Field{"table.format", "table-format", "number format of the table"}.in(scope).formerly("format",
                                                                                               "sat-format"),
        t.table.format);
  visit(Field{"table.blockSize", "block-size", "threads in a block", 32, 1024, true}.in(scope).formerly(
            "blockSize"),
        t.table.blockSize);
  visit(Field{"table.reducePasses", "reduce-passes",
              "reduce passes of gl-fragment before doubling; 0 is Hensley et al. 2005", 0, 16}
            .in(scope)
            .formerly("reducePasses"),
        t.table.reducePasses);
  visit(Field{"lens.kind", "lens", "lens model"}.in(scope).formerly("lens"), t.lens.kind);
  visit(Field{"lens.on", "lens-on", "what computes the blur of the box and gems lenses"}.in(scope).formerly(
            "lensOn"),
        t.lens.on);
  visit(Field{"view", "view", "what is shown"}.in(scope), t.view);
  visit(Field{"bokeh.enabled", "bokeh",
              "draw bright pixels out of focus as sprites of the aperture (box, tent and layered lenses)"}
            .in(scope)
            .formerly("highlights", "highlights"),
        t.bokeh.enabled);
  visit(Field{"bokeh.compaction", "compaction", "how CUDA collects the bright pixels"}.in(scope).formerly(
            "compaction"),
        t.bokeh.compaction);
  visit(Field{"bokeh.sort", "sort", "how CUDA sorts the bokeh sprites by depth"}.in(scope).formerly("sort"),
        t.bokeh.sort);
}

// Calls visit(field, value&) for every field. Value types: bool, int, float, glm::ivec2 and the enumerations.
template <class S, class Visit>
void describe(S& s, Visit&& visit) {
  visit(Field{"size", "size", "image size in pixels", 1, 16384}, s.size);
  describeTechnique(s.technique, kTechniqueA, visit);
  visit(Field{"lens.focusDistanceM", "focus", "focus distance in metres", 0.1, 10000}, s.lens.focusDistanceM);
  visit(Field{"lens.focalLengthMm", "focal-length", "focal length in millimetres", 1, 2000},
        s.lens.focalLengthMm);
  visit(Field{"lens.fNumber", "f-number", "focal length over aperture diameter", 0.1, 128}, s.lens.fNumber);
  visit(Field{"lens.sensorHeightMm", "sensor-height", "height of the sensor in millimetres", 1, 500},
        s.lens.sensorHeightMm);
  visit(Field{"lens.autofocus", "autofocus", "follow the median depth of the image's centre"},
        s.lens.autofocus);
  visit(Field{"lens.nearScale", "near-scale", "multiplies the blur in front of the focus plane", 0, 10},
        s.lens.nearScale);
  visit(Field{"lens.farScale", "far-scale", "multiplies the blur behind the focus plane", 0, 10},
        s.lens.farScale);
  visit(Field{"lens.anamorphicRatio", "anamorphic-ratio",
              "width over height of the aperture of all lenses but gems, and of the bokeh sprites", 0.25, 4}
            .formerly("lens.stretch", "stretch"),
        s.lens.anamorphicRatio);
  visit(Field{"lens.kernelSteps", "kernel-steps", "steps of the staircase disc: 1 is a square", 1, 5},
        s.lens.kernelSteps);
  visit(Field{"lens.layers", "layers", "depth layers of the layered lens", 1, 2}, s.lens.layers);
  visit(Field{"lens.blades", "blades",
              "sides of the aperture of the reference and the bokeh sprites; below 3 a disc", 0, 16},
        s.lens.blades);
  visit(Field{"lens.bladeRotationDegrees", "blade-rotation", "turn of the aperture in degrees", -360, 360},
        s.lens.bladeRotationDegrees);
  visit(Field{"lens.highlightThreshold", "highlight-threshold",
              "linear luminance above which light is drawn as bokeh sprites", 0.01, 64},
        s.lens.highlightThreshold);
  visit(Field{"lens.lensSamples", "lens-samples", "points on the aperture for the reference", 1, 65536},
        s.lens.lensSamples);
  visit(Field{"lens.lensSeed", "lens-seed", "another seed shows the reference's noise", 0, 1000},
        s.lens.lensSeed);
  visit(Field{"lens.gemsFocusRangeM", "gems-range", "gems: metres from focus to full blur", 0.01, 1000},
        s.lens.gemsFocusRangeM);
  visit(Field{"lens.gemsMaxRadiusPx", "gems-radius",
              "gems: half-width of the full blur in pixels at a height of 1080", 0, 1000},
        s.lens.gemsMaxRadiusPx);
  visit(Field{"scene.kind", "scene", "what is drawn"}, s.scene.kind);
  visit(Field{"scene.teapots.count", "teapots", "number of teapots", 1, 5000}.formerly("scene.teapots"),
        s.scene.teapots.count);
  visit(Field{"scene.teapots.lamps", "lamps", "small bright lamps that show bokeh"}.formerly("scene.lamps"),
        s.scene.teapots.lamps);
  visit(Field{"scene.samples", "samples", "samples a pixel; 0 chooses: 4, or 1 on software OpenGL", 0, 16},
        s.scene.samples);
  visit(Field{"scene.animate", "animate", "move the scene with time"}, s.scene.animate);
  visit(Field{"scene.timeS", "time", "animation time of the first frame in seconds", 0, 1e6}, s.scene.timeS);
  visit(Field{"camera.yawDegrees", "yaw", "camera angle around the target", -360000, 360000},
        s.camera.yawDegrees);
  visit(Field{"camera.pitchDegrees", "pitch", "camera angle above the ground", -10, 89},
        s.camera.pitchDegrees);
  visit(Field{"camera.distanceM", "distance", "camera distance from the target in metres", 0.5, 200},
        s.camera.distanceM);
  visit(Field{"camera.targetXM", nullptr, "camera target, metres", -1000, 1000}, s.camera.targetXM);
  visit(Field{"camera.targetYM", nullptr, "camera target, metres up", -1000, 1000}, s.camera.targetYM);
  visit(Field{"camera.targetZM", nullptr, "camera target, metres", -1000, 1000}, s.camera.targetZM);
  visit(Field{"camera.verticalFovDegrees", "fov", "vertical field of view", 5, 120},
        s.camera.verticalFovDegrees);
  visit(Field{"split.enabled", "split", "show two techniques side by side"}, s.split.enabled);
  visit(Field{"split.position", "split-position", "where the split line stands, 0 left to 1 right", 0, 1},
        s.split.position);
  describeTechnique(s.split.b, kTechniqueB, visit);
  visit(Field{"present.exposureStops", "exposure", "exposure in stops", -20, 20}, s.present.exposureStops);
  visit(Field{"present.vsync", "vsync", "wait for the display"}, s.present.vsync);
  visit(Field{"present.fullScreen", "full-screen", "cover the whole display"}, s.present.fullScreen);
  visit(Field{"present.showUi", "ui", "show the panels"}, s.present.showUi);
}

}  // namespace satdof
