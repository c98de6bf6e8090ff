#include "app/ui/controls.h"

#include <algorithm>
#include <stdexcept>

#include "app/core/fields.h"
#include "app/core/text/letters.h"

namespace satdof {

namespace {

constexpr const char* kThinLens = "Thin lens: Potmesil and Chakravarty 1981";
constexpr const char* kChapter = "GPU Gems 3, 39.3.2";

constexpr Control fNumber(const char* path, const char* label) {
  return {.path = path,
          .label = label,
          .source = kThinLens,
          .low = 0.7,
          .high = 32,
          .format = "f/%.3g",
          .thirdStops = true};
}
constexpr Control inPowersOfTwo(Control control) {
  control.powersOfTwo = true;
  return control;
}
constexpr Control withKeys(const char* keys, Control control) {
  control.keys = keys;
  return control;
}

constexpr Control kLens[] = {
    {"lens.focusDistanceM", "Focus",
     "Click on the image or turn the wheel. Circle of confusion: R(z) = K (1 - S/z), S the focus "
     "distance"},
    {"lens.autofocus", "Autofocus", "Key A"},
    {"lens.autofocusOn", "Focus on", "A click on the image moves the place"},
    {"lens.autofocusX", "Place of the autofocus", "Click on the image"},
    {"lens.autofocusY", "Place of the autofocus", "Click on the image"},
    {"lens.trackedObject", "Tracked point", "Click on the image. One key has the object and the place on it"},
    {.path = "lens.autofocusSize", .label = "Square", .source = "", .low = 0.02},
    {"lens.autofocusSpeed", "Speed", "", 0.1, 10, "%.1f dpt/s"},
    {"lens.autofocusDelayS", "Delay", "At an edge, where two distances alternate, the focus stays", 0, 2, "%.2f s"},
    fNumber("lens.fNumber", "Aperture"),
    {"lens.focalLengthMm", "Focal length", "K = f^2 H / (2 N (S - f) h)", 10, 400, "%.0f mm"},
    {"lens.sensorHeightMm", "Sensor height", kThinLens, 4, 60, "%.1f mm"},
    {"lens.linkFieldOfView", "Link field of view", "As on a camera"},
};

constexpr Control kBlur[] = {
    {"lens.gemsFocusRangeM", "Range", kChapter, 0.05, 10, "%.2f m"},
    {"lens.gemsMaxRadiusPx", "Full blur", kChapter, 0, 100, "%.0f px"},
    {"lens.kernelSteps", "Roundness of blur", "A sum of boxes: 4, 12, 20, 28 or 36 look-ups"},
    inPowersOfTwo({"lens.layers", "Depth layers",
                   "auto: 1 while something moves, 2 in the best image. Depth peeling: Everitt 2001"}),
    {"lens.lensSamples", "Images averaged", "Accumulation: Haeberli and Akeley 1990"},
    {"lens.lensSeed", "Seed of noise", "", 0, 16},
    {"lens.jitter", "Jitter in the pixel", "Faster, and as smooth as several samples a pixel"},
    {"lens.nearScale", "Near blur", "", 0, 3},
    {"lens.farScale", "Far blur", "", 0, 3},
    {"lens.anamorphicRatio", "Anamorphic ratio", "Anamorphic lenses: below 1", 0.25, 4},
    {"lens.overscan", "Light from outside", "Light from outside the image reaches its border, as in the reference"},
    {"lens.blades", "Blades", "0: a disc", 0, 16},
    {"lens.bladeRotationDegrees", "Rotation", "", -180, 180, "%.0f deg"},
    {"lens.bladeCurvature", "Blade curvature", "0: straight, 1: a disc"},
    {"lens.apertureImage", "Aperture image",
     "Bright pixels let light pass. Tables average over the disc with its second moments"},
    {"lens.spherical", "Spherical",
     "Below 0, bubbles with bright rims behind the focus plane, and soft discs before it", -0.3, 0.3, "%.3f dpt"},
    {"lens.diffraction", "Diffraction",
     "Fraunhofer: the squared Fourier transform of the aperture, up to 16 pixels wide"},
    {"lens.catEye", "Cat's eyes",
     "The barrel cuts the aperture towards the corners. Sprites and the reference show it"},
    {"lens.vignetting", "Vignetting", "Of the cat's eyes: darker corners"},
    {"lens.tiltXDegrees", "Tilt back",
     "Scheimpflug: the focus plane hinges at f / sin(tilt) below the lens. Merklinger 1996", -10, 10, "%.1f deg"},
    {"lens.tiltYDegrees", "Tilt aside", "The same about the vertical: the focus plane leans back at the right", -10, 10,
     "%.1f deg"},
    {"lens.fieldCurvature", "Field curvature", "Above 0, the corners are in focus nearer than the centre", -5, 5,
     "%.2f dpt"},
    {"lens.axialColour", "Axial colour", "Red is in focus farther away than blue: three images, three times the cost",
     -0.5, 0.5, "%.2f dpt"},
    {"lens.lateralColour", "Lateral colour", "Red is larger than green 12 mm from the axis, blue smaller", -1, 1,
     "%.2f %%"},
    {"lens.breathing", "Breathing", "1: the field of view of a thin lens shrinks as focus comes nearer", 0, 2},
    {"lens.highlightThreshold", "Bokeh above",
     "A sprite carries the light above the threshold. Where there are too many, as below "
     "0.1 in bright images, there are none, and all light stays in the blur",
     0.1, 16, "%.2f"},
};

constexpr Control kCamera[] = {
    {"camera.verticalFovDegrees", "Field of view", "", 10, 90, "%.0f deg"},
    {"camera.distanceM", "Distance", "Ctrl wheel", 0.5, 20, "%.1f m"},
    {"camera.rollDegrees", "Roll", "Cameras of glTF files may be rolled", -180, 180, "%.0f deg"},
    {"present.exposureStops", "Exposure", "Applied before the tone curve; the blur works in linear light", -6, 6,
     "%+.1f stops"},
    {"present.frame", "Frame",
     "Safe areas by EBU R 95: 93 % for action, 90 % for text. Its size is the one in the file"},
    {"present.vsync", "Vertical sync", "Off: no frame rate limit"},
    {"present.fullScreen", "Full screen", "Key F"},
};

// A control of a field "scene.<name>." shows with the scene of this name only.
constexpr Control kScene[] = {
    {"scene.kind", "Scene", "Each scene has settings of its own"},
    {"scene.teapots.count", "Teapots", "The Utah teapot, 32 bicubic patches (Newell 1975), instanced", 1, 3000},
    {"scene.teapots.lamps", "Lamps", "Brighter than white, so they show bokeh"},
    {"scene.teapots.culling", "Culling", "Tree traversal by compaction: Horn 2005, Billeter et al. 2009"},
    {"scene.bodies.count", "Bodies", "Equal bodies shine with equal light: the sum does not depend on their number",
     100, 4 << 20},
    {"scene.bodies.initial", "Initial state", "Plummer's sphere: Aarseth, Henon and Wielen 1974"},
    {"scene.bodies.seed", "Seed", "", 0, 100},
    {"scene.bodies.solver", "Solver", "All pairs: O(n^2). Trees: O(n log n), Barnes and Hut 1986"},
    {"scene.bodies.softening", "Softening", "Two bodies attract each other by m d / (d^2 + e^2)^(3/2)", 0.001, 0.5,
     "%.3f"},
    {"scene.bodies.timeStep", "Time step", "Leapfrog: kick, drift, gravity, kick. Time-reversible", 0.0005, 0.1,
     "%.4f"},
    {"scene.bodies.speed", "Speed", "", 0, 2, "%.2f /s"},
    {"scene.bodies.openingAngle", "Opening angle", "Smaller: exacter and slower", 0, 1.5},
    {"scene.bodies.traversal", "Traversal", ""},
    {"scene.bodies.sort", "Sort", "Orders the bodies by Morton code"},
    {"scene.bodies.scan", "Scan", "Builds the tree"},
    {"scene.bodies.compaction", "Compaction", "One a level of the breadth-first traversal"},
    {"scene.bodies.colour", "Colour", ""},
    {"scene.image.file", "Image",
     "Type a path, then Enter, or drop the file on the window. Also a film: film.mp4, frames/%04d.png"},
    {"scene.image.depth", "Depth", "Type a path, then Enter, or drop both files on the window"},
    {"scene.image.meaning", "Depth means", ""},
    {"scene.image.inverted", "Inverted", ""},
    {"scene.image.nearM", "Nearest", "", 0.1, 100, "%.2f m"},
    {"scene.image.farM", "Farthest", "", 0.1, 1000, "%.1f m"},
    {"scene.image.scale", "Scale", "", 0.0001, 1000, "%.4g"},
    {"scene.image.baselineMm", "Baseline", "z = baseline * focal length / (d + offset)", 1, 1000, "%.1f mm"},
    {"scene.image.focalLengthPx", "Disparity focal", "z = baseline * focal length / (d + offset)", 0, 8000, "%.0f px",
     "image width"},
    {"scene.image.offsetPx", "Disparity offset", "z = baseline * focal length / (d + offset)", -200, 200, "%.1f px"},
    {"scene.image.levelFar", "Level far", "See the histogram below"},
    {"scene.image.levelNear", "Level near", "See the histogram below"},
    {"scene.image.levelGamma", "Level gamma", "See the histogram below"},
    {"scene.image.skyBelow", "Sky", "Estimated depth often ends before the sky", 0, 0.5, "%.3f", "as read"},
    {"scene.image.edgeRadiusPx", "Edge radius", "Weighted median: Ma et al. 2013. See the view depth", 0, 32},
    {"scene.image.edgeContrast", "Edge contrast", "Weighted median: Ma et al. 2013. See the view depth", 0.005, 0.5,
     "%.3f"},
    {"scene.image.smoothFrames", "Smooth frames", "Steadies the depth of a film"},
    {"scene.image.highlights", "Highlights", "x / (1 - x (X - 1) / X) above the threshold, X: the peak", 0, 64, "%.1f"},
    {"scene.image.highlightsFrom", "Highlights from", ""},
    {"scene.image.parallax", "Parallax", "Relief mapping: Policarpo et al. 2005. What no image shows is mirrored", 0, 0,
     "%.3f", "still"},
    {"scene.model.file", "Model", "Type a path, then Enter, or drop the file on the window"},
    {"scene.model.camera", "File camera", "", 0, 10},
    {"scene.model.clip", "Clip", "", 0, 10},
    {"scene.model.scale", "Unit", "", 0.0, 10, "%.3g m", "auto"},
    {"scene.model.environment", "Environment", "Type a path, then Enter, or drop the file on the window"},
    {"scene.model.environmentDegrees", "Turn", "", -180, 180, "%.0f deg"},
    {"scene.model.environmentStrength", "Strength", "", 0.05, 20},
    {"scene.model.ground", "Ground", "The four brightest lamps of the model cast shadows, too"},
    {"scene.background", "Background", "The lens blurs alpha as it blurs light, without bokeh sprites"},
    {"scene.animate", "Animation", "Key Space"},
};

constexpr Control kQuality[] = {
    {"quality.adaptive", "Best at rest",
     "Only what is set to auto adapts. Images and sequences that are saved take the best"},
    {"quality.lowerResolution", "Lower resolution", "Aims at 24 frames per second"},
    {"quality.converge", "Converge", "Cross-fades to the reference lens: accumulation, Haeberli and Akeley 1990"},
    inPowersOfTwo({"scene.samples", "Samples", "Colour is the mean of the samples, depth the nearest sample"}),
};

constexpr Control kTechnique[] = {
    withKeys("Keys 1 to 9, 0; comma and full stop: previous and next", {"view", "View", ""}),
    withKeys("Key L", {"lens.kind", "Lens model", "Box sums from a table: Crow 1984; GPU Gems 3, 39.3.2"}),
    withKeys("Key B", {"device", "Device", "GPU Gems 3, 39.3.2 and 39.2.6"}),
    withKeys("Key V", {"table.scan", "Scan", "GPU Gems 3, 39.2"}),
    withKeys("Key T", {"table.format", "Table format", "uint32: box sums below 2^32 are exact"}),
    inPowersOfTwo({"table.blockSize", "Block size", "GPU Gems 3, 39.2.4"}),
    {"table.reducePasses", "Reduce passes", "Sengupta et al. 2006"},
    {"bokeh.enabled", "Bokeh", "GPU Gems 3, 39.3.1 and 39.3.3"},
    {"bokeh.compaction", "Compaction", "GPU Gems 3, 39.3.1"},
    {"bokeh.sort", "Sort", "GPU Gems 3, 39.3.3"},
    {"lens.on", "Blur computed by", "For GPUs with slow graphics"},
};

constexpr Control kFilter[] = {
    {"filter.mask", "Filter", "Before exposure. Both sides of a split have the same filter"},
    {"filter.radiusPx", "Radius", ""},
    {"filter.variant", "Computed by", "Timed as the stage filter"},
    {"filter.form", "Form", "A mask of rank one is separable"},
};

constexpr Control kCompare[] = {
    {"split.enabled", "Compare A and B", "A: the settings of the other sections. Key S; hold X to see B alone"},
    {"split.position", "Position", "Or drag the line on the image"},
    {"split.ownLens", "B: own lens", "f/1.4 beside f/8. A click right of the line focuses B"},
    fNumber("split.fNumber", "B: aperture"),
    {"split.focusDistanceM", "B: focus", "Click right of the line"},
};

constexpr std::span<const Control> kGroups[] = {kTechnique, kLens, kBlur, kCamera, kScene, kFilter, kCompare, kQuality};

const Control* find(std::string_view path) {
  for (const auto group : kGroups)
    if (const auto found = std::ranges::find(group, path, [](const Control& c) { return std::string_view(c.path); });
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
