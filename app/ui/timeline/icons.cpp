#include "app/ui/timeline/icons.h"

#include <imgui.h>

#include <algorithm>
#include <array>

#include "app/ui/panels/style.h"
#include "app/ui/panels/widgets.h"

namespace satdof {

namespace {

void drawIcon(Icon icon, ImVec2 centre, float size, ImU32 colour) {
  auto& draw = *ImGui::GetWindowDrawList();
  const float r = 0.5f * size;
  const auto at = [&](float x, float y) { return ImVec2(centre.x + x * r, centre.y + y * r); };
  const auto triangle = [&](float tip, float base) {
    draw.AddTriangleFilled(at(tip, 0), at(base, -0.8f), at(base, 0.8f), colour);
  };
  const auto bar = [&](float from, float to) { draw.AddRectFilled(at(from, -0.8f), at(to, 0.8f), colour); };
  const float line = std::max(1.0f, 0.16f * r);
  switch (icon) {
    case Icon::start:
      bar(-0.8f, -0.5f);
      return triangle(-0.4f, 0.8f);
    case Icon::before:
      return triangle(-0.6f, 0.5f);
    case Icon::play:
      return triangle(0.8f, -0.6f);
    case Icon::pause:
      bar(-0.65f, -0.15f);
      return bar(0.15f, 0.65f);
    case Icon::after:
      return triangle(0.6f, -0.5f);
    case Icon::loop:
      draw.PathArcTo(centre, 0.72f * r, -0.6f, 4.6f, 20);
      draw.PathStroke(colour, 0, 1.5f * line);
      draw.AddTriangleFilled(at(0.1f, -1.15f), at(0.1f, -0.25f), at(0.65f, -0.72f), colour);
      return;
    case Icon::record:
      return draw.AddCircleFilled(centre, 0.62f * r, colour);
    case Icon::curve:
      draw.AddBezierCubic(at(-0.9f, 0.8f), at(0.1f, 0.8f), at(-0.1f, -0.8f), at(0.9f, -0.8f), colour, 1.5f * line);
      return;
    case Icon::key:
      draw.AddQuadFilled(at(0, -0.9f), at(0.9f, 0), at(0, 0.9f), at(-0.9f, 0), colour);
      return;
    case Icon::cross:
      draw.AddLine(at(-0.6f, -0.6f), at(0.6f, 0.6f), colour, 2.0f * line);
      draw.AddLine(at(-0.6f, 0.6f), at(0.6f, -0.6f), colour, 2.0f * line);
      return;
    case Icon::copy:
      draw.AddRect(at(-0.7f, -0.8f), at(0.3f, 0.4f), colour, 0.0f, 0, line);
      draw.AddRectFilled(at(-0.2f, -0.3f), at(0.8f, 0.9f), colour);
      return;
  }
}

}  // namespace

bool iconButton(const char* id, Icon icon, const std::string& help, bool on, bool enabled) {
  const float side = ImGui::GetFrameHeight();
  ImGui::BeginDisabled(!enabled);
  const bool pressed = ImGui::Button(id, {1.25f * side, side});
  ImGui::EndDisabled();
  const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
  const ImU32 colour = ImGui::GetColorU32(on ? ImGuiCol_CheckMark : enabled ? ImGuiCol_Text : ImGuiCol_TextDisabled);
  drawIcon(icon, {0.5f * (from.x + to.x), 0.5f * (from.y + to.y)}, 0.55f * side, colour);
  tooltip(help);
  return pressed;
}

void drawDiamond(glm::vec2 at, float radius, Diamond state) {
  auto& draw = *ImGui::GetWindowDrawList();
  const std::array corners = {ImVec2(at.x, at.y - radius), ImVec2(at.x + radius, at.y), ImVec2(at.x, at.y + radius),
                              ImVec2(at.x - radius, at.y)};
  if (state == Diamond::here) draw.AddQuadFilled(corners[0], corners[1], corners[2], corners[3], kAccent);
  if (state == Diamond::changed) draw.AddTriangleFilled(corners[1], corners[2], corners[3], kAccent);
  draw.AddQuad(corners[0], corners[1], corners[2], corners[3],
               state == Diamond::none ? IM_COL32(130, 130, 130, 255) : kAccent, 1.0f);
}

}  // namespace satdof
