#include <imgui.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "app/scene/registry.h"
#include "app/ui/edit.h"
#include "app/ui/environment_list.h"
#include "app/ui/panels.h"
#include "app/ui/widgets.h"

namespace satdof {

namespace {

// The files shown before; choosing one shows it again.
void drawRecentImages(Session& session) {
  rowLabel("Recent");
  const auto& recent = session.preferences.recentImages;
  ImGui::BeginDisabled(recent.empty());
  if (beginList("##recent", recent.empty() ? "none" : "choose...")) {
    for (const RecentImage& image : recent) {
      ImGui::PushID(&image);
      if (ImGui::Selectable(std::filesystem::path(image.file.text).filename().string().c_str())) {
        session.settings.scene.image.file = image.file;
        session.settings.scene.image.depth = image.depth;
        session.settings.scene.frame = true;
      }
      tooltip(image.file.text + (image.depth.none() ? "" : "\n" + image.depth.text));
      ImGui::PopID();
    }
    ImGui::EndCombo();
  }
  ImGui::EndDisabled();
}

}  // namespace

void drawScenePanel(Session& session, const std::vector<SceneReading>& readings, const Notes& notes) {
  Settings& settings = session.settings;
  const SceneSettings before = settings.scene;
  for (const Control& control : controls(ControlGroup::scene)) {
    if (!showsControl(sceneRow(settings.scene.kind), control.path)) continue;
    edit(settings, control, kNoScope,
         std::string_view(control.path) == "scene.animate"
             ? session.whyStill
             : sceneEffectMissing(settings.scene, control.path));
    if (std::string_view(control.path) == "scene.model.environment")
      drawEnvironmentList(settings.scene.model.environment);
  }
  if (std::string field = takeBrowsed(); !field.empty()) {
    session.openFor = std::move(field);
    session.openNow = true;
  }
  if (sceneRow(settings.scene.kind).imageSize != nullptr) drawRecentImages(session);
  const SceneRow& scene = sceneRow(settings.scene.kind);
  const auto line = [](const std::string& label, const std::string& value, const std::string& help) {
    rowLabel(label.c_str());
    ImGui::TextWrapped("%s", brokenAtSpaces(value, ImGui::GetContentRegionAvail().x).c_str());
    tooltip(help);
  };
  for (const auto& [label, value, help] : readings) line(label, value, help);
  for (const std::string& note : notes) line("Note", withoutFolder(note), note);
  if (scene.restart != nullptr) {
    const bool pressed = button(scene.restartLabel, scene.restartHelp, -1.0f);
    if (pressed) session.action = scene.restartLabel;
    if (pressed || before.kind != settings.scene.kind || !scene.startsAlike(before, settings.scene))
      scene.restart(settings.scene);
  }
  if (scene.litAlike != nullptr && !scene.litAlike(before, settings.scene)) exposeAgain(settings.scene);
  if (before.kind != settings.scene.kind) placeCamera(session);
}

}  // namespace satdof
