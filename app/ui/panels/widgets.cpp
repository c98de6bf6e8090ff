#include "app/ui/panels/widgets.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

#include "app/core/text/formatted.h"
#include "app/ui/panels/fitted_text.h"
#include "app/ui/panels/style.h"

namespace satdof {

namespace {

constexpr float kLabelFraction = 0.44f;
constexpr float kNarrowestControlInFonts = 7.0f;
constexpr float kTooltipWidthInFonts = 24.0f, kNarrowestTooltipInFonts = 12.0f;
constexpr double kTooltipDelayS = 0.4;

// Draws a slider by draw(), and `number` beside it. While the number is typed, the text field takes the place of the
// slider.
template <class Draw>
bool drawWithNumber(const char* id, const char* number, const Draw& draw) {
  constexpr float kNumberInFonts = 4.2f, kMaxPart = 0.6f;
  static ImGuiID typed = 0;
  const ImGuiID item = ImGui::GetID(id);
  const float whole = ImGui::CalcItemWidth(), spacing = ImGui::GetStyle().ItemInnerSpacing.x;
  const float width = std::min(std::max(ImGui::CalcTextSize(number).x + spacing, kNumberInFonts * ImGui::GetFontSize()),
                               kMaxPart * whole);
  ImGui::SetNextItemWidth(whole - width);
  const bool isTyped = typed == item;
  if (!isTyped) ImGui::PushStyleColor(ImGuiCol_Text, IM_COL32_BLACK_TRANS);
  const bool moved = draw();
  if (!isTyped) ImGui::PopStyleColor();
  if (ImGui::IsItemActive() && ImGui::GetIO().WantTextInput)
    typed = item;
  else if (isTyped)
    typed = 0;
  const ImVec2 to = ImGui::GetItemRectMax();
  ImGui::GetWindowDrawList()->AddText({to.x + spacing, ImGui::GetItemRectMin().y + ImGui::GetStyle().FramePadding.y},
                                      ImGui::GetColorU32(ImGuiCol_Text), cut(number, width - spacing).c_str());
  return moved;
}

// State of the widgets between frames.
glm::vec2 restsAt{0.0f};   // corner of the item on which the mouse or the keyboard rests
double restsSinceS = 0.0;  // ImGui::GetTime() when it came there
struct {
  struct Axes {
    bool across = false, upwards = false, pages = false;
  } taken, next;  // keys that items of the last frame take; that items of this frame take
  Arrows pressed;
} arrows;

// Places the next window, the tooltip of an item, right of the current window. Without room there, below an item in the
// upper half of the screen, or above an item in the lower half, where rows of the timeline are below. Returns the width
// of the text.
float placeTooltip(const std::string& text, ImVec2 itemFrom, ImVec2 itemTo) {
  const float font = ImGui::GetFontSize(), gap = 0.5f * font;
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowWidth() + gap;
  const ImVec2 display = ImGui::GetIO().DisplaySize, padding = ImGui::GetStyle().WindowPadding;
  const float widest = display.x - gap - 2.0f * padding.x, room = widest - right;
  const bool fits = room >= kNarrowestTooltipInFonts * font;
  const float width = std::min(fits ? room : widest, kTooltipWidthInFonts * font);
  const ImVec2 size = ImGui::CalcTextSize(brokenAtSpaces(text, width).c_str(), nullptr, false, width);
  const float height = size.y + 2.0f * padding.y;
  const float lowest = display.y - height, below = itemTo.y + gap, above = itemFrom.y - gap - height;
  const bool goesBelow = below <= lowest && (itemTo.y < 0.5f * display.y || above < 0.0f);
  const float y = fits ? std::min(itemFrom.y, lowest) : goesBelow ? below : above;
  const float x = fits ? right : std::max(std::min(itemFrom.x, widest - size.x), 0.0f);
  ImGui::SetNextWindowPos({x, std::max(y, 0.0f)});
  return width;
}

}  // namespace

bool escapePressed() {
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::IsKeyPressed(ImGuiKey_Escape);
#else
  return ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
#endif
}

bool button(const char* label, const char* help, float width, const std::string& unavailable) {
  ImGui::BeginDisabled(!unavailable.empty());
  const bool pressed = ImGui::Button(label, {width, 0.0f});
  ImGui::EndDisabled();
  tooltip(help + (unavailable.empty() ? "" : "\nNot now: " + unavailable));
  return pressed;
}

float buttonWidth(const char* label) { return ImGui::CalcTextSize(label).x + 2.0f * ImGui::GetStyle().FramePadding.x; }

float shareOfLine(int items) {
  const float spacing = static_cast<float>(items - 1) * ImGui::GetStyle().ItemSpacing.x;
  return (ImGui::GetContentRegionAvail().x - spacing) / static_cast<float>(items);
}

bool numberedSlider(const char* id, float& value, float min, float max, const char* format, int flags) {
  char number[64];
  std::snprintf(number, sizeof number, format, static_cast<double>(value));
  return drawWithNumber(id, number, [&] { return ImGui::SliderFloat(id, &value, min, max, format, flags); });
}

bool numberedSlider(const char* id, int& value, int min, int max, const char* format, int flags) {
  char number[64];
  std::snprintf(number, sizeof number, format, value);
  return drawWithNumber(id, number, [&] { return ImGui::SliderInt(id, &value, min, max, format, flags); });
}

bool plainButton(const char* id, glm::vec2 size) {
  const bool pressed = ImGui::InvisibleButton(id, {size.x, size.y});
  if (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible)
    ImGui::GetWindowDrawList()->AddRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                                        ImGui::GetColorU32(ImGuiCol_NavHighlight), 0.0f, 0, 2.0f);
  return pressed;
}

