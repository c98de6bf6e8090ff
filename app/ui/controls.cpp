#include "app/ui/controls.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

#include "app/core/fields.h"
#include "app/core/letters.h"

namespace satdof {

namespace {

constexpr const char* kThinLens = "Thin lens: Potmesil and Chakravarty 1981";
constexpr const char* kChapter = "GPU Gems 3, 39.3.2";

constexpr std::array kLens = {
    Control{.path = "lens.focusDistanceM",
            .label = "Focus",
            .source =
                "Click on the image or turn the wheel. Circle of confusion: R(z) = K (1 - S/z), S the focus "
                "distance"},
    Control{.path = "lens.autofocus", .label = "Autofocus", .source = "Smoothed in diopters. Key A"},
    Control{.path = "lens.fNumber",
            .label = "Aperture",
            .source = kThinLens,
            .low = 0.7,
            .high = 32,
            .format = "f/%.3g",
            .thirdStops = true},
    Control{.path = "lens.focalLengthMm",
            .label = "Focal length",
            .source = "K = f^2 H / (2 N (S - f) h)",
            .low = 10,
            .high = 400,
            .format = "%.0f mm"},
    Control{.path = "lens.sensorHeightMm",
            .label = "Sensor height",
            .source = kThinLens,
            .low = 4,
            .high = 60,
            .format = "%.1f mm"},
    Control{.path = "lens.linkFieldOfView", .label = "Link field of view", .source = "As on a camera"},
};

constexpr std::array kBlur = {
    Control{.path = "lens.gemsFocusRangeM",
            .label = "Range",
            .source = kChapter,
            .low = 0.05,
            .high = 10,
            .format = "%.2f m"},
    Control{.path = "lens.gemsMaxRadiusPx",
            .label = "Full blur",
            .source = kChapter,
            .low = 0,
            .high = 100,
            .format = "%.0f px"},
    Control{.path = "lens.kernelSteps",
            .label = "Disc roundness",
            .source = "A sum of boxes: 4, 12, 20, 28 or 36 look-ups"},
    Control{.path = "lens.layers",
            .label = "Layers",
            .source = "auto: 1 while something moves, 2 in the best image. Depth peeling: Everitt 2001",
            .powersOfTwo = true},
    Control{.path = "lens.lensSamples",
            .label = "Lens samples",
            .source = "Accumulation: Haeberli and Akeley 1990"},
    Control{.path = "lens.lensSeed", .label = "Seed", .source = "", .high = 16},
    Control{.path = "lens.nearScale", .label = "Near blur", .source = "", .high = 3},
    Control{.path = "lens.farScale", .label = "Far blur", .source = "", .high = 3},
    Control{.path = "lens.anamorphicRatio",
            .label = "Anamorphic ratio",
            .source = "Anamorphic lenses: below 1",
            .low = 0.25,
            .high = 4},
    Control{.path = "lens.overscan",
            .label = "Overscan",
            .source = "Light from outside the image reaches its border, as in the reference"},
    Control{.path = "lens.blades", .label = "Blades", .source = "0: a disc", .high = 16},
    Control{.path = "lens.bladeRotationDegrees",
            .label = "Rotation",
            .source = "",
            .low = -180,
            .high = 180,
            .format = "%.0f deg"},
    Control{.path = "lens.bladeCurvature", .label = "Blade curvature", .source = "0: straight, 1: a disc"},
    Control{.path = "lens.apertureImage",
            .label = "Aperture image",
            .source = "Bright pixels let light pass. Tables average over the disc with its second moments"},
    Control{.path = "lens.spherical",
            .label = "Spherical",
            .source = "Below 0, bubbles with bright rims behind the focus plane, and soft discs before it",
            .low = -0.3,
            .high = 0.3,
            .format = "%.3f dpt"},
    Control{.path = "lens.diffraction",
            .label = "Diffraction",
            .source = "Fraunhofer: the squared Fourier transform of the aperture, up to 16 pixels wide"},
    Control{.path = "lens.catEye",
            .label = "Cat's eyes",
            .source = "The barrel cuts the aperture towards the corners. Sprites and the reference show it"},
    Control{.path = "lens.vignetting", .label = "Vignetting", .source = "Of the cat's eyes: darker corners"},
    Control{.path = "lens.tiltXDegrees",
            .label = "Tilt back",
            .source = "Scheimpflug: the focus plane hinges at f / sin(tilt) below the lens. Merklinger 1996",
            .low = -10,
            .high = 10,
            .format = "%.1f deg"},
    Control{.path = "lens.tiltYDegrees",
            .label = "Tilt aside",
            .source = "The same about the vertical: the focus plane leans back at the right",
            .low = -10,
            .high = 10,
            .format = "%.1f deg"},
    Control{.path = "lens.fieldCurvature",
            .label = "Field curvature",
            .source = "Above 0, the corners are in focus nearer than the centre",
            .low = -5,
            .high = 5,
            .format = "%.2f dpt"},
    Control{.path = "lens.axialColour",
            .label = "Axial colour",
            .source = "Red is in focus farther away than blue: three images, three times the cost",
            .low = -0.5,
            .high = 0.5,
            .format = "%.2f dpt"},
    Control{.path = "lens.lateralColour",
            .label = "Lateral colour",
            .source = "Red is larger than green 12 mm from the axis, blue smaller",
            .low = -1,
            .high = 1,
            .format = "%.2f %%"},
    Control{.path = "lens.breathing",
            .label = "Breathing",
            .source = "1: the field of view of a thin lens shrinks as focus comes nearer",
            .high = 2},
    Control{.path = "lens.highlightThreshold",
            .label = "Highlight threshold",
            .source = "A sprite carries the light above the threshold. Where there are too many, as below "
                      "0.1 in bright images, there are none, and all light stays in the blur",
            .low = 0.1,
            .high = 16,
            .format = "%.2f"},
};

constexpr std::array kCamera = {
    Control{.path = "camera.verticalFovDegrees",
            .label = "Field of view",
            .source = "",
            .low = 10,
            .high = 90,
            .format = "%.0f deg"},
    Control{.path = "camera.distanceM",
            .label = "Distance",
            .source = "Ctrl wheel",
            .low = 0.5,
            .high = 20,
            .format = "%.1f m"},
    Control{.path = "camera.rollDegrees",
            .label = "Roll",
            .source = "Cameras of glTF files may be rolled",
            .low = -180,
            .high = 180,
            .format = "%.0f deg"},
    Control{.path = "present.exposureStops",
            .label = "Exposure",
            .source = "Applied before the tone curve; the blur works in linear light",
            .low = -6,
            .high = 6,
            .format = "%+.1f stops"},
    Control{.path = "present.vsync", .label = "Vertical sync", .source = "Off: no frame rate limit"},
    Control{.path = "present.fullScreen", .label = "Full screen", .source = "Key F"},
};

// A control of a field "scene.<name>." shows with the scene of this name only.
constexpr std::array kScene = {
    Control{.path = "scene.kind", .label = "Scene", .source = "Each scene has settings of its own"},
    Control{.path = "scene.teapots.count",
            .label = "Teapots",
            .source = "The Utah teapot, 32 bicubic patches (Newell 1975), instanced",
            .low = 1,
            .high = 3000},
    Control{
        .path = "scene.teapots.lamps", .label = "Lamps", .source = "Brighter than white, so they show bokeh"},
    Control{.path = "scene.teapots.culling",
            .label = "Culling",
            .source = "Tree traversal by compaction: Horn 2005, Billeter et al. 2009"},
    Control{.path = "scene.bodies.count",
            .label = "Bodies",
            .source = "Equal bodies shine with equal light: the sum does not depend on their number",
            .low = 100,
            .high = 4 << 20},
    Control{.path = "scene.bodies.initial",
            .label = "Initial state",
            .source = "Plummer's sphere: Aarseth, Henon and Wielen 1974"},
    Control{.path = "scene.bodies.seed", .label = "Seed", .source = "", .high = 100},
    Control{.path = "scene.bodies.solver",
            .label = "Solver",
            .source = "All pairs: O(n^2). Trees: O(n log n), Barnes and Hut 1986"},
    Control{.path = "scene.bodies.softening",
            .label = "Softening",
            .source = "Two bodies attract each other by m d / (d^2 + e^2)^(3/2)",
            .low = 0.001,
            .high = 0.5,
            .format = "%.3f"},
    Control{.path = "scene.bodies.timeStep",
            .label = "Time step",
            .source = "Leapfrog: kick, drift, gravity, kick. Time-reversible",
            .low = 0.0005,
            .high = 0.1,
            .format = "%.4f"},
    Control{.path = "scene.bodies.speed", .label = "Speed", .source = "", .high = 2, .format = "%.2f /s"},
    Control{.path = "scene.bodies.openingAngle",
            .label = "Opening angle",
            .source = "Smaller: exacter and slower",
            .high = 1.5},
    Control{.path = "scene.bodies.traversal", .label = "Traversal", .source = ""},
    Control{.path = "scene.bodies.sort", .label = "Sort", .source = "Orders the bodies by Morton code"},
    Control{.path = "scene.bodies.scan", .label = "Scan", .source = "Builds the tree"},
    Control{.path = "scene.bodies.compaction",
            .label = "Compaction",
            .source = "One a level of the breadth-first traversal"},
    Control{.path = "scene.bodies.colour", .label = "Colour", .source = ""},
    Control{.path = "scene.image.file",
            .label = "Image",
            .source = "Type a path, then Enter, or drop the file on the window"},
    Control{.path = "scene.image.depth",
            .label = "Depth",
            .source = "Type a path, then Enter, or drop both files on the window"},
    Control{.path = "scene.image.meaning", .label = "Depth means", .source = ""},
    Control{.path = "scene.image.inverted", .label = "Inverted", .source = ""},
    Control{.path = "scene.image.nearM",
            .label = "Nearest",
            .source = "",
            .low = 0.1,
            .high = 100,
            .format = "%.2f m"},
    Control{.path = "scene.image.farM",
            .label = "Farthest",
            .source = "",
            .low = 0.1,
            .high = 1000,
            .format = "%.1f m"},
    Control{.path = "scene.image.scale",
            .label = "Scale",
            .source = "",
            .low = 0.0001,
            .high = 1000,
            .format = "%.4g"},
    Control{.path = "scene.image.baselineMm",
            .label = "Baseline",
            .source = "z = baseline * focal length / (d + offset)",
            .low = 1,
            .high = 1000,
            .format = "%.1f mm"},
    Control{.path = "scene.image.focalLengthPx",
            .label = "Disparity focal",
            .source = "z = baseline * focal length / (d + offset)",
            .high = 8000,
            .format = "%.0f px",
            .zero = "image width"},
    Control{.path = "scene.image.offsetPx",
            .label = "Disparity offset",
            .source = "z = baseline * focal length / (d + offset)",
            .low = -200,
            .high = 200,
            .format = "%.1f px"},
    Control{.path = "scene.image.levelFar", .label = "Level far", .source = "See the histogram below"},
    Control{.path = "scene.image.levelNear", .label = "Level near", .source = "See the histogram below"},
    Control{.path = "scene.image.levelGamma", .label = "Level gamma", .source = "See the histogram below"},
    Control{.path = "scene.image.skyBelow",
            .label = "Sky",
            .source = "Estimated depth often ends before the sky",
            .high = 0.5,
            .format = "%.3f",
            .zero = "as read"},
    Control{.path = "scene.image.edgeRadiusPx",
            .label = "Edge radius",
            .source = "Weighted median: Ma et al. 2013. See the view depth",
            .high = 32},
    Control{.path = "scene.image.edgeContrast",
            .label = "Edge contrast",
            .source = "Weighted median: Ma et al. 2013. See the view depth",
            .low = 0.005,
            .high = 0.5,
            .format = "%.3f"},
    Control{.path = "scene.image.highlights",
            .label = "Highlights",
            .source = "x / (1 - x (X - 1) / X) above the threshold, X: the peak",
            .high = 64,
            .format = "%.1f"},
    Control{.path = "scene.image.highlightsFrom", .label = "Highlights from", .source = ""},
    Control{.path = "scene.image.parallax",
            .label = "Parallax",
            .source = "Relief mapping: Policarpo et al. 2005. What no image shows is mirrored",
            .format = "%.3f",
            .zero = "still"},
    Control{.path = "scene.model.file",
            .label = "Model",
            .source = "Type a path, then Enter, or drop the file on the window"},
    Control{.path = "scene.model.camera", .label = "File camera", .source = "", .high = 10},
    Control{.path = "scene.model.clip", .label = "Clip", .source = "", .high = 10},
    Control{.path = "scene.model.scale",
            .label = "Unit",
            .source = "",
            .low = 0.0,
            .high = 10,
            .format = "%.3g m",
            .zero = "auto"},
    Control{.path = "scene.model.environment",
            .label = "Environment",
            .source = "Type a path, then Enter, or drop the file on the window"},
    Control{.path = "scene.model.environmentDegrees",
            .label = "Turn",
            .source = "",
            .low = -180,
            .high = 180,
            .format = "%.0f deg"},
    Control{.path = "scene.model.environmentStrength",
            .label = "Strength",
            .source = "",
            .low = 0.05,
            .high = 20},
    Control{.path = "scene.model.ground", .label = "Ground", .source = "The model's lamps cast no shadows"},
    Control{.path = "scene.background",
            .label = "Background",
            .source = "The lens blurs alpha as it blurs light, without bokeh sprites"},
    Control{.path = "scene.animate", .label = "Animation", .source = "Key Space"},
};

constexpr std::array kQuality = {
    Control{.path = "quality.adaptive",
            .label = "Best at rest",
            .source = "Only what is set to auto adapts. Images and sequences that are saved take the best"},
    Control{.path = "quality.lowerResolution",
            .label = "Lower resolution",
            .source = "Aims at 24 frames per second"},
    Control{.path = "quality.converge",
            .label = "Converge",
            .source = "Cross-fades to the reference lens: accumulation, Haeberli and Akeley 1990"},
    Control{.path = "scene.samples",
            .label = "Samples",
            .source = "Colour is the mean of the samples, depth the nearest sample",
            .powersOfTwo = true},
};

constexpr std::array kTechnique = {
    Control{.path = "view",
            .label = "View",
            .source = "",
            .keys = "Keys 1 to 9, 0; comma and full stop: previous and next"},
    Control{.path = "lens.kind",
            .label = "Lens model",
            .source = "Box sums from a table: Crow 1984; GPU Gems 3, 39.3.2",
            .keys = "Key L"},
    Control{.path = "device", .label = "Device", .source = "GPU Gems 3, 39.3.2 and 39.2.6", .keys = "Key B"},
    Control{.path = "table.scan", .label = "Scan", .source = "GPU Gems 3, 39.2", .keys = "Key V"},
    Control{.path = "table.format",
            .label = "Table format",
            .source = "uint32: box sums below 2^32 are exact",
            .keys = "Key T"},
    Control{.path = "table.blockSize",
            .label = "Block size",
            .source = "GPU Gems 3, 39.2.4",
            .powersOfTwo = true},
    Control{.path = "table.reducePasses", .label = "Reduce passes", .source = "Sengupta et al. 2006"},
    Control{.path = "bokeh.enabled", .label = "Bokeh", .source = "GPU Gems 3, 39.3.1 and 39.3.3"},
    Control{.path = "bokeh.compaction", .label = "Compaction", .source = "GPU Gems 3, 39.3.1"},
    Control{.path = "bokeh.sort", .label = "Sort", .source = "GPU Gems 3, 39.3.3"},
    Control{.path = "lens.on", .label = "Blur computed by", .source = "For GPUs with slow graphics"},
};

constexpr std::array kFilter = {
    Control{.path = "filter.mask",
            .label = "Filter",
            .source = "Before exposure. Both sides of a split have the same filter"},
    Control{.path = "filter.radiusPx", .label = "Radius", .source = ""},
    Control{.path = "filter.variant", .label = "Computed by", .source = "Timed as the stage filter"},
    Control{.path = "filter.form", .label = "Form", .source = "A mask of rank one is separable"},
};

constexpr std::array kCompare = {
    Control{.path = "split.enabled",
            .label = "Compare A and B",
            .source = "A: the settings of the other sections. Key S; hold X to see B alone"},
    Control{.path = "split.position", .label = "Position", .source = "Or drag the line on the image"},
    Control{.path = "split.ownLens",
            .label = "B: own lens",
            .source = "f/1.4 beside f/8. A click right of the line focuses B"},
    Control{.path = "split.fNumber",
            .label = "B: aperture",
            .source = kThinLens,
            .low = 0.7,
            .high = 32,
            .format = "f/%.3g",
            .thirdStops = true},
    Control{.path = "split.focusDistanceM", .label = "B: focus", .source = "Click right of the line"},
};

constexpr std::span<const Control> kGroups[] = {kTechnique, kLens,   kBlur,    kCamera,
                                                kScene,     kFilter, kCompare, kQuality};

const Control* find(std::string_view path) {
  for (const auto group : kGroups)
    if (const auto found =
            std::ranges::find(group, path, [](const Control& c) { return std::string_view(c.path); });
        found != group.end())
      return &*found;
  return nullptr;
}

// "camera.yawDegrees" gives "Yaw".
std::string inWords(std::string_view key) {
  std::string_view name = key.substr(key.rfind('.') + 1);
  for (const std::string_view unit : {"Degrees", "M", "S"})
    if (name.ends_with(unit)) {
      name.remove_suffix(unit.size());
      break;
    }
  std::string words;
  for (const char c : name) {
    if (c != lower(c)) words += ' ';
    words += words.empty() ? upper(c) : lower(c);
  }
  return words;
}

}  // namespace

std::span<const Control> controls(ControlGroup group) { return kGroups[static_cast<std::size_t>(group)]; }

const Control& controlOf(const char* path) {
  const Control* const found = find(path);
  if (found == nullptr) throw std::logic_error(std::string("no control of the field ") + path);
  return *found;
}

const Control* findControl(std::string_view path) {
  for (const std::string_view scope : {kNoScope.path, kTechniqueA.path, kTechniqueB.path})
    if (path.starts_with(scope))
      if (const Control* const found = find(path.substr(scope.size())); found != nullptr) return found;
  return nullptr;
}

std::string labelOf(const std::string& path) {
  const Control* const found = findControl(path);
  return found != nullptr ? found->label : inWords(path);
}

}  // namespace satdof
