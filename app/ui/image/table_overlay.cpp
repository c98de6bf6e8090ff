#include "app/ui/image/table_overlay.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <utility>
#include <vector>

#include "app/core/text/count_text.h"
#include "app/ui/image/over_image.h"
#include "app/ui/image/placement.h"
#include "app/ui/panels/style.h"

namespace satdof {

namespace {

constexpr float kCursorGap = 16.0f;
constexpr float kCornerGap = 5.0f;
constexpr float kColumnGapInFonts = 0.8f;
constexpr float kMinText = 0.6f;  // scale of lines that are wider than the image

Rectangle grown(const Rectangle& rectangle, float by) { return {rectangle.from - by, rectangle.to + by}; }

// Converts a rectangle of the image, 0 to 1 from the bottom left, to screen coordinates.
Rectangle rectangleOnScreen(const std::array<glm::vec2, 2>& part) {
  const ImVec2 low = onScreen(part[0]), high = onScreen(part[1]);
  return {{low.x, high.y}, {high.x, low.y}};
}

Rectangle visibleImage(const Session& session) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  return {{imageLeft(session), 0.0f}, {screen.x, screen.y}};
}

// Draws an outline that is visible on bright and on dark images.
void drawOutline(const Rectangle& rectangle, float scale) {
  auto& draw = *ImGui::GetBackgroundDrawList();
  draw.AddRect(imVec(rectangle.from), imVec(rectangle.to), IM_COL32_BLACK, 0.0f, 0, 3.0f * scale);
  draw.AddRect(imVec(rectangle.from), imVec(rectangle.to), IM_COL32_WHITE, 0.0f, 0, 1.0f * scale);
}

// Draws the box with its corners as in TableBox, and the pixel. Returns the rectangle that they cover.
Rectangle drawTableBox(const Rectangle& box, const Rectangle& pixel, const Rectangle& within, float scale) {
  constexpr struct {
    const char* name;
    bool right, upper;
  } kCorners[] = {{"+A", false, false}, {"-B", true, false}, {"-C", false, true}, {"+D", true, true}};
  drawOutline(box, scale);
  drawOutline(grown(pixel, 1.0f), scale);
  auto& draw = *ImGui::GetBackgroundDrawList();
  const float gap = kCornerGap * scale;
  Rectangle covered = grown(box, gap);
  for (const auto& [name, right, upper] : kCorners) {
    const glm::vec2 corner(right ? box.to.x : box.from.x, upper ? box.from.y : box.to.y);
    const glm::vec2 size(ImGui::CalcTextSize(name).x, ImGui::GetFontSize());
    glm::vec2 from(right ? corner.x + gap : corner.x - gap - size.x, upper ? corner.y - gap - size.y : corner.y + gap);
    from = glm::clamp(from, within.from, glm::max(within.to - size, within.from));
    if (overlap({from, from + size}, pixel)) from = placedBeside(size, pixel, within, gap).value_or(from);
    draw.AddCircleFilled(imVec(corner), 3.5f * scale, IM_COL32_BLACK);
    draw.AddCircleFilled(imVec(corner), 2.5f * scale, kAccent);
    drawTag(name, imVec(from));
    covered = {glm::min(covered.from, from), glm::max(covered.to, from + size)};
  }
  return covered;
}

// Text in lines and columns.
struct Columns {
  std::vector<std::vector<std::string>> lines;
  std::vector<float> widths;  // of the columns
  ImVec2 size{0.0f, 0.0f};
};

Columns columnsOf(const std::string& text) {
  Columns columns;
  float widest = 0.0f;
  for (const std::string& line : splitText(text, '\n')) {
    const auto& cells = columns.lines.emplace_back(splitText(line, '\t'));
    if (cells.size() < 2) {
      widest = std::max(widest, ImGui::CalcTextSize(line.c_str()).x);
      continue;
    }
    columns.widths.resize(std::max(columns.widths.size(), cells.size()));
    for (std::size_t i = 0; i < cells.size(); ++i)
      columns.widths[i] = std::max(columns.widths[i], ImGui::CalcTextSize(cells[i].c_str()).x);
  }
  float across = 0.0f;
  for (const float width : columns.widths)
    across += width + (across > 0.0f ? kColumnGapInFonts * ImGui::GetFontSize() : 0.0f);
  columns.size = {std::max(across, widest), static_cast<float>(columns.lines.size()) * ImGui::GetTextLineHeight()};
  return columns;
}

// Draws text in columns, scaled by `shrink`. All columns but the first are right-aligned.
void drawColumns(const Columns& columns, glm::vec2 from, float shrink) {
  auto& draw = *ImGui::GetBackgroundDrawList();
  const float font = shrink * ImGui::GetFontSize();
  for (const auto& line : columns.lines) {
    float x = from.x;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const bool aligned = i > 0;
      const float width = i < columns.widths.size() ? shrink * columns.widths[i] : 0.0f;
      const float indent = aligned ? width - shrink * ImGui::CalcTextSize(line[i].c_str()).x : 0.0f;
      draw.AddText(ImGui::GetFont(), font, {x + indent, from.y}, IM_COL32_WHITE, line[i].c_str());
      x += width + kColumnGapInFonts * font;
    }
    from.y += shrink * ImGui::GetTextLineHeight();
  }
}

}  // namespace

