#include "app/ui/panels/field_widgets.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "app/core/text/letters.h"
#include "app/filter/mask.h"
#include "app/lens/depth_of_field.h"
#include "app/render/why_not.h"
#include "app/scene/image/image.h"
#include "app/ui/edit.h"
#include "app/ui/panels/fitted_text.h"
#include "app/ui/panels/widgets.h"
#include "app/ui/timeline/icons.h"

namespace satdof {

namespace {

// Removes "f/" from the typed characters: a text field for numbers would take f/2 for a division by 2.
void dropLetterOfFNumber() {
  auto& typed = ImGui::GetIO().InputQueueCharacters;
  typed.resize(static_cast<int>(
      std::remove_if(typed.begin(), typed.end(), [](ImWchar c) { return c == 'f' || c == 'F' || c == '/'; }) -
      typed.begin()));
}

ImGuiSliderFlags sliderFlags(const Field& field) {
  return field.interpolation == Interpolation::logarithmic ? ImGuiSliderFlags_Logarithmic : 0;
}

void widget(const Settings&, const Control&, const Field&, bool& value) { ImGui::Checkbox("##value", &value); }

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

// A typed path whose file is being read.
struct EnteredPath {
  std::string path, insteadOf;  // insteadOf: the value that the path replaces
  int frames = 0;               // since it was entered
};
std::map<ImGuiID, EnteredPath> entered;

// A text field for a path, which Enter uses, with a button to choose the file. The path of a file that is being read
// stays in grey until the value changes or the file is refused. While it is not edited, the field shows the end of a
// long path.
void widget(const Settings&, const Control&, const Field& field, FilePath& value) {
  static char path[1024] = "";
  static ImGuiID editing = 0;
  const ImGuiID id = ImGui::GetID("##value");
  if (const auto old = entered.find(id); old != entered.end() && old->second.insteadOf != value.text)
    entered.erase(old);
  const auto found = entered.find(id);
  const bool waits = found != entered.end();
  if (editing != id) std::snprintf(path, sizeof path, "%s", (waits ? found->second.path : value.text).c_str());
  const float spacing = ImGui::GetStyle().ItemInnerSpacing.x;
  ImGui::SetNextItemWidth(ImGui::CalcItemWidth() - buttonWidth(kBrowse) - spacing);
  const ImVec2 at = ImGui::GetCursorScreenPos(), padding = ImGui::GetStyle().FramePadding;
  const std::string end = cutBeginning(path, ImGui::CalcItemWidth() - 2.0f * padding.x);
  const bool cuts = editing != id && end != path;
  const ImU32 colour = ImGui::GetColorU32(waits && editing != id ? ImGuiCol_TextDisabled : ImGuiCol_Text);
  ImGui::PushStyleColor(ImGuiCol_Text, cuts ? IM_COL32_BLACK_TRANS : colour);
  char* const shown = path;
  if (ImGui::InputTextWithHint("##value", "path, or drop", shown, sizeof path, ImGuiInputTextFlags_EnterReturnsTrue)) {
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
void widget(const Settings& settings, const Control&, const Field& field, E& value, const std::string& unavailable) {
  if (!unavailable.empty()) ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
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

void resetField(Settings& settings, const Field& field) {
  const std::string path = field.path();
  const char* const paths[] = {path.c_str()};
  resetFields(settings, paths);
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

std::string notesOf(const Control& control, const Scope& scope) {
  std::string notes;
  for (const char* const note : {control.source, std::strcmp(scope.path, kTechniqueB.path) == 0 ? "" : control.keys})
    if (note[0] != '\0') notes.append("\n").append(note);
  return notes;
}

void resetFields(Settings& settings, std::span<const char* const> paths) {
  const Settings defaults;
  describe(settings, defaults, [&](const Field& field, auto& value, const auto& initial) {
    const std::string path = field.path();
    if (std::ranges::any_of(paths, [&](const char* start) { return path.starts_with(start); })) value = initial;
  });
}

void edit(Settings& settings, std::span<const Control> controls) {
  for (const Control& control : controls) edit(settings, control);
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
        ImGui::DragFloat("##value", &number, 0.005f * std::max(std::abs(number), 1.0f), static_cast<float>(field.min),
                         static_cast<float>(field.max), "%.2f");
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
                        ImGui::IsMouseDown(ImGuiMouseButton_Left) && ImGui::GetIO().MouseClickedLastCount[0] == 2;
      if (unavailable.empty() && (reset || held)) resetField(settings, field);
      if constexpr (std::is_arithmetic_v<V> && !std::is_same_v<V, bool>)
        value = static_cast<V>(std::clamp(static_cast<double>(value), field.min, field.max));
      ImGui::EndDisabled();
      ImGui::EndGroup();
      tooltip(tooltipText(control, field, value) + (unavailable.empty() ? "" : "\nNo effect now: " + unavailable));
      ImGui::PopID();
    }
  });
  if (!found) throw std::logic_error(std::string("a control names the unknown field ") + scope.path + control.path);
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

}  // namespace satdof
