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
#include "app/scene/scene_files.h"
#include "app/ui/edit.h"
#include "app/ui/image/loupe.h"
#include "app/ui/image/navigator.h"
#include "app/ui/image/placement.h"
#include "app/ui/image/zoom.h"
#include "app/ui/keys.h"
#include "app/ui/panels/style.h"
#include "app/ui/panels/widgets.h"
#include "app/ui/timeline/timeline_panel.h"
#include "app/views/views.h"

namespace satdof {

namespace {

constexpr float kNarrowestBoxInFonts = 12.0f;
constexpr float kNarrowestHelpInFonts = 16.0f;  // narrowest key help beside the panels
constexpr float kErrorWidthInFonts = 36.0f;
constexpr float kCaptureWidthInFonts = 24.0f;
constexpr float kNoticeLines = 3.0f;       // lines that the list of errors leaves free
constexpr float kFewestErrorLines = 4.0f;  // lines of errors in the lowest window
constexpr float kProgressHeight = 4.0f;
constexpr float kLabelGap = 10.0f;
constexpr float kCursorGap = 16.0f;
constexpr float kCornerGap = 5.0f;
constexpr float kTagPadding = 3.0f;
constexpr float kColumnGapInFonts = 0.8f;
constexpr float kSmallestText = 0.6f;  // scale of lines that are wider than the image
constexpr float kLoupeTitleGap = 4.0f;
constexpr ImU32 kShadow = IM_COL32(0, 0, 0, 150);
constexpr ImU32 kPlate = IM_COL32(0, 0, 0, 235);  // background of numbers
constexpr ImU32 kErrorColour = IM_COL32(255, 140, 115, 255);

// Windows of messages. They get a size, which Dear ImGui would find one frame late.
constexpr ImGuiWindowFlags kBox = kFixedWindow | ImGuiWindowFlags_NoFocusOnAppearing;

ImU32 faded(ImU32 colour, float alpha) {
  const auto old = static_cast<float>((colour >> IM_COL32_A_SHIFT) & 0xff);
  return (colour & ~IM_COL32_A_MASK) | (static_cast<ImU32>(old * alpha) << IM_COL32_A_SHIFT);
}

// Converts a point of the window, 0 to 1 from the bottom left, to screen coordinates.
ImVec2 onScreen(glm::vec2 point) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  return {point.x * screen.x, (1.0f - point.y) * screen.y};
}

float imageLeft(const Session& session) { return session.visibleLeft * ImGui::GetIO().DisplaySize.x; }

// The size of `text`, wrapped to `width`.
ImVec2 wrappedSize(const std::string& text, float width) {
  return ImGui::CalcTextSize(text.c_str(), nullptr, false, width);
}

struct MessageBox {
  std::string text;
  ImVec2 at, size;
  float wrap;  // width of the text
};

// Returns a box with `text`, at most `widest` wide. Its point `pivot`, 0 to 1 of its size, is at `at`; a box that would begin
// outside the window is moved inside.
MessageBox messageBox(const std::string& text, ImVec2 at, ImVec2 pivot, float widest) {
  const ImVec2 padding = ImGui::GetStyle().WindowPadding;
  const float wrap = std::max(widest, kNarrowestBoxInFonts * ImGui::GetFontSize()) - 2.0f * padding.x;
  const ImVec2 textSize = wrappedSize(text, wrap);
  const ImVec2 size(textSize.x + 2.0f * padding.x, textSize.y + 2.0f * padding.y);
  return {
      text, {std::max(at.x - pivot.x * size.x, 0.0f), std::max(at.y - pivot.y * size.y, 0.0f)}, size, wrap};
}

void drawMessage(const char* name, const MessageBox& box) {
  ImGui::SetNextWindowPos(box.at);
  ImGui::SetNextWindowSize(box.size);
  ImGui::SetNextWindowBgAlpha(1.0f);
  ImGui::Begin(name, nullptr, kBox | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoScrollbar);
  ImGui::PushTextWrapPos(ImGui::GetStyle().WindowPadding.x + box.wrap);
  ImGui::TextUnformatted(box.text.c_str());
  ImGui::PopTextWrapPos();
  ImGui::End();
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

// Returns the technique of a side in the shown image in words.
std::string summary(const Session& session, char side) {
  const bool isB = side == 'B';
  const Settings& settings = session.settings;
  const auto& drawn = session.drawnTechniques;
  std::string text = drawn ? summary(isB ? drawn->second : drawn->first)
                           : summary(restingTechnique(settings, isB ? settings.split.b : settings.technique));
  if (!settings.split.ownLens) return text;
  const LensSettings lens = isB ? lensOfB(settings) : settings.lens;
  return formatted("f/%.3g, ", static_cast<double>(lens.fNumber)) + distanceText(lens.focusDistanceM) + ", " +
         text;
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

// Returns the top of a label of `lines` lines that ends at `right`: at the lower edge, or above the loupe, whose corner is
// `loupe`, if the label would reach into it.
float labelTop(size_t lines, float right, ImVec2 loupe) {
  const float lowest = right < loupe.x ? ImGui::GetIO().DisplaySize.y - ImGui::GetFontSize()
                                       : loupe.y - 0.5f * ImGui::GetFontSize();
  return std::max(lowest - static_cast<float>(lines) * ImGui::GetTextLineHeight(), 0.0f);
}

// Draws a line at x, with labels left and right of it.
void drawDivision(float x, ImU32 colour, const std::vector<std::string>& left,
                  const std::vector<std::string>& right, float scale, ImVec2 loupe) {
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
  const float width = ImGui::GetIO().DisplaySize.x, x = session.visibleCentre().x * width,
              gap = kLabelGap * scale;
  drawDivision(x, IM_COL32_WHITE, fittingLines(view.leftHalf, x - gap - imageLeft(session)),
               fittingLines(view.rightHalf, width - x - gap), scale, loupe);
}

bool hasHalves(const Session& session) {
  return !session.settings.split.enabled && viewOf(session.settings.technique.view).leftHalf != nullptr;
}

// Returns the side of the loupe with its margin in screen coordinates; 0 without a loupe.
float loupeReach(const Session& session, float pixelsPerPoint) {
  return session.loupe == 0 ? 0.0f : static_cast<float>(Loupe::kSidePx + Loupe::kMarginPx) / pixelsPerPoint;
}

void drawLineAndLabels(const Session& session, bool onSplit, float scale, ImVec2 loupe) {
  if (session.peeks()) {
    const float from = imageLeft(session) + kLabelGap * scale, room = ImGui::GetIO().DisplaySize.x - from;
    const auto label = session.flipped ? labelOf('B', summary(session, 'B'), room)
                                       : fittingLines("Before depth of field", room);
    drawLabel(label, from, labelTop(label.size(), from + widthOf(label), loupe), 0.0f);
  } else if (session.settings.split.enabled) {
    drawSides(session, onSplit, scale, loupe);
  } else if (hasHalves(session)) {
    drawHalves(session, viewOf(session.settings.technique.view), scale, loupe);
  }
}

// Returns the font size in which the longest title fits the loupe.
float loupeTitleFont(float pixelsPerPoint) {
  const float room = static_cast<float>(Loupe::kSidePx) / pixelsPerPoint;
  const float longest = ImGui::CalcTextSize("16:1  R 255  G 255  B 255").x + 2.0f * kLoupeTitleGap;
  return ImGui::GetFontSize() * std::min(room / longest, 1.0f);
}

float loupeTitleHeight(float pixelsPerPoint) { return 1.2f * loupeTitleFont(pixelsPerPoint); }

// Where a notice goes: beside the loupe, or above it where the panels leave no room; above the labels of A and B.
struct NoticePlace {
  ImVec2 at;  // lower right corner
  float widest;
};

NoticePlace placeOfNotice(const Session& session, float pixelsPerPoint) {
  const auto size = ImGui::GetIO().DisplaySize;
  const float margin = ImGui::GetFontSize(), reach = loupeReach(session, pixelsPerPoint);
  const float room = size.x - imageLeft(session) - 2.0f * margin;
  const bool beside = room - reach >= kNarrowestBoxInFonts * margin;
  const bool labels = session.settings.split.enabled || session.peeks() || hasHalves(session);
  const float above = reach == 0.0f || (beside && !labels) ? 0.0f : reach + margin;
  return {{size.x - margin - (beside ? reach : 0.0f),
           heightOfImage(session) - margin - above - (labels ? 2.0f * ImGui::GetTextLineHeight() : 0.0f)},
          beside ? room - reach : room};
}

// Returns the lower edge of the longest list of errors, which leaves room for the loupe and a notice.
float lowestError(const Session& session, float pixelsPerPoint) {
  const float notice = kNoticeLines * ImGui::GetTextLineHeight() + 2.0f * ImGui::GetStyle().WindowPadding.y;
  const float reach = loupeReach(session, pixelsPerPoint);
  const float loupeTop =
      ImGui::GetIO().DisplaySize.y - reach - (reach == 0.0f ? 0.0f : loupeTitleHeight(pixelsPerPoint));
  return std::min(placeOfNotice(session, pixelsPerPoint).at.y - notice, loupeTop) - ImGui::GetFontSize();
}

void drawTag(const char* text, ImVec2 from, ImU32 colour = IM_COL32_WHITE) {
  auto& draw = *ImGui::GetBackgroundDrawList();
  const ImVec2 size = ImGui::CalcTextSize(text);
  draw.AddRectFilled({from.x - kTagPadding, from.y}, {from.x + size.x + kTagPadding, from.y + size.y},
                     kPlate);
  draw.AddText(from, colour, text);
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
  for (const auto& [from, to] : {std::pair{ImVec2(0.0f, 0.0f), ImVec2(loupe.x, size.y)},
                                 {ImVec2(loupe.x, 0.0f), ImVec2(size.x, loupe.y)}}) {
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
    const float widest =
        std::max(ImGui::CalcTextSize(reading.c_str()).x, ImGui::CalcTextSize(doing.c_str()).x);
    const ImVec2 plate(std::max(0.6f * kBarInFonts * font, 0.5f * widest + font), 2.4f * font);
    draw.AddRectFilled({middle.x - plate.x, middle.y - plate.y}, {middle.x + plate.x, middle.y + plate.y},
                       kShadow);
  }
  const auto line = [&](const std::string& text, float top, ImU32 colour) {
    draw.AddText({middle.x - 0.5f * ImGui::CalcTextSize(text.c_str()).x, top}, colour, text.c_str());
  };
  line(reading, middle.y - 1.6f * font, IM_COL32(235, 235, 235, 255));
  const ImVec2 from(middle.x - 0.5f * kBarInFonts * font, middle.y - 0.5f * kProgressHeight * scale),
      to(from.x + kBarInFonts * font, from.y + kProgressHeight * scale);
  const float round = 0.5f * kProgressHeight * scale;
  draw.AddRectFilled(from, to, kShadow, round);
  draw.AddRectFilled(from, {from.x + std::max(loading.part * (to.x - from.x), 2.0f * round), to.y}, kAccent,
                     round);
  line(doing, middle.y + 0.6f * font, IM_COL32(170, 170, 170, 255));
  return true;
}

bool drawUnread(const Session& session) {
  if (!session.strip.lacksImage()) return false;
  auto& draw = *ImGui::GetBackgroundDrawList();
  const float left = imageLeft(session);
  const ImVec2 size(ImGui::GetIO().DisplaySize.x, heightOfImage(session));
  draw.AddRectFilled({left, 0.0f}, size, IM_COL32_BLACK);
  const std::string text = cut(session.strip.unread.filename().string() + " cannot be read",
                               size.x - left - 2.0f * ImGui::GetFontSize());
  const ImVec2 room = ImGui::CalcTextSize(text.c_str());
  draw.AddText({0.5f * (left + size.x - room.x), 0.5f * (size.y - room.y)}, IM_COL32(235, 235, 235, 255),
               text.c_str());
  return true;
}

// Draws the square in which the autofocus measures, or a circle at the tracked point.
void drawAutofocusPlace(const Session& session, float scale) {
  const LensSettings& lens = session.settings.lens;
  const bool tracks = tracksPoint(session) && canMoveCamera(session);
  if (!lens.autofocus || lens.autofocusOn == AutofocusOn::centre || (tracks && !session.shown.trackedAt))
    return;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const glm::vec2 point =
      tracks ? *session.shown.trackedAt : pointOf(session, {lens.autofocusX, 1.0f - lens.autofocusY});
  const bool square = lens.autofocusOn == AutofocusOn::area || lens.autofocusOn == AutofocusOn::nearest;
  const float half =
      square ? 0.5f * lens.autofocusSize * session.zoom.scale * screen.y : 0.5f * ImGui::GetFontSize();
  const ImVec2 at = onScreen(point), low(at.x - half, at.y - half), high(at.x + half, at.y + half);
  for (const auto& [colour, width] : {std::pair(kShadow, 4.0f), std::pair(kAccent, 2.0f)})
    ImGui::GetBackgroundDrawList()->AddRect(low, high, colour, tracks ? half : 0.0f, 0, width * scale);
}

// Draws the outline and the name of the depth brush.
void drawBrush(const Session& session, float scale) {
  const DepthTool& brush = session.brush;
  if (!brush.kind || !showsPhoto(session.settings) || !ImGui::IsMousePosValid() ||
      ImGui::GetIO().WantCaptureMouse)
    return;
  const ImVec2 at = ImGui::GetMousePos();
  const char* const name = std::ranges::find(kBrushes, brush.kind, &BrushRow::kind)->name;
  drawTag(name, {at.x + ImGui::GetFontSize(), at.y}, kAccent);
  if (brush.kind == BrushKind::same) return;
  const float radius = brush.radius * (session.shown.areaTo.x - session.shown.areaFrom.x) *
                       session.zoom.scale * ImGui::GetIO().DisplaySize.x;
  drawRing(at, radius, 1.0f, scale);
}

void drawFocusMarkers(const Session& session, float scale) {
  drawBrush(session, scale);
  drawAutofocusPlace(session, scale);
  if (showsFocusPoint(session))
    drawRing(onScreen(pointOf(session, *session.focusPoint)), 7.0f * scale, 2.0f, scale);
  if (session.focusMarkerAgeS >= kFocusMarkerS) return;
  const float left = 1.0f - session.focusMarkerAgeS / kFocusMarkerS;  // 1 to 0
  drawRing(onScreen(session.focusMarker), (10.0f + 10.0f * left) * scale, 2.0f, scale, left);
}

void drawLoupe(const Session& session, float pixelsPerPoint) {
  if (session.loupe == 0) return;
  auto& draw = *ImGui::GetBackgroundDrawList();
  const auto size = ImGui::GetIO().DisplaySize;
  const float side = static_cast<float>(Loupe::kSidePx) / pixelsPerPoint;
  const float margin = static_cast<float>(Loupe::kMarginPx) / pixelsPerPoint;
  const ImVec2 to(size.x - margin, size.y - margin), from(to.x - side, to.y - side);
  draw.AddRect(from, to, IM_COL32_WHITE);
  const ImVec2 at(from.x + session.loupeMark.x * side, to.y - session.loupeMark.y * side);
  const float half = std::max(0.5f * static_cast<float>(session.loupe) / pixelsPerPoint, 2.0f) + 1.0f;
  draw.AddRect({at.x - half - 1, at.y - half - 1}, {at.x + half + 1, at.y + half + 1}, IM_COL32_BLACK);
  draw.AddRect({at.x - half, at.y - half}, {at.x + half, at.y + half}, IM_COL32_WHITE);
  std::string text = formatted("%d:1", session.loupe);
  if (session.loupeColour) {
    const glm::dvec3 colour = 255.0f * *session.loupeColour;
    text += formatted("  R %.0f  G %.0f  B %.0f", colour.r, colour.g, colour.b);
  }
  const float font = loupeTitleFont(pixelsPerPoint);
  draw.AddRectFilled({from.x, from.y - loupeTitleHeight(pixelsPerPoint)}, {to.x, from.y}, kShadow);
  draw.AddText(ImGui::GetFont(), font, {from.x + kLoupeTitleGap, from.y - 1.1f * font}, IM_COL32_WHITE,
               text.c_str());
}

namespace {

Rectangle grown(const Rectangle& rectangle, float by) { return {rectangle.from - by, rectangle.to + by}; }

// Converts a rectangle of the image, 0 to 1 from the bottom left, to screen coordinates.
Rectangle onScreen(const std::array<glm::vec2, 2>& part) {
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
    glm::vec2 from(right ? corner.x + gap : corner.x - gap - size.x,
                   upper ? corner.y - gap - size.y : corner.y + gap);
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
    for (size_t i = 0; i < cells.size(); ++i)
      columns.widths[i] = std::max(columns.widths[i], ImGui::CalcTextSize(cells[i].c_str()).x);
  }
  float across = 0.0f;
  for (const float width : columns.widths)
    across += width + (across > 0.0f ? kColumnGapInFonts * ImGui::GetFontSize() : 0.0f);
  columns.size = {std::max(across, widest),
                  static_cast<float>(columns.lines.size()) * ImGui::GetTextLineHeight()};
  return columns;
}

// Draws text in columns, scaled by `shrink`. All columns but the first are right-aligned.
void drawColumns(const Columns& columns, glm::vec2 from, float shrink) {
  auto& draw = *ImGui::GetBackgroundDrawList();
  const float font = shrink * ImGui::GetFontSize();
  for (const auto& line : columns.lines) {
    float x = from.x;
    for (size_t i = 0; i < line.size(); ++i) {
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
  const ImVec2 mouse = ImGui::IsMousePosValid()
                           ? ImGui::GetIO().MousePos
                           : ImVec2(session.visibleCentre().x * screen.x, 0.5f * screen.y);
  const Rectangle within = visibleImage(session);
  Rectangle pixel{{mouse.x, mouse.y}, {mouse.x, mouse.y}};
  if (marks && marks->pixel) pixel = onScreen(*marks->pixel);
  Rectangle keepFree = pixel;
  if (marks && marks->box) keepFree = drawTableBox(onScreen(*marks->box), pixel, within, scale);

  const Columns columns = columnsOf(text);
  const glm::vec2 around(ImGui::GetStyle().FramePadding.x, ImGui::GetStyle().FramePadding.y);
  const glm::vec2 room = within.to - within.from - 2.0f * around;
  const float shrink = std::clamp(room.x / columns.size.x, kSmallestText, 1.0f);
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
  const Rectangle within = visibleImage(session), origin = onScreen(std::array{marks.origin, marks.origin});
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

namespace {

// Whether to show the progress of a recording: not if the recording includes the panels, or if the timeline shows it.
bool showsRecording(const Session& session) {
  const bool inTimeline = session.filmsShot() && session.timeline.shown;
  return session.sequence && !inTimeline && !session.preferences.capture.recordsPanels();
}

std::optional<MessageBox> noticeBox(const Session& session, float pixelsPerPoint) {
  if (session.noticeAgeS >= kNoticeS) return {};
  const auto [at, widest] = placeOfNotice(session, pixelsPerPoint);
  return messageBox(session.notice, at, {1.0f, 1.0f}, widest);
}

}  // namespace

void drawHint(const Session& session, float pixelsPerPoint) {
  if (session.hintAgeS >= kHintS) return;
  const auto size = ImGui::GetIO().DisplaySize;
  const float width = size.x - imageLeft(session);
  MessageBox box =
      messageBox(session.hint, {imageLeft(session) + 0.5f * width, 0.85f * heightOfImage(session)},
                 {0.5f, 1.0f}, 0.9f * width);
  const auto notice = noticeBox(session, pixelsPerPoint);
  if (notice && box.at.x + box.size.x > notice->at.x && box.at.y + box.size.y > notice->at.y)
    box.at.y = std::max(notice->at.y - ImGui::GetStyle().ItemSpacing.y - box.size.y, 0.0f);
  drawMessage("hint", box);
}

void drawNotice(const Session& session, float pixelsPerPoint, const std::string& covered) {
  auto box = noticeBox(session, pixelsPerPoint);
  if (!box) return;
  if (!covered.empty()) {
    const auto [at, widest] = placeOfNotice(session, pixelsPerPoint);
    const MessageBox below = messageBox(covered, at, {1.0f, 1.0f}, widest);
    box->at = {std::min(box->at.x, below.at.x), std::min(box->at.y, below.at.y)};
    box->size = {std::max(box->size.x, below.size.x), std::max(box->size.y, below.size.y)};
  }
  drawMessage("notice", *box);
}

void drawRecording(const Session& session) {
  if (!showsRecording(session)) return;
  const float margin = ImGui::GetFontSize();
  drawMessage(
      "recording",
      messageBox("Recording " + std::to_string(session.sequence->written) + " of " +
                     std::to_string(session.sequence->frames) +
                     (session.sequence->paused                        ? ", paused"
                      : session.paused() && !session.sequence->ofShot ? ", of an animation that is paused"
                                                                      : ""),
                 {imageLeft(session) + margin, margin}, {0.0f, 0.0f}, ImGui::GetIO().DisplaySize.x));
}

bool drawCapture(const Session& session, const std::string& text, float progress) {
  const auto size = ImGui::GetIO().DisplaySize;
  const auto& style = ImGui::GetStyle();
  const float width = std::min(kCaptureWidthInFonts * ImGui::GetFontSize(), size.x);
  const float line = ImGui::GetFrameHeight() + style.ItemSpacing.y;
  ImGui::SetNextWindowPos({0.5f * (imageLeft(session) + size.x), 0.5f * size.y}, 0, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({width, 3.0f * line + 2.0f * style.WindowPadding.y});
  ImGui::SetNextWindowBgAlpha(1.0f);
  ImGui::Begin("capture", nullptr, kBox | ImGuiWindowFlags_NoScrollbar);
  ImGui::TextUnformatted(text.c_str());
  ImGui::ProgressBar(progress, {-1.0f, 0.0f});
  bool cancelled = ImGui::Button("Cancel (Esc)", {-1.0f, 0.0f});
  ImGui::End();
  // The panels do not react during a capture: test the button of the strip that cancels an export here.
  const PhotoStrip& strip = session.strip;
  if (strip.exporting && ImGui::IsMouseClicked(ImGuiMouseButton_Left))
    cancelled |= ImGui::IsMouseHoveringRect({strip.cancelFrom.x, strip.cancelFrom.y},
                                            {strip.cancelTo.x, strip.cancelTo.y}, false);
  return cancelled;
}

void drawErrors(Session& session, const std::string& message, float pixelsPerPoint) {
  std::string text;
  for (const auto& error : session.errors) text += (text.empty() ? "" : "\n") + error.text;
  if (message.empty()) session.closedMessage.clear();
  session.message = message == session.closedMessage ? "" : message;
  if (!session.message.empty()) text += (text.empty() ? "" : "\n") + message;
  if (text.empty()) return;
  const auto size = ImGui::GetIO().DisplaySize;
  const auto& style = ImGui::GetStyle();
  const float margin = ImGui::GetFontSize();
  const float width = std::clamp(size.x - imageLeft(session) - 2.0f * margin, kNarrowestBoxInFonts * margin,
                                 kErrorWidthInFonts * margin);
  const float wrap = width - 2.0f * style.WindowPadding.x - style.ScrollbarSize;
  const float button = style.ItemSpacing.y + ImGui::GetFrameHeight();
  const float around = button + 2.0f * style.WindowPadding.y;
  const float recording = ImGui::GetTextLineHeight() + 2.0f * style.WindowPadding.y + style.ItemSpacing.y;
  const float navigator = navigatorSize(session).y;
  const float top = margin + (showsRecording(session) ? recording : 0.0f) +
                    (navigator > 0.0f ? navigator + style.ItemSpacing.y : 0.0f);
  const float room = std::max(lowestError(session, pixelsPerPoint) - top,
                              around + kFewestErrorLines * ImGui::GetTextLineHeight());
  ImGui::SetNextWindowPos({size.x - margin, top}, 0, {1.0f, 0.0f});
  ImGui::SetNextWindowSize({width, std::min(wrappedSize(text, wrap).y + around, room)});
  ImGui::SetNextWindowBgAlpha(1.0f);
  ImGui::Begin("error", nullptr, kBox | ImGuiWindowFlags_NoScrollbar);
  ImGui::BeginChild("text", {0.0f, -button});
  ImGui::PushTextWrapPos(wrap);
  ImGui::PushStyleColor(ImGuiCol_Text, kErrorColour);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopStyleColor();
  ImGui::PopTextWrapPos();
  ImGui::EndChild();
  if (ImGui::Button("Close")) session.closeErrors();
  ImGui::End();
}

void drawKeys(const Session& session) {
  if (!session.showKeys) return;
  const ImVec2 size(ImGui::GetIO().DisplaySize.x, heightOfImage(session));  // the timeline still takes keys
  const auto& style = ImGui::GetStyle();
  const ImVec2 cell(ImGui::GetFontSize(), std::floor(0.1f * ImGui::GetFontSize()));  // whole, as in the table
  float keysWidth = 0.0f, helpWidth = 0.0f;
  for (const auto& binding : keyBindings()) {
    if (binding.group != nullptr) keysWidth = std::max(keysWidth, ImGui::CalcTextSize(binding.group).x);
    if (binding.keys == nullptr) continue;
    keysWidth = std::max(keysWidth, ImGui::CalcTextSize(binding.keys).x);
    helpWidth = std::max(helpWidth, ImGui::CalcTextSize(binding.help).x);
  }
  const float around = keysWidth + 4.0f * cell.x + 2.0f * style.WindowPadding.x + style.ScrollbarSize;
  const bool beside =
      size.x - imageLeft(session) - around >= std::min(helpWidth, kNarrowestHelpInFonts * cell.x);
  const float left = beside ? imageLeft(session) : 0.0f;
  helpWidth = std::clamp(helpWidth, 1.0f, std::max(size.x - left - around, 1.0f));
  float height = 2.0f * style.WindowPadding.y;
  for (const auto& binding : keyBindings()) {
    if (binding.group != nullptr) height += ImGui::GetTextLineHeight() + 2.0f * cell.y;
    if (binding.keys != nullptr) height += wrappedSize(binding.help, helpWidth).y + 2.0f * cell.y;
  }
  ImGui::SetNextWindowPos({(left + size.x) / 2, size.y / 2}, 0, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({around + helpWidth, std::min(height + 1.0f, size.y)});
  ImGui::SetNextWindowBgAlpha(1.0f);
  ImGui::Begin("keys", nullptr, kBox);
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, cell);
  if (ImGui::BeginTable("bindings", 2, ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_RowBg)) {
    ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed, keysWidth);
    ImGui::TableSetupColumn("help", ImGuiTableColumnFlags_WidthFixed, helpWidth);
    for (const auto& binding : keyBindings()) {
      if (binding.group != nullptr) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        pushTypeface(Typeface::title);
        ImGui::TextDisabled("%s", binding.group);
        popTypeface();
      }
      if (binding.keys == nullptr) continue;
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(kAccent), "%s", binding.keys);
      ImGui::TableNextColumn();
      ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + helpWidth);
      ImGui::TextUnformatted(binding.help);
      ImGui::PopTextWrapPos();
    }
    ImGui::EndTable();
  }
  ImGui::PopStyleVar();
  ImGui::End();
}

}  // namespace satdof
