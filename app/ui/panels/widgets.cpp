#include "app/ui/panels/widgets.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "app/core/text/formatted.h"
#include "app/core/text/letters.h"
#include "app/lens/depth_of_field.h"
#include "app/render/why_not.h"
#include "app/scene/image/image.h"
#include "app/ui/edit.h"
#include "app/ui/panels/style.h"
#include "app/ui/timeline/timeline_panel.h"

namespace satdof {

namespace {

constexpr float kLabelFraction = 0.44f;
constexpr float kNarrowestControlInFonts = 7.0f;
constexpr float kTooltipWidthInFonts = 24.0f, kNarrowestTooltipInFonts = 12.0f;
constexpr double kTooltipDelayS = 0.4;

// Removes "f/" from the typed characters: a text field for numbers would take f/2 for a division by 2.
void dropLetterOfFNumber() {
  auto& typed = ImGui::GetIO().InputQueueCharacters;
  typed.resize(static_cast<int>(
      std::remove_if(typed.begin(), typed.end(), [](ImWchar c) { return c == 'f' || c == 'F' || c == '/'; }) -
      typed.begin()));
}

// Draws a slider by draw(), and `number` beside it. While the number is typed, the text field takes the place of the slider.
template <class Draw>
bool drawWithNumber(const char* id, const char* number, const Draw& draw) {
  constexpr float kNumberInFonts = 4.2f, kMostPart = 0.6f;
  static ImGuiID typed = 0;
  const ImGuiID item = ImGui::GetID(id);
  const float whole = ImGui::CalcItemWidth(), spacing = ImGui::GetStyle().ItemInnerSpacing.x;
  const float width =
      std::min(std::max(ImGui::CalcTextSize(number).x + spacing, kNumberInFonts * ImGui::GetFontSize()),
               kMostPart * whole);
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
  ImGui::GetWindowDrawList()->AddText(
      {to.x + spacing, ImGui::GetItemRectMin().y + ImGui::GetStyle().FramePadding.y},
      ImGui::GetColorU32(ImGuiCol_Text), cut(number, width - spacing).c_str());
  return moved;
}

ImGuiSliderFlags sliderFlags(const Field& field) {
  return field.interpolation == Interpolation::logarithmic ? ImGuiSliderFlags_Logarithmic : 0;
}

void widget(const Settings&, const Control&, const Field&, bool& value) {
  ImGui::Checkbox("##value", &value);
}

void widget(const Settings&, const Control& control, const Field& field, float& value) {
  if (field.interpolation == Interpolation::diopters) {  // up to infinity
    float position = focusPosition(value);
    // A format without a conversion: the slider shows the text unchanged, and reads typed metres.
    if (!numberedSlider("##value", position, 0.0f, 1.0f, distanceText(value).c_str())) return;
    value = ImGui::GetIO().WantTextInput ? position : focusAtPosition(position);
    return;
  }
  const bool narrow = control.low != control.high;
  float position = value;
  char text[32] = "";  // the standard f-number; the slider would show its own position
  if (control.thirdStops) std::snprintf(text, sizeof text, control.format, static_cast<double>(value));
  static bool typesFNumber = false;
  if (control.thirdStops && typesFNumber) dropLetterOfFNumber();
  const bool moved = numberedSlider("##value", position, static_cast<float>(narrow ? control.low : field.min),
                                    static_cast<float>(narrow ? control.high : field.max),
                                    control.thirdStops                         ? text
                                    : control.zero != nullptr && value == 0.0f ? control.zero
                                                                               : control.format,
                                    sliderFlags(field));
  if (control.thirdStops) typesFNumber = ImGui::IsItemActive();
  if (!moved) return;
  const bool snaps = control.thirdStops && !ImGui::GetIO().WantTextInput;
  const float way = position - value, nearest = nearestFNumber(position);
  if (snaps && nearest == value && !ImGui::IsMouseDown(ImGuiMouseButton_Left)) {  // a key's step is smaller
    LensSettings lens{.fNumber = value};
    moveFNumber(lens, way > 0.0f ? 1 : -1);
    value = lens.fNumber;
  } else {
    value = snaps ? nearest : position;
  }
}

void widget(const Settings&, const Control& control, const Field& field, int& value) {
  if (!control.powersOfTwo) {
    const bool narrow = control.low != control.high;
    numberedSlider("##value", value, static_cast<int>(narrow ? control.low : field.min),
                   static_cast<int>(narrow ? control.high : field.max), "%d", sliderFlags(field));
    return;
  }
  const auto text = [](int number) { return number == 0 ? std::string("auto") : std::to_string(number); };
  if (!beginList("##value", text(value))) return;
  const auto offer = [&](int number) {
    if (number >= field.min && ImGui::Selectable(text(number).c_str(), number == value)) value = number;
  };
  offer(0);
  for (int power = 1; power <= static_cast<int>(field.max); power *= 2) offer(power);
  endList();
}

// A list of the built-in masks with a line to type the path of a file.
void widget(const Settings&, const Control&, const Field&, MaskName& value) {
  if (!beginList("##value", value.text)) return;
  for (const MaskEntry& entry : filterMasks()) {
    if (ImGui::Selectable(entry.name, value.text == entry.name)) value.text = entry.name;
    tooltip(entry.summary);
  }
  static char path[1024] = "";
  ImGui::SetNextItemWidth(-1.0f);
  if (ImGui::InputTextWithHint("##path", "file.json, then Enter", path, sizeof path,
                               ImGuiInputTextFlags_EnterReturnsTrue)) {
    const MaskName typed{path};
    if (typed.isFile()) value = typed;
  }
  tooltip("The path of a .json file with width, height and weights");
  endList();
}

// State of the widgets between frames.
constexpr const char* kBrowse = "Open";
std::string browsed;  // for takeBrowsed()
std::string keyed;    // for takeKeyed()
KeyStates keyStates;
glm::vec2 restsAt{0.0f};   // corner of the item on which the mouse or the keyboard rests
double restsSinceS = 0.0;  // ImGui::GetTime() when it came there
struct {
  struct Axes {
    bool across = false, upwards = false, pages = false;
  } taken, next;  // keys that items of the last frame take; that items of this frame take
  Arrows pressed;
} arrows;

// A typed path whose file is being read.
struct EnteredPath {
  std::string path, insteadOf;  // insteadOf: the value that the path replaces
  int frames = 0;               // since it was entered
};
std::map<ImGuiID, EnteredPath> entered;

// A text field for a path, which Enter uses, with a button to choose the file. The path of a file that is being read stays in
// grey until the value changes or the file is refused. While it is not edited, the field shows the end of a long path.
void widget(const Settings&, const Control&, const Field& field, FilePath& value) {
  static char path[1024] = "";
  static ImGuiID editing = 0;
  const ImGuiID id = ImGui::GetID("##value");
  if (const auto old = entered.find(id); old != entered.end() && old->second.insteadOf != value.text)
    entered.erase(old);
  const auto found = entered.find(id);
  const bool waits = found != entered.end();
  if (editing != id)
    std::snprintf(path, sizeof path, "%s", (waits ? found->second.path : value.text).c_str());
  const float spacing = ImGui::GetStyle().ItemInnerSpacing.x;
  ImGui::SetNextItemWidth(ImGui::CalcItemWidth() - buttonWidth(kBrowse) - spacing);
  const ImVec2 at = ImGui::GetCursorScreenPos(), padding = ImGui::GetStyle().FramePadding;
  const std::string end = cutBeginning(path, ImGui::CalcItemWidth() - 2.0f * padding.x);
  const bool cuts = editing != id && end != path;
  const ImU32 colour = ImGui::GetColorU32(waits && editing != id ? ImGuiCol_TextDisabled : ImGuiCol_Text);
  ImGui::PushStyleColor(ImGuiCol_Text, cuts ? IM_COL32_BLACK_TRANS : colour);
  char* const shown = path;
  if (ImGui::InputTextWithHint("##value", "path, or drop", shown, sizeof path,
                               ImGuiInputTextFlags_EnterReturnsTrue)) {
    if (value.text != path) entered[id] = {path, value.text};
    value.text = path;
  }
  ImGui::PopStyleColor();
  if (cuts && !ImGui::IsItemActive())
    ImGui::GetWindowDrawList()->AddText({at.x + padding.x, at.y + padding.y}, colour, end.c_str());
  if (ImGui::IsItemActive())
    editing = id;
  else if (editing == id)
    editing = 0;
  ImGui::SameLine(0.0f, spacing);
  if (ImGui::Button(kBrowse)) browsed = field.path();
}

template <class E>
requires std::is_enum_v<E>
void widget(const Settings& settings, const Control&, const Field& field, E& value,
            const std::string& unavailable) {
  if (!unavailable.empty())
    ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
  std::string shown = shownName(value);
  if constexpr (std::is_same_v<E, DepthMeaning>)
    if (const auto meaning = depthMeaning(settings.scene.image).value_or(value); meaning != value)
      shown.append(": ").append(shownName(meaning));
  const bool open = beginList("##value", shown);
  if (!unavailable.empty()) ImGui::PopStyleColor();
  if (!open) return;
  if (!unavailable.empty()) ImGui::TextUnformatted(unavailable.c_str());
  for (const auto& entry : entries(value)) {
    const std::string reason = whyNot(settings, field.path(), entry.value);
    ImGui::BeginDisabled(!unavailable.empty() || !reason.empty());
    const bool says = unavailable.empty() && !reason.empty();
    const auto label = shownName(entry.value) + (says ? ": " + reason : "");
    if (ImGui::Selectable(label.c_str(), entry.value == value)) value = entry.value;
    ImGui::EndDisabled();
    tooltip(entry.summary);
  }
  endList();
}

template <class V>
std::string tooltipText(const Control& control, const Field& field, const V& value) {
  std::string text = field.help;
  text[0] = upper(text[0]);
  if constexpr (std::is_enum_v<V>) text.append("\n").append(described(value));
  if constexpr (std::is_same_v<V, MaskName>) text += "\n" + value.text;
  text += notesOf(control, field.scope);
  if (field.flag != nullptr) text += "\nOption " + field.option();
  return text;
}

// Places the next window, the tooltip of an item, right of the current window. Without room there, below an item in the upper
// half of the screen, or above an item in the lower half, where rows of the timeline are below. Returns the width of the text.
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

void resetField(Settings& settings, const Field& field) {
  const std::string path = field.path();
  const char* const paths[] = {path.c_str()};
  resetFields(settings, paths);
}

// Whether the space at text[space] separates a number from its unit.
bool isBeforeUnit(std::string_view text, std::size_t space) {
  constexpr std::array<std::string_view, 13> kUnits = {"%",  "m", "mm", "px",  "deg", "dB", "us",
                                                       "ms", "s", "MB", "MiB", "GiB", "fps"};
  if (space == 0 || std::isdigit(static_cast<unsigned char>(text[space - 1])) == 0) return false;
  const std::string_view rest = text.substr(space + 1), word = rest.substr(0, rest.find_first_of(" \n,;:.)"));
  return std::ranges::find(kUnits, word) != kUnits.end();
}

// Draws the diamond of a field at the right edge of its row, in the padding of the window.
void keyDiamond(const std::string& path, const char* label) {
  const KeyState state = keyStates(path);
  const ImVec2 row = ImGui::GetCursorScreenPos();
  const float padding = ImGui::GetStyle().WindowPadding.x, height = ImGui::GetFrameHeight();
  const ImVec2 from(row.x + ImGui::GetContentRegionAvail().x, row.y), to(from.x + padding, row.y + height);
  const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetWindowHeight();
  ImGui::PushClipRect({from.x, std::max(from.y, top)}, {to.x, std::min(to.y, bottom)}, false);
  ImGui::SetCursorScreenPos(from);
  if (plainButton("##key", {padding, height})) keyed = path;
  drawDiamond({0.5f * (from.x + to.x), from.y + 0.5f * height}, 0.36f * padding,
              state.changed    ? Diamond::changed
              : state.here     ? Diamond::here
              : state.animated ? Diamond::elsewhere
                               : Diamond::none);
  ImGui::PopClipRect();
  tooltip(std::string(state.here && !state.changed ? "Remove the key of " : "Set a key of ") + label);
  ImGui::SetCursorScreenPos(row);
}

}  // namespace

bool escapePressed() {
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::IsKeyPressed(ImGuiKey_Escape);
#else
  return ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
#endif
}

std::string notesOf(const Control& control, const Scope& scope) {
  std::string notes;
  for (const char* const note :
       {control.source, std::strcmp(scope.path, kTechniqueB.path) == 0 ? "" : control.keys})
    if (note[0] != '\0') notes.append("\n").append(note);
  return notes;
}

void resetFields(Settings& settings, std::span<const char* const> paths) {
  const Settings defaults;
  describe(settings, defaults, [&](const Field& field, auto& value, const auto& initial) {
    const std::string path = field.path();
    if (std::ranges::any_of(paths, [&](const char* start) { return path.starts_with(start); }))
      value = initial;
  });
}

void edit(Settings& settings, std::span<const Control> controls) {
  for (const Control& control : controls) edit(settings, control);
}

bool button(const char* label, const char* help, float width, const std::string& unavailable) {
  ImGui::BeginDisabled(!unavailable.empty());
  const bool pressed = ImGui::Button(label, {width, 0.0f});
  ImGui::EndDisabled();
  tooltip(help + (unavailable.empty() ? "" : "\nNot now: " + unavailable));
  return pressed;
}

float buttonWidth(const char* label) {
  return ImGui::CalcTextSize(label).x + 2.0f * ImGui::GetStyle().FramePadding.x;
}

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
  return pressed && !ImGui::IsMouseDown(ImGuiMouseButton_Left) &&
         !ImGui::IsMouseReleased(ImGuiMouseButton_Left);
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
  const float room =
      ImGui::CalcItemWidth() - ImGui::GetFrameHeight() - 2.0f * ImGui::GetStyle().FramePadding.x;
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

void showKeyStates(KeyStates states) { keyStates = std::move(states); }
std::string takeKeyed() { return std::exchange(keyed, {}); }

bool editKeyValue(const Settings& settings, const std::string& path, float& value) {
  const float before = value;
  describe(settings, [&]<class V>(const Field& field, const V&) {
    if constexpr (isKeyed<V>) {
      if (!field.isAt(path)) return;
      static constexpr Control kPlain{.path = "", .label = "", .source = ""};
      const Control* const found = findControl(path);
      const Control& control = found != nullptr ? *found : kPlain;
      V edited{};
      if constexpr (std::is_same_v<V, bool>)
        edited = value != 0.0f;
      else
        edited = static_cast<V>(value);
      ImGui::PushID("key value");
      if constexpr (std::is_enum_v<V>) {
        widget(settings, control, field, edited, {});
      } else if (found != nullptr || std::is_same_v<V, bool>) {
        widget(settings, control, field, edited);
      } else {  // no range of a slider is known
        auto number = static_cast<float>(edited);
        ImGui::DragFloat("##value", &number, 0.005f * std::max(std::abs(number), 1.0f),
                         static_cast<float>(field.min), static_cast<float>(field.max), "%.2f");
        edited = static_cast<V>(number);
      }
      ImGui::PopID();
      tooltip(labelOf(path) + " of the selected key");
      value = static_cast<float>(edited);
      if constexpr (!std::is_enum_v<V> && !std::is_same_v<V, bool>)
        value = std::clamp(value, static_cast<float>(field.min), static_cast<float>(field.max));
    }
  });
  return value != before;
}

void updateEnteredPaths(bool loading) {
  constexpr int kBegins = 3;  // frames until the reading of a file has begun
  for (auto& [id, path] : entered) ++path.frames;
  std::erase_if(entered, [&](const auto& each) { return each.second.frames > kBegins && !loading; });
}

std::string takeBrowsed() { return std::exchange(browsed, {}); }

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

void edit(Settings& settings, const Scope& scope, std::initializer_list<const char*> paths) {
  for (const char* const path : paths) edit(settings, controlOf(path), scope);
}

void edit(Settings& settings, const Control& control, const Scope& scope, std::string unavailable) {
  bool found = false;
  if (unavailable.empty()) unavailable = whyNot(settings, std::string(scope.path) + control.path);
  describe(settings, [&]<class V>(const Field& field, V& value) {
    if (std::strcmp(field.key, control.path) != 0 || std::strcmp(field.scope.path, scope.path) != 0) return;
    found = true;
    if constexpr (!std::is_same_v<V, glm::ivec2>) {
      ImGui::PushID(field.path().c_str());
      if constexpr (isKeyed<V>)
        if (keyStates && field.takesKeys()) keyDiamond(field.path(), control.label);
      ImGui::BeginGroup();
      ImGui::BeginDisabled(!unavailable.empty());
      const bool reset = rowLabel(control.label);
      if constexpr (std::is_enum_v<V>) {  // an open list stays readable while it has no effect
        ImGui::EndDisabled();
        widget(settings, control, field, value, unavailable);
        ImGui::BeginDisabled(!unavailable.empty());
      } else {
        widget(settings, control, field, value);
      }
      const bool held = std::is_arithmetic_v<V> && !std::is_same_v<V, bool> && ImGui::IsItemActive() &&
                        ImGui::IsMouseDown(ImGuiMouseButton_Left) &&
                        ImGui::GetIO().MouseClickedLastCount[0] == 2;
      if (unavailable.empty() && (reset || held)) resetField(settings, field);
      if constexpr (std::is_arithmetic_v<V> && !std::is_same_v<V, bool>)
        value = static_cast<V>(std::clamp(static_cast<double>(value), field.min, field.max));
      ImGui::EndDisabled();
      ImGui::EndGroup();
      tooltip(tooltipText(control, field, value) +
              (unavailable.empty() ? "" : "\nNo effect now: " + unavailable));
      ImGui::PopID();
    }
  });
  if (!found)
    throw std::logic_error(std::string("a control names the unknown field ") + scope.path + control.path);
}

void showField(const char* path, const std::string& text) {
  const Control& control = controlOf(path);
  ImGui::PushID(path);
  if (keyStates) keyDiamond(path, control.label);
  rowLabel(control.label);
  ImGui::TextUnformatted(cut(text, ImGui::GetContentRegionAvail().x).c_str());
  tooltip(text + notesOf(control, kNoScope));
  ImGui::PopID();
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
    const float height =
        size.y * std::min(std::sqrt(static_cast<float>(counts[i]) / static_cast<float>(most)), 1.0f);
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
  draw.AddRectFilled(from, to,
                     ImGui::GetColorU32(ImGui::IsItemHovered() ? ImGuiCol_HeaderHovered : ImGuiCol_FrameBg));
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
  const float room = above ? ImGui::GetContentRegionAvail().x
                           : controlX - ImGui::GetCursorPosX() - ImGui::GetStyle().ItemSpacing.x;
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

std::string brokenAtSpaces(const std::string& text, float width) {
  std::string broken = text;
  std::size_t line = 0, space = std::string::npos;  // where the line and its last space start
  for (std::size_t i = 0; i <= broken.size(); ++i) {
    if (i < broken.size() && broken[i] != '\n' && (broken[i] != ' ' || isBeforeUnit(broken, i))) continue;
    if (space != std::string::npos &&
        ImGui::CalcTextSize(broken.data() + line, broken.data() + i).x > width) {
      broken[space] = '\n';
      line = space + 1;
    }
    space = i;
    if (i < broken.size() && broken[i] == '\n') {
      line = i + 1;
      space = std::string::npos;
    }
  }
  return broken;
}

std::string cut(const std::string& text, float width) {
  std::string shown = text;
  for (std::size_t length = text.size(); ImGui::CalcTextSize(shown.c_str()).x > width && length > 0;) {
    do --length;
    while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80);  // within a character
    shown = text.substr(0, length) + "...";
  }
  return shown;
}

std::string cutBeginning(const std::string& text, float width) {
  std::string shown = text;
  for (std::size_t from = 0; ImGui::CalcTextSize(shown.c_str()).x > width && from < text.size();) {
    do ++from;
    while (from < text.size() && (static_cast<unsigned char>(text[from]) & 0xc0) == 0x80);
    shown = "..." + text.substr(from);
  }
  return shown;
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

bool beginBesidePanels(const char* title, bool& shown, glm::vec2& laidOutFor, float columnWidth,
                       float narrowest, float height) {
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
  const bool open =
      ImGui::Begin(title, &shown, ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoCollapse);
  ImGui::PopStyleColor();
  return open;
}

}  // namespace satdof
