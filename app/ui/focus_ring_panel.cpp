#include <imgui.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

#include "app/ui/depth_of_field.h"
#include "app/ui/focus_ring.h"
#include "app/ui/widgets.h"

namespace satdof {

namespace {

constexpr float kRingInFonts = 34.0f, kBandInFonts = 2.6f, kMarkBandInFonts = 1.2f;
constexpr float kShortestPullS = 0.1f, kLongestPullS = 20.0f;
constexpr std::array kEngraved = {10.0f, 5.0f, 3.0f, 2.0f,  1.5f, 1.0f, 0.8f,
                                  0.6f,  0.5f, 0.4f, 0.35f, 0.3f, 0.25f};
constexpr ImU32 kEngraving = IM_COL32(220, 220, 220, 255), kBarrel = IM_COL32(24, 24, 24, 255),
                kSharp = IM_COL32(240, 178, 82, 70), kLimit = IM_COL32(240, 178, 82, 255),
                kIndex = IM_COL32(235, 96, 84, 255);

std::string engravedText(float distanceM) {
  char text[16];
  std::snprintf(text, sizeof text, "%g", static_cast<double>(distanceM));
  return text;
}

// The buttons of the marks.
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

// The distances, with the sharp range and the marks.
void drawBarrel(Session& session) {
  LensSettings& lens = session.settings.lens;
  auto& draw = *ImGui::GetWindowDrawList();
  const float font = ImGui::GetFontSize(), margin = font;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, band = kBandInFonts * font,
              height = band + kMarkBandInFonts * font;
  ImGui::InvisibleButton("##barrel", {width, height});
  const float left = at.x + margin, right = at.x + width - margin;
  const auto x = [&](float distanceM) {
    return left + (right - left) * std::clamp(focusPosition(distanceM), 0.0f, 1.0f);
  };
  if (ImGui::IsItemActive()) {
    const float position = (ImGui::GetMousePos().x - left) / (right - left);
    lens.focusDistanceM = focusAtPosition(std::clamp(position, 0.0f, 1.0f));
    lens.autofocus = false;
  }
  tooltip("Drag the focus. Amber: what is sharp. Below: the marks");
  draw.AddRectFilled(at, {at.x + width, at.y + band}, kBarrel, 4.0f);
  const DepthOfField range = depthOfField(lens);
  const float nearX = x(range.nearM), farX = std::max(x(range.farM), nearX + 1);
  draw.AddRectFilled({nearX, at.y}, {farX, at.y + band}, kSharp);
  for (const float limit : {nearX, farX}) draw.AddLine({limit, at.y}, {limit, at.y + band}, kLimit);
  // From infinity on: there the distances are dense.
  float freeTo = FLT_MAX;
  const auto engrave = [&](float distanceM, const std::string& text) {
    const float px = x(distanceM), half = 0.5f * ImGui::CalcTextSize(text.c_str()).x;
    draw.AddLine({px, at.y + band}, {px, at.y + 0.72f * band}, kEngraving);
    if (px + half > freeTo) return;
    draw.AddText({px - half, at.y + 0.12f * band}, kEngraving, text.c_str());
    freeTo = px - half - 0.5f * font;
  };
  engrave(std::numeric_limits<float>::infinity(), "inf");
  for (const float distanceM : kEngraved) engrave(distanceM, engravedText(distanceM));
  const float index = x(lens.focusDistanceM);
  draw.AddLine({index, at.y}, {index, at.y + band}, kIndex, 2.0f);
  for (std::size_t mark = 0; mark < Preferences::kFocusMarks; ++mark) {
    const auto& stored = session.preferences.focusMarks[mark];
    if (!stored) continue;
    const char letter[2] = {markLetter(mark), 0};
    const float px = x(*stored), top = at.y + band;
    draw.AddTriangleFilled({px, top}, {px - 4, top + 5}, {px + 4, top + 5}, kEngraving);
    draw.AddText({px - 0.5f * ImGui::CalcTextSize(letter).x, top + 4}, kEngraving, letter);
  }
}

}  // namespace

void drawFocusRing(Session& session) {
  if (!session.showsRing) return;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float left = session.visibleLeft * display.x, margin = ImGui::GetFontSize();
  const float width = std::min(kRingInFonts * ImGui::GetFontSize(), display.x - left - 2 * margin);
  ImGui::SetNextWindowPos({0.5f * (left + display.x), margin}, 0, {0.5f, 0.0f});
  ImGui::SetNextWindowSize({std::max(width, 1.0f), 0});
  ImGui::SetNextWindowBgAlpha(0.92f);
  ImGui::Begin("focus ring", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoScrollbar |
                   ImGuiWindowFlags_NoFocusOnAppearing);
  drawMarks(session);
  drawBarrel(session);
  const LensSettings& lens = session.settings.lens;
  const DepthOfField range = depthOfField(lens);
  char text[96];
  std::snprintf(text, sizeof text, "%s at f/%.3g: sharp from %s to %s",
                distanceText(lens.focusDistanceM).c_str(), static_cast<double>(lens.fNumber),
                distanceText(range.nearM).c_str(), distanceText(range.farM).c_str());
  ImGui::TextUnformatted(cut(text, ImGui::GetContentRegionAvail().x).c_str());
  tooltip(text);
  ImGui::End();
}

}  // namespace satdof
