#include "app/ui/panels.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "app/device/device.h"
#include "app/lens/lens.h"
#include "app/lens/thin_lens.h"
#include "app/scene/registry.h"
#include "app/ui/depth_of_field.h"
#include "app/ui/edit.h"
#include "app/ui/presets.h"
#include "app/ui/widgets.h"

namespace satdof {

namespace {

constexpr const char* kThinLens = "Thin lens: Potmesil and Chakravarty 1981";
constexpr const char* kChapter = "GPU Gems 3, 39.3.2";

constexpr std::array kLensControls = {
    Control{.path = "lens.focusDistanceM",
            .label = "Focus",
            .source =
                "Click on the image or turn the wheel. Circle of confusion: R(z) = K (1 - S/z), S the focus "
                "distance",
            .diopters = true},
    Control{.path = "lens.autofocus", .label = "Autofocus", .source = "Smoothed in diopters. Key A"},
    Control{.path = "lens.fNumber",
            .label = "Aperture",
            .source = kThinLens,
            .low = 0.7,
            .high = 32,
            .format = "f/%.3g",
            .logarithmic = true,
            .thirdStops = true},
    Control{.path = "lens.focalLengthMm",
            .label = "Focal length",
            .source = "K = f^2 H / (2 N (S - f) h)",
            .low = 10,
            .high = 400,
            .format = "%.0f mm",
            .logarithmic = true},
    Control{.path = "lens.sensorHeightMm",
            .label = "Sensor height",
            .source = kThinLens,
            .low = 4,
            .high = 60,
            .format = "%.1f mm"},
    Control{.path = "lens.linkFieldOfView", .label = "Link field of view", .source = "As on a camera"},
};

// Whether a control that all lenses show has an effect, and why not.
struct Effect {
  bool (*on)(const Technique& technique);
  const char* otherwise;
};
bool hasThinLens(const Technique& technique) { return !lensOf(technique.lens.kind).rule->linear; }
bool canDrawBokeh(const Technique& technique) { return lensOf(technique.lens.kind).bokeh.has_value(); }
bool drawsBokeh(const Technique& technique) { return resolve(technique).bokeh.enabled; }
bool hasBlades(const Technique& technique) {
  return lensOf(technique.lens.kind).accumulates || drawsBokeh(technique);
}
constexpr Effect kAlways{[](const Technique&) { return true; }, ""};
constexpr Effect kOfThinLenses{hasThinLens, "the gems lens ignores it"};
constexpr Effect kOfOneView{[](const Technique& t) { return !lensOf(t.lens.kind).accumulates; },
                            "the reference lens draws the scene from many points instead"};
constexpr Effect kOfBokeh{drawsBokeh, "bokeh sprites are off"};
constexpr Effect kOfBlades{hasBlades, "only bokeh sprites and the reference lens use blades"};

// A control of the panel "Blur and bokeh": for one lens, or for all lenses.
struct BlurControl {
  std::optional<LensKind> lens;
  Control control;
  Effect effect = kAlways;
};
constexpr std::array kBlurControls = {
    BlurControl{LensKind::gems,
                {.path = "lens.gemsFocusRangeM",
                 .label = "Range",
                 .source = kChapter,
                 .low = 0.05,
                 .high = 10,
                 .format = "%.2f m",
                 .logarithmic = true}},
    BlurControl{LensKind::gems,
                {.path = "lens.gemsMaxRadiusPx",
                 .label = "Full blur",
                 .source = kChapter,
                 .low = 0,
                 .high = 100,
                 .format = "%.0f px"}},
    BlurControl{LensKind::layered,
                {.path = "lens.kernelSteps",
                 .label = "Disc roundness",
                 .source = "A sum of boxes: 4, 12, 20, 28 or 36 look-ups"}},
    BlurControl{LensKind::layered,
                {.path = "lens.layers", .label = "Layers", .source = "Depth peeling: Everitt 2001"}},
    BlurControl{LensKind::reference,
                {.path = "lens.lensSamples",
                 .label = "Lens samples",
                 .source = "Accumulation: Haeberli and Akeley 1990",
                 .logarithmic = true}},
    BlurControl{LensKind::reference, {.path = "lens.lensSeed", .label = "Seed", .source = "", .high = 16}},
    BlurControl{std::nullopt,
                {.path = "lens.nearScale", .label = "Near blur", .source = "", .high = 3},
                kOfThinLenses},
    BlurControl{
        std::nullopt, {.path = "lens.farScale", .label = "Far blur", .source = "", .high = 3}, kOfThinLenses},
    BlurControl{std::nullopt,
                {.path = "lens.anamorphicRatio",
                 .label = "Anamorphic ratio",
                 .source = "Anamorphic lenses: below 1",
                 .low = 0.25,
                 .high = 4,
                 .logarithmic = true},
                kOfThinLenses},
    BlurControl{std::nullopt,
                {.path = "lens.overscan",
                 .label = "Overscan",
                 .source = "Light from outside the image reaches its border, as in the reference"},
                kOfOneView},
    BlurControl{std::nullopt,
                {.path = "lens.blades", .label = "Blades", .source = "0: a disc", .high = 16},
                kOfBlades},
    BlurControl{std::nullopt,
                {.path = "lens.bladeRotationDegrees",
                 .label = "Rotation",
                 .source = "",
                 .low = -180,
                 .high = 180,
                 .format = "%.0f deg"},
                kOfBlades},
    BlurControl{std::nullopt,
                {.path = "lens.highlightThreshold",
                 .label = "Highlight threshold",
                 .source = "A sprite carries the light above the threshold",
                 .low = 0.1,
                 .high = 16,
                 .format = "%.2f",
                 .logarithmic = true},
                kOfBokeh},
};

// A control of a field "scene.<name>." shows with the scene of this name only.
constexpr std::array kSceneControls = {
    Control{.path = "scene.kind", .label = "Scene", .source = "Each scene has settings of its own"},
    Control{.path = "scene.teapots.count",
            .label = "Teapots",
            .source = "The Utah teapot, 32 bicubic patches (Newell 1975), instanced",
            .low = 1,
            .high = 3000,
            .logarithmic = true},
    Control{
        .path = "scene.teapots.lamps", .label = "Lamps", .source = "Brighter than white, so they show bokeh"},
    Control{.path = "scene.teapots.culling",
            .label = "Culling",
            .source = "Tree traversal by compaction: Horn 2005, Billeter et al. 2009"},
    Control{.path = "scene.bodies.count",
            .label = "Bodies",
            .source = "Equal bodies shine with equal light: the sum does not depend on their number",
            .low = 100,
            .high = 4 << 20,
            .logarithmic = true},
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
            .format = "%.3f",
            .logarithmic = true},
    Control{.path = "scene.bodies.timeStep",
            .label = "Time step",
            .source = "Leapfrog: kick, drift, gravity, kick. Time-reversible",
            .low = 0.0005,
            .high = 0.1,
            .format = "%.4f",
            .logarithmic = true},
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
    Control{.path = "scene.image.file", .label = "Image", .source = "Or drop the file on the window"},
    Control{.path = "scene.image.depth", .label = "Depth", .source = "Or drop both files on the window"},
    Control{.path = "scene.image.meaning", .label = "Depth means", .source = ""},
    Control{.path = "scene.image.inverted", .label = "Inverted", .source = ""},
    Control{.path = "scene.image.nearM",
            .label = "Nearest",
            .source = "",
            .low = 0.1,
            .high = 100,
            .format = "%.2f m",
            .logarithmic = true},
    Control{.path = "scene.image.farM",
            .label = "Farthest",
            .source = "",
            .low = 0.1,
            .high = 1000,
            .format = "%.1f m",
            .logarithmic = true},
    Control{.path = "scene.image.scale",
            .label = "Scale",
            .source = "",
            .low = 0.0001,
            .high = 1000,
            .format = "%.4g",
            .logarithmic = true},
    Control{.path = "scene.image.baselineMm",
            .label = "Baseline",
            .source = "z = baseline * focal length / (d + offset)",
            .low = 1,
            .high = 1000,
            .format = "%.1f mm",
            .logarithmic = true},
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
    Control{.path = "scene.image.edgeRadiusPx",
            .label = "Edge radius",
            .source = "Weighted median: Ma et al. 2013. See the view depth",
            .high = 32},
    Control{.path = "scene.image.edgeContrast",
            .label = "Edge contrast",
            .source = "Weighted median: Ma et al. 2013. See the view depth",
            .low = 0.005,
            .high = 0.5,
            .format = "%.3f",
            .logarithmic = true},
    Control{.path = "scene.image.highlights",
            .label = "Highlights",
            .source = "x / (1 - x (X - 1) / X) above the threshold, X: the peak",
            .high = 64,
            .format = "%.1f",
            .logarithmic = true},
    Control{.path = "scene.image.highlightsFrom", .label = "Highlights from", .source = ""},
    Control{.path = "scene.image.parallax",
            .label = "Parallax",
            .source = "Relief mapping: Policarpo et al. 2005. What no image shows is mirrored",
            .format = "%.3f",
            .zero = "still"},
    Control{.path = "scene.model.file", .label = "Model", .source = "Or drop the file on the window"},
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
            .source = "Or drop the file on the window"},
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
            .high = 20,
            .logarithmic = true},
    Control{.path = "scene.animate", .label = "Animation", .source = "Key Space"},
};

