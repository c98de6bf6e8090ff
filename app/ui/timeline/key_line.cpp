#include "app/ui/timeline/key_line.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "app/core/text/count_text.h"
#include "app/ui/controls.h"
#include "app/ui/panels/field_widgets.h"
#include "app/ui/panels/fitted_text.h"
#include "app/ui/panels/panels.h"
#include "app/ui/panels/style.h"
#include "app/ui/panels/widgets.h"
#include "app/ui/timeline/icons.h"
#include "app/ui/timeline/timeline.h"
#include "app/ui/timeline/timeline_look.h"

namespace satdof {

namespace {

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
  if (!button("Use view", "Sets the selected keys to the camera and the settings of now", inFonts(6.2f))) return;
  Shot shot = session.shot();
  for (const KeyId& id : ids)
    setKey(shot, session.settings, id.field == kCameraPath ? kPlaceFields[0] : std::string_view(id.field), id.timeS);
  changeShot(session, std::move(shot), "Values: " + title);
}

// Draws the easing of the first of the keys, for all of them, and the handles of a bezier.
void drawEasing(Session& session, const std::set<KeyId>& ids) {
  auto [easing, handles] = easingOf(session.shot(), *ids.begin());
  if (beginList("##easing", name(easing))) {
    for (const auto& entry : entries(Easing{})) {
      const bool staysOpen = entry.value == Easing::bezier;  // for its handles
      if (ImGui::Selectable(entry.name, entry.value == easing, staysOpen ? ImGuiSelectableFlags_DontClosePopups : 0))
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
  if (iconButton("##copy", Icon::copy, "Copy the selected keys to the playhead (Ctrl D); or drag them with Ctrl"))
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
    text += ", " + std::to_string(std::lround(minutes ? leftS / 60 : leftS)) + (minutes ? " min" : " s") + " left";
  }
  const float width = inFonts(5);
  progressBar(static_cast<float>(film.written) / static_cast<float>(film.frames), text,
              ImGui::GetContentRegionAvail().x - 2.0f * (width + ImGui::GetStyle().ItemSpacing.x),
              ImGui::GetFrameHeight());
  ImGui::SameLine();
  drawPause(session, width);
  ImGui::SameLine();
  if (button("Cancel", "Ends the film. Frames that are written stay. Key Ctrl F12", width)) toggleFilm(session);
}

}  // namespace

void drawKeyLine(Session& session) {
  const Timeline& timeline = session.timeline;
  if (session.sequence) return drawFilmProgress(session);
  if (!timeline.selected.empty()) return drawSelected(session);
  const char* const text = timeline.pullFromM ? "Click on the image where the pull of the focus ends. Esc cancels"
                           : session.shot() == Shot{}
                               ? "Space plays, K sets keys; Shots has a turntable, a rack focus and others"
                               : "Click on a key to edit it. Drag moves keys, Ctrl copies";
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("%s", cut(text, ImGui::GetContentRegionAvail().x).c_str());
  tooltip(text);
}

}  // namespace satdof
