#include "app/ui/image/overlay.h"

#include <imgui.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <utility>
#include <vector>

#include "app/core/text/count_text.h"
#include "app/core/text/formatted.h"
#include "app/device/device.h"
#include "app/lens/depth_of_field.h"
#include "app/lens/lens.h"
#include "app/render/resolve.h"
#include "app/scene/scene_files.h"
#include "app/ui/edit.h"
#include "app/ui/image/loupe.h"
#include "app/ui/image/over_image.h"
#include "app/ui/image/zoom.h"
#include "app/ui/panels/fitted_text.h"
#include "app/ui/panels/style.h"
#include "app/ui/panels/widgets.h"
#include "app/ui/timeline/timeline_panel.h"
#include "app/views/views.h"

namespace satdof {

namespace {

constexpr float kProgressHeight = 4.0f;
constexpr float kLabelGap = 10.0f;

ImU32 faded(ImU32 colour, float alpha) {
  const auto old = static_cast<float>((colour >> IM_COL32_A_SHIFT) & 0xff);
  return (colour & ~IM_COL32_A_MASK) | (static_cast<ImU32>(old * alpha) << IM_COL32_A_SHIFT);
}

// Returns a resolved technique in words: lens, device, scan and format, as far as the lens reads them.
std::string summary(const Technique& technique) {
  const LensRow& lens = lensOf(technique.lens.kind);
  const Device& device = deviceOf(technique.device);
  std::string text = name(lens.kind);
  if (lens.buildsTables()) text += std::string(", ") + name(device.id);
  if (lens.buildsTables() && device.uses.kernels) text += std::string(" ") + name(technique.table.scan);
  if (lens.readsFormat) text += std::string(", ") + name(technique.table.format);
  return text + (technique.view == View::final ? "" : std::string(", ") + titleOf(technique.view));
}

// Returns a side of the shown image in words: its technique, and its lens if B has its own; then the technique only if
// the sides differ in it.
std::string summary(const Session& session, char side) {
  const bool isB = side == 'B';
  const Settings& settings = session.settings;
  const auto& drawn = session.drawnTechniques;
  const auto techniqueOf = [&](bool ofB) {
    return drawn ? summary(ofB ? drawn->second : drawn->first)
                 : summary(restingTechnique(settings, ofB ? settings.split.b : settings.technique));
  };
  const std::string technique = techniqueOf(isB);
  if (!settings.split.ownLens) return technique;
  const LensSettings lens = isB ? lensOfB(settings) : settings.lens;
  return formatted("f/%.3g, ", static_cast<double>(lens.fNumber)) + distanceText(lens.focusDistanceM) +
         (technique == techniqueOf(!isB) ? "" : ", " + technique);
}

// Returns `text` in lines of at most `width`; none if a word is wider.
std::vector<std::string> fittingLines(const std::string& text, float width) {
  auto lines = splitText(brokenAtSpaces(text, width), '\n');
  const auto fits = [&](const std::string& line) { return ImGui::CalcTextSize(line.c_str()).x <= width; };
  return std::ranges::all_of(lines, fits) ? lines : std::vector<std::string>();
}

// Returns the label of a side as far as it fits: name and technique, name alone, or nothing.
std::vector<std::string> labelOf(char side, const std::string& technique, float width) {
  const std::string name(1, side);
  const auto lines = fittingLines(name + ": " + technique, width);
  return lines.empty() ? fittingLines(name, width) : lines;
}

// Draws lines from `top` on. `part` of the width of each line is left of `x`.
void drawLabel(const std::vector<std::string>& lines, float x, float top, float part) {
  auto& draw = *ImGui::GetBackgroundDrawList();
  for (const std::string& line : lines) {
    drawShadowedText(draw, {x - part * ImGui::CalcTextSize(line.c_str()).x, top}, line);
    top += ImGui::GetTextLineHeight();
  }
}

float widthOf(const std::vector<std::string>& lines) {
  float width = 0.0f;
  for (const std::string& line : lines) width = std::max(width, ImGui::CalcTextSize(line.c_str()).x);
  return width;
}

// Returns the top of a label of `lines` lines that ends at `right`: at the lower edge, or above the loupe, whose corner
// is `loupe`, if the label would reach into it.
float labelTop(std::size_t lines, float right, ImVec2 loupe) {
  const float lowest =
      right < loupe.x ? ImGui::GetIO().DisplaySize.y - ImGui::GetFontSize() : loupe.y - 0.5f * ImGui::GetFontSize();
  return std::max(lowest - static_cast<float>(lines) * ImGui::GetTextLineHeight(), 0.0f);
}

// Draws a line at x, with labels left and right of it.
void drawDivision(float x, ImU32 colour, const std::vector<std::string>& left, const std::vector<std::string>& right,
                  float scale, ImVec2 loupe) {
  auto& draw = *ImGui::GetBackgroundDrawList();
  const float height = ImGui::GetIO().DisplaySize.y;
  draw.AddLine({x, 0}, {x, height}, kShadow, 3.0f * scale);
  draw.AddLine({x, 0}, {x, height}, colour, 1.0f * scale);
  const float gap = kLabelGap * scale;
  const float top = labelTop(std::max(left.size(), right.size()), x + gap + widthOf(right), loupe);
  drawLabel(left, x - gap, top, 1.0f);
  drawLabel(right, x + gap, top, 0.0f);
}

void drawSides(const Session& session, bool onSplit, float scale, ImVec2 loupe) {
  const auto size = ImGui::GetIO().DisplaySize;
  const float x = session.shownSplit() * size.x, around = (kLabelGap + 4.0f) * scale;
  const ImU32 colour = onSplit ? kAccent : IM_COL32_WHITE;
  drawDivision(x, colour, labelOf('A', summary(session, 'A'), x - around - imageLeft(session)),
               labelOf('B', summary(session, 'B'), size.x - x - around), scale, loupe);
  ImGui::GetBackgroundDrawList()->AddCircleFilled({x, size.y / 2}, 7.0f * scale, colour);
}

void drawHalves(const Session& session, const ViewRow& view, float scale, ImVec2 loupe) {
  const float width = ImGui::GetIO().DisplaySize.x, x = session.visible.centre().x * width, gap = kLabelGap * scale;
  drawDivision(x, IM_COL32_WHITE, fittingLines(view.leftHalf, x - gap - imageLeft(session)),
               fittingLines(view.rightHalf, width - x - gap), scale, loupe);
}

void drawLineAndLabels(const Session& session, bool onSplit, float scale, ImVec2 loupe) {
  if (session.peeks()) {
    const float from = imageLeft(session) + kLabelGap * scale, room = ImGui::GetIO().DisplaySize.x - from;
    const auto label =
        session.input.flipped ? labelOf('B', summary(session, 'B'), room) : fittingLines("Before depth of field", room);
    drawLabel(label, from, labelTop(label.size(), from + widthOf(label), loupe), 0.0f);
  } else if (session.settings.split.enabled) {
    drawSides(session, onSplit, scale, loupe);
  } else if (hasHalves(session)) {
    drawHalves(session, viewOf(session.settings.technique.view), scale, loupe);
  }
}

void drawRing(ImVec2 at, float radius, float width, float scale, float alpha = 1.0f) {
  auto& draw = *ImGui::GetBackgroundDrawList();
  draw.AddCircle(at, radius, faded(kShadow, alpha), 0, (width + 2.0f) * scale);
  draw.AddCircle(at, radius, faded(kAccent, alpha), 0, width * scale);
}

}  // namespace

void drawSplit(const Session& session, bool onSplit, float scale, float pixelsPerPoint) {
  const auto size = ImGui::GetIO().DisplaySize;
  const float reach = loupeReach(session, pixelsPerPoint);
  if (reach == 0.0f) {
    drawLineAndLabels(session, onSplit, scale, {FLT_MAX, FLT_MAX});
    return;
  }
  auto& draw = *ImGui::GetBackgroundDrawList();
  const ImVec2 loupe(size.x - reach, size.y - reach - loupeTitleHeight(pixelsPerPoint));
  for (const auto& [from, to] :
       {std::pair{ImVec2(0.0f, 0.0f), ImVec2(loupe.x, size.y)}, {ImVec2(loupe.x, 0.0f), ImVec2(size.x, loupe.y)}}) {
    draw.PushClipRect(from, to);
    drawLineAndLabels(session, onSplit, scale, loupe);
    draw.PopClipRect();
  }
}

void drawProgress(float progress, float left, float scale) {
  if (progress >= 1.0f) return;
  auto& draw = *ImGui::GetBackgroundDrawList();
  const auto size = ImGui::GetIO().DisplaySize;
  const float top = size.y - kProgressHeight * scale;
  draw.AddRectFilled({left, top}, size, kShadow);
  draw.AddRectFilled({left, top}, {left + progress * (size.x - left), size.y}, kAccent);
}

bool drawReading(Session& session, const LoadStatus& loading, float scale) {
  constexpr float kBarInFonts = 14.0f;
  if (session.reading.empty()) return false;
  auto& draw = *ImGui::GetBackgroundDrawList();
  const float font = ImGui::GetFontSize(), left = imageLeft(session);
  const ImVec2 size(ImGui::GetIO().DisplaySize.x, heightOfImage(session)),
      middle(0.5f * (left + size.x), 0.5f * size.y);
  const auto preview = session.thumbnails.request({session.reading, {}, Thumbnails::kPreviewSide});
  if (preview.texture == 0 && session.shown.fileSize != glm::ivec2(0)) return false;
  const float room = size.x - left - 2.0f * font;
  const std::string reading = cut("Reading " + session.reading.filename().string(), room),
                    doing = cut(loading.doing, room);
  if (preview.texture != 0) {
    draw.AddRectFilled({left, 0.0f}, size, IM_COL32_BLACK);
    drawInside(draw, preview, {left, 0.0f}, {size.x - left, size.y});
    const float widest = std::max(ImGui::CalcTextSize(reading.c_str()).x, ImGui::CalcTextSize(doing.c_str()).x);
    const ImVec2 plate(std::max(0.6f * kBarInFonts * font, 0.5f * widest + font), 2.4f * font);
    draw.AddRectFilled({middle.x - plate.x, middle.y - plate.y}, {middle.x + plate.x, middle.y + plate.y}, kShadow);
  }
  const auto line = [&](const std::string& text, float top, ImU32 colour) {
    draw.AddText({middle.x - 0.5f * ImGui::CalcTextSize(text.c_str()).x, top}, colour, text.c_str());
  };
  line(reading, middle.y - 1.6f * font, IM_COL32(235, 235, 235, 255));
  const ImVec2 from(middle.x - 0.5f * kBarInFonts * font, middle.y - 0.5f * kProgressHeight * scale),
      to(from.x + kBarInFonts * font, from.y + kProgressHeight * scale);
  const float round = 0.5f * kProgressHeight * scale;
  draw.AddRectFilled(from, to, kShadow, round);
  draw.AddRectFilled(from, {from.x + std::max(loading.part * (to.x - from.x), 2.0f * round), to.y}, kAccent, round);
  line(doing, middle.y + 0.6f * font, IM_COL32(170, 170, 170, 255));
  return true;
}

bool drawUnread(const Session& session) {
  if (!session.strip.lacksImage()) return false;
  auto& draw = *ImGui::GetBackgroundDrawList();
  const float left = imageLeft(session);
  const ImVec2 size(ImGui::GetIO().DisplaySize.x, heightOfImage(session));
  draw.AddRectFilled({left, 0.0f}, size, IM_COL32_BLACK);
  const std::string text =
      cut(session.strip.unread.filename().string() + " cannot be read", size.x - left - 2.0f * ImGui::GetFontSize());
  const ImVec2 room = ImGui::CalcTextSize(text.c_str());
  draw.AddText({0.5f * (left + size.x - room.x), 0.5f * (size.y - room.y)}, IM_COL32(235, 235, 235, 255), text.c_str());
  return true;
}

// Draws the square in which the autofocus measures, or a circle at the tracked point.
void drawAutofocusPlace(const Session& session, float scale) {
  const LensSettings& lens = session.settings.lens;
  const bool tracks = tracksPoint(session) && canMoveCamera(session);
  if (!lens.autofocus || lens.autofocusOn == AutofocusOn::centre || (tracks && !session.shown.trackedAt)) return;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const glm::vec2 point =
      tracks ? *session.shown.trackedAt : pointOf(session, {lens.autofocusX, 1.0f - lens.autofocusY});
  const bool square = lens.autofocusOn == AutofocusOn::area || lens.autofocusOn == AutofocusOn::nearest;
  const float half = square ? 0.5f * lens.autofocusSize * session.zoom.scale * screen.y : 0.5f * ImGui::GetFontSize();
  const ImVec2 at = onScreen(point), low(at.x - half, at.y - half), high(at.x + half, at.y + half);
  for (const auto& [colour, width] : {std::pair(kShadow, 4.0f), std::pair(kAccent, 2.0f)})
    ImGui::GetBackgroundDrawList()->AddRect(low, high, colour, tracks ? half : 0.0f, 0, width * scale);
}

// Draws the outline and the name of the depth brush.
void drawBrush(const Session& session, float scale) {
  const DepthTool& brush = session.brush;
  if (!brush.kind || !showsPhoto(session.settings) || !ImGui::IsMousePosValid() || ImGui::GetIO().WantCaptureMouse)
    return;
  const ImVec2 at = ImGui::GetMousePos();
  const char* const name = std::ranges::find(kBrushes, brush.kind, &BrushRow::kind)->name;
  drawTag(name, {at.x + ImGui::GetFontSize(), at.y}, kAccent);
  if (brush.kind == BrushKind::same) return;
  const float radius = brush.radius * (session.shown.areaTo.x - session.shown.areaFrom.x) * session.zoom.scale *
                       ImGui::GetIO().DisplaySize.x;
  drawRing(at, radius, 1.0f, scale);
}

void drawFocusMarkers(const Session& session, float scale) {
  drawBrush(session, scale);
  drawAutofocusPlace(session, scale);
  if (showsFocusPoint(session)) drawRing(onScreen(pointOf(session, *session.focus.point)), 7.0f * scale, 2.0f, scale);
  if (session.focus.markerAgeS >= kFocusMarkerS) return;
  const float left = 1.0f - session.focus.markerAgeS / kFocusMarkerS;  // 1 to 0
  drawRing(onScreen(session.focus.marker), (10.0f + 10.0f * left) * scale, 2.0f, scale, left);
}

void drawLoupe(const Session& session, float pixelsPerPoint) {
  if (session.loupe.magnification == 0) return;
  auto& draw = *ImGui::GetBackgroundDrawList();
  const auto size = ImGui::GetIO().DisplaySize;
  const float side = static_cast<float>(Loupe::kSidePx) / pixelsPerPoint;
  const float margin = static_cast<float>(Loupe::kMarginPx) / pixelsPerPoint;
  const ImVec2 to(size.x - margin, size.y - margin), from(to.x - side, to.y - side);
  draw.AddRect(from, to, IM_COL32_WHITE);
  const ImVec2 at(from.x + session.loupe.mark.x * side, to.y - session.loupe.mark.y * side);
  const float half = std::max(0.5f * static_cast<float>(session.loupe.magnification) / pixelsPerPoint, 2.0f) + 1.0f;
  draw.AddRect({at.x - half - 1, at.y - half - 1}, {at.x + half + 1, at.y + half + 1}, IM_COL32_BLACK);
  draw.AddRect({at.x - half, at.y - half}, {at.x + half, at.y + half}, IM_COL32_WHITE);
  std::string text = formatted("%d:1", session.loupe.magnification);
  if (session.loupe.colour) {
    const glm::dvec3 colour = 255.0f * *session.loupe.colour;
    text += formatted("  R %.0f  G %.0f  B %.0f", colour.r, colour.g, colour.b);
  }
  const float font = loupeTitleFont(pixelsPerPoint);
  draw.AddRectFilled({from.x, from.y - loupeTitleHeight(pixelsPerPoint)}, {to.x, from.y}, kShadow);
  draw.AddText(ImGui::GetFont(), font, {from.x + kLoupeTitleGap, from.y - 1.1f * font}, IM_COL32_WHITE, text.c_str());
}

}  // namespace satdof
