#include <imgui.h>

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "app/core/lens_presets.h"
#include "app/lens/lens.h"
#include "app/ui/depth_of_field.h"
#include "app/ui/edit.h"
#include "app/ui/panels.h"
#include "app/ui/widgets.h"

namespace satdof {

namespace {

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

// A control for one lens, or for all lenses.
struct BlurControl {
  std::optional<LensKind> lens;
  const char* path;  // of its control
  Effect effect = kAlways;
};
// The shape of the bokeh.
constexpr std::array kShape = {
    BlurControl{std::nullopt, "lens.blades", kOfBlades},
    BlurControl{std::nullopt, "lens.bladeRotationDegrees", kOfBlades},
    BlurControl{std::nullopt, "lens.anamorphicRatio", kOfThinLenses},
};
constexpr std::array kMore = {
    BlurControl{LensKind::gems, "lens.gemsFocusRangeM"},
    BlurControl{LensKind::gems, "lens.gemsMaxRadiusPx"},
    BlurControl{LensKind::layered, "lens.kernelSteps"},
    BlurControl{LensKind::layered, "lens.layers"},
    BlurControl{LensKind::reference, "lens.lensSamples"},
    BlurControl{LensKind::reference, "lens.lensSeed"},
    BlurControl{std::nullopt, "lens.nearScale", kOfThinLenses},
    BlurControl{std::nullopt, "lens.farScale", kOfThinLenses},
    BlurControl{std::nullopt, "lens.highlightThreshold", kOfBokeh},
    BlurControl{std::nullopt, "lens.overscan", kOfOneView},
};

// The optics of real lenses, for all lenses.
constexpr std::array kOptics = {
    BlurControl{std::nullopt, "lens.bladeCurvature", kOfBlades},
    BlurControl{std::nullopt, "lens.catEye", kOfBlades},
    BlurControl{std::nullopt, "lens.vignetting"},
    BlurControl{std::nullopt, "lens.tiltXDegrees", kOfThinLenses},
    BlurControl{std::nullopt, "lens.tiltYDegrees", kOfThinLenses},
    BlurControl{std::nullopt, "lens.fieldCurvature", kOfThinLenses},
    BlurControl{std::nullopt, "lens.axialColour", kOfThinLenses},
    BlurControl{std::nullopt, "lens.lateralColour"},
    BlurControl{std::nullopt, "lens.breathing"},
};

void editBlur(Session& session, std::span<const BlurControl> blurControls) {
  Settings& settings = session.settings;
  const Technique a = restingTechnique(settings, settings.technique),
                  b = restingTechnique(settings, settings.split.b);
  for (const auto& [lens, path, effect] : blurControls) {
    const bool affects = effect.on(a) || (settings.split.enabled && effect.on(b));
    if (!lens || a.lens.kind == *lens || (settings.split.enabled && b.lens.kind == *lens))
      edit(settings, controlOf(path), kNoScope, affects ? "" : effect.otherwise);
  }
}

void drawOptics(Session& session) {
  if (!ImGui::TreeNodeEx("Optics", ImGuiTreeNodeFlags_NoTreePushOnOpen)) return;
  rowLabel("Lens");
  if (beginList("##lensPreset", "choose...")) {
    for (const LensPreset& preset : lensPresets()) {
      if (ImGui::Selectable(preset.title.c_str())) session.lensPreset = preset.name;
      tooltip(preset.source);
    }
    ImGui::EndCombo();
  }
  tooltip("Focal length, aperture and optics of a real lens. Focus stays");
  editBlur(session, kOptics);
}

// A number beside its name.
void drawNumber(const char* label, const std::string& text, const std::string& help) {
  rowLabel(label);
  ImGui::TextUnformatted(cut(text, ImGui::GetContentRegionAvail().x).c_str());
  tooltip(text + "\n" + help);
}

void drawDepthOfField(const Session& session) {
  const LensSettings& lens = session.settings.lens;
  const DepthOfField range = depthOfField(lens);
  const float height = session.areaTo.y - session.areaFrom.y;
  const auto heightPx = static_cast<int>(std::lround(height * static_cast<float>(session.settings.size.y)));
  const char* const diameter = "Diameter of the circle of confusion, on the sensor and in the image";
  drawNumber("Sharp", distanceText(range.nearM) + " to " + distanceText(range.farM),
             "Circle of confusion on the sensor of at most " + millimetresText(range.confusionMm) +
                 ", its diagonal / 1500");
  drawNumber("Hyperfocal", distanceText(range.hyperfocalM), "Focused here, all is sharp from half of it on");
  drawNumber("Blur at infinity", confusionText(lens, std::numeric_limits<float>::infinity(), heightPx),
             diameter);
  // One line, however narrow the panel: the mouse moves no row.
  drawNumber("Blur at the mouse",
             !session.cursorM
                 ? "no surface"
                 : confusionText(lens, *session.cursorM, heightPx) + " at " + distanceText(*session.cursorM),
             diameter);
}

void drawAutofocus(Session& session) {
  Settings& settings = session.settings;
  edit(settings, controlOf("lens.autofocus"));
  const AutofocusOn on = settings.lens.autofocusOn;
  if (!settings.lens.autofocus) return;
  edit(settings, controlOf("lens.autofocusOn"));
  if (on == AutofocusOn::area || on == AutofocusOn::nearest) edit(settings, controlOf("lens.autofocusSize"));
  edit(settings, controlOf("lens.autofocusSpeed"));
  if (on != AutofocusOn::tracked) edit(settings, controlOf("lens.autofocusDelayS"));
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
  const float focusBefore = settings.lens.focusDistanceM;
  edit(settings, controlOf("lens.focusDistanceM"));
  if (settings.lens.focusDistanceM != focusBefore) settings.lens.autofocus = false;
  drawAutofocus(session);
  edit(settings, controlOf("lens.fNumber"));
  editBlur(session, kShape);
  edit(settings, kTechniqueA, {"bokeh.enabled"});
  edit(settings, kTechniqueA, {"lens.kind"});
  offerLensForNearObjects(settings.technique.lens.kind);
  for (const char* const path : {"lens.focalLengthMm", "lens.sensorHeightMm", "lens.linkFieldOfView"})
    edit(settings, controlOf(path));
  drawDepthOfField(session);
  drawOptics(session);
  if (ImGui::TreeNodeEx("More", ImGuiTreeNodeFlags_NoTreePushOnOpen)) editBlur(session, kMore);
}

}  // namespace satdof
