#include "app/ui/timeline/lanes.h"

#include <imgui.h>

#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "app/core/text/count_text.h"
#include "app/core/text/formatted.h"
#include "app/ui/controls.h"
#include "app/ui/panels/fitted_text.h"
#include "app/ui/panels/style.h"
#include "app/ui/panels/widgets.h"
#include "app/ui/timeline/timeline_look.h"

namespace satdof {

namespace {

constexpr double kEmptyShotS = 5.0, kShortestShotS = 0.5;  // shown durations of an empty and of a short shot
constexpr double kShortestViewS = 0.05;
// Heights of the played range and of the grips on the ruler.
constexpr float kRulerBar = 0.3f, kRulerGrip = 0.35f;
constexpr float kMarkGap = 3.0f, kMinDrag = 3.0f, kZoomPerWheel = 1.25f;  // in pixels
constexpr ImU32 kKeyEdge = IM_COL32(20, 20, 20, 255);

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

}  // namespace

std::pair<double, double> shownTimes(const Session& session) {
  const Timeline& timeline = session.timeline;
  if (laneDrag.kind != TimelineDrag::Kind::none) return laneDrag.view;
  if (timeline.view) return *timeline.view;
  const double lastS = lengthS(session), rangeS = timeline.range ? timeline.range->second : 0.0;
  const double wholeS = std::max({lastS, rangeS, lastS > 0.0 ? kShortestShotS : kEmptyShotS, timeline.timeS});
  return {0.0, 1.03 * wholeS};
}

namespace {

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
  const float height = inFonts(kRulerInFonts), bar = kRulerBar * height, gripsFrom = top + height - kRulerGrip * height;
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

}  // namespace

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

namespace {

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

// Applies arrows at the last item: they move the selected keys if one belongs to these tracks; with Shift, they select
// more keys.
void moveByArrows(Session& session, const std::vector<std::string>& tracks, bool values) {
  const bool any = std::ranges::any_of(
      session.timeline.selected, [&](const KeyId& id) { return std::ranges::find(tracks, id.field) != tracks.end(); });
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
      const bool wanted =
          selected.empty() || std::ranges::any_of(selected, [&](const KeyId& id) { return id.field == field; });
      const bool known = std::ranges::any_of(shown, [&](const Track* each) { return each->field == field; });
      if (track != session.shot().tracks.end() && wanted && !known && row.tracks.size() == 1) shown.push_back(&*track);
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

void drawCurves(Session& session, const std::vector<TimelineRow>& rows, const Lanes& lanes, float top, float height) {
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
      draw.AddCircleFilled(at, radius, session.timeline.selected.contains({track.field, key.timeS}) ? kChosen : colour);
    }
    draw.AddText({lanes.left, labelY}, colour, satdof::labelOf(track.field).c_str());
    labelY += ImGui::GetFontSize();
  }
  if (shown.empty())
    draw.AddText({lanes.left, top + 2}, kMarkColour, "No values: a free path of the camera has no curve");
}

}  // namespace

void drawRows(Session& session, const std::vector<TimelineRow>& rows, const Lanes& lanes, float labels, float height) {
  ImGui::BeginChild("rows", {0, height}, false, ImGuiWindowFlags_NavFlattened);
  auto& draw = *ImGui::GetWindowDrawList();
  const float rowHeight = ImGui::GetFrameHeight(), top = ImGui::GetWindowPos().y;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  const ImVec2 mouse = ImGui::GetMousePos();
  if (rows.empty())
    ImGui::TextDisabled("%s", cut("No keys yet: K sets keys of camera and lens, the diamonds in the panels one each",
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

void drawHead(const Session& session, const Lanes& lanes, float top, float bottom) {
  if (!lanes.shows(session.timeline.timeS)) return;
  auto& draw = *ImGui::GetWindowDrawList();
  const float x = lanes.x(session.timeline.timeS), r = 0.38f * ImGui::GetFontSize();
  draw.AddTriangleFilled({x - r, bottom - 1.6f * r}, {x + r, bottom - 1.6f * r}, {x, bottom}, kHeadColour);
  draw.AddLine({x, top}, {x, bottom}, kHeadColour, 1.5f);
}

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
  laneDrag.moved |= away >= kMinDrag;
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

}  // namespace satdof
