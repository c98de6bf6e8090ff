#include <imgui.h>

#include <algorithm>
#include <string>

#include "app/core/files/video_formats.h"
#include "app/scene/image/image.h"
#include "app/ui/panels/fitted_text.h"
#include "app/ui/panels/panels.h"
#include "app/ui/panels/style.h"
#include "app/ui/panels/widgets.h"

namespace satdof {

namespace {

// Draws a text line with its selection and its cursor.
void drawLine(const TextLine& line) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float bottom = at.y + ImGui::GetTextLineHeight();
  const char* const text = line.text().c_str();
  const auto xOf = [&](std::size_t byte) {
    return at.x + (byte == 0 ? 0.0f : ImGui::CalcTextSize(text, text + byte).x);
  };
  const auto [from, to] = line.selection();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled({xOf(from), at.y}, {xOf(to), bottom}, ImGui::GetColorU32(ImGuiCol_TextSelectedBg));
  ImGui::TextUnformatted(text);
  const float cursor = xOf(line.cursor());
  draw.AddLine({cursor, at.y}, {cursor, bottom}, ImGui::GetColorU32(ImGuiCol_Text));
}

}  // namespace

void drawFileBrowser(Session& session) {
  FileBrowser& browser = session.browser;
  if (!browser.shown()) return;
  constexpr float kWidestInFonts = 44.0f, kHighestInFonts = 40.0f, kMarginInFonts = 2.0f, kThumbnailInFonts = 3.0f;
  const float font = ImGui::GetFontSize();
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, 0, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(kWidestInFonts * font, screen.x - kMarginInFonts * font),
                            std::min(kHighestInFonts * font, screen.y - kMarginInFonts * font)});
  ImGui::SetNextWindowBgAlpha(1.0f);
  ImGui::Begin("open", nullptr, kFixedWindow | ImGuiWindowFlags_NoNav);
  ImGui::SetWindowFocus();
  if (button("Up", "The folder above. Keys Alt Up", 0.0f)) browser.up();
  ImGui::SameLine();
  if (browser.saves()) {
    if (button("Save", "Key Enter", 0.0f)) {
      browser.select(browser.entries().size());
      browser.enter();
    }
  } else if (button("Open all", "All images of this folder, as a strip", 0.0f)) {
    session.request({Command::openFiles, {browser.folder()}});
    browser.close();
  }
  ImGui::SameLine();
  if (button("Cancel", "Key Esc", 0.0f)) browser.close();
  ImGui::SameLine();
  ImGui::TextUnformatted(cutBeginning(browser.folder().string(), ImGui::GetContentRegionAvail().x).c_str());
  const TextLine& filter = browser.filter();
  if (!browser.saves() && filter.text().empty()) {
    ImGui::TextDisabled("Type to filter. Arrows, Enter, Alt Up");
  } else {
    ImGui::TextUnformatted(browser.saves() ? "Name:" : "Filter:");
    ImGui::SameLine();
    drawLine(filter);
  }
  const bool moved = browser.takeMoved();
  ImGui::BeginChild("entries", {0, 0}, false, ImGuiWindowFlags_NoNav);
  if (!browser.problem().empty())
    hint(browser.problem());
  else if (browser.entries().empty() && !browser.saves())
    hint(browser.holdsPath()     ? "Enter opens this path, if it exists"
         : filter.text().empty() ? "No image, film, model or settings here"
                                 : "Nothing here has such a name");
  const FileBrowser::Entry* clicked = nullptr;
  for (const FileBrowser::Entry& entry : browser.entries()) {
    const auto index = static_cast<std::size_t>(&entry - browser.entries().data());
    const bool selected = index == browser.selected();
    std::string label = entry.path.filename().string();
    if (entry.kind == FileBrowser::Kind::folder) label += '/';
    if (entry.kind == FileBrowser::Kind::recent) label += "   " + entry.path.parent_path().string();
    ImGui::PushID(&entry);
    const bool image = entry.kind != FileBrowser::Kind::folder && (isImageFile(entry.path) || isVideoInput(entry.path));
    const float height = image ? kThumbnailInFonts * font : 0.0f;
    if (image) {
      if (drawThumbnail(session.thumbnails, {entry.path}, {1.5f * height, height}, false)) clicked = &entry;
      ImGui::SameLine();
    }
    if (ImGui::Selectable(cut(label, ImGui::GetContentRegionAvail().x).c_str(), selected, 0, {0.0f, height}))
      clicked = &entry;
    ImGui::PopID();
    if (selected && moved) ImGui::SetScrollHereY();
  }
  ImGui::EndChild();
  ImGui::End();
  if (clicked == nullptr) return;
  browser.select(static_cast<std::size_t>(clicked - browser.entries().data()));
  if (const auto file = browser.enter()) session.request({Command::openFiles, {*file}});
}

}  // namespace satdof
