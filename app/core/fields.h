#pragma once
#include <limits>

#include "app/core/settings.h"

namespace satdof {

// One field of Settings, for the command line, saved settings, checks and tooltips.
struct Field {
  const char* path = nullptr;    // key in saved settings: "lens.focusDistanceM"
  const char* option = nullptr;  // "--focus", or null where there is none
  const char* help = nullptr;
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool powerOfTwo = false;
};

// Calls visit(field, value) for every field of a technique; `prefix` is "technique." or "split.other.".
template <class M, class Visit>
void describeTechnique(M& m, bool main, Visit&& visit) {
  visit(Field{main ? "technique.device" : "split.other.device", main ? "--backend" : "--split-backend",
              "who builds the table"},
        m.device);
  visit(Field{main ? "technique.scan" : "split.other.scan", main ? "--scan" : "--split-scan",
              "scan variant of the CUDA device"},
        m.scan);
  visit(Field{main ? "technique.format" : "split.other.format", main ? "--sat-format" : "--split-sat-format",
              "element type of the table"},
        m.format);
  visit(Field{main ? "technique.blockSize" : "split.other.blockSize",
              main ? "--block-size" : "--split-block-size", "threads in a block", 32, 1024, true},
        m.blockSize);
  visit(Field{main ? "technique.reducePasses" : "split.other.reducePasses",
              main ? "--reduce-passes" : "--split-reduce-passes",
              "reduce passes of gl-fragment before doubling; 0 is Hensley et al. 2005", 0, 16},
        m.reducePasses);
  visit(Field{main ? "technique.lens" : "split.other.lens", main ? "--lens" : "--split-lens",
              "how the table is looked up"},
        m.lens);
  visit(Field{main ? "technique.lensOn" : "split.other.lensOn", main ? "--lens-on" : "--split-lens-on",
              "who blurs for the box and gems lenses"},
        m.lensOn);
  visit(
      Field{main ? "technique.view" : "split.other.view", main ? "--view" : "--split-view", "what is shown"},
      m.view);
  visit(Field{main ? "technique.highlights" : "split.other.highlights",
              main ? "--highlights" : "--split-highlights",
              "draw bright pixels out of focus as sprites of the aperture (box, tent and layered lenses)"},
        m.highlights);
  visit(Field{main ? "technique.compaction" : "split.other.compaction",
              main ? "--compaction" : "--split-compaction", "how the CUDA device collects the highlights"},
        m.compaction);
  visit(Field{main ? "technique.sort" : "split.other.sort", main ? "--sort" : "--split-sort",
              "how the CUDA device sorts the highlights by depth"},
        m.sort);
}

// Calls visit(field, value&) for every field. Value types: bool, int, float, glm::ivec2 and the enumerations.
template <class S, class Visit>
void describe(S& s, Visit&& visit) {
  visit(Field{"size", "--size", "image size in pixels", 1, 16384}, s.size);
  describeTechnique(s.technique, true, visit);
  visit(Field{"lens.focusDistanceM", "--focus", "focus distance in metres", 0.1, 10000},
        s.lens.focusDistanceM);
  visit(Field{"lens.focalLengthMm", "--focal-length", "focal length in millimetres", 1, 2000},
        s.lens.focalLengthMm);
  visit(Field{"lens.fNumber", "--f-number", "focal length over aperture diameter", 0.1, 128}, s.lens.fNumber);
  visit(Field{"lens.sensorHeightMm", "--sensor-height", "height of the sensor in millimetres", 1, 500},
        s.lens.sensorHeightMm);
  visit(Field{"lens.autofocus", "--autofocus", "follow the median depth of the image's centre"},
        s.lens.autofocus);
  visit(Field{"lens.nearScale", "--near-scale", "multiplies the blur in front of the focus plane", 0, 10},
        s.lens.nearScale);
  visit(Field{"lens.farScale", "--far-scale", "multiplies the blur behind the focus plane", 0, 10},
        s.lens.farScale);
  visit(Field{"lens.anamorphicRatio", "--stretch",
              "width over height of the aperture of all lenses but gems, and of the highlights", 0.25, 4},
        s.lens.anamorphicRatio);
  visit(Field{"lens.kernelSteps", "--kernel-steps", "steps of the staircase disc: 1 is a square", 1, 5},
        s.lens.kernelSteps);
  visit(Field{"lens.layers", "--layers", "depth layers of the layered lens", 1, 2}, s.lens.layers);
  visit(Field{"lens.blades", "--blades",
              "sides of the aperture of the reference and the highlights; below 3 a disc", 0, 16},
        s.lens.blades);
  visit(Field{"lens.bladeRotationDegrees", "--blade-rotation", "turn of the aperture in degrees", -360, 360},
        s.lens.bladeRotationDegrees);
  visit(Field{"lens.highlightThreshold", "--highlight-threshold",
              "linear luminance from which light is drawn as sprites", 0.01, 64},
        s.lens.highlightThreshold);
  visit(Field{"lens.lensSamples", "--lens-samples", "points on the aperture for the reference", 1, 65536},
        s.lens.lensSamples);
  visit(Field{"lens.lensSeed", "--lens-seed", "another seed shows the reference's noise", 0, 1000},
        s.lens.lensSeed);
  visit(Field{"lens.gemsFocusRangeM", "--gems-range", "gems: metres from focus to full blur", 0.01, 1000},
        s.lens.gemsFocusRangeM);
  visit(Field{"lens.gemsMaxRadiusPx", "--gems-radius",
              "gems: half-width of the full blur in pixels at a height of 1080", 0, 1000},
        s.lens.gemsMaxRadiusPx);
  visit(Field{"scene.kind", "--scene", "what is drawn"}, s.scene.kind);
  visit(Field{"scene.teapots.count", "--teapots", "number of teapots", 1, 5000}, s.scene.teapots.count);
  visit(Field{"scene.teapots.lamps", "--lamps", "small bright lamps that show bokeh"}, s.scene.teapots.lamps);
  visit(Field{"scene.samples", "--samples", "samples a pixel; 0 chooses: 4, or 1 on software OpenGL", 0, 16},
        s.scene.samples);
  visit(Field{"scene.animate", "--animate", "move the scene with time"}, s.scene.animate);
  visit(Field{"scene.timeS", "--time", "animation time of the first frame in seconds", 0, 1e6},
        s.scene.timeS);
  visit(Field{"camera.yawDegrees", "--yaw", "camera angle around the target", -360000, 360000},
        s.camera.yawDegrees);
  visit(Field{"camera.pitchDegrees", "--pitch", "camera angle above the ground", -10, 89},
        s.camera.pitchDegrees);
  visit(Field{"camera.distanceM", "--distance", "camera distance from the target in metres", 0.5, 200},
        s.camera.distanceM);
  visit(Field{"camera.targetXM", nullptr, "camera target, metres", -1000, 1000}, s.camera.targetXM);
  visit(Field{"camera.targetYM", nullptr, "camera target, metres up", -1000, 1000}, s.camera.targetYM);
  visit(Field{"camera.targetZM", nullptr, "camera target, metres", -1000, 1000}, s.camera.targetZM);
  visit(Field{"camera.verticalFovDegrees", "--fov", "vertical field of view", 5, 120},
        s.camera.verticalFovDegrees);
  visit(Field{"split.enabled", "--split", "show two techniques side by side"}, s.split.enabled);
  visit(Field{"split.position", "--split-position", "where the wipe stands", 0, 1}, s.split.position);
  describeTechnique(s.split.other, false, visit);
  visit(Field{"present.exposureStops", "--exposure", "exposure in stops", -20, 20}, s.present.exposureStops);
  visit(Field{"present.vsync", "--vsync", "wait for the display"}, s.present.vsync);
  visit(Field{"present.fullScreen", "--full-screen", "cover the whole display"}, s.present.fullScreen);
  visit(Field{"present.showUi", "--ui", "show the panels"}, s.present.showUi);
}

}  // namespace satdof