bool byKeyboard(bool pressed) {
  return pressed && !ImGui::IsMouseDown(ImGuiMouseButton_Left) && !ImGui::IsMouseReleased(ImGuiMouseButton_Left);
}

Arrows arrowsOfItem(bool upwards) {
  if (!ImGui::IsItemFocused() || !ImGui::GetIO().NavVisible) return {};
  arrows.next.across = true;
  arrows.next.upwards = upwards;
  return std::exchange(arrows.pressed, {});
}

Arrows pagesOfWindow() {
  if (!ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows) || !ImGui::GetIO().NavVisible) return {};
  arrows.next.pages = true;
  return {.page = std::exchange(arrows.pressed.page, 0), .end = std::exchange(arrows.pressed.end, 0)};
}

void beginArrows() { arrows = {.taken = arrows.next, .next = {}, .pressed = {}}; }

bool pressArrow(const Arrows& arrow) {
  const auto [across, upwards, pages] = arrows.taken;
  if (!(arrow.right != 0 ? across : arrow.up != 0 ? upwards : pages)) return false;
  arrows.pressed.right += arrow.right;
  arrows.pressed.up += arrow.up;
  arrows.pressed.page += arrow.page;
  arrows.pressed.end += arrow.end;
  arrows.pressed.shift = arrow.shift;
  return true;
}

bool beginList(const char* label, const std::string& shown, const std::string& ending) {
  const float room = ImGui::CalcItemWidth() - ImGui::GetFrameHeight() - 2.0f * ImGui::GetStyle().FramePadding.x;
  const std::string text = cut(shown, room - ImGui::CalcTextSize(ending.c_str()).x) + ending;
  if (!ImGui::BeginCombo(label, text.c_str(), ImGuiComboFlags_HeightLarge)) return false;
  if (escapePressed()) ImGui::CloseCurrentPopup();
  return true;
}

void endList() { ImGui::EndCombo(); }

bool listEntry(const std::string& label, const std::string& help, bool chosen) {
  const bool pressed = ImGui::Selectable(label.c_str(), chosen);
  if (!help.empty()) tooltip(help);
  return pressed;
}

