#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "app/core/settings_json.h"
#include "app/core/text/count_text.h"
#include "app/ui/panels/fitted_text.h"
#include "app/ui/panels/panels.h"
#include "app/ui/panels/widgets.h"
#include "app/ui/presets.h"

namespace satdof {

namespace {

constexpr float kPhotoInFonts = 5.0f;

void drawPhotos(Session& session) {
  PhotoStrip& strip = session.strip;
  const float height = kPhotoInFonts * ImGui::GetFontSize(), width = 1.5f * height;
  ImGui::BeginChild("photos", {0, height + ImGui::GetStyle().ScrollbarSize}, false,
                    ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoNav);
  strip.focused = ImGui::IsWindowFocused();
  const bool scrolls = strip.scrolledTo != strip.at;
  for (std::size_t i = 0; i < strip.photos.size(); ++i) {
    if (i > 0) ImGui::SameLine();
    if (drawThumbnail(session.thumbnails, {strip.photos[i].file}, {width, height}, i == strip.at) && !strip.exporting)
      session.request({.command = Command::stepPhotos, .number = static_cast<int>(i) - static_cast<int>(strip.at)});
    if (i == strip.at && scrolls) ImGui::SetScrollHereX();
  }
  strip.scrolledTo = strip.at;
  ImGui::EndChild();
}

void drawPlan(Session& session, float half) {
  constexpr float kMaxLines = 6.0f;
  const PhotoStrip::Plan& plan = *session.strip.planned;
  const std::size_t count = session.strip.photos.size(), more = count - plan.names.size();
  hint("Writes into " + plan.folder.string() + ":");
  const float lines = std::min(static_cast<float>(plan.names.size() + (more > 0 ? 1 : 0)), kMaxLines);
  ImGui::BeginChild("names", {0, lines * ImGui::GetTextLineHeightWithSpacing()}, false, ImGuiWindowFlags_NoNav);
  for (const std::string& name : plan.names)
    ImGui::TextUnformatted(cut(name, ImGui::GetContentRegionAvail().x).c_str());
  if (more > 0) ImGui::TextDisabled("and %zu more", more);
  ImGui::EndChild();
  if (button(("Export " + countText(count, "file")).c_str(), "Section Capture chooses format and folder", half))
    session.request({Command::exportPhotos});
  ImGui::SameLine();
  if (button("Cancel", "Writes nothing", half)) session.request({Command::cancelExport});
}

}  // namespace

void drawLooksPanel(Session& session) {
  constexpr float kWidthInFonts = 10.0f;
  const float room = ImGui::GetContentRegionAvail().x;
  const int columns = std::max(static_cast<int>(room / (kWidthInFonts * ImGui::GetFontSize())), 1);
  const float width = shareOfLine(columns);
  const Settings& settings = session.settings;
  for (const ReadyLook& look : readyLooks()) {
    if ((&look - readyLooks().data()) % columns != 0) ImGui::SameLine();
    ImGui::BeginGroup();
    const bool chosen = sameLook(settings, withLook(settings, look));
    if (drawThumbnail(session.thumbnails, {{}, look.name}, {width, width / 1.5f}, chosen)) choose(session, look);
    tooltip(look.help);
    ImGui::TextDisabled("%s", cut(look.name, width).c_str());
    ImGui::EndGroup();
  }
}

void drawStripPanel(Session& session) {
  PhotoStrip& strip = session.strip;
  drawPhotos(session);
  const std::string count = std::to_string(strip.photos.size());
  const std::filesystem::path& at = strip.photos[strip.at].file;
  hint(cut(std::to_string(strip.at + 1) + " of " + count + ": " + at.filename().string(),
           ImGui::GetContentRegionAvail().x));
  rowLabel("Own looks");
  ImGui::Checkbox("##ownLooks", &strip.ownLooks);
  tooltip(
      "Each photograph keeps its own lens, bokeh, filter and exposure. Off: one look for all. The focus is "
      "always its own");
  const float half = shareOfLine(2);
  if (strip.exporting) {
    progressBar(static_cast<float>(strip.exporting->at) / static_cast<float>(strip.photos.size()),
                (session.estimating ? "Estimating the depth of " : "Exporting ") +
                    std::to_string(strip.exporting->at + 1) + " of " + count,
                ImGui::GetContentRegionAvail().x, ImGui::GetFrameHeight());
    ImGui::Dummy({half, ImGui::GetFrameHeight()});
    ImGui::SameLine();
    // No other button appears here, so a double click presses nothing else.
    // A press cancels: the panels may miss its release, because they do not react while a file is drawn.
    const bool released = button("Cancel export", "Keeps the files written so far", half);
    if (released || (ImGui::IsItemHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Left)))
      session.request({Command::cancelExport});
    const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    strip.cancelFrom = {from.x, from.y};
    strip.cancelTo = {to.x, to.y};
    return;
  }
  if (strip.planned) return drawPlan(session, half);
  if (button("Export all", "Every photograph as section Capture says: shows the names of the files first",
             strip.film.empty() ? -1.0f : half))
    session.request({Command::planExport});
  if (!strip.film.empty()) {
    ImGui::SameLine();
    if (button("Open as a film", "These are numbered frames: plays and refocuses them along the timeline", half)) {
      session.settings.scene.image.file.text = strip.film;
      session.settings.scene.frame = true;
      return strip.replaceBy({});
    }
  }
  if (!button(strip.closes ? "Close it now" : "Close strip",
              "The photograph that is shown stays. No undo brings the strip back, so press twice", half))
    return;
  if (strip.closes) return strip.replaceBy({});
  strip.closes = true;
}

}  // namespace satdof
