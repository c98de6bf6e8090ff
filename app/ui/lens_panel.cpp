#include <array>
#include <cstdio>
#include <optional>
#include <string>

#include "app/lens/lens.h"
#include "app/lens/thin_lens.h"
#include "app/ui/depth_of_field.h"
#include "app/ui/edit.h"
#include "app/ui/panels.h"
#include "app/ui/technique_controls.h"
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
  editLensModel(settings, kTechniqueA);
  const float focusBefore = settings.lens.focusDistanceM;
  edit(settings, kLensControls);
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

}  // namespace satdof
