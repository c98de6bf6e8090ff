#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "app/ui/panels.h"
#include "app/ui/presets.h"
#include "app/ui/technique_controls.h"
#include "app/ui/widgets.h"

namespace satdof {

void drawTop(Session& session) {
  rowLabel("Preset");
  if (beginList("##preset", shownPreset(session).c_str())) {
    for (const auto& preset : presets()) {
      const std::string notice = missingDevice(preset, session.settings);
      if (ImGui::Selectable(preset.name)) choose(session, preset);
      tooltip(notice.empty() ? preset.help : std::string(preset.help) + "\nNot here: " + notice);
    }
    if (!session.ownPresets.empty()) ImGui::Separator();
    for (const auto& file : session.ownPresets) {
      if (ImGui::Selectable(file.stem().string().c_str())) session.loadFile = file;
      tooltip(file.string());
    }
    ImGui::EndCombo();
  }
  tooltip("Ready-made scenes");
  editView(session.settings, kTechniqueA);
}

void drawSettingsPanel(Session& session) {
  const float third = (ImGui::GetContentRegionAvail().x - 2 * ImGui::GetStyle().ItemSpacing.x) / 3;
  if (button("Copy JSON", "Copy the settings as JSON. Key Ctrl C", third))
    session.clipboard = Clipboard::copyJson;
  ImGui::SameLine();
  if (button("Copy options", "Copy the settings as a command line. Key Ctrl Shift C", third))
    session.clipboard = Clipboard::copyOptions;
  ImGui::SameLine();
  if (button("Paste", "Use the settings of the clipboard: JSON or a command line. Key Ctrl V", third))
    session.clipboard = Clipboard::paste;
  rowLabel("File");
  ImGui::InputText("##file", session.fileName.data(), session.fileName.size());
  tooltip("A JSON file, or a PNG, EXR or HDR captured by satdof. Or drop the file on the window");
  const float half = 0.5f * (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x);
  const std::filesystem::path file = session.fileName.data();
  ImGui::BeginDisabled(file.empty());
  if (button("Load", "Use the settings of this file", half)) session.loadFile = file;
  ImGui::SameLine();
  if (button("Save", "Write the settings to this JSON file. It replaces a settings file, no other", half))
    session.saveFile = file;
  ImGui::EndDisabled();
  rowLabel("Own preset");
  ImGui::InputText("##presetName", session.presetName.data(), session.presetName.size());
  const std::string presetName = session.presetName.data();
  const bool usable = !session.presetFolder.empty() && !presetName.empty() &&
                      presetName.find('/') == std::string::npos && presetName[0] != '.';
  const std::filesystem::path preset = session.presetFolder / (presetName + ".json");
  ImGui::BeginDisabled(!usable);
  if (button("Save preset", "Adds the settings to the list of presets", half)) session.saveFile = preset;
  ImGui::EndDisabled();
  ImGui::SameLine();
  ImGui::BeginDisabled(!usable || std::ranges::find(session.ownPresets, preset) == session.ownPresets.end());
  if (button("Delete preset", "Deletes the file of the own preset with this name", half))
    session.deleteFile = preset;
  ImGui::EndDisabled();
}

}  // namespace satdof
