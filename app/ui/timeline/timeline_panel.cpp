#include "app/ui/timeline/timeline_panel.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "app/core/shot/camera_path.h"
#include "app/core/text/count_text.h"
#include "app/core/text/formatted.h"
#include "app/ui/controls.h"
#include "app/ui/panels/panels.h"
#include "app/ui/panels/style.h"
#include "app/ui/panels/widgets.h"
#include "app/ui/timeline/ready_shots.h"
#include "app/ui/timeline/timeline.h"

namespace satdof {

namespace {

constexpr float kNarrowestTimelineInFonts = 32.0f, kLabelsInFonts = 8.5f, kLabelsPart = 0.3f,
                kRulerInFonts = 1.55f;
// Heights of the played range and of the grips on the ruler.
constexpr float kRulerBar = 0.3f, kRulerGrip = 0.35f;
constexpr float kHighestPart = 0.5f;                       // highest timeline, as a part of the window
constexpr double kEmptyShotS = 5.0, kShortestShotS = 0.5;  // shown durations of an empty and of a short shot
constexpr double kShortestViewS = 0.05;
constexpr float kMarkGap = 3.0f, kKeyReach = 7.0f, kLeastDrag = 3.0f, kZoomPerWheel = 1.25f;  // in pixels
constexpr ImU32 kChosen = IM_COL32(255, 255, 255, 255), kMarkColour = IM_COL32(150, 150, 150, 255),
                kLaneColour = IM_COL32(255, 255, 255, 22), kHeadColour = IM_COL32(235, 96, 84, 255),
                kKeyEdge = IM_COL32(20, 20, 20, 255);

float inFonts(float count) { return count * ImGui::GetFontSize(); }

// The horizontal axis of the lanes: times [fromS, toS] between the screen coordinates `left` and `right`.
struct Lanes {
  double fromS, toS;
  float left, right;