constexpr std::array kCameraControls = {
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
            .format = "%.1f m",
            .logarithmic = true},
    Control{.path = "present.exposureStops",
            .label = "Exposure",
            .source = "Applied before the tone curve; the blur works in linear light",
            .low = -6,
            .high = 6,
            .format = "%+.1f stops"},
    Control{.path = "present.vsync", .label = "Vertical sync", .source = "Off: no frame rate limit"},
    Control{.path = "present.fullScreen", .label = "Full screen", .source = "Key F"},
};

constexpr std::array kQualityControls = {
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

constexpr Control kView = {
    .path = "view", .label = "View", .source = "Keys 1 to 9, 0; comma and full stop: previous and next"};
constexpr Control kLens = {.path = "lens.kind",
                           .label = "Lens model",
                           .source = "Box sums from a table: Crow 1984; GPU Gems 3, 39.3.2. Key L"};

struct FormatEntry {
  CaptureFormat format;
  const char* name;
  const char* help;
};
constexpr std::array kFormats = {
    FormatEntry{CaptureFormat::png8, "PNG, 8 bit", "As displayed; contains the settings"},
    FormatEntry{CaptureFormat::png16, "PNG, 16 bit",
                "As displayed, with 16 bits per channel; contains the settings"},
    FormatEntry{CaptureFormat::exr16, "OpenEXR, 16 bit",
                "Linear light, depth, circle of confusion, near coverage; contains the settings"},
    FormatEntry{CaptureFormat::exr32, "OpenEXR, 32 bit", "The same with 32 bits per channel"},
    FormatEntry{CaptureFormat::hdr, "Radiance HDR", "Linear light, before exposure; contains the settings"},
    FormatEntry{CaptureFormat::pfm, "PFM", "Linear light, before exposure, 32-bit floats"},
};

// Returns the technique at rest; `automatic` remains where nothing adapts.
Technique chosenTechnique(const Settings& settings, const Technique& technique) {
  return settings.quality.adaptive ? resolveBest(technique) : technique;
}

// Returns why the device ignores an option; empty if the device uses it.
std::string onlyWith(const Technique& technique, bool DeviceOptions::*option) {
  if (deviceOf(technique.device).uses.*option) return {};
  return "only with the " + devicesThatUse(option) + " device";
}

void editTable(Settings& settings, const Scope& scope) {
  edit(settings, {.path = "device", .label = "Device", .source = "GPU Gems 3, 39.3.2 and 39.2.6. Key B"},
       scope);
  const Technique& technique = techniqueOf(settings, scope);
  const std::string notScanned = onlyWith(technique, &DeviceOptions::scan);
  const auto& scan = *std::ranges::find(kScans, technique.table.scan, &ScanInfo::value);
  edit(settings, {.path = "table.scan", .label = "Scan", .source = "GPU Gems 3, 39.2. Key V"}, scope,
       notScanned);
  edit(settings,
       {.path = "table.format",
        .label = "Table format",
        .source = "uint32: box sums below 2^32 are exact. Key T"},
       scope);
  edit(
      settings,
      {.path = "table.blockSize", .label = "Block size", .source = "GPU Gems 3, 39.2.4", .powersOfTwo = true},
      scope,
      !notScanned.empty() || scan.hasBlockSize ? notScanned
                                               : std::string(scan.name) + " chooses the block size");
  edit(settings, {.path = "table.reducePasses", .label = "Reduce passes", .source = "Sengupta et al. 2006"},
       scope, onlyWith(technique, &DeviceOptions::reducePasses));
}

// Why a technique cannot draw bokeh sprites; empty if it can.
std::string bokehMissing(const Technique& technique) {
  Technique drawing = technique;
  drawing.bokeh.enabled = true;
  if (!canDrawBokeh(technique))
    return std::string("the ") + name(lensOf(technique.lens.kind).kind) + " lens has no bokeh sprites";
  if (!drawsBokeh(drawing))
    return "auto leaves out bokeh sprites, which are slow on this machine; choose a lens model";
  return {};
}

void editBokeh(Settings& settings, const Scope& scope) {
  edit(settings, {.path = "bokeh.enabled", .label = "Bokeh", .source = "GPU Gems 3, 39.3.1 and 39.3.3"},
       scope, bokehMissing(chosenTechnique(settings, techniqueOf(settings, scope))));
}

void editBokehAlgorithms(Settings& settings, const Scope& scope) {
  const Technique technique = chosenTechnique(settings, techniqueOf(settings, scope));
  const std::string missing = bokehMissing(technique);
  const std::string why = !missing.empty()           ? missing
                          : !technique.bokeh.enabled ? "bokeh is off"
                                                     : onlyWith(technique, &DeviceOptions::bokehAlgorithms);
  edit(settings, {.path = "bokeh.compaction", .label = "Compaction", .source = "GPU Gems 3, 39.3.1"}, scope,
       why);
  edit(settings, {.path = "bokeh.sort", .label = "Sort", .source = "GPU Gems 3, 39.3.3"}, scope, why);
}

void editLensOn(Settings& settings, const Scope& scope) {
  const Technique& technique = techniqueOf(settings, scope);
  const Device& device = deviceOf(technique.device);
  edit(settings, {.path = "lens.on", .label = "Blur computed by", .source = "For GPUs with slow graphics"},
       scope,
       lensOf(technique.lens.kind).readsLensOn
           ? std::string(device.uses.lensOn || device.lenses ? "" : "only with the cuda and cpu devices")
           : std::string("the ") + name(lensOf(technique.lens.kind).kind) + " lens is drawn by OpenGL");
}

std::string millimetres(float value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g mm", static_cast<double>(value));
  return text;
}

void drawDepthOfField(const Session& session) {
  const LensSettings& lens = session.settings.lens;
  const DepthOfField range = depthOfField(lens);
  const int heightPx = session.settings.size.y;
  hint("Sharp: " + distanceText(range.nearM) + " to " + distanceText(range.farM));
  tooltip("Sharp: circle of confusion on the sensor of at most " + millimetres(range.confusionMm) +
          ", its diagonal / 1500");
  char text[64];
  std::snprintf(text, sizeof text, "Blur at infinity: %.1f px radius",
                static_cast<double>(thinLens(lens, heightPx, 1.0f).beta));
  hint(text);
  hint("Hyperfocal distance: " + distanceText(range.hyperfocalM));
  if (!session.cursorM) {
    hint("At the mouse: no surface");
    return;
  }
  const float circleMm = confusionMm(lens, *session.cursorM);
  std::snprintf(text, sizeof text, ", circle %.3g mm, %.1f px", static_cast<double>(circleMm),
                static_cast<double>(circleMm / lens.sensorHeightMm) * heightPx);
  hint("Mouse: " + distanceText(*session.cursorM) + text);
  tooltip("Distance, and diameter of the circle of confusion on the sensor and in the image");
}

std::string metricsText(const ImageMetrics& metrics) {
  char text[64];
  const int length = std::snprintf(text, sizeof text, "PSNR %.2f dB", metrics.psnrDb);
  if (metrics.ssim)
    std::snprintf(text + length, sizeof text - static_cast<size_t>(length), ", SSIM %.4f", *metrics.ssim);
  return text;
}

template <size_t n>
void editAll(Settings& settings, const std::array<Control, n>& controls,
             const std::string& unavailable = {}) {
  for (const auto& control : controls) edit(settings, control, kNoScope, unavailable);
}

bool button(const char* label, const char* help, float width = 0.0f) {
  const bool pressed = ImGui::Button(label, {width, 0.0f});
  tooltip(help);
  return pressed;
}

}  // namespace

