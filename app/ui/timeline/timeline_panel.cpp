#include "app/ui/timeline/timeline_panel.h"

#include <imgui.h>

#include <algorithm>
#include <vector>

#include "app/ui/panels/style.h"
#include "app/ui/panels/widgets.h"
#include "app/ui/timeline/key_line.h"
#include "app/ui/timeline/lanes.h"
#include "app/ui/timeline/timeline.h"
#include "app/ui/timeline/timeline_look.h"
#include "app/ui/timeline/toolbar.h"

namespace satdof {

namespace {

constexpr float kNarrowestTimelineInFonts = 32.0f, kLabelsInFonts = 8.5f, kLabelsPart = 0.3f;
constexpr float kHighestPart = 0.5f;  // highest timeline, as a part of the window

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
  const float column = session.visible.left * display.x;
  layout.left = display.x - column >= inFonts(kNarrowestTimelineInFonts) ? column : 0.0f;
  layout.height = fixed + layout.rowsHeight;
  return layout;
}

// Applies page keys, Home and End while the keyboard is in the timeline.
void applyPageKeys(Session& session) {
  const Arrows pages = pagesOfWindow();
  if (session.sequence) return;
  if (pages.page != 0) goToKey(session, pages.page > 0);
  if (pages.end != 0) goToEnd(session, pages.end > 0);
}

}  // namespace

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
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x - style.ScrollbarSize - kKeyReach;
  const Lanes lanes{fromS, toS, at.x + labels + 1.5f * kKeyReach, right};
  applyTimelineDrag(session, lanes);
  drawRuler(session, lanes);
  ImGui::SetCursorScreenPos({at.x, at.y + ruler + style.ItemSpacing.y});
  drawHead(session, lanes, at.y, at.y + ruler + style.ItemSpacing.y);
  drawRows(session, rows, lanes, labels, rowsHeight);
  drawKeyLine(session);
  ImGui::End();
}

}  // namespace satdof
