#pragma once
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "app/lab/plot.h"
#include "app/ui/panels/style.h"

namespace satdof {

// A lab::Canvas that draws into the current window of Dear ImGui.
class PanelCanvas : public lab::Canvas {
 public:
  void rectangle(glm::vec2 from, glm::vec2 to, lab::Colour colour) override {
    draw_->AddRectFilled(imVec(from), imVec(to), packed(colour));
  }
  void lines(std::span<const glm::vec2> points, lab::Colour colour, float width, bool dashed) override {
    for (std::size_t i = 1; i < points.size(); ++i) {
      if (!dashed) {
        draw_->AddLine(imVec(points[i - 1]), imVec(points[i]), packed(colour), width);
        continue;
      }
      constexpr float kDashInWidths = 3.0f;
      const glm::vec2 way = points[i] - points[i - 1];
      const int pieces = std::max(1, static_cast<int>(std::hypot(way.x, way.y) / (kDashInWidths * width)));
      for (int piece = 0; piece < pieces; piece += 2)
        draw_->AddLine(imVec(points[i - 1] + way * (static_cast<float>(piece) / static_cast<float>(pieces))),
                       imVec(points[i - 1] + way * (static_cast<float>(piece + 1) / static_cast<float>(pieces))),
                       packed(colour), width);
    }
  }
  void circle(glm::vec2 centre, float radius, lab::Colour colour, float width) override {
    if (width > 0)
      draw_->AddCircle(imVec(centre), radius, packed(colour), 0, width);
    else
      draw_->AddCircleFilled(imVec(centre), radius, packed(colour));
  }
  void text(glm::vec2 place, const std::string& text, float size, lab::Anchor anchor, lab::Colour colour) override {
    const float part = anchor == lab::Anchor::left ? 0.0f : anchor == lab::Anchor::centre ? 0.5f : 1.0f;
    const float ascent = font_->Ascent / font_->FontSize * size;
    draw_->AddText(font_, size, {place.x - part * textWidth(text, size), place.y - ascent}, packed(colour),
                   text.c_str());
  }
  float textWidth(const std::string& text, float size) const override {
    return font_->CalcTextSizeA(size, std::numeric_limits<float>::max(), 0.0f, text.c_str()).x;
  }

 private:
  static ImU32 packed(lab::Colour colour) { return IM_COL32(colour.r, colour.g, colour.b, colour.a); }

  ImDrawList* draw_ = ImGui::GetWindowDrawList();
  ImFont* font_ = ImGui::GetFont();
};

}  // namespace satdof