void drawTop(Session& session) {
  rowLabel("Preset");
  if (beginList("##preset", "choose...")) {
    for (const auto& preset : presets()) {
      const std::string notice = missingDevice(preset, session.settings);
      if (ImGui::Selectable(preset.name)) {
        session.settings = apply(preset, session.settings);
        session.centreCamera = true;
        session.say(notice.empty() ? std::string("Preset: ") + preset.name : notice);
      }
      tooltip(notice.empty() ? preset.help : std::string(preset.help) + "\nNot here: " + notice);
    }
    if (!session.ownPresets.empty()) ImGui::Separator();
    for (const auto& file : session.ownPresets) {
      if (ImGui::Selectable(file.stem().string().c_str())) session.loadFile = file;
      tooltip(file.string());
    }
    ImGui::EndCombo();
  }
  tooltip("Ready-made scenes");
  edit(session.settings, kView, kTechniqueA);
}

namespace {

void offerLensForNearObjects(LensKind& lens) {
  const auto better = lens == LensKind::automatic ? std::nullopt : betterForNearObjects(lens);
  if (!better) return;
  hint("Outlines of near objects show through their blur.");
  if (button((std::string("Use ") + name(*better)).c_str(), "Blurs near objects in a layer of their own", -1))
    lens = *better;
}

}  // namespace