  float x(double timeS) const {
    return left + static_cast<float>((timeS - fromS) / (toS - fromS)) * (right - left);
  }
  double timeS(float x) const {
    return fromS + static_cast<double>((x - left) / (right - left)) * (toS - fromS);
  }
  float xInside(double timeS) const { return std::clamp(x(timeS), left, right); }
  bool shows(double timeS) const { return timeS >= fromS && timeS <= toS; }
};

// The rows of the timeline and its place on the screen.
struct Layout {
  std::vector<TimelineRow> rows;
  float left = 0, height = 0, rowsHeight = 0;
};

Layout layoutOf(const Session& session) {
  const std::size_t fewestRows = session.timeline.curves ? 7 : 2;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const auto& style = ImGui::GetStyle();
  Layout layout{};
  layout.rows = timelineRows(session.shot(), session.timeline.cameraOpen);
  const float line = ImGui::GetFrameHeight();
  const float fixed = 2 * line + inFonts(kRulerInFonts) + 3 * style.ItemSpacing.y + 2 * style.WindowPadding.y;
  const float most = std::max(kHighestPart * display.y - fixed, static_cast<float>(fewestRows) * line);
  layout.rowsHeight = std::min(line * static_cast<float>(std::max(layout.rows.size(), fewestRows)), most);
  const float column = session.visibleLeft * display.x;
  layout.left = display.x - column >= inFonts(kNarrowestTimelineInFonts) ? column : 0.0f;
  layout.height = fixed + layout.rowsHeight;
  return layout;
}

// The drag of the mouse in the timeline.
struct TimelineDrag {
  enum class Kind { none, head, rangeFrom, rangeTo, scaleFrom, scaleTo, keys, curve, box };
  Kind kind = Kind::none;
  // Shot and selected keys at the start of the drag.
  std::shared_ptr<const Shot> before;
  std::set<KeyId> keys;
  std::set<KeyId> pressed{};  // keys that a click without a drag selects; empty: the selection stays
  double anchorS = 0.0;
  ImVec2 start;
  bool copies = false, moved = false;
  std::string field{};             // curve: field of the dragged key
  ValueAxis axis{};                // curve: its axis at the start
  std::pair<double, double> view;  // times that the lanes show during the drag
} laneDrag;

enum class Icon { start, before, play, pause, after, loop, record, curve, key, copy, cross };

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
      draw.AddBezierCubic(at(-0.9f, 0.8f), at(0.1f, 0.8f), at(-0.1f, -0.8f), at(0.9f, -0.8f), colour,
                          1.5f * line);
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

// A square button with an icon.
bool iconButton(const char* id, Icon icon, const std::string& help, bool on = false, bool enabled = true) {
  const float side = ImGui::GetFrameHeight();
  ImGui::BeginDisabled(!enabled);
  const bool pressed = ImGui::Button(id, {1.25f * side, side});
  ImGui::EndDisabled();
  const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
  const ImU32 colour = ImGui::GetColorU32(on        ? ImGuiCol_CheckMark
                                          : enabled ? ImGuiCol_Text
                                                    : ImGuiCol_TextDisabled);
  drawIcon(icon, {0.5f * (from.x + to.x), 0.5f * (from.y + to.y)}, 0.55f * side, colour);
  tooltip(help);
  return pressed;
}

// Draws a button and the menu that it opens. Returns whether the menu is open: then draw its contents and call ImGui::EndPopup().
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
  if (button("Open (Ctrl O)",
             "A shot, or a camera path of instant-ngp or nerfstudio. Or drop the file on the window",
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
  const bool pressed = button(
      "Save", "Write the shot. It replaces the file that the shot came from, no other", -1.0f, missing);
  if (missing.empty() && (pressed || entered)) {
    session.request({Command::saveShot, {timeline.fileName.data()}});
    ImGui::CloseCurrentPopup();
  }
  if (button("New shot", "Removes all keys. Ctrl Z brings them back", -1.0f,
             empty ? "the shot has no keys" : "")) {
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

// Draws a field for a time in whole frames. Returns whether the time changed.
bool dragTime(const char* id, double& timeS, float rate) {
  auto shown = static_cast<float>(timeS);
  const float perPixel = ImGui::IsMouseDown(ImGuiMouseButton_Left) ? 0.5f : 1.0f;
  if (!ImGui::DragFloat(id, &shown, perPixel / rate, 0.0f, static_cast<float>(kLongestShotS), "%.2f s"))
    return false;
  timeS = nearestFrameS(static_cast<double>(shown), rate);
  return true;
}

void drawToolbar(Session& session) {
  Timeline& timeline = session.timeline;
  const float gap = 0.25f * ImGui::GetStyle().ItemSpacing.x;
  const bool free = !session.sequence;
  const auto beside = [&](const char* id, Icon icon, const std::string& help, bool on = false,
                          bool enabled = true) {
    const bool pressed = iconButton(id, icon, help, on, enabled);
    ImGui::SameLine(0, gap);
    return pressed;
  };
  const auto toggle = [&](const char* id, Icon icon, const std::string& help, bool& on) {
    if (beside(id, icon, help, on)) on = !on;
  };
  if (beside("##start", Icon::start, "To the start (Home)", false, free)) goToEnd(session, false);
  if (beside("##before", Icon::before, "To the key before (Page Up)", false, free)) goToKey(session, false);
  if (beside("##play", timeline.playing ? Icon::pause : Icon::play,
             timeline.playing ? "Pause (Space)" : "Play (Space)", timeline.playing, free))
    togglePlaying(session);
  if (beside("##after", Icon::after, "To the next key (Page Down)", false, free)) goToKey(session, true);
  toggle("##loop", Icon::loop, timeline.loops ? "Plays again and again" : "Plays once", timeline.loops);
  ImGui::PushStyleColor(ImGuiCol_CheckMark, kHeadColour);
  toggle("##record", Icon::record,
         timeline.recordsEdits ? "Edits of settings that have a row set keys"
                               : "Edits set no keys: K and the diamonds do",
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

// Returns the times that the lanes show.
std::pair<double, double> shownTimes(const Session& session) {
  const Timeline& timeline = session.timeline;
  if (laneDrag.kind != TimelineDrag::Kind::none) return laneDrag.view;
  if (timeline.view) return *timeline.view;
  const double lastS = lengthS(session), rangeS = timeline.range ? timeline.range->second : 0.0;
  const double wholeS = std::max({lastS, rangeS, lastS > 0.0 ? kShortestShotS : kEmptyShotS, timeline.timeS});
  return {0.0, 1.03 * wholeS};
}

// Zooms the lanes around the time `atS` by steps of the wheel, at most to the whole shot.
void zoomTimes(Session& session, const Lanes& lanes, double atS, float wheel) {
  Timeline& timeline = session.timeline;
  const double factor = std::pow(kZoomPerWheel, -wheel);
  timeline.view.reset();
  const auto [wholeFromS, wholeToS] = shownTimes(session);
  double fromS = atS + factor * (lanes.fromS - atS), toS = atS + factor * (lanes.toS - atS);
  if (toS - fromS < kShortestViewS) return void(timeline.view = {lanes.fromS, lanes.toS});
  if (toS - fromS >= wholeToS - wholeFromS) return;
  if (fromS < wholeFromS) std::tie(fromS, toS) = std::pair(wholeFromS, toS - fromS + wholeFromS);
  timeline.view = {fromS, toS};
}

// Returns the seconds between marks of the ruler, which are at least `leastPx` apart: 1, 2 or 5 times a power of ten.
double markStepS(const Lanes& lanes, float leastPx) {
  const double leastS = static_cast<double>(leastPx / (lanes.right - lanes.left)) * (lanes.toS - lanes.fromS);
  double stepS = 0.01;
  for (int i = 0; stepS < leastS; ++i) stepS *= i % 3 == 1 ? 2.5 : 2.0;  // 1, 2, 5, 10, ...
  return stepS;
}

void beginTimelineDrag(const Session& session, TimelineDrag::Kind kind, const Lanes& lanes) {
  laneDrag = {.kind = kind,
              .before = session.timeline.shot,
              .keys = session.timeline.selected,
              .start = ImGui::GetMousePos(),
              .copies = ImGui::GetIO().KeyCtrl,
              .view = {lanes.fromS, lanes.toS}};
}

// Returns the first and the last time of the selected keys; none if all have the same time.
std::optional<std::pair<double, double>> selectedSpan(const Session& session) {
  const auto& selected = session.timeline.selected;
  if (selected.empty()) return std::nullopt;
  const auto span = spanOf(selected);
  return span.second > span.first ? std::optional(span) : std::nullopt;
}

// Draws the played range, the span of the selected keys, and marks with their times.
void paintRuler(const Session& session, const Lanes& lanes, float top,
                const std::optional<std::pair<double, double>>& span) {
  const Timeline& timeline = session.timeline;
  auto& draw = *ImGui::GetWindowDrawList();
  const float height = inFonts(kRulerInFonts), bar = kRulerBar * height,
              gripsFrom = top + height - kRulerGrip * height;
  const auto [fromS, toS] = playedRange(session);
  draw.AddRectFilled({lanes.left, top}, {lanes.right, top + height}, kLaneColour);
  const float rangeFrom = lanes.xInside(fromS), rangeTo = lanes.xInside(toS);
  if (toS > fromS) {
    const ImU32 colour = timeline.range ? kAccent : kMarkColour;
    draw.AddRectFilled({rangeFrom, top}, {rangeTo, top + 0.5f * bar}, colour);
    for (const float x : {rangeFrom, rangeTo}) draw.AddRectFilled({x - 2, top}, {x + 2, top + bar}, colour);
  }
  if (span) {
    const float y = top + height - 2;
    draw.AddLine({lanes.xInside(span->first), y}, {lanes.xInside(span->second), y}, kChosen, 2.0f);
    for (const double timeS : {span->first, span->second})
      if (lanes.shows(timeS))
        draw.AddRectFilled({lanes.x(timeS) - 3, gripsFrom}, {lanes.x(timeS) + 3, top + height}, kChosen);
  }
  const double step = markStepS(lanes, inFonts(4.5f));
  for (double timeS = std::ceil(lanes.fromS / step) * step; timeS <= lanes.toS; timeS += step) {
    const std::string text = formatted("%.*f s", step < 0.1 ? 2 : step < 1 ? 1 : 0, timeS);
    const float x = lanes.x(timeS), width = ImGui::CalcTextSize(text.c_str()).x;
    draw.AddLine({x, top + bar + 1}, {x, top + height}, kMarkColour);
    if (x + width + kMarkGap > lanes.right + kKeyReach) continue;
    draw.AddText({x + kMarkGap, top + bar}, ImGui::GetColorU32(ImGuiCol_TextDisabled), text.c_str());
  }
}

void drawRuler(Session& session, const Lanes& lanes) {
  Timeline& timeline = session.timeline;
  const float height = inFonts(kRulerInFonts), top = ImGui::GetCursorScreenPos().y, bar = kRulerBar * height;
  const float reach = 0.5f * ImGui::GetFontSize();
  ImGui::SetCursorScreenPos({lanes.left - reach, top});
  plainButton("##ruler", {lanes.right - lanes.left + 2.0f * reach, height});
  const ImVec2 mouse = ImGui::GetMousePos();
  const auto [fromS, toS] = playedRange(session);
  const bool onBar = mouse.y < top + bar + 2.0f;
  const bool onFrom = onBar && toS > fromS && std::abs(mouse.x - lanes.x(fromS)) < reach,
             onTo = onBar && toS > fromS && std::abs(mouse.x - lanes.x(toS)) < reach;
  const auto span = selectedSpan(session);
  const float gripsFrom = top + height - kRulerGrip * height;
  const auto onGrip = [&](double timeS) {
    return !onBar && mouse.y > gripsFrom && std::abs(mouse.x - lanes.x(timeS)) < kKeyReach;
  };
  const bool onFirst = span && onGrip(span->first), onLast = span && !onFirst && onGrip(span->second);
  if (ImGui::IsItemHovered()) {
    if (onFrom || onTo || onFirst || onLast) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    if (const float wheel = ImGui::GetIO().MouseWheel; wheel != 0.0f)
      zoomTimes(session, lanes, lanes.timeS(mouse.x), wheel);
    if (onBar && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) timeline.range.reset();
  }
  const Arrows arrows = arrowsOfItem(true);
  if (arrows.right != 0 && !session.sequence) stepFrames(session, arrows.right);
  if (arrows.up != 0) zoomTimes(session, lanes, timeline.timeS, static_cast<float>(arrows.up));
  if (ImGui::IsItemActivated() && ImGui::IsMouseDown(ImGuiMouseButton_Left) && !session.sequence) {
    using Kind = TimelineDrag::Kind;
    beginTimelineDrag(session,
                      onTo      ? Kind::rangeTo
                      : onFrom  ? Kind::rangeFrom
                      : onFirst ? Kind::scaleFrom
                      : onLast  ? Kind::scaleTo
                                : Kind::head,
                      lanes);
  }
  tooltip(onBar ? "What is played. Drag its ends, or set them at the playhead: Ctrl Home, Ctrl End. A double "
                  "click takes the whole shot"
          : onFirst || onLast ? "Drag to scale the times of the selected keys (Ctrl Shift left, right)"
                              : "Drag the playhead. Wheel: closer and back. Or press arrows");
  paintRuler(session, lanes, top, span);
}

// Returns the time of the key of a row that is nearest to the mouse, within kKeyReach.
std::optional<double> keyUnderMouse(const Shot& shot, const TimelineRow& row, const Lanes& lanes) {
  const float x = ImGui::GetMousePos().x;
  std::optional<double> found;
  float nearest = kKeyReach;
  for (const std::string& track : row.tracks)
    for (const double timeS : keyTimes(shot, track))
      if (const float away = std::abs(lanes.x(timeS) - x); away <= nearest) {
        nearest = away;
        found = timeS;
      }
  return found;
}

std::set<KeyId> keysOf(const Shot& shot, const TimelineRow& row, double fromS, double toS) {
  std::set<KeyId> ids;
  for (const std::string& track : row.tracks)
    for (const double timeS : keyTimes(shot, track))
      if (timeS >= fromS && timeS <= toS) ids.insert({track, timeS});
  return ids;
}

// Handles a press on the lane of a row: selects a key and starts to drag it, or starts a selection box.
void pressLane(Session& session, const TimelineRow& row, const Lanes& lanes) {
  auto& selected = session.timeline.selected;
  const bool adds = ImGui::GetIO().KeyShift;
  const auto at = keyUnderMouse(session.shot(), row, lanes);
  if (!at) {
    if (!adds) selected.clear();
    return beginTimelineDrag(session, TimelineDrag::Kind::box, lanes);
  }
  const std::set<KeyId> keys = keysOf(session.shot(), row, *at, *at);
  const bool known = std::ranges::all_of(keys, [&](const KeyId& id) { return selected.contains(id); });
  if (known && adds) {
    for (const KeyId& id : keys) selected.erase(id);
    return;
  }
  if (!known && !adds) selected.clear();
  selected.insert(keys.begin(), keys.end());
  beginTimelineDrag(session, TimelineDrag::Kind::keys, lanes);
  laneDrag.anchorS = *at;
  if (known) laneDrag.pressed = keys;
}

void drawLane(Session& session, const TimelineRow& row, const Lanes& lanes, float top, float height) {
  const Timeline& timeline = session.timeline;
  auto& draw = *ImGui::GetWindowDrawList();
  const float y = top + 0.5f * height, radius = 0.42f * ImGui::GetFontSize();
  double firstS = kLongestShotS, lastS = 0;
  // Times of the keys to draw: one for each column of pixels, and each selected key.
  std::set<double> times, chosen;
  for (const std::string& track : row.tracks) {
    const auto all = keyTimes(session.shot(), track);
    if (all.empty()) return;  // removed in this frame
    firstS = std::min(firstS, all.front());
    lastS = std::max(lastS, all.back());
    const double columnS = lanes.timeS(lanes.left + 1) - lanes.fromS;
    double shownS = -1;
    for (const double timeS : all) {
      if (!lanes.shows(timeS)) continue;
      const bool isChosen = timeline.selected.contains({track, timeS});
      if (isChosen) chosen.insert(timeS);
      if (timeS - shownS < columnS && !isChosen) continue;
      times.insert(timeS);
      shownS = timeS;
    }
  }
  draw.AddRectFilled({lanes.xInside(firstS), y - 1}, {lanes.xInside(lastS), y + 1}, accent(90));
  for (const bool isChosen : {false, true})  // selected keys above the others
    for (const double timeS : times) {
      if (chosen.contains(timeS) != isChosen) continue;
      const ImVec2 at(lanes.x(timeS), y);
      const float r = row.inGroup ? 0.8f * radius : radius;
      draw.AddQuadFilled({at.x, at.y - r}, {at.x + r, at.y}, {at.x, at.y + r}, {at.x - r, at.y},
                         isChosen ? kChosen : kAccent);
      draw.AddQuad({at.x, at.y - r}, {at.x + r, at.y}, {at.x, at.y + r}, {at.x - r, at.y},
                   isChosen ? kAccent : kKeyEdge, isChosen ? 2.0f : 1.0f);
    }
}

void noteKeyboard(Session& session, const TimelineRow& row) {
  if (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible) session.timeline.keyboardAt = row.tracks;
}

// Applies arrows at the last item: they move the selected keys if one belongs to these tracks; with Shift, they select more keys.
void moveByArrows(Session& session, const std::vector<std::string>& tracks, bool values) {
  const bool any = std::ranges::any_of(session.timeline.selected, [&](const KeyId& id) {
    return std::ranges::find(tracks, id.field) != tracks.end();
  });
  if (!any || session.sequence) return;
  const Arrows arrows = arrowsOfItem(values);
  if (arrows.shift && arrows.right != 0) return extendSelection(session, tracks, arrows.right > 0);
  stepSelected(session, arrows.right, static_cast<float>(arrows.up) * (arrows.shift ? 0.1f : 1.0f));
}

void drawRowLabel(Session& session, const TimelineRow& row, float width) {
  Timeline& timeline = session.timeline;
  const float arrow = 0.9f * ImGui::GetFontSize(), indent = row.inGroup ? 2.0f * arrow : arrow;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (const bool pressed = plainButton("##label", {width, ImGui::GetFrameHeight()}); pressed) {
    const std::set<KeyId> keys = keysOf(session.shot(), row, 0, kLongestShotS);
    const bool again = std::ranges::includes(timeline.selected, keys);
    if (timeline.curves && !row.isGroup && byKeyboard(pressed)) {
      selectNextKey(session, row.tracks, ImGui::GetIO().KeyShift);
    } else if (row.isGroup && (byKeyboard(pressed) ? again : ImGui::GetMousePos().x < at.x + indent)) {
      timeline.cameraOpen = !timeline.cameraOpen;
    } else {
      if (!ImGui::GetIO().KeyShift) timeline.selected.clear();
      timeline.selected.insert(keys.begin(), keys.end());
    }
  }
  noteKeyboard(session, row);
  if (timeline.curves) moveByArrows(session, row.tracks, true);
  const std::string shown = cut(row.label, width - indent);
  tooltip((shown == row.label ? "" : row.label + "\n") + std::string("Selects the keys of the row") +
          (row.isGroup ? "; the arrow, or the key once more, shows a row for each setting" : ""));
  auto& draw = *ImGui::GetWindowDrawList();
  const ImU32 colour = ImGui::GetColorU32(ImGui::IsItemHovered() ? ImGuiCol_CheckMark : ImGuiCol_Text);
  const float y = at.y + 0.5f * ImGui::GetFrameHeight(), r = 0.3f * ImGui::GetFontSize();
  if (row.isGroup && timeline.cameraOpen)
    draw.AddTriangleFilled({at.x, y - 0.6f * r}, {at.x + 2 * r, y - 0.6f * r}, {at.x + r, y + r}, colour);
  else if (row.isGroup)
    draw.AddTriangleFilled({at.x, y - r}, {at.x + 1.6f * r, y}, {at.x, y + r}, colour);
  draw.AddText({at.x + indent, at.y + ImGui::GetStyle().FramePadding.y}, colour, shown.c_str());
}

// Returns the tracks whose curves are shown: those with selected keys, or all if no key is selected.
std::vector<const Track*> shownCurves(const Session& session, const std::vector<TimelineRow>& rows) {
  const auto& selected = session.timeline.selected;
  std::vector<const Track*> shown;
  for (const TimelineRow& row : rows)
    for (const std::string& field : row.tracks) {
      const auto track = std::ranges::find(session.shot().tracks, field, &Track::field);
      const bool wanted = selected.empty() ||
                          std::ranges::any_of(selected, [&](const KeyId& id) { return id.field == field; });
      const bool known = std::ranges::any_of(shown, [&](const Track* each) { return each->field == field; });
      if (track != session.shot().tracks.end() && wanted && !known && row.tracks.size() == 1)
        shown.push_back(&*track);
    }
  return shown;
}

ImU32 curveColour(std::size_t index) {
  constexpr std::array<float, 6> kHues = {0.11f, 0.55f, 0.33f, 0.88f, 0.0f, 0.72f};
  ImVec4 colour(0, 0, 0, 1);
  ImGui::ColorConvertHSVtoRGB(kHues[index % kHues.size()], 0.6f, 0.95f, colour.x, colour.y, colour.z);
  return ImGui::GetColorU32(colour);
}

// Handles a press on the curves: selects a key and starts to drag it.
void pressCurves(Session& session, const std::vector<const Track*>& shown, const Lanes& lanes, float top,
                 float bottom) {
  auto& selected = session.timeline.selected;
  const ImVec2 mouse = ImGui::GetMousePos();
  const bool adds = ImGui::GetIO().KeyShift;
  float nearest = kKeyReach;
  std::optional<KeyId> found;
  ValueAxis axis;
  for (const Track* const track : shown) {
    const ValueAxis trackAxis = valueAxis(*track, top, bottom);
    for (const Key& key : track->keys) {
      const float away = std::hypot(lanes.x(key.timeS) - mouse.x, trackAxis.y(key.value) - mouse.y);
      if (away > nearest) continue;
      nearest = away;
      found = KeyId{track->field, key.timeS};
      axis = trackAxis;
    }
  }
  if (!found) {
    if (!adds) selected.clear();
    return;
  }
  const bool known = selected.contains(*found);
  if (!known && !adds) selected.clear();
  selected.insert(*found);
  beginTimelineDrag(session, TimelineDrag::Kind::curve, lanes);
  if (known && !adds) laneDrag.pressed = {*found};
  laneDrag.anchorS = found->timeS;
  laneDrag.field = found->field;
  laneDrag.axis = axis;
}

void drawCurves(Session& session, const std::vector<TimelineRow>& rows, const Lanes& lanes, float top,
                float height) {
  constexpr float kStepPx = 2.0f;
  const float bottom = top + height;
  const std::vector<const Track*> shown = shownCurves(session, rows);
  ImGui::SetCursorScreenPos({lanes.left - kKeyReach, top});
  plainButton("##values", {lanes.right - lanes.left + 2.0f * kKeyReach, height});
  if (ImGui::IsItemActivated() && ImGui::IsMouseDown(ImGuiMouseButton_Left) && !session.sequence)
    pressCurves(session, shown, lanes, top, bottom);
  auto& draw = *ImGui::GetWindowDrawList();
  const float radius = 0.3f * ImGui::GetFontSize();
  float labelY = top + 2;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const Track& track = *shown[i];
    const bool held = laneDrag.kind == TimelineDrag::Kind::curve && laneDrag.field == track.field;
    const ValueAxis axis = held ? laneDrag.axis : valueAxis(track, top, bottom);
    const ImU32 colour = curveColour(i);
    std::vector<ImVec2> points;
    for (float x = lanes.left; x <= lanes.right; x += kStepPx)
      points.emplace_back(x, axis.y(valueAt(axis.how, track.keys, lanes.timeS(x))));
    draw.AddPolyline(points.data(), static_cast<int>(points.size()), colour, 0, 1.5f);
    for (const Key& key : track.keys) {
      if (!lanes.shows(key.timeS)) continue;
      const ImVec2 at(lanes.x(key.timeS), axis.y(key.value));
      draw.AddCircleFilled(at, radius,
                           session.timeline.selected.contains({track.field, key.timeS}) ? kChosen : colour);
    }
    draw.AddText({lanes.left, labelY}, colour, satdof::labelOf(track.field).c_str());
    labelY += ImGui::GetFontSize();
  }
  if (shown.empty())
    draw.AddText({lanes.left, top + 2}, kMarkColour, "No values: a free path of the camera has no curve");
}

void drawRows(Session& session, const std::vector<TimelineRow>& rows, const Lanes& lanes, float labels,
              float height) {
  ImGui::BeginChild("rows", {0, height}, false, ImGuiWindowFlags_NavFlattened);
  auto& draw = *ImGui::GetWindowDrawList();
  const float rowHeight = ImGui::GetFrameHeight(), top = ImGui::GetWindowPos().y;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  const ImVec2 mouse = ImGui::GetMousePos();
  if (rows.empty())
    ImGui::TextDisabled(
        "%s", cut("No keys yet: K sets keys of camera and lens, the diamonds in the panels one each",
                  ImGui::GetContentRegionAvail().x)
                  .c_str());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const TimelineRow& row = rows[i];
    ImGui::PushID(static_cast<int>(i));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (i % 2 == 0) draw.AddRectFilled(at, {lanes.right + kKeyReach, at.y + rowHeight}, kLaneColour);
    drawRowLabel(session, row, labels);
    if (session.timeline.curves) {
      ImGui::PopID();
      continue;
    }
    ImGui::SetCursorScreenPos({lanes.left - kKeyReach, at.y});
    const bool pressed = plainButton("##lane", {lanes.right - lanes.left + 2.0f * kKeyReach, rowHeight});
    noteKeyboard(session, row);
    moveByArrows(session, row.tracks, false);
    if (byKeyboard(pressed))
      selectNextKey(session, row.tracks, ImGui::GetIO().KeyShift);
    else if (ImGui::IsItemActivated() && !session.sequence)
      pressLane(session, row, lanes);
    if (laneDrag.kind == TimelineDrag::Kind::box && laneDrag.moved) {
      const auto [low, high] = std::minmax(laneDrag.start.y, mouse.y);
      const auto [left, right] = std::minmax(laneDrag.start.x, mouse.x);
      if (at.y < high && at.y + rowHeight > low)
        session.timeline.selected.merge(keysOf(session.shot(), row, lanes.timeS(left), lanes.timeS(right)));
    }
    drawLane(session, row, lanes, at.y, rowHeight);
    ImGui::PopID();
  }
  const float rowsEnd = ImGui::GetCursorPosY();
  if (session.timeline.curves && !rows.empty()) {
    drawCurves(session, rows, lanes, top, height);
    ImGui::SetCursorPosY(rowsEnd);
  }
  if (laneDrag.kind == TimelineDrag::Kind::box && laneDrag.moved) {
    draw.AddRectFilled(laneDrag.start, mouse, accent(40));
    draw.AddRect(laneDrag.start, mouse, kAccent);
  }
  if (lanes.shows(session.timeline.timeS)) {
    const float x = lanes.x(session.timeline.timeS);
    draw.AddLine({x, top}, {x, top + height}, kHeadColour, 1.5f);
  }
  ImGui::PopStyleVar();
  ImGui::EndChild();
}

// Draws the playhead on the ruler.
void drawHead(const Session& session, const Lanes& lanes, float top, float bottom) {
  if (!lanes.shows(session.timeline.timeS)) return;
  auto& draw = *ImGui::GetWindowDrawList();
  const float x = lanes.x(session.timeline.timeS), r = 0.38f * ImGui::GetFontSize();
  draw.AddTriangleFilled({x - r, bottom - 1.6f * r}, {x + r, bottom - 1.6f * r}, {x, bottom}, kHeadColour);
  draw.AddLine({x, top}, {x, bottom}, kHeadColour, 1.5f);
}

// Applies the drag of the mouse.
void applyTimelineDrag(Session& session, const Lanes& lanes) {
  using Kind = TimelineDrag::Kind;
  if (laneDrag.kind == Kind::none) return;
  Timeline& timeline = session.timeline;
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    if (!laneDrag.moved && !laneDrag.pressed.empty()) timeline.selected = laneDrag.pressed;
    return void(laneDrag = {});
  }
  const ImVec2 mouse = ImGui::GetMousePos();
  const float away = std::max(std::abs(mouse.x - laneDrag.start.x), std::abs(mouse.y - laneDrag.start.y));
  laneDrag.moved |= away >= kLeastDrag;
  const float rate = frameRate(session);
  const double atS = nearestFrameS(lanes.timeS(mouse.x), rate);
  if (laneDrag.kind == Kind::head && atS != timeline.timeS) {
    timeline.playing = false;
    scrub(session, atS);
  }
  if (!laneDrag.moved || laneDrag.kind == Kind::head || laneDrag.kind == Kind::box) return;
  if (laneDrag.kind == Kind::scaleFrom || laneDrag.kind == Kind::scaleTo)
    return scaleTo(session, *laneDrag.before, laneDrag.keys, laneDrag.kind == Kind::scaleTo, atS);
  if (laneDrag.kind == Kind::rangeFrom || laneDrag.kind == Kind::rangeTo) {
    const double frameS = 1.0 / static_cast<double>(rate);
    auto [fromS, toS] = playedRange(session);
    if (laneDrag.kind == Kind::rangeFrom)
      fromS = std::clamp(atS, 0.0, std::max(toS - frameS, 0.0));
    else
      toS = std::max(atS, fromS + frameS);
    timeline.range = {fromS, toS};
    return;
  }
  Shot shot = *laneDrag.before;
  std::set<KeyId> ids = laneDrag.keys;
  std::string action;
  const auto moveTo = [&](float x, bool copies) {
    const double toS = nearestFrameS(laneDrag.anchorS + lanes.timeS(x) - lanes.timeS(laneDrag.start.x), rate);
    moveKeys(shot, ids, toS - laneDrag.anchorS, copies, rate);
  };
  if (laneDrag.kind == Kind::keys) {
    moveTo(mouse.x, laneDrag.copies);
    action = (laneDrag.copies ? "Copy " : "Move ") + countText(ids.size(), "key");
  } else {
    glm::vec2 byPx(mouse.x - laneDrag.start.x, mouse.y - laneDrag.start.y);
    if (ImGui::GetIO().KeyShift) byPx[std::abs(byPx.x) > std::abs(byPx.y) ? 1 : 0] = 0;
    for (const KeyId& id : laneDrag.keys)
      if (const Key* const key = id.field == laneDrag.field ? findKey(shot, id) : nullptr;
          key != nullptr && byPx.y != 0) {
        const float value = laneDrag.axis.value(laneDrag.axis.y(key->value) + byPx.y);
        setValue(shot, id, keyValueNear(id.field, value));
      }
    if (byPx.x != 0) moveTo(laneDrag.start.x + byPx.x, false);
    action = "Curve: " + satdof::labelOf(laneDrag.field);
  }
  if (changeShot(session, std::move(shot), action, true)) timeline.selected = std::move(ids);
}

// Draws the curve of a bezier, whose handles can be dragged. Returns whether they changed.
bool editHandles(Handles& handles, float side) {
  static std::size_t held = 0;
  const ImVec2 from = ImGui::GetCursorScreenPos(), mouse = ImGui::GetMousePos();
  plainButton("##curve", {side, side});
  const auto at = [&](float x, float y) { return ImVec2(from.x + x * side, from.y + (1 - y) * side); };
  const ImVec2 first = at(handles[0], handles[1]), second = at(handles[2], handles[3]);
  const auto away = [&](const ImVec2& to) { return std::hypot(mouse.x - to.x, mouse.y - to.y); };
  const bool isHeld = ImGui::IsItemActive() && ImGui::IsMouseDown(ImGuiMouseButton_Left);
  if (ImGui::IsItemActivated()) held = away(first) <= away(second) ? 0 : 2;
  auto& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(from, {from.x + side, from.y + side}, kLaneColour);
  draw.AddBezierCubic(at(0, 0), first, second, at(1, 1), kAccent, 2.0f);
  for (const auto& [end, handle] : {std::pair(at(0, 0), first), {at(1, 1), second}}) {
    draw.AddLine(end, handle, kMarkColour);
    draw.AddCircleFilled(handle, 0.3f * ImGui::GetFontSize(), kChosen);
  }
  const Handles before = handles;
  ImGui::SetNextItemWidth(side);
  const bool typed = ImGui::SliderFloat4("##handles", handles.data(), 0.0f, 1.0f, "%.2f");
  if (!isHeld) return typed;
  handles[held] = std::clamp((mouse.x - from.x) / side, 0.0f, 1.0f);
  handles[held + 1] = std::clamp(1 - (mouse.y - from.y) / side, 0.0f, 1.0f);
  return handles != before;
}

// Draws the value of a key, with `title` before it if there is room.
void drawKeyValue(Session& session, const KeyId& id, float value, const std::string& title, float width) {
  const float labelWidth = width > inFonts(15) ? inFonts(7) : 0.0f;
  if (labelWidth > 0) {
    ImGui::AlignTextToFramePadding();
    const float x = ImGui::GetCursorPosX();
    ImGui::TextDisabled("%s", cut(title, labelWidth - ImGui::GetStyle().ItemSpacing.x).c_str());
    ImGui::SameLine(x + labelWidth, 0);
  }
  ImGui::SetNextItemWidth(width - labelWidth);
  if (!editKeyValue(session.settings, id.field, value)) return;
  Shot shot = session.shot();
  setValue(shot, id, value);
  changeShot(session, std::move(shot), "Value: " + title, true);
}

// Draws a button that sets several keys, or a key of the camera path, to the current settings, after `title`.
void drawUseView(Session& session, const std::set<KeyId>& ids, const std::string& title, float width) {
  const float x = ImGui::GetCursorPosX();
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("%s", cut(title, width - inFonts(6.5f)).c_str());
  ImGui::SameLine(x + width - inFonts(6.2f), 0);
  if (!button("Use view", "Sets the selected keys to the camera and the settings of now", inFonts(6.2f)))
    return;
  Shot shot = session.shot();
  for (const KeyId& id : ids)
    setKey(shot, session.settings, id.field == kCameraPath ? kPlaceFields[0] : std::string_view(id.field),
           id.timeS);
  changeShot(session, std::move(shot), "Values: " + title);
}

// Draws the easing of the first of the keys, for all of them, and the handles of a bezier.
void drawEasing(Session& session, const std::set<KeyId>& ids) {
  auto [easing, handles] = easingOf(session.shot(), *ids.begin());
  if (beginList("##easing", name(easing))) {
    for (const auto& entry : entries(Easing{})) {
      const bool staysOpen = entry.value == Easing::bezier;  // for its handles
      if (ImGui::Selectable(entry.name, entry.value == easing,
                            staysOpen ? ImGuiSelectableFlags_DontClosePopups : 0))
        easeSelected(session, entry.value);
      tooltip(entry.summary);
    }
    if (easing == Easing::bezier) {
      ImGui::Separator();
      if (editHandles(handles, inFonts(11))) {
        Shot shot = session.shot();
        setEasing(shot, ids, easing, handles);
        changeShot(session, std::move(shot), "Handles", true);
      }
      tooltip("Drag the handles of the curve: time to the right, value upwards");
    }
    endList();
  }
  tooltip("Way to the next key");
}

// Draws time, value and easing of the selected keys.
void drawSelected(Session& session) {
  const std::set<KeyId> ids = session.timeline.selected;
  const KeyId& first = *ids.begin();
  const float rate = frameRate(session), spacing = ImGui::GetStyle().ItemSpacing.x;
  const float easingWidth = inFonts(6.2f), timeWidth = inFonts(4.6f),
              icons = 2.5f * ImGui::GetFrameHeight() + 2 * spacing;
  const float room = ImGui::GetContentRegionAvail().x,
              valueWidth = room - easingWidth - timeWidth - icons - 3 * spacing;
  const std::string title = ids.size() > 1               ? countText(ids.size(), "key")
                            : first.field == kCameraPath ? std::string("Camera")
                                                         : satdof::labelOf(first.field);
  double timeS = first.timeS;
  ImGui::SetNextItemWidth(timeWidth);
  if (dragTime("##keyTime", timeS, rate)) {
    moveSelected(session, timeS - first.timeS);
    return;
  }
  tooltip("Time of the " + std::string(ids.size() > 1 ? "first selected key" : "selected key"));
  ImGui::SameLine();
  const float valueEnd = ImGui::GetCursorPosX() + valueWidth;
  const Key* const key = ids.size() == 1 ? findKey(session.shot(), first) : nullptr;
  if (key != nullptr)
    drawKeyValue(session, first, key->value, title, valueWidth);
  else
    drawUseView(session, ids, title, valueWidth);
  ImGui::SameLine(valueEnd, spacing);
  ImGui::SetNextItemWidth(easingWidth);
  drawEasing(session, ids);
  ImGui::SameLine(0, spacing);
  if (iconButton("##copy", Icon::copy,
                 "Copy the selected keys to the playhead (Ctrl D); or drag them with Ctrl"))
    copySelectedToPlayhead(session);
  ImGui::SameLine(0, 0.25f * spacing);
  if (iconButton("##delete", Icon::cross, "Delete the selected keys (Delete)")) removeSelected(session);
}

void drawFilmProgress(Session& session) {
  static double startedS = 0;
  static int startedAt = 0;
  const Sequence& film = *session.sequence;
  if (film.written == 0 || film.written < startedAt || film.paused) {
    startedS = ImGui::GetTime();
    startedAt = film.written;
  }
  const int written = film.written - startedAt, left = film.frames - film.written;
  std::string text = "Frame " + std::to_string(film.written) + " of " + std::to_string(film.frames);
  if (written > 1) {
    const double leftS = (ImGui::GetTime() - startedS) * left / written;
    const bool minutes = leftS > 90;
    text += ", " + std::to_string(std::lround(minutes ? leftS / 60 : leftS)) + (minutes ? " min" : " s") +
            " left";
  }
  const float width = inFonts(5);
  progressBar(static_cast<float>(film.written) / static_cast<float>(film.frames), text,
              ImGui::GetContentRegionAvail().x - 2.0f * (width + ImGui::GetStyle().ItemSpacing.x),
              ImGui::GetFrameHeight());
  ImGui::SameLine();
  drawPause(session, width);
  ImGui::SameLine();
  if (button("Cancel", "Ends the film. Frames that are written stay. Key Ctrl F12", width))
    toggleFilm(session);
}

// Applies page keys, Home and End while the keyboard is in the timeline.
void applyPageKeys(Session& session) {
  const Arrows pages = pagesOfWindow();
  if (session.sequence) return;
  if (pages.page != 0) goToKey(session, pages.page > 0);
  if (pages.end != 0) goToEnd(session, pages.end > 0);
}

void drawBottomLine(Session& session) {
  const Timeline& timeline = session.timeline;
  if (session.sequence) return drawFilmProgress(session);
  if (!timeline.selected.empty()) return drawSelected(session);
  const char* const text =
      timeline.pullFromM         ? "Click on the image where the pull of the focus ends. Esc cancels"
      : session.shot() == Shot{} ? "Space plays, K sets keys; Shots has a turntable, a rack focus and others"
                                 : "Click on a key to edit it. Drag moves keys, Ctrl copies";
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("%s", cut(text, ImGui::GetContentRegionAvail().x).c_str());
  tooltip(text);
}

}  // namespace

void drawDiamond(glm::vec2 at, float radius, Diamond state) {
  auto& draw = *ImGui::GetWindowDrawList();
  const std::array corners = {ImVec2(at.x, at.y - radius), ImVec2(at.x + radius, at.y),
                              ImVec2(at.x, at.y + radius), ImVec2(at.x - radius, at.y)};
  if (state == Diamond::here) draw.AddQuadFilled(corners[0], corners[1], corners[2], corners[3], kAccent);
  if (state == Diamond::changed) draw.AddTriangleFilled(corners[1], corners[2], corners[3], kAccent);
  draw.AddQuad(corners[0], corners[1], corners[2], corners[3],
               state == Diamond::none ? IM_COL32(130, 130, 130, 255) : kAccent, 1.0f);
}

float heightOfImage(const Session& session) {
  const bool shown = session.timeline.shown && session.settings.present.showUi;
  return ImGui::GetIO().DisplaySize.y - (shown ? layoutOf(session).height : 0.0f);
}

float heightOfColumn(const Session& session) {
  const bool below = session.timeline.shown && layoutOf(session).left == 0.0f;
  return below ? heightOfImage(session) : ImGui::GetIO().DisplaySize.y;
}

void drawTimelinePanel(Session& session) {
  if (!session.timeline.shown) return;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const auto& style = ImGui::GetStyle();
  const auto [rows, left, height, rowsHeight] = layoutOf(session);
  ImGui::SetNextWindowPos({left, display.y - height});
  ImGui::SetNextWindowSize({display.x - left, height});
  ImGui::SetNextWindowBgAlpha(0.96f);
  ImGui::Begin("Timeline", nullptr,
               kFixedWindow | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse |
                   ImGuiWindowFlags_NoFocusOnAppearing);
  applyPageKeys(session);
  drawToolbar(session);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float ruler = inFonts(kRulerInFonts);
  const float labels = std::min(inFonts(kLabelsInFonts), kLabelsPart * (display.x - left));
  const auto [fromS, toS] = shownTimes(session);
  const float right =
      ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x - style.ScrollbarSize - kKeyReach;
  const Lanes lanes{fromS, toS, at.x + labels + 1.5f * kKeyReach, right};
  applyTimelineDrag(session, lanes);
  drawRuler(session, lanes);
  ImGui::SetCursorScreenPos({at.x, at.y + ruler + style.ItemSpacing.y});
  drawHead(session, lanes, at.y, at.y + ruler + style.ItemSpacing.y);
  drawRows(session, rows, lanes, labels, rowsHeight);
  drawBottomLine(session);
  ImGui::End();
}

}  // namespace satdof
