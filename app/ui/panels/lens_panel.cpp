#include <imgui.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "app/core/tracking.h"
#include "app/lens/aperture/aperture.h"
#include "app/lens/aperture/image.h"
#include "app/lens/depth_of_field.h"
#include "app/lens/lens.h"
#include "app/lens/presets.h"
#include "app/lens/thin_lens.h"
#include "app/render/reach.h"
#include "app/render/resolve.h"
#include "app/ui/edit.h"
#include "app/ui/panels/field_widgets.h"
#include "app/ui/panels/fitted_text.h"
#include "app/ui/panels/panels.h"
#include "app/ui/panels/widgets.h"
#include "shaders/bokeh/sprite.h"

namespace satdof {

namespace {

// The controls of one lens alone.
constexpr std::pair<LensKind, const char*> kOfOneLens[] = {
    {LensKind::gems, "lens.gemsFocusRangeM"},  {LensKind::gems, "lens.gemsMaxRadiusPx"},
    {LensKind::layered, "lens.kernelSteps"},   {LensKind::layered, "lens.layers"},
    {LensKind::reference, "lens.lensSamples"}, {LensKind::reference, "lens.lensSeed"},
    {LensKind::reference, "lens.jitter"},
};

void drawMore(Settings& settings) {
  const Technique a = restingTechnique(settings, settings.technique), b = restingTechnique(settings, settings.split.b);
  for (const auto& [lens, path] : kOfOneLens)
    if (a.lens.kind == lens || (settings.split.enabled && b.lens.kind == lens)) edit(settings, controlOf(path));
  edit(settings, kNoScope, {"lens.nearScale", "lens.farScale", "lens.highlightThreshold", "lens.overscan"});
}

constexpr int kDiscCells = 22;
constexpr std::array<glm::vec2, 5> kDiscPlaces = {
    {{0.5f, 0.5f}, {0.75f, 0.5f}, {1.0f, 0.5f}, {0.5f, 1.0f}, {1.0f, 1.0f}}};

// The light of the disc of a far point, as its sprite shows it, in five places of the image, then of a near point: cell
// by cell, bottom row first.
std::vector<float> discLights(const Settings& settings) {
  const SceneFacts scene{.size = settings.size, .axisPx = axisPx(settings, settings.size)};
  const ThinLens lens = thinLens(settings.lens, scene.sensorPx(), scene.nearM);
  const float radius = 0.42f * kDiscCells / std::max(lens.anamorphicRatio, 1.0f);
  struct Discs : ApertureTable {
    static float tileDepthAt(glm::ivec2) { return 0.0f; }
  } discs;
  if (const ApertureImage* image = apertureImage(settings.lens)) discs.sums = image->table();
  SpriteRule rule;
  rule.aperture = apertureOf(settings.lens, scene);
  rule.aperture.spherical *= radius / std::max(std::abs(glsl::signedRadius(lens, 0.0f)), 1.0f);
  std::vector<float> lights;
  for (const bool behind : {true, false})
    for (const glm::vec2& part : kDiscPlaces) {
      const glm::vec2 place = part * glm::vec2(settings.size);
      const float signedPx = (behind ? radius : -radius) / rule.aperture.scale;
      const auto sprite = glsl::preparedSprite(discs, rule, {}, {place, signedPx, 0.0f}, glm::vec4(1.0f), {});
      const float whole = sprite.light.x * glsl::kPi * radius * radius * lens.anamorphicRatio;
      for (int y = 0; y < kDiscCells; ++y)
        for (int x = 0; x < kDiscCells; ++x) {
          const glm::vec2 offset = glm::vec2(x, y) + 0.5f - 0.5f * kDiscCells;
          lights.push_back(0.6f * whole * glsl::spriteCoverage(discs, rule, sprite, place + offset));
        }
    }
  return lights;
}

void drawDiscs(Session& session) {
  const Settings& settings = session.settings;
  const glm::vec2 axis = axisPx(settings, settings.size);
  LensDiscs& discs = session.discs;
  if (discs.lens != settings.lens || discs.size != settings.size || discs.axisPx != axis)
    discs = {settings.lens, settings.size, axis, discLights(settings)};
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float side = ImGui::GetContentRegionAvail().x / kDiscPlaces.size(), cell = side / kDiscCells;
  auto light = discs.lights.begin();
  for (const float top : {at.y, at.y + side})
    for (std::size_t i = 0; i < kDiscPlaces.size(); ++i)
      for (int y = kDiscCells - 1; y >= 0; --y)
        for (int x = 0; x < kDiscCells; ++x, ++light) {
          if (*light < 0.01f) continue;
          const ImVec2 low(at.x + static_cast<float>(i) * side + cell * static_cast<float>(x),
                           top + cell * static_cast<float>(y));
          ImGui::GetWindowDrawList()->AddRectFilled(low, {low.x + cell, low.y + cell},
                                                    ImGui::GetColorU32(ImGuiCol_Text, std::min(*light, 1.0f)));
        }
  ImGui::Dummy({side * kDiscPlaces.size(), 2.0f * side});
  tooltip(
      "Discs of points behind the focus plane, and in front of it below: in the middle of the image, half "
      "way to the right, at the right, at the top, in the corner");
}

void drawOptics(Session& session) {
  if (!ImGui::TreeNodeEx("Optics", ImGuiTreeNodeFlags_NoTreePushOnOpen)) return;
  rowLabel("Lens");
  drawList("##lensPreset", "choose...", lensPresets(), [&](const LensPreset& preset) {
    if (listEntry(preset.title, preset.source, false))
      session.request({.command = Command::useLens, .name = preset.name});
  });
  tooltip("Aperture and optics of a real lens. Focal length and focus stay; the f-number gives its diameter");
  drawDiscs(session);
  edit(session.settings, kNoScope,
       {"lens.bladeCurvature", "lens.apertureImage", "lens.spherical", "lens.diffraction", "lens.catEye",
        "lens.vignetting", "lens.tiltXDegrees", "lens.tiltYDegrees", "lens.fieldCurvature", "lens.axialColour",
        "lens.lateralColour", "lens.breathing"});
  const std::string clicks = session.focus.sharpPlaces
                                 ? "Click " + std::to_string(3 - session.focus.sharpPlaces->size()) + " more places"
                                 : "";
  if (button(session.focus.sharpPlaces ? clicks.c_str() : "Tilt to three places",
             "The next three clicks on the image say what shall be sharp: they tilt the lens and focus it", -1)) {
    if (session.focus.sharpPlaces)
      session.focus.sharpPlaces.reset();
    else
      session.focus.sharpPlaces.emplace();
  }
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
  const float height = session.shown.areaTo.y - session.shown.areaFrom.y;
  const auto heightPx = static_cast<int>(std::lround(height * static_cast<float>(session.settings.size.y)));
  const char* const diameter = "Diameter of the circle of confusion, on the sensor and in the image";
  drawNumber(
      "Sharp", distanceText(range.nearM) + " to " + distanceText(range.farM),
      "Circle of confusion on the sensor of at most " + millimetresText(range.confusionMm) + ", its diagonal / 1500");
  drawNumber("Hyperfocal", distanceText(range.hyperfocalM), "Focused here, all is sharp from half of it on");
  drawNumber("Blur at infinity", confusionText(lens, std::numeric_limits<float>::infinity(), heightPx), diameter);
  // One line, however narrow the panel: the mouse moves no row.
  const std::string blur = session.input.cursorM ? confusionText(lens, *session.input.cursorM, heightPx) : "";
  drawNumber("Blur at the mouse",
             !session.input.cursorM ? "no surface"
                                    : blur.substr(blur.find(", ") + 2) + " at " + distanceText(*session.input.cursorM),
             blur + "\n" + diameter);
}

std::string trackedText(const Session& session) {
  const LensSettings& lens = session.settings.lens;
  if (!hasTrackedPoint(lens)) return "click on the image";
  if (session.inputFrames > 0) return "of frame " + std::to_string(*trackedFrame(lens) + 1);
  const int object = *trackedSceneObject(lens);
  return object == 0 ? "a place that rests" : "on object " + std::to_string(object);
}

void drawAutofocus(Session& session) {
  Settings& settings = session.settings;
  edit(settings, controlOf("lens.autofocus"));
  const AutofocusOn on = settings.lens.autofocusOn;
  if (!settings.lens.autofocus) return;
  edit(settings, controlOf("lens.autofocusOn"));
  if (on == AutofocusOn::area || on == AutofocusOn::nearest) edit(settings, controlOf("lens.autofocusSize"));
  if (tracksPoint(session)) showField("lens.trackedObject", trackedText(session));
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
  edit(settings, kNoScope,
       {"lens.fNumber", "lens.focalLengthMm", "lens.blades", "lens.bladeRotationDegrees", "lens.anamorphicRatio"});
  edit(settings, kTechniqueA, {"bokeh.enabled"});
  edit(settings, kTechniqueA, {"lens.kind"});
  offerLensForNearObjects(settings.technique.lens.kind);
  edit(settings, kNoScope, {"lens.sensorHeightMm", "lens.linkFieldOfView"});
  drawDepthOfField(session);
  drawOptics(session);
  if (ImGui::TreeNodeEx("More", ImGuiTreeNodeFlags_NoTreePushOnOpen)) drawMore(settings);
}

}  // namespace satdof