void drawLensPanel(Session& session) {
  auto& settings = session.settings;
  edit(settings, kLens, kTechniqueA);
  const float focusBefore = settings.lens.focusDistanceM;
  editAll(settings, kLensControls);
  if (settings.lens.focusDistanceM != focusBefore) settings.lens.autofocus = false;
  drawDepthOfField(session);
  editBokeh(settings, kTechniqueA);
  const Technique a = restingTechnique(settings, settings.technique),
                  b = restingTechnique(settings, settings.split.b);
  for (const auto& [lens, control, effect] : kBlurControls) {
    const bool affects = effect.on(a) || (settings.split.enabled && effect.on(b));
    if (!lens || a.lens.kind == *lens || (settings.split.enabled && b.lens.kind == *lens))
      edit(settings, control, kNoScope, affects ? "" : effect.otherwise);
  }
  offerLensForNearObjects(settings.technique.lens.kind);
}

void drawFilterPanel(Session& session) {
  auto& settings = session.settings;
  const std::string off = settings.filter.mask.none() ? "no filter is chosen" : "";
  edit(settings, {.path = "filter.mask",
                  .label = "Filter",
                  .source = "After the lens, before exposure. Both sides of a split have the same filter"});
  edit(settings, {.path = "filter.radiusPx", .label = "Radius", .source = ""}, kNoScope, off);
  edit(settings, {.path = "filter.variant", .label = "Computed by", .source = "Timed as the stage filter"},
       kNoScope, off);
  edit(settings, {.path = "filter.form", .label = "Form", .source = "A mask of rank one is separable"},
       kNoScope, off);
}

