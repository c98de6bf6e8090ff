#include "app/ui/image/messages.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/scene/registry.h"
#include "app/scene/scene_files.h"
#include "app/ui/image/navigator.h"
#include "app/ui/image/over_image.h"
#include "app/ui/keys.h"
#include "app/ui/panels/style.h"
#include "app/ui/timeline/timeline_panel.h"

namespace satdof {

namespace {

constexpr float kNarrowestBoxInFonts = 12.0f;
constexpr float kNarrowestHelpInFonts = 16.0f;  // narrowest key help beside the panels
constexpr float kErrorWidthInFonts = 36.0f;
constexpr float kCaptureWidthInFonts = 24.0f;
constexpr float kNoticeLines = 3.0f;       // lines that the list of errors leaves free
constexpr float kFewestErrorLines = 4.0f;  // lines of errors in the lowest window
constexpr ImU32 kErrorColour = IM_COL32(255, 140, 115, 255);

// Windows of messages. They get a size, which Dear ImGui would find one frame late.
constexpr ImGuiWindowFlags kBox = kFixedWindow | ImGuiWindowFlags_NoFocusOnAppearing;

// The size of `text`, wrapped to `width`.
ImVec2 wrappedSize(const std::string& text, float width) {
  return ImGui::CalcTextSize(text.c_str(), nullptr, false, width);
}

struct MessageBox {
  std::string text;
  ImVec2 at, size;
  float wrap;  // width of the text
};

// Returns a box with `text`, at most `widest` wide. Its point `pivot`, 0 to 1 of its size, is at `at`; a box that would
// begin outside the window is moved inside.
MessageBox messageBox(const std::string& text, ImVec2 at, ImVec2 pivot, float widest) {
  const ImVec2 padding = ImGui::GetStyle().WindowPadding;
  const float wrap = std::max(widest, kNarrowestBoxInFonts * ImGui::GetFontSize()) - 2.0f * padding.x;
  const ImVec2 textSize = wrappedSize(text, wrap);
  const ImVec2 size(textSize.x + 2.0f * padding.x, textSize.y + 2.0f * padding.y);
  return {text, {std::max(at.x - pivot.x * size.x, 0.0f), std::max(at.y - pivot.y * size.y, 0.0f)}, size, wrap};
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

// Whether to show the progress of a recording: not if the recording includes the panels, or if the timeline shows it.
bool showsRecording(const Session& session) {
  const bool inTimeline = session.filmsShot() && session.timeline.shown;
  return session.sequence && !inTimeline && !session.preferences.capture.recordsPanels();
}

std::optional<MessageBox> noticeBox(const Session& session, float pixelsPerPoint) {
  if (session.notices.ageS >= kNoticeS) return {};
  const auto [at, widest] = placeOfNotice(session, pixelsPerPoint);
  return messageBox(session.notices.text, at, {1.0f, 1.0f}, widest);
}

}  // namespace

void drawHint(const Session& session, float pixelsPerPoint) {
  if (session.notices.hintAgeS >= kHintS) return;
  const auto size = ImGui::GetIO().DisplaySize;
  const float width = size.x - imageLeft(session);
  MessageBox box = messageBox(session.notices.hint, {imageLeft(session) + 0.5f * width, 0.85f * heightOfImage(session)},
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
  drawMessage("recording",
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

bool awaitsFirst(const Session& session, bool loading) {
  return loading && sceneRow(session.settings.scene.kind).showsPhotographs() && shownFile(session.settings).none();
}

void drawErrors(Session& session, const std::string& message, float pixelsPerPoint) {
  std::string text;
  for (const auto& error : session.notices.errors) text += (text.empty() ? "" : "\n") + error.text;
  if (message.empty()) session.notices.closedOfImage.clear();
  session.notices.ofImage = message == session.notices.closedOfImage ? "" : message;
  if (!session.notices.ofImage.empty()) text += (text.empty() ? "" : "\n") + message;
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
  const float room =
      std::max(lowestError(session, pixelsPerPoint) - top, around + kFewestErrorLines * ImGui::GetTextLineHeight());
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
  const bool beside = size.x - imageLeft(session) - around >= std::min(helpWidth, kNarrowestHelpInFonts * cell.x);
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