void drawAtCursor(const Session& session, const std::string& text, const std::optional<TableMarks>& marks,
                  float scale) {
  if (text.empty()) return;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const ImVec2 mouse = ImGui::IsMousePosValid() ? ImGui::GetIO().MousePos
                                                : ImVec2(session.visible.centre().x * screen.x, 0.5f * screen.y);
  const Rectangle within = visibleImage(session);
  Rectangle pixel{{mouse.x, mouse.y}, {mouse.x, mouse.y}};
  if (marks && marks->pixel) pixel = rectangleOnScreen(*marks->pixel);
  Rectangle keepFree = pixel;
  if (marks && marks->box) keepFree = drawTableBox(rectangleOnScreen(*marks->box), pixel, within, scale);

  const Columns columns = columnsOf(text);
  const glm::vec2 around(ImGui::GetStyle().FramePadding.x, ImGui::GetStyle().FramePadding.y);
  const glm::vec2 room = within.to - within.from - 2.0f * around;
  const float shrink = std::clamp(room.x / columns.size.x, kMinText, 1.0f);
  const glm::vec2 size = shrink * glm::vec2(columns.size.x, columns.size.y) + 2.0f * around;
  const float gap = kCursorGap * scale;
  auto place = placedBeside(size, keepFree, within, gap);
  if (!place) place = placedBeside(size, pixel, within, gap);
  const glm::vec2 from = place.value_or(glm::max(within.to - size, within.from));
  ImGui::GetBackgroundDrawList()->AddRectFilled(imVec(from), imVec(from + size), kPlate);
  drawColumns(columns, from + around, shrink);
}

void drawOrigin(const Session& session, const TableMarks& marks, float scale) {
  if (!marks.marksOrigin) return;
  const Rectangle within = visibleImage(session), origin = rectangleOnScreen(std::array{marks.origin, marks.origin});
  const glm::vec2 shown = glm::clamp(origin.from, within.from, within.to);
  const bool hidden = glm::distance(shown, origin.from) > 1.0f;
  const float arm = 3.0f * ImGui::GetFontSize(), head = 5.0f * scale;
  auto& draw = *ImGui::GetBackgroundDrawList();
  const glm::vec2 corner = shown + (head + 2.0f * scale) * glm::vec2(1.0f, -1.0f);
  for (const glm::vec2 way : {glm::vec2(1.0f, 0.0f), glm::vec2(0.0f, -1.0f)})
    for (const auto& [colour, width] : {std::pair(IM_COL32_BLACK, 4.0f * scale), {kAccent, 2.0f * scale}}) {
      const glm::vec2 tip = corner + arm * way, side = head * glm::vec2(way.y, way.x);
      draw.AddLine(imVec(corner), imVec(tip), colour, width);
      draw.AddLine(imVec(tip), imVec(tip - head * way + side), colour, width);
      draw.AddLine(imVec(tip), imVec(tip - head * way - side), colour, width);
    }
  const float lines = session.settings.split.enabled ? 4.0f : 1.5f;  // above the labels of A and B
  drawTag(hidden ? "< origin (0, 0) of the table" : "origin (0, 0) of the table",
          imVec(corner + glm::vec2(0.8f, -lines - 0.3f) * ImGui::GetFontSize()));
}

}  // namespace satdof