void drawTablePanel(Session& session) {
  editTable(session.settings, kTechniqueA);
  editLensOn(session.settings, kTechniqueA);
  editBokehAlgorithms(session.settings, kTechniqueA);
}

void drawQualityPanel(Session& session) { editAll(session.settings, kQualityControls); }

void drawSplitPanel(Session& session, float progress,
                    const std::optional<LiveComparison::Result>& comparison) {
  auto& settings = session.settings;
  const bool enabledBefore = settings.split.enabled;
  edit(settings, {.path = "split.enabled",
                  .label = "Compare A and B",
                  .source = "A: the settings of the other sections. Key S; hold X to see B alone"});
  if (settings.split.enabled && !enabledBefore) makeSidesDiffer(settings);
  if (!showsB(settings)) return;
  edit(settings, {.path = "split.position", .label = "Position", .source = "Or drag the line on the image"});
  const float width = 0.5f * (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x);
  if (button("Swap A and B", "Exchange the techniques of the two sides", width))
    std::swap(settings.technique, settings.split.b);
  ImGui::SameLine();
  if (button("Copy A to B", "Make B equal to A, then change one setting", width))
    settings.split.b = settings.technique;
  hint("B, right of the line");
  edit(settings, kView, kTechniqueB);
  edit(settings, kLens, kTechniqueB);
  editBokeh(settings, kTechniqueB);
  editTable(settings, kTechniqueB);
  editLensOn(settings, kTechniqueB);
  editBokehAlgorithms(settings, kTechniqueB);
  if (progress < 1.0f) ImGui::ProgressBar(progress, {-1, 0});
  if (comparison) {
    std::string text = metricsText(comparison->metrics);
    if (comparison->progress < 1.0f)
      text += " at " + std::to_string(std::lround(comparison->progress * 100)) + " % of the samples";
    ImGui::TextWrapped("%s", text.c_str());
    tooltip(
        "PSNR and SSIM of the other side against the reference accumulated so far, as displayed: Wang et al. "
        "2004");
    if (comparison->noiseFloor) {
      hint("Noise floor (half the samples): " + metricsText(*comparison->noiseFloor));
      tooltip("The even samples of the reference against its odd samples");
    }
  }
}

