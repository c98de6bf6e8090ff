#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "app/core/text/foreign_text.h"
#include "app/io/depth_image.h"
#include "app/render/why_not.h"
#include "app/scene/image/depth_map.h"
#include "app/scene/image/image.h"
#include "app/scene/registry.h"
#include "app/scene/scene_files.h"
#include "app/ui/edit.h"
#include "app/ui/panels/environment_list.h"
#include "app/ui/panels/field_widgets.h"
#include "app/ui/panels/fitted_text.h"
#include "app/ui/panels/panels.h"
#include "app/ui/panels/widgets.h"
#include "app/ui/timeline/timeline.h"

namespace satdof {

namespace {

// Whether to hide a setting of a photograph: it has no effect with the meaning of its depth, or is for films.
bool hidesControl(const Session& session, std::string_view path) {
  if (path == "scene.image.smoothFrames") return session.inputFrames == 0;
  return path.starts_with("scene.image.") && !whyNot(session.settings, path).empty();
}

// Draws the list of images that were shown before. Choosing one shows it again.
void drawRecentImages(Session& session) {
  rowLabel("Recent");
  const auto& recent = session.preferences.recentImages;
  ImGui::BeginDisabled(recent.empty());
  if (beginList("##recent", recent.empty() ? "none" : "choose...")) {
    constexpr std::size_t kMax = 10;
    for (const RecentImage& image : std::span(recent).first(std::min(recent.size(), kMax))) {
      ImGui::PushID(&image);
      if (ImGui::Selectable(std::filesystem::path(image.file.text).filename().string().c_str())) {
        ImageSettings& shown = session.settings.scene.image;
        shown = withReading(shown, image.reading);
        shown.file = image.file;
        shown.depth = image.depth;
        session.settings.scene.frame = true;
      }
      tooltip(image.file.text + (image.depth.none() ? "" : "\n" + image.depth.text));
      ImGui::PopID();
    }
    endList();
  }
  ImGui::EndDisabled();
}

// Draws the histogram of the inverse distances of the depth, with its levels.
void drawDepthHistogram(const Session& session) {
  constexpr float kHeightInFonts = 3.0f;
  if (!session.shown.depthCounts || session.shown.depthCounts->empty()) return;
  const std::vector<std::uint32_t>& counts = *session.shown.depthCounts;
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = kHeightInFonts * ImGui::GetFontSize();
  ImGui::Dummy({width, height});
  tooltip(
      "Inverse distances of the depth as read, infinity at the left, the nearest at the right, as roots of "
      "their counts. Lines: its levels; grey: sky");
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 to(from.x + width, from.y + height);
  draw.AddRectFilled(from, to, ImGui::GetColorU32(ImGuiCol_FrameBg));
  const ImageSettings& image = session.settings.scene.image;
  draw.AddRectFilled(from, {from.x + width * image.skyBelow, to.y}, ImGui::GetColorU32(ImGuiCol_TextDisabled, 0.4f));
  drawBars(draw, counts, std::max(std::ranges::max(counts), 1u), {from.x, from.y}, {width, height},
           ImGui::GetColorU32(ImGuiCol_PlotHistogram));
  for (const float level : {image.levelFar, image.levelNear})
    draw.AddLine({from.x + width * level, from.y}, {from.x + width * level, to.y}, ImGui::GetColorU32(ImGuiCol_Text));
}

// Draws the choice and the settings of the depth brush.
void drawDepthBrush(Session& session) {
  DepthTool& brush = session.brush;
  if (!showsPhoto(session.settings)) return;
  rowLabel("Depth brush");
  const BrushRow& chosen = *std::ranges::find(kBrushes, brush.kind, &BrushRow::kind);
  drawList("##brush", chosen.name, kBrushes, [&](const BrushRow& row) {
    if (listEntry(row.name, row.help, row.kind == brush.kind)) brush.kind = row.kind;
  });
  tooltip(std::string(chosen.help) +
          ". What it makes is kept beside the photograph, in an .exr of its own, and found there");
  if (!brush.kind) return;
  hint("W or Esc ends the brush, Shift W takes the next");
  const auto slider = [](const char* label, float& value, float most, const char* format, const char* help) {
    rowLabel(label);
    numberedSlider((std::string("##") + label).c_str(), value, 0.002f, most, format, ImGuiSliderFlags_AlwaysClamp);
    tooltip(help);
  };
  if (brush.kind != BrushKind::same) {
    slider("Brush radius", brush.radius, DepthTool::kMax, "%.3f", "In widths of the photograph; also the wheel");
    slider("Brush strength", brush.strength, 1.0f, "%.2f", "Of one touch");
  }
  slider("Brush edge", brush.edge, 1.0f, "%.2f", "A larger step of colour stops the brush; 1: none does");
  const float half = shareOfLine(2);
  if (button("Undo stroke", "Ctrl+Z", half, brush.undoable > 0 ? "" : "the last edit is no stroke"))
    session.request({Command::undo});
  ImGui::SameLine();
  if (button("Redo stroke", "Ctrl+Shift+Z", half, brush.redoable > 0 ? "" : "the next edit is no stroke"))
    session.request({Command::redo});
}

// Draws the button that removes levels and strokes from the depth of the photograph.
void drawResetDepth(Session& session) {
  const ImageSettings& image = session.settings.scene.image;
  if (!showsPhoto(session.settings)) return;
  const std::filesystem::path strokes = correctedDepthOf(image.file.text);
  const bool painted = isCorrection(image) || session.brush.painted,
             sure = !painted || session.askedToDelete == strokes;
  const std::string name = strokes.filename().string();
  const std::string help = !painted ? "Sets levels and sky back"
                           : sure   ? "Deletes " + name + " now. No undo brings it back"
                                    : "Sets levels and sky back and deletes " + name + ", if pressed twice";
  const bool nothing = !painted && image == withoutLevels(image);
  if (!button(painted && sure ? "Delete strokes for good" : "Reset depth", help.c_str(), -1.0f,
              nothing ? "no level and no stroke changes the depth" : ""))
    return;
  if (sure) session.request({Command::resetDepth});
  session.askedToDelete = sure ? std::filesystem::path() : strokes;
}

// Draws the command that estimates the depth of the photograph.
void drawDepthCommand(Session& session) {
  if (session.shown.lacksDepth)
    hint(
        "Without depth: shown as it is. Drop its depth on the window, type its path, or let a program "
        "estimate it");
  textRow("Depth command", "TOOL {image} {depth}", session.preferences.depthCommand,
          "A program that estimates the depth: it reads the photograph {image} and writes {depth}, a .png, or "
          "{depth.pfm}. Its result is kept in the cache");
  if (session.estimating) {
    if (button("Cancel the command", kCancelEstimateHelp, -1.0f)) session.request({Command::cancelEstimate});
    hint(session.estimating->empty() ? "Estimating the depth" : printable(*session.estimating, 600));
    return;
  }
  const std::string missing = session.preferences.depthCommand.empty() ? "the command is missing"
                              : showsPhoto(session.settings)           ? ""
                                                                       : "no photograph is shown";
  if (button("Estimate depth", "Runs the command in the background", -1.0f, missing))
    session.request({Command::estimateDepth});
}

// Draws the field of a file. While a film is shown, the field has the name of the film, not of the frame.
void editFile(Session& session, const Control& control, FilePath ImageSettings::*file,
              FilePath RecentImage::*filmFile) {
  const auto& film = session.preferences.film;
  FilePath& edited = session.settings.scene.image.*file;
  const FilePath shown = edited, named = film && session.inputFrames > 0 ? *film.*filmFile : shown;
  edited = named;
  edit(session.settings, control);
  if (edited == named) edited = shown;
}

// Draws the scale of the depth that is used, which may have been assumed.
void editScale(Settings& settings, const Control& control) {
  float& edited = settings.scene.image.scale;
  const float scale = edited, used = usedScale(settings.scene.image);
  edited = used;
  edit(settings, control);
  if (edited == used) edited = scale;
}

// Completes another meaning of the depth, and frames the photograph again if its distances change.
void followMeaning(const ImageSettings& before, SceneSettings& scene) {
  ImageSettings& image = scene.image;
  scene.frame |= image.inverted != before.inverted;
  if (image.meaning == before.meaning) return;
  image.scale = withMeaning(before, image.meaning).scale;
  scene.frame |= depthMeaning(image) != depthMeaning(before);
}

}  // namespace

void drawGuessedDepth(Session& session) {
  // With a strip the row is always shown, so that nothing moves when another photograph is chosen.
  if (!session.shown.guessesDepth && !session.strip.shown()) return;
  const ImageSettings before = session.settings.scene.image;
  ImGui::PushID("guessed");
  edit(session.settings, controlOf("scene.image.meaning"));
  ImGui::PopID();
  followMeaning(before, session.settings.scene);
}

void drawScenePanel(Session& session, const SceneReport& report) {
  Settings& settings = session.settings;
  const SceneSettings before = settings.scene;
  for (const Control& control : controls(ControlGroup::scene)) {
    if (!showsControl(sceneRow(settings.scene.kind), control.path) || hidesControl(session, control.path)) continue;
    const std::string_view path = control.path;
    if (path == "scene.image.file")
      editFile(session, control, &ImageSettings::file, &RecentImage::file);
    else if (path == "scene.image.depth")
      editFile(session, control, &ImageSettings::depth, &RecentImage::depth);
    else if (path == "scene.image.scale")
      editScale(settings, control);
    else
      edit(settings, control, kNoScope, path == "scene.animate" ? session.shown.whyStill : std::string());
    if (path == "scene.image.skyBelow") {
      drawDepthHistogram(session);
      drawDepthBrush(session);
      drawResetDepth(session);
    }
    if (path == "scene.model.environment") drawEnvironmentList(settings.scene.model.environment);
  }
  followMeaning(before.image, settings.scene);
  if (std::string field = takeBrowsed(); !field.empty())
    session.request({.command = Command::open, .name = std::move(field)});
  if (sceneRow(settings.scene.kind).showsPhotographs()) {
    drawDepthCommand(session);
    drawRecentImages(session);
  }
  if (settings.scene.image.file != before.image.file) settings.technique.view = Technique().view;
  const SceneRow& scene = sceneRow(settings.scene.kind);
  const auto line = [](const std::string& label, const std::string& value, const std::string& help) {
    rowLabel(label.c_str());
    ImGui::TextWrapped("%s", brokenAtSpaces(value, ImGui::GetContentRegionAvail().x).c_str());
    tooltip(help);
  };
  if (const auto& film = session.preferences.film; film && session.inputFrames > 0)
    line("Film",
         std::filesystem::path(film->file.text).filename().string() + ", frame " +
             std::to_string(inputFrame(session) + 1) + " of " + std::to_string(session.inputFrames),
         film->file.text + (film->depth.none() ? "" : "\n" + film->depth.text));
  for (const auto& [label, value, help] : report.readings) line(label, value, help);
  for (const std::string& note : report.notes) line("Note", withoutFolder(note), note);
  if (scene.restart != nullptr) {
    const bool pressed = button(scene.restartLabel, scene.restartHelp, -1.0f);
    if (pressed) session.action = scene.restartLabel;
    if (pressed || before.kind != settings.scene.kind || !scene.sameStart(before, settings.scene))
      scene.restart(settings.scene);
  }
  if (scene.sameLight != nullptr && !scene.sameLight(before, settings.scene)) exposeAgain(settings.scene);
  if (before.kind != settings.scene.kind) placeCamera(session);
}

}  // namespace satdof
