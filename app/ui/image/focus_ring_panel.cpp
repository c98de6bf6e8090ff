#include <imgui.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "app/core/text/formatted.h"
#include "app/lens/depth_of_field.h"
#include "app/ui/edit.h"
#include "app/ui/image/focus_ring.h"
#include "app/ui/panels/fitted_text.h"
#include "app/ui/panels/style.h"
#include "app/ui/panels/widgets.h"

namespace satdof {

namespace {

constexpr float kRingInFonts = 44.0f;
// From top to bottom: the grip, the distances, the depth-of-field scale and the marks.
constexpr float kGripInFonts = 0.6f, kDistancesInFonts = 2.2f, kScaleInFonts = 2.1f, kMarksInFonts = 1.2f;
constexpr float kShortestPullS = 0.1f, kLongestPullS = 20.0f;
constexpr std::array kEngraved = {10.0f, 5.0f, 3.0f, 2.0f, 1.5f, 1.0f, 0.8f, 0.6f, 0.5f, 0.4f, 0.35f, 0.3f, 0.25f};
constexpr ImU32 kEngraving = IM_COL32(226, 224, 218, 255), kFaint = IM_COL32(226, 224, 218, 110),
                kIndex = IM_COL32(235, 96, 84, 255);

std::string engravedText(float distanceM) { return formatted("%g", static_cast<double>(distanceM)); }

// Draws the buttons of the marks and the duration of a pull.
void drawMarks(Session& session) {
  auto& preferences = session.preferences;
  const float spacing = 0.5f * ImGui::GetStyle().ItemSpacing.x, side = 1.25f * ImGui::GetFrameHeight();
  for (std::size_t mark = 0; mark < Preferences::kFocusMarks; ++mark) {
    const auto& stored = preferences.focusMarks[mark];
    if (mark > 0) ImGui::SameLine(0, spacing);
    const char letter[2] = {markLetter(mark), 0};
    if (!stored) ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
    const bool pressed = ImGui::Button(letter, {side, 0});
    if (!stored) ImGui::PopStyleColor();
    tooltip(stored ? distanceText(*stored) + ": click or key " + std::to_string(mark + 1) +
                         " pulls the focus here. Ctrl click stores the focus of now"
                   : "Not set. A click stores the focus of now");
    if (!pressed) continue;
    if (!stored || ImGui::GetIO().KeyCtrl)
      storeMark(session, mark);
    else
      recallMark(session, mark);
  }
  ImGui::SameLine();
  ImGui::SetNextItemWidth(6 * ImGui::GetFontSize());
  ImGui::SliderFloat("##pull", &preferences.pullS, kShortestPullS, kLongestPullS, "%.1f s",
                     ImGuiSliderFlags_Logarithmic);
  preferences.pullS = std::clamp(preferences.pullS, kShortestPullS, kLongestPullS);
  tooltip("Duration of a pull. While the timeline is shown, a pull sets two keys");
}

// Draws a band of the barrel, lit from above.
void drawBand(ImDrawList& draw, ImVec2 from, ImVec2 to, int darkest, int brightest) {
  const auto grey = [](int value) { return IM_COL32(value, value, value, 255); };
  const float ridge = from.y + 0.3f * (to.y - from.y);
  draw.AddRectFilledMultiColor(from, {to.x, ridge}, grey(darkest), grey(darkest), grey(brightest), grey(brightest));
  draw.AddRectFilledMultiColor({from.x, ridge}, to, grey(brightest), grey(brightest), grey(darkest), grey(darkest));
}

void drawGrip(ImDrawList& draw, ImVec2 from, ImVec2 to) {
  constexpr float kGrooveInFonts = 0.28f;
  drawBand(draw, from, to, 26, 74);
  const float step = kGrooveInFonts * ImGui::GetFontSize();
  for (float x = from.x + step; x < to.x; x += step)
    draw.AddLine({x, from.y}, {x, to.y}, IM_COL32(12, 12, 12, 255), 0.4f * step);
}

void drawInfinity(ImDrawList& draw, ImVec2 middle, float radius) {
  constexpr int kPoints = 40;
  for (int i = 0; i < kPoints; ++i) {
    const float angle = 2.0f * std::numbers::pi_v<float> * static_cast<float>(i) / kPoints, sine = std::sin(angle);
    const float size = radius / (1.0f + sine * sine);
    draw.PathLineTo({middle.x + size * std::cos(angle), middle.y + size * sine * std::cos(angle)});
  }
  draw.PathStroke(kEngraving, ImDrawFlags_Closed, 1.4f);
}

// Draws the depth-of-field scale below the distances: from both limits of an f-number, lines lead to the number.
// `index`: x of the focus. `length`: of the distance scale.
void drawSharpScale(ImDrawList& draw, const LensSettings& lens, ImVec2 from, ImVec2 to, float index, float length) {
  constexpr float kSame = 0.03f;  // relative
  const float font = ImGui::GetFontSize(), top = from.y, bend = top + 0.22f * (to.y - top), foot = to.y - 1.1f * font;
  const auto marks = sharpLimits(lens);
  for (const float side : {-1.0f, 1.0f}) {
    float free = 0.8f * font;  // labels may start this far from the index
    for (const auto& [fNumber, offset] : marks) {
      const std::string text = engravedText(fNumber);
      const float half = 0.5f * ImGui::CalcTextSize(text.c_str()).x, at = offset * length,
                  label = std::max(at, free + half);
      const bool set = std::abs(lens.fNumber / fNumber - 1.0f) < kSame;
      const ImU32 colour = set ? kAccent : kEngraving;
      const std::array points = {ImVec2(index + side * at, top), ImVec2(index + side * at, bend),
                                 ImVec2(index + side * label, foot)};
      draw.AddPolyline(points.data(), static_cast<int>(points.size()), set ? kAccent : kFaint, 0, 1.3f);
      const float left = index + side * label - half;
      if (left > from.x && left + 2.0f * half < to.x) draw.AddText({left, foot}, colour, text.c_str());
      free = label + half + 0.35f * font;
    }
  }
  draw.AddTriangleFilled({index, top}, {index - 0.3f * font, top + 0.55f * font},
                         {index + 0.3f * font, top + 0.55f * font}, kIndex);
}

// The distance scale: a focus distance in screen coordinates.
struct DistanceScale {
  float left, length;