void progressBar(float progress, const std::string& text, float width, float height) {
  const ImVec2 from = ImGui::GetCursorScreenPos(), to(from.x + width, from.y + height);
  const auto& style = ImGui::GetStyle();
  auto& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(from, to, ImGui::GetColorU32(ImGuiCol_FrameBg), style.FrameRounding);
  draw.AddRectFilled(from, {from.x + std::clamp(progress, 0.0f, 1.0f) * width, to.y},
                     ImGui::GetColorU32(ImGuiCol_PlotHistogram), style.FrameRounding);
  draw.AddText({from.x + style.FramePadding.x, from.y + 0.5f * (height - ImGui::GetFontSize())},
               ImGui::GetColorU32(ImGuiCol_Text), cut(text, width - 2.0f * style.FramePadding.x).c_str());
  ImGui::Dummy({width, height});
}

void tooltip(const std::string& text) {
  if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) || ImGui::IsAnyItemActive()) return;
  const auto& io = ImGui::GetIO();
  const ImVec2 at = ImGui::GetItemRectMin();
  const bool moved = io.MouseDelta.x != 0.0f || io.MouseDelta.y != 0.0f;
  const double now = ImGui::GetTime();
  if (moved || at.x != restsAt.x || at.y != restsAt.y || now < restsSinceS) {
    restsAt = {at.x, at.y};
    restsSinceS = now;
  }
  if (now - restsSinceS < kTooltipDelayS) return;
  const float width = placeTooltip(text, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  ImGui::PushStyleVar(ImGuiStyleVar_Alpha, 1.0f);  // of disabled items, too
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(ImGui::GetStyle().WindowPadding.x + width);
  ImGui::TextUnformatted(brokenAtSpaces(text, width).c_str());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
  ImGui::PopStyleVar();
}

void drawShadowedText(ImDrawList& draw, glm::vec2 at, const std::string& text) {
  draw.AddText({at.x + 1, at.y + 1}, IM_COL32_BLACK, text.c_str());
  draw.AddText({at.x, at.y}, IM_COL32_WHITE, text.c_str());
}

void drawBars(ImDrawList& draw, std::span<const std::uint32_t> counts, std::uint32_t most, glm::vec2 from,
              glm::vec2 size, std::uint32_t colour) {
  const float width = size.x / static_cast<float>(counts.size()), bottom = from.y + size.y;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const float height = size.y * std::min(std::sqrt(static_cast<float>(counts[i]) / static_cast<float>(most)), 1.0f);
    const float left = from.x + static_cast<float>(i) * width;
    draw.AddRectFilled({left, bottom - height}, {left + width, bottom}, colour);
  }
}

void drawInside(ImDrawList& draw, const Thumbnails::Image& image, glm::vec2 from, glm::vec2 size) {
  const glm::vec2 shown = image.size * std::min(size.x / image.size.x, size.y / image.size.y),
                  corner = from + 0.5f * (size - shown);
  draw.AddImage((ImTextureID) static_cast<std::intptr_t>(image.texture), {corner.x, corner.y},
                {corner.x + shown.x, corner.y + shown.y}, {0, 1}, {1, 0});
}

