#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "app/core/text/formatted.h"
#include "app/ui/edit.h"
#include "app/ui/panels/field_widgets.h"
#include "app/ui/panels/fitted_text.h"
#include "app/ui/panels/panels.h"
#include "app/ui/panels/widgets.h"

namespace satdof {

namespace {

void drawHistogram(Session& session) {
  constexpr float kHeightInFonts = 5.0f;
  constexpr std::array kColours = {IM_COL32(255, 60, 60, 150), IM_COL32(60, 220, 60, 150), IM_COL32(80, 110, 255, 150)};
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = kHeightInFonts * ImGui::GetFontSize();
  ImGui::Dummy({width, height});
  session.wantsHistogram = ImGui::IsItemVisible();
  tooltip("Displayed values of red, green and blue, from black to white, as roots of their counts");
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(from, {from.x + width, from.y + height}, ImGui::GetColorU32(ImGuiCol_FrameBg));
  if (!session.histogram || session.histogram->pixels == 0) return;
  const Histogram& histogram = *session.histogram;
  std::uint32_t most = 1;  // largest count without the first and the last value, which clipping raises
  for (const auto& counts : histogram.counts)
    most = std::max(most, *std::max_element(counts.begin() + 1, counts.end() - 1));
  for (std::size_t c = 0; c < kColours.size(); ++c)
    drawBars(draw, histogram.counts[c], most, {from.x, from.y}, {width, height}, kColours[c]);
  const auto percent = [&](std::size_t pixels) {
    return 100.0 * static_cast<double>(pixels) / static_cast<double>(histogram.pixels);
  };
  const std::string text =
      formatted("Clipped: black %.1f %%, white %.1f %%", percent(histogram.black), percent(histogram.white));
  ImGui::TextDisabled("%s", cut(text, width).c_str());
  tooltip("Pixels with a channel at 0, at 255");
}

}  // namespace

void drawCameraPanel(Session& session) {
  drawHistogram(session);
  auto& settings = session.settings;
  const CameraSettings before = settings.camera;
  edit(settings, controls(ControlGroup::camera));
  if (settings.camera != before) keepAboveFloor(settings.camera, before);
  auto& preferences = session.preferences;
  rowLabel("Bookmarks");
  for (std::size_t i = 0; i < Preferences::kBookmarks; ++i) {
    if (i > 0) ImGui::SameLine(0.0f, 2.0f);
    const bool stored = preferences.bookmarks[i].has_value();
    const std::string number = std::to_string(i + 1);
    ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(stored ? ImGuiCol_Text : ImGuiCol_TextDisabled));
    const bool pressed = ImGui::Button(number.c_str());
    ImGui::PopStyleColor();
    tooltip("Click: go to the stored camera. Shift click: store the camera. Keys Ctrl " + number + " and Ctrl Shift " +
            number);
    if (!pressed) continue;
    if (ImGui::GetIO().KeyShift)
      storeBookmark(session, i);
    else
      useBookmark(session, i);
  }
  if (button("Reset camera", "Key R", -1.0f)) resetCamera(session);
  rowLabel("Panel width");
  const auto [narrowest, widest] = std::pair{Preferences::kNarrowestPanel, Preferences::kWidestPanel};
  numberedSlider("##width", preferences.panelWidth, narrowest, widest, "%.0f px");
  tooltip("Of the panels; remembered, like their size and open sections");
  rowLabel("Panel scale");
  const auto [smallest, largest] = std::pair{Preferences::kMinUiScale, Preferences::kMaxUiScale};
  numberedSlider("##scale", preferences.uiScale, smallest, largest, "%.1f", ImGuiSliderFlags_Logarithmic);
  tooltip("Size of the panels' text");
  preferences.panelWidth = std::clamp(preferences.panelWidth, narrowest, widest);
  preferences.uiScale = std::clamp(std::round(10.0f * preferences.uiScale) / 10.0f, smallest, largest);
}

}  // namespace satdof
