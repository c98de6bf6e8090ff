#include "app/ui/timeline/toolbar.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <string>

#include "app/core/shot/camera_path.h"
#include "app/core/text/formatted.h"
#include "app/ui/panels/fitted_text.h"
#include "app/ui/panels/panels.h"
#include "app/ui/panels/style.h"
#include "app/ui/panels/widgets.h"
#include "app/ui/timeline/icons.h"
#include "app/ui/timeline/ready_shots.h"
#include "app/ui/timeline/timeline.h"
#include "app/ui/timeline/timeline_look.h"

namespace satdof {

namespace {

// Draws a button and the menu that it opens. Returns whether the menu is open: then draw its contents and call
// ImGui::EndPopup().
bool beginMenu(const char* label, const std::string& help) {
  if (ImGui::Button(label)) ImGui::OpenPopup(label);
  tooltip(help);
  const ImVec2 gap = ImGui::GetStyle().WindowPadding;
  ImGui::SetNextWindowPos({ImGui::GetItemRectMax().x, ImGui::GetWindowPos().y - 0.5f * gap.y}, 0, {1, 1});
  ImGui::SetNextWindowSize({inFonts(20), 0});
  if (!ImGui::BeginPopup(label)) return false;
  if (escapePressed()) ImGui::CloseCurrentPopup();
  return true;
}

// Draws a slider. The mouse sets multiples of `step`, the keyboard any value.
void slideInSteps(const char* id, float& value, float min, float max, float step, const char* format,
                  ImGuiSliderFlags flags = 0) {
  if (ImGui::SliderFloat(id, &value, min, max, format, flags) && ImGui::IsMouseDown(ImGuiMouseButton_Left))
    value = step * std::round(value / step);
}

void drawReadyMenu(Session& session) {
  if (!beginMenu("Shots", "Ready-made shots, from the playhead on")) return;
  ReadyNumbers& numbers = session.preferences.ready;
  for (const ReadyShot& shot : readyShots()) {
    const std::string missing = shot.missing(session);
    const float half = shareOfLine(2);
    if (button(shot.name, shot.help, shot.number ? half : -1.0f, missing)) {
      shot.make(session);
      ImGui::CloseCurrentPopup();
    }
    if (!shot.number) continue;
    const auto [member, min, max, step, format, formatOfZero, help] = *shot.number;
    ImGui::SameLine();
    ImGui::SetNextItemWidth(half);
    float& value = numbers.*member;
    slideInSteps((std::string("##") + shot.name).c_str(), value, min, max, step,
                 value == 0 && *formatOfZero != '\0' ? formatOfZero : format);
    tooltip(help);
  }
  rowLabel("Duration");
  numberedSlider("##duration", numbers.lengthS, 0.5f, 60.0f, "%.1f s", ImGuiSliderFlags_Logarithmic);
  numbers.lengthS = std::clamp(numbers.lengthS, 0.04f, 3600.0f);
  numbers.dollyFactor = std::clamp(numbers.dollyFactor, 0.1f, 10.0f);
  numbers.turnDegrees = std::clamp(numbers.turnDegrees, -3600.0f, 3600.0f);
  numbers.pullToM = std::clamp(numbers.pullToM, 0.0f, 200.0f);
  tooltip("Of the next ready-made shot");
  ImGui::EndPopup();
}

void drawFileMenu(Session& session) {
  Timeline& timeline = session.timeline;
  if (!beginMenu("File", "Open, save or clear a shot")) return;
  if (button("Open (Ctrl O)", "A shot, or a camera path of instant-ngp or nerfstudio. Or drop the file on the window",
             -1.0f)) {
    session.request({Command::open});
    ImGui::CloseCurrentPopup();
  }
  rowLabel("Name");
  const bool entered = ImGui::InputText("##name", timeline.fileName.data(), timeline.fileName.size(),
                                        ImGuiInputTextFlags_EnterReturnsTrue);
  tooltip("A .json file. Enter saves the shot");
  constexpr std::array kSaves = {"the shot", "camera path of instant-ngp", "camera path of nerfstudio"};
  rowLabel("Saves");
  const std::size_t saves = timeline.saveAs ? 1 + static_cast<std::size_t>(*timeline.saveAs) : 0;
  drawList("##saves", kSaves[saves], kSaves, [&](const char* const& each) {
    const auto i = static_cast<std::size_t>(&each - kSaves.data());
    if (listEntry(each, "", i == saves))
      timeline.saveAs = i == 0 ? std::nullopt : std::optional(static_cast<CameraPathFormat>(i - 1));
  });
  tooltip("A camera path has the camera of each frame; for instant-ngp also focus and aperture");
  const bool empty = keyCount(session.shot()) == 0, unnamed = timeline.fileName[0] == '\0';
  const std::string missing = empty ? "the shot has no keys" : unnamed ? "the name is missing" : "";
  const bool pressed =
      button("Save", "Write the shot. It replaces the file that the shot came from, no other", -1.0f, missing);
  if (missing.empty() && (pressed || entered)) {
    session.request({Command::saveShot, {timeline.fileName.data()}});
    ImGui::CloseCurrentPopup();
  }
  if (button("New shot", "Removes all keys. Ctrl Z brings them back", -1.0f, empty ? "the shot has no keys" : "")) {
    timeline.range.reset();
    timeline.file = std::make_shared<ShotFile>();
    changeShot(session, {}, "New shot");
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

void drawFilmMenu(Session& session) {
  if (!beginMenu("Film", "Render the shot as a video or as images")) return;
  drawFilmSettings(session);
  CaptureSettings& capture = session.preferences.capture;
  textRow("Name", filmName(session).c_str(), capture.name, "Before the number of a video or of the images");
  textRow("Folder", "where satdof runs", capture.folder, "Of images, videos and exported photographs");
  hint(filmFiles(session));
  const double frames = filmFrames(session);
  hint(formatted("%.0f frames, %.2f s%s", frames, frames / static_cast<double>(frameRate(session)),
                 session.timeline.range ? ", the range" : ""));
  if (button("Render", "Every frame at its best. Images of the same film that are on the disk stay", -1.0f,
             keyCount(session.shot()) == 0 && session.inputFrames == 0 ? "the shot has no keys" : "")) {
    toggleFilm(session);
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

}  // namespace

bool dragTime(const char* id, double& timeS, float rate) {
  auto shown = static_cast<float>(timeS);
  const float perPixel = ImGui::IsMouseDown(ImGuiMouseButton_Left) ? 0.5f : 1.0f;
  if (!ImGui::DragFloat(id, &shown, perPixel / rate, 0.0f, static_cast<float>(kLongestShotS), "%.2f s")) return false;
  timeS = nearestFrameS(static_cast<double>(shown), rate);
  return true;
}

void drawToolbar(Session& session) {
  Timeline& timeline = session.timeline;
  const float gap = 0.25f * ImGui::GetStyle().ItemSpacing.x;
  const bool free = !session.sequence;
  const auto beside = [&](const char* id, Icon icon, const std::string& help, bool on = false, bool enabled = true) {
    const bool pressed = iconButton(id, icon, help, on, enabled);
    ImGui::SameLine(0, gap);
    return pressed;
  };
  const auto toggle = [&](const char* id, Icon icon, const std::string& help, bool& on) {
    if (beside(id, icon, help, on)) on = !on;
  };
  if (beside("##start", Icon::start, "To the start (Home)", false, free)) goToEnd(session, false);
  if (beside("##before", Icon::before, "To the key before (Page Up)", false, free)) goToKey(session, false);
  if (beside("##play", timeline.playing ? Icon::pause : Icon::play, timeline.playing ? "Pause (Space)" : "Play (Space)",
             timeline.playing, free))
    togglePlaying(session);
  if (beside("##after", Icon::after, "To the next key (Page Down)", false, free)) goToKey(session, true);
  toggle("##loop", Icon::loop, timeline.loops ? "Plays again and again" : "Plays once", timeline.loops);
  ImGui::PushStyleColor(ImGuiCol_CheckMark, kHeadColour);
  toggle(
      "##record", Icon::record,
      timeline.recordsEdits ? "Edits of settings that have a row set keys" : "Edits set no keys: K and the diamonds do",
      timeline.recordsEdits);
  ImGui::PopStyleColor();
  toggle("##curves", Icon::curve,
         "Curves of the values: of the selected keys, or of all. Drag keys; Shift keeps their times or "
         "values. At the name of a row, Space selects a key and arrows move it",
         timeline.curves);
  ImGui::SameLine();
  const float rate = frameRate(session);
  double timeS = timeline.timeS;
  ImGui::SetNextItemWidth(inFonts(5.2f));
  ImGui::BeginDisabled(!free);
  if (dragTime("##time", timeS, rate)) scrub(session, timeS);
  ImGui::EndDisabled();
  tooltip("Time of the playhead. Ctrl click to type; Ctrl with left or right arrow: a frame");
  ImGui::SameLine();
  const float spacing = ImGui::GetStyle().ItemSpacing.x, icon = 1.25f * ImGui::GetFrameHeight();
  const float right =
      buttonWidth("Shots") + buttonWidth("File") + buttonWidth("Film") + 2.0f * icon + 4.0f * gap + spacing;
  const std::string frame = frameText(session);
  const float start = ImGui::GetWindowContentRegionMax().x - right;
  const std::string shown = cut(frame, start - ImGui::GetCursorPosX() - spacing);
  if (shown == frame) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%s", frame.c_str());
    ImGui::SameLine();
  }
  ImGui::SetCursorPosX(std::max(start, ImGui::GetCursorPosX()));
  if (iconButton("##key", Icon::key, "Set keys of camera and lens (K)", false, free)) setKeys(session);
  ImGui::SameLine(0, gap);
  ImGui::BeginDisabled(!free);
  drawReadyMenu(session);
  ImGui::SameLine(0, gap);
  drawFileMenu(session);
  ImGui::SameLine(0, gap);
  drawFilmMenu(session);
  ImGui::EndDisabled();
  ImGui::SameLine(0, gap);
  if (iconButton("##close", Icon::cross, "Close the timeline (F6)")) timeline.shown = false;
}

}  // namespace satdof