  float x(float distanceM) const { return left + length * std::clamp(focusPosition(distanceM), 0.0f, 1.0f); }
  float distanceM(float x) const { return focusAtPosition(std::clamp((x - left) / length, 0.0f, 1.0f)); }
};

// Moves the focus by mouse, wheel and arrows at the last item.
void moveFocusByBarrel(LensSettings& lens, const DistanceScale& distances) {
  if (const ImGuiIO& io = ImGui::GetIO(); ImGui::IsItemHovered() && io.MouseWheel != 0.0f)
    moveFocus(lens, io.KeyShift ? kFineFocus * io.MouseWheel : io.MouseWheel);
  if (const Arrows arrows = arrowsOfItem(); arrows.right != 0)
    moveFocus(lens, (arrows.shift ? kFineFocus : 1.0f) * static_cast<float>(arrows.right));
  if (ImGui::IsItemActive() && ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    lens.focusDistanceM = distances.distanceM(ImGui::GetMousePos().x);
    lens.autofocus = false;
  }
}

// Draws the engraved distances between `top` and `bottom`. Where they are dense, only lines.
void drawDistances(ImDrawList& draw, const DistanceScale& distances, float top, float bottom) {
  const float font = ImGui::GetFontSize();
  float freeTo = FLT_MAX;  // from infinity on, the texts use the space right of this
  const auto engrave = [&](float distanceM) {
    const bool infinite = std::isinf(distanceM);
    const std::string text = infinite ? "" : engravedText(distanceM);
    const float x = distances.x(distanceM), half = infinite ? 0.8f * font : 0.5f * ImGui::CalcTextSize(text.c_str()).x;
    const bool fits = x + half <= freeTo;
    draw.AddLine({x, bottom}, {x, bottom - (fits ? 0.7f : 0.4f) * font}, fits ? kEngraving : kFaint, 1.2f);
    if (!fits) return;
    const float textTop = top + 0.3f * font;
    if (infinite)
      drawInfinity(draw, {x, textTop + 0.5f * font}, 0.65f * font);
    else
      draw.AddText({x - half, textTop}, kEngraving, text.c_str());
    freeTo = x - half - 0.5f * font;
  };
  engrave(std::numeric_limits<float>::infinity());
  for (const float distanceM : kEngraved) engrave(distanceM);
}

// Draws the barrel: grip, distances with the sharp range, depth-of-field scale, and marks.
void drawBarrel(Session& session) {
  LensSettings& lens = session.settings.lens;
  auto& draw = *ImGui::GetWindowDrawList();
  const float font = ImGui::GetFontSize(), margin = 1.6f * font;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, right = at.x + width;
  const float ring = at.y + kGripInFonts * font, scale = ring + kDistancesInFonts * font,
              end = scale + kScaleInFonts * font;
  plainButton("##barrel", {width, end + kMarksInFonts * font - at.y});
  const DistanceScale distances{at.x + margin, width - 2.0f * margin};
  moveFocusByBarrel(lens, distances);
  tooltip(
      "Drag the focus, or turn the wheel, or press arrows; Shift: finer. Amber: what is sharp. The numbers "
      "below are f-numbers: between a pair of their lines all is sharp at that aperture. Triangles: the "
      "marks");
  const DepthOfField range = depthOfField(lens);
  const float index = distances.x(lens.focusDistanceM), nearX = distances.x(range.nearM),
              farX = std::max(distances.x(range.farM), nearX + 1);
  draw.PushClipRect(at, {right, end}, true);
  drawGrip(draw, at, {right, ring});
  drawBand(draw, {at.x, ring}, {right, scale}, 20, 52);
  drawBand(draw, {at.x, scale}, {right, end}, 34, 66);
  draw.AddLine({at.x, scale}, {right, scale}, IM_COL32(8, 8, 8, 255), 1.5f);
  draw.AddRectFilled({nearX, ring}, {farX, scale}, accent(60));
  for (const float limit : {nearX, farX}) draw.AddLine({limit, ring}, {limit, scale}, kAccent);
  drawDistances(draw, distances, ring, scale);
  drawSharpScale(draw, lens, {at.x, scale}, {right, end}, index, distances.length);
  draw.AddLine({index, ring}, {index, scale}, kIndex, 2.0f);
  draw.PopClipRect();
  for (std::size_t mark = 0; mark < Preferences::kFocusMarks; ++mark) {
    const auto& stored = session.preferences.focusMarks[mark];
    if (!stored) continue;
    const char letter[2] = {markLetter(mark), 0};
    const float x = distances.x(*stored), side = 0.3f * font;
    draw.AddTriangleFilled({x, end + 1}, {x - side, end + 1 + side}, {x + side, end + 1 + side}, kEngraving);
    draw.AddText({x - 0.5f * ImGui::CalcTextSize(letter).x, end + side}, kEngraving, letter);
  }
}

}  // namespace

void drawFocusRing(Session& session) {
  if (!session.focus.showsRing) return;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float left = session.visible.left * display.x, margin = ImGui::GetFontSize();
  const float width = std::min(kRingInFonts * ImGui::GetFontSize(), display.x - left - 2 * margin);
  ImGui::SetNextWindowPos({0.5f * (left + display.x), margin}, 0, {0.5f, 0.0f});
  ImGui::SetNextWindowSize({std::max(width, 1.0f), 0});
  ImGui::SetNextWindowBgAlpha(0.92f);
  ImGui::Begin("Focus ring", nullptr,
               kFixedWindow | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoFocusOnAppearing);
  drawMarks(session);
  drawBarrel(session);
  const LensSettings& lens = session.settings.lens;
  const DepthOfField range = depthOfField(lens);
  const std::string text = distanceText(lens.focusDistanceM) +
                           formatted(" at f/%.3g: sharp from ", static_cast<double>(lens.fNumber)) +
                           distanceText(range.nearM) + " to " + distanceText(range.farM);
  ImGui::TextUnformatted(cut(text, ImGui::GetContentRegionAvail().x).c_str());
  tooltip(text);
  ImGui::End();
}

}  // namespace satdof