bool drawThumbnail(Thumbnails& thumbnails, const Thumbnails::Key& key, glm::vec2 size, bool chosen) {
  const ImVec2 from = ImGui::GetCursorScreenPos(), to(from.x + size.x, from.y + size.y);
  const std::string name = key.look.empty() ? key.file.filename().string() : key.look;
  ImGui::PushID(name.c_str());
  ImGui::PushID(key.file.c_str());
  const bool pressed = plainButton("thumbnail", {size.x, size.y});
  ImGui::PopID();
  ImGui::PopID();
  tooltip(name);
  if (!ImGui::IsItemVisible()) return pressed;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(from, to, ImGui::GetColorU32(ImGui::IsItemHovered() ? ImGuiCol_HeaderHovered : ImGuiCol_FrameBg));
  const auto image = thumbnails.request(key);
  if (image.texture != 0) {
    drawInside(draw, image, {from.x, from.y}, size);
  } else {
    const std::string text = cut(name, size.x);
    draw.AddText({from.x + 0.5f * (size.x - ImGui::CalcTextSize(text.c_str()).x),
                  from.y + 0.5f * (size.y - ImGui::GetTextLineHeight())},
                 ImGui::GetColorU32(ImGuiCol_TextDisabled), text.c_str());
  }
  if (chosen) draw.AddRect(from, to, ImGui::GetColorU32(ImGuiCol_CheckMark), 0.0f, 0, 2.0f);
  return pressed;
}

void textRow(const char* label, const char* shown, std::string& value, const char* help) {
  rowLabel(label);
  std::array<char, 1024> text{};
  value.copy(text.data(), text.size() - 1);
  if (ImGui::InputTextWithHint((std::string("##") + label).c_str(), shown, text.data(), text.size()))
    value = text.data();
  tooltip(help);
}

bool rowLabel(const char* label) {
  ImGui::AlignTextToFramePadding();
  const float controlX = kLabelFraction * ImGui::GetWindowWidth();
  const bool above = ImGui::GetWindowWidth() - controlX < kNarrowestControlInFonts * ImGui::GetFontSize();
  const float room =
      above ? ImGui::GetContentRegionAvail().x : controlX - ImGui::GetCursorPosX() - ImGui::GetStyle().ItemSpacing.x;
  const std::string shown = cut(label, room);
  ImGui::TextUnformatted(shown.c_str());
  const bool doubleClicked = ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  if (shown != label) tooltip(label);
  if (!above) {
    ImGui::SameLine();
    ImGui::SetCursorPosX(controlX);
  }
  ImGui::SetNextItemWidth(-1.0f);
  return doubleClicked;
}

void hint(const std::string& text) {
  pushTypeface(Typeface::hint);
  ImGui::PushTextWrapPos(0.0f);
  ImGui::TextDisabled("%s", brokenAtSpaces(text, ImGui::GetContentRegionAvail().x).c_str());
  ImGui::PopTextWrapPos();
  popTypeface();
}

std::string timeText(float timeUs) {
  const bool inS = timeUs >= 999.5e3f, inMs = timeUs >= 999.5f;
  const auto time = static_cast<double>(timeUs) * (inS ? 1e-6 : inMs ? 1e-3 : 1.0);
  const int decimals = time >= 99.95 ? 0 : inMs && time < 9.995 ? 2 : 1;
  return formatted("%.*f %s", decimals, time, inS ? "s" : inMs ? "ms" : "us");
}

bool beginBesidePanels(const char* title, bool& shown, glm::vec2& laidOutFor, float columnWidth, float narrowest,
                       float height) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float gap = ImGui::GetFontSize();
  const bool resized = laidOutFor != glm::vec2(display.x, display.y);
  laidOutFor = {display.x, display.y};
  const ImGuiCond when = resized ? ImGuiCond_Always : ImGuiCond_FirstUseEver;
  const float width = std::max(std::min(narrowest, display.x), display.x - columnWidth - 2.0f * gap);
  ImGui::SetNextWindowPos({std::max(0.0f, std::min(columnWidth + gap, display.x - width)), gap}, when);
  ImGui::SetNextWindowSize({width, std::min(height, display.y - gap)}, when);
  ImGui::SetNextWindowBgAlpha(1.0f);
  ImGui::PushStyleColor(ImGuiCol_TitleBgActive, ImGui::GetColorU32(ImGuiCol_Header));
  const bool open = ImGui::Begin(title, &shown, ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoCollapse);
  ImGui::PopStyleColor();
  return open;
}

}  // namespace satdof