namespace {

// The files shown before; choosing one shows it again.
void drawRecentImages(Session& session) {
  rowLabel("Recent");
  const auto& recent = session.preferences.recentImages;
  ImGui::BeginDisabled(recent.empty());
  if (beginList("##recent", recent.empty() ? "none" : "choose...")) {
    for (const RecentImage& image : recent) {
      ImGui::PushID(&image);
      if (ImGui::Selectable(std::filesystem::path(image.file.text).filename().string().c_str())) {
        session.settings.scene.image.file = image.file;
        session.settings.scene.image.depth = image.depth;
        session.settings.scene.frame = true;
      }
      tooltip(image.file.text + (image.depth.none() ? "" : "\n" + image.depth.text));
      ImGui::PopID();
    }
    ImGui::EndCombo();
  }
  ImGui::EndDisabled();
}

// Captures take the size of the scene's image file.
void useFileSize(Session& session) {
  const auto imageSize = sceneRow(session.settings.scene.kind).imageSize;
  if (imageSize == nullptr || session.settings.scene.image.file.none()) return;
  if (!button("Full size of the image", "Captures have every pixel of the image file", -1.0f)) return;
  try {
    if (const auto size = imageSize(session.settings.scene)) {
      session.preferences.capture.size = *size;
      session.preferences.capture.windowSize = false;
    }
  } catch (const std::runtime_error& error) {
    session.report("capture", error.what());
  }
}

}  // namespace

