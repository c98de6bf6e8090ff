#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "app/ui/edit.h"
#include "app/ui/panels.h"
#include "app/ui/widgets.h"

namespace satdof {

void drawCameraPanel(Session& session) {
  auto& settings = session.settings;
  const CameraSettings before = settings.camera;
  edit(settings, controls(ControlGroup::camera));
  if (settings.camera != before) keepAboveFloor(settings.camera, before);
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
  const auto [narrowest, widest] = std::pair{Preferences::kNarrowestPanel, Preferences::kWidestPanel};
  ImGui::SliderFloat("##width", &preferences.panelWidth, narrowest, widest, "%.0f px");
  tooltip("Of the panels; remembered, like their size and open sections");
  rowLabel("Panel scale");
  const auto [smallest, largest] = std::pair{Preferences::kSmallestUiScale, Preferences::kLargestUiScale};
  ImGui::SliderFloat("##scale", &preferences.uiScale, smallest, largest, "%.1f",
                     ImGuiSliderFlags_Logarithmic);
  tooltip("Size of the panels' text");
  preferences.panelWidth = std::clamp(preferences.panelWidth, narrowest, widest);
  preferences.uiScale = std::clamp(std::round(10.0f * preferences.uiScale) / 10.0f, smallest, largest);
}

}  // namespace satdof
