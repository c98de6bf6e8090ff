#include "app/ui/image/over_image.h"

#include <imgui.h>

#include <algorithm>

#include "app/ui/image/loupe.h"
#include "app/views/views.h"

namespace satdof {

ImVec2 onScreen(glm::vec2 point) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  return {point.x * screen.x, (1.0f - point.y) * screen.y};
}

float imageLeft(const Session& session) { return session.visible.left * ImGui::GetIO().DisplaySize.x; }

bool hasHalves(const Session& session) {
  return !session.settings.split.enabled && viewOf(session.settings.technique.view).leftHalf != nullptr;
}

float loupeReach(const Session& session, float pixelsPerPoint) {
  return session.loupe.magnification == 0 ? 0.0f
                                          : static_cast<float>(Loupe::kSidePx + Loupe::kMarginPx) / pixelsPerPoint;
}

float loupeTitleFont(float pixelsPerPoint) {
  const float room = static_cast<float>(Loupe::kSidePx) / pixelsPerPoint;
  const float longest = ImGui::CalcTextSize("16:1  R 255  G 255  B 255").x + 2.0f * kLoupeTitleGap;
  return ImGui::GetFontSize() * std::min(room / longest, 1.0f);
}

float loupeTitleHeight(float pixelsPerPoint) { return 1.2f * loupeTitleFont(pixelsPerPoint); }

void drawTag(const char* text, ImVec2 from, ImU32 colour) {
  constexpr float kTagPadding = 3.0f;
  auto& draw = *ImGui::GetBackgroundDrawList();
  const ImVec2 size = ImGui::CalcTextSize(text);
  draw.AddRectFilled({from.x - kTagPadding, from.y}, {from.x + size.x + kTagPadding, from.y + size.y}, kPlate);
  draw.AddText(from, colour, text);
}

}  // namespace satdof