void drawScenePanel(Session& session, const std::vector<SceneReading>& readings,
                    const std::optional<LoadStatus>& loading) {
  Settings& settings = session.settings;
  const SceneSettings before = settings.scene;
  for (const Control& control : kSceneControls)
    if (showsControl(sceneRow(settings.scene.kind), control.path))
      edit(settings, control, kNoScope, sceneEffectMissing(settings.scene, control.path));
  if (sceneRow(settings.scene.kind).imageSize != nullptr) drawRecentImages(session);
  if (loading) {
    ImGui::ProgressBar(loading->part, {-1, 0}, loading->doing.c_str());
    if (button("Cancel loading", "The scene keeps what it shows", -1.0f)) session.cancelLoading = true;
  }
  const SceneRow& scene = sceneRow(settings.scene.kind);
  for (const auto& [label, value, help] : readings) {
    rowLabel(label.c_str());
    ImGui::TextWrapped("%s", value.c_str());
    tooltip(help);
  }
  if (scene.restart != nullptr) {
    const bool pressed = button(scene.restartLabel, scene.restartHelp, -1.0f);
    if (pressed || before.kind != settings.scene.kind || !scene.startsAlike(before, settings.scene))
      scene.restart(settings.scene);
  }
}

void drawCameraPanel(Session& session) {
  auto& settings = session.settings;
  const CameraSettings before = settings.camera;
  editAll(settings, kCameraControls);
  if (settings.camera != before) keepAboveFloor(settings.camera);
  auto& preferences = session.preferences;
  rowLabel("Bookmarks");
  for (size_t i = 0; i < Preferences::kBookmarks; ++i) {
    if (i > 0) ImGui::SameLine(0.0f, 2.0f);
    const bool stored = preferences.bookmarks[i].has_value();
    const std::string number = std::to_string(i + 1);
    ImGui::PushStyleColor(ImGuiCol_Text,
                          ImGui::GetStyleColorVec4(stored ? ImGuiCol_Text : ImGuiCol_TextDisabled));
    const bool pressed = ImGui::Button(number.c_str());
    ImGui::PopStyleColor();
    tooltip("Click: go to the stored camera. Shift click: store the camera. Keys Ctrl " + number +
            " and Ctrl Shift " + number);
    if (!pressed) continue;
    if (ImGui::GetIO().KeyShift)
      storeBookmark(session, i);
    else
      useBookmark(session, i);
  }
  if (button("Reset camera", "Key R", -1.0f)) resetCamera(session);
  rowLabel("Panel width");
  ImGui::SliderFloat("##width", &preferences.panelWidth, 240.0f, 640.0f, "%.0f px");
  tooltip("Of the panels; remembered, like their size and open sections");
  rowLabel("Panel scale");
  ImGui::SliderFloat("##scale", &preferences.uiScale, 0.6f, 2.5f, "%.1f", ImGuiSliderFlags_Logarithmic);
  tooltip("Size of the panels' text");
  preferences.panelWidth = std::clamp(preferences.panelWidth, 240.0f, 640.0f);
  preferences.uiScale = std::clamp(std::round(10.0f * preferences.uiScale) / 10.0f, 0.6f, 2.5f);
}

