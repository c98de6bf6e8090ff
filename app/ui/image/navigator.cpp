#include "app/ui/image/navigator.h"

#include <imgui.h>

#include <algorithm>
#include <glm/common.hpp>

#include "app/ui/image/zoom.h"
#include "app/ui/panels/style.h"
#include "app/ui/panels/widgets.h"

namespace satdof {

namespace {

constexpr float kSideInFonts = 13.0f;
constexpr float kMaxPart = 0.35f;  // of the visible image

}  // namespace

glm::vec2 navigatorSize(const Session& session) {
  if (!session.zoom.active() || session.thumbnail == 0) return glm::vec2(0.0f);
  const glm::vec2 screen(ImGui::GetIO().DisplaySize.x, ImGui::GetIO().DisplaySize.y);
  const VisiblePart whole = visibleWhole(session);
  const glm::vec2 area = glm::max((whole.to - whole.from) * screen, glm::vec2(1.0f));
  const glm::vec2 room = kMaxPart * (1.0f - session.visible.from()) * screen;
  const glm::vec2 most = glm::min(glm::vec2(kSideInFonts * ImGui::GetFontSize()), room);
  return area * std::min(most.x / area.x, most.y / area.y);
}

void drawNavigator(Session& session) {
  const glm::vec2 size = navigatorSize(session);
  if (size.x < 1.0f || size.y < 1.0f) return;
  const float margin = ImGui::GetFontSize();
  const glm::vec2 from(ImGui::GetIO().DisplaySize.x - margin - size.x, margin), to = from + size;
  const VisiblePart whole = visibleWhole(session);
  ImGui::SetNextWindowPos(imVec(from));
  ImGui::SetNextWindowSize(imVec(size));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0f, 0.0f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0f, 1.0f});
  ImGui::Begin("navigator", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing);
  plainButton("place", size);
  if (ImGui::IsItemActive() && ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const glm::vec2 place((mouse.x - from.x) / size.x, (to.y - mouse.y) / size.y);
    showPlace(session, glm::mix(whole.from, whole.to, place));
  }
  auto& draw = *ImGui::GetWindowDrawList();
  // Row 0 of the texture is the bottom row.
  draw.AddImage((ImTextureID) static_cast<std::intptr_t>(session.thumbnail), imVec(from), imVec(to),
                {whole.from.x, whole.to.y}, {whole.to.x, whole.from.y});
  draw.AddRect(imVec(from), imVec(to), IM_COL32_WHITE);
  const auto onScreen = [&](glm::vec2 point) {
    const glm::vec2 place = glm::clamp((point - whole.from) / (whole.to - whole.from), 0.0f, 1.0f);
    return ImVec2(from.x + place.x * size.x, to.y - place.y * size.y);
  };
  const VisiblePart part = visiblePart(session);
  const ImVec2 low = onScreen(part.from), high = onScreen(part.to);
  draw.AddRect({low.x, high.y}, {high.x, low.y}, IM_COL32_BLACK, 0.0f, 0, 4.0f);
  draw.AddRect({low.x, high.y}, {high.x, low.y}, kAccent, 0.0f, 0, 2.0f);
  ImGui::End();
  ImGui::PopStyleVar(2);
}

}  // namespace satdof