void drawSettingsPanel(Session& session) {
  const float third = (ImGui::GetContentRegionAvail().x - 2 * ImGui::GetStyle().ItemSpacing.x) / 3;
  if (button("Copy JSON", "Copy the settings as JSON. Key Ctrl C", third))
    session.clipboard = Clipboard::copyJson;
  ImGui::SameLine();
  if (button("Copy options", "Copy the settings as a command line. Key Ctrl Shift C", third))
    session.clipboard = Clipboard::copyOptions;
  ImGui::SameLine();
  if (button("Paste", "Use the settings of the clipboard: JSON or a command line. Key Ctrl V", third))
    session.clipboard = Clipboard::paste;
  rowLabel("File");
  ImGui::InputText("##file", session.fileName.data(), session.fileName.size());
  tooltip("A JSON file, or a PNG, EXR or HDR captured by satdof. Or drop the file on the window");
  const float half = 0.5f * (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x);
  const std::filesystem::path file = session.fileName.data();
  ImGui::BeginDisabled(file.empty());
  if (button("Load", "Use the settings of this file", half)) session.loadFile = file;
  ImGui::SameLine();
  if (button("Save", "Write the settings to this file, replacing it", half)) session.saveFile = file;
  ImGui::EndDisabled();
  rowLabel("Own preset");
  ImGui::InputText("##presetName", session.presetName.data(), session.presetName.size());
  const std::string presetName = session.presetName.data();
  const bool usable =
      !presetName.empty() && presetName.find('/') == std::string::npos && presetName[0] != '.';
  ImGui::BeginDisabled(!usable);
  if (button("Save as preset", "Adds the settings to the list of presets", -1.0f))
    session.saveFile = session.presetFolder / (presetName + ".json");
  ImGui::EndDisabled();
}

void drawCapturePanel(Session& session) {
  auto& capture = session.preferences.capture;
  const auto& chosen = *std::find_if(kFormats.begin(), kFormats.end(),
                                     [&](const auto& entry) { return entry.format == capture.format; });
  rowLabel("Format");
  if (beginList("##format", chosen.name)) {
    for (const auto& entry : kFormats) {
      if (ImGui::Selectable(entry.name, entry.format == capture.format)) capture.format = entry.format;
      tooltip(entry.help);
    }
    ImGui::EndCombo();
  }
  tooltip(chosen.help);
  rowLabel("Use window size");
  ImGui::Checkbox("##windowSize", &capture.windowSize);
  tooltip("Off: rendered again at the size below");
  ImGui::BeginDisabled(capture.windowSize);
  rowLabel("Size");
  ImGui::InputInt2("##size", &capture.size.x);
  capture.size = {std::clamp(capture.size.x, 1, 16384), std::clamp(capture.size.y, 1, 16384)};
  ImGui::EndDisabled();
  tooltip("Width and height in pixels");
  useFileSize(session);
  const bool noUi = !capture.windowSize ||
                    (capture.format != CaptureFormat::png8 && capture.format != CaptureFormat::png16);
  ImGui::BeginDisabled(noUi);
  rowLabel("Include panels");
  ImGui::Checkbox("##withUi", &capture.withUi);
  ImGui::EndDisabled();
  tooltip("Only for PNG at the window size");
  if (button("Save image", "Numbered files; never overwrites. Key F12", -1.0f)) session.captureNow = true;

  rowLabel("Sequence");
  ImGui::SliderInt("##frames", &capture.sequenceFrames, 2, 3600, "%d frames", ImGuiSliderFlags_Logarithmic);
  capture.sequenceFrames = std::max(capture.sequenceFrames, 1);
  tooltip("Number of images");
  rowLabel("Frame rate");
  ImGui::SliderFloat("##rate", &capture.framesPerSecond, 1, 240, "%.0f fps", ImGuiSliderFlags_Logarithmic);
  capture.framesPerSecond = std::clamp(capture.framesPerSecond, 1.0f, 1000.0f);
  tooltip("Images per second of animation");
  rowLabel("Video");
  ImGui::Checkbox("##video", &capture.video);
  tooltip(session.videoMissing.empty() ? "By ffmpeg: satdof-0001.mp4. Off: numbered images"
                                       : (session.videoMissing + ": numbered images are written").c_str());
  if (!session.sequence) {
    if (button("Record", "A frame for each image, at its best. Key Ctrl F12", -1.0f))
      toggleRecording(session);
  } else {
    char text[48];
    std::snprintf(text, sizeof text, "%d of %d", session.sequence->written, session.sequence->frames);
    ImGui::ProgressBar(
        static_cast<float>(session.sequence->written) / static_cast<float>(session.sequence->frames), {-1, 0},
        text);
    if (button("Stop recording", "Keep what is recorded so far. Key Ctrl F12", -1.0f))
      toggleRecording(session);
  }
}

}  // namespace satdof
