#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>

#include "app/core/files/file_names.h"
#include "app/io/settings_file.h"
#include "app/scene/scene_files.h"
#include "app/ui/edit.h"
#include "app/ui/panels/field_widgets.h"
#include "app/ui/panels/fitted_text.h"
#include "app/ui/panels/panels.h"
#include "app/ui/panels/widgets.h"
#include "app/ui/presets.h"

namespace satdof {

namespace {

// Returns why no preset of the user can have this name; empty if one can.
std::string whyNotNamed(const Session& session, const std::string& presetName) {
  if (session.presetFolder.empty()) return "there is no folder for presets; set HOME or XDG_CONFIG_HOME";
  if (presetName.empty()) return "its name is missing";
  if (presetName.find('/') != std::string::npos) return "a name contains no /";
  if (isReadyMade(presetName)) return "a ready-made preset has this name";
  return presetName[0] == '.' ? "a name does not begin with a point" : "";
}

}  // namespace

void drawTop(Session& session) {
  rowLabel("Preset");
  const std::string chosen = session.preferences.preset ? session.preferences.preset->name : "choose...",
                    ending = presetChanged(session) ? ", changed" : "";
  if (beginList("##preset", chosen, ending)) {
    if (showsPhoto(session.settings)) ImGui::TextDisabled("Scenes, in place of the photograph:");
    for (const auto& preset : presets()) {
      const std::string notice = missingDevice(preset, session.settings);
      if (ImGui::Selectable(preset.name)) choose(session, preset);
      tooltip(notice.empty() ? preset.help : std::string(preset.help) + "\nNot here: " + notice);
    }
    if (!session.ownPresets.empty()) ImGui::Separator();
    for (const auto& file : session.ownPresets) {
      if (ImGui::Selectable(file.stem().string().c_str())) session.request({Command::loadSettings, {file}});
      tooltip("A look for any image: " + file.string());
    }
    endList();
  }
  tooltip((session.preferences.preset ? chosen + ending + "\n" : "") + "Ready-made scenes and own looks");
  edit(session.settings, kTechniqueA, {"view"});
  drawGuessedDepth(session);
}

void drawState(Session& session, const std::string& state, const std::optional<LoadStatus>& loading) {
  const bool estimates = !loading && session.estimating;
  if (loading || estimates) {
    const LoadStatus wait = loading.value_or(LoadStatus{0.0f, "Estimating the depth ..."});
    progressBar(wait.part, wait.doing,
                ImGui::GetContentRegionAvail().x - buttonWidth("Cancel") - ImGui::GetStyle().ItemSpacing.x,
                ImGui::GetTextLineHeight());
    tooltip(estimates ? "The depth command runs. Section Scene shows its output" : "Loading: " + wait.doing);
    ImGui::SameLine();
    if (ImGui::SmallButton("Cancel")) session.request({estimates ? Command::cancelEstimate : Command::cancelLoading});
    tooltip(estimates ? kCancelEstimateHelp : "Stop loading. The scene keeps what it shows");
    return;
  }
  ImGui::TextDisabled("%s", cut(state, ImGui::GetContentRegionAvail().x).c_str());
  tooltip(state +
          "\nQuick while something moves, at a lower resolution if slow, best at rest, after two seconds "
          "converging to the reference. Section Quality switches each off");
}

void drawSettingsPanel(Session& session) {
  const float third = shareOfLine(3);
  if (button("Copy JSON", "Copy the settings as JSON. Key Ctrl C", 0.0f)) session.request({Command::copyJson});
  ImGui::SameLine();
  if (button("Copy options", "Copy the settings as a command line. Key Ctrl Shift C", 0.0f))
    session.request({Command::copyOptions});
  ImGui::SameLine();
  if (button("Paste", "Use the settings of the clipboard: JSON or a command line. Key Ctrl V", -1.0f))
    session.request({Command::paste});
  const float half = shareOfLine(2);
  rowLabel("File");
  ImGui::InputTextWithHint("##file", "settings.json", session.fileName.data(), session.fileName.size());
  tooltip("A JSON file, or a " + namesWithText() + " captured by satdof. Or drop the file on the window");
  const std::filesystem::path file = session.fileName.data();
  const std::string noFile = file.empty() ? "the name of the file is missing" : "";
  if (button("Load", "Use the settings of this file", third, noFile)) session.request({Command::loadSettings, {file}});
  ImGui::SameLine();
  if (button("Save", "Write the settings to this JSON file. It replaces a settings file, no other", third, noFile))
    session.request({Command::saveSettings, {file}});
  ImGui::SameLine();
  if (button("Save as", "Choose name and folder. In the folder of the presets: a preset of the look", third))
    session.request({Command::saveSettingsAs});
  rowLabel("Own preset");
  const bool entered = ImGui::InputTextWithHint("##presetName", "a name", session.presetName.data(),
                                                session.presetName.size(), ImGuiInputTextFlags_EnterReturnsTrue);
  tooltip("A name. Enter saves the preset");
  if (ImGui::IsItemEdited()) session.askedToReplace.clear();
  const std::string presetName = session.presetName.data();
  const std::filesystem::path preset = session.presetFolder / (presetName + ".json");
  const bool listed = std::ranges::find(session.ownPresets, preset) != session.ownPresets.end();
  const auto exists = [&] { return listed || isThere(preset); };  // another window may have saved it
  const bool replaces = session.askedToReplace == preset;
  if (entered && !replaces && exists()) ImGui::SetKeyboardFocusHere(-1);
  const std::string unusable = whyNotNamed(session, presetName);
  if (!presetName.empty() && !unusable.empty()) hint("No preset: " + unusable);
  const bool saved = button(replaces ? "Replace preset" : "Save preset",
                            "Adds the look to the list of presets: lens, bokeh, filter and exposure", half, unusable);
  if (saved || (entered && unusable.empty())) {
    session.askedToReplace.clear();
    if (replaces || !exists()) {
      session.request({Command::saveSettings, {preset}});
    } else {
      session.askedToReplace = preset;
      session.say("\"" + presetName + "\" exists: once more replaces it");
    }
  }
  ImGui::SameLine();
  const bool sure = session.askedToDelete == preset;
  if (button(sure ? "Delete for good" : "Delete preset",
             sure ? "Deletes the file now. No undo brings it back"
                  : "Deletes the file of the own preset with this name, if pressed twice",
             half, listed ? "" : unusable)) {
    const bool asks = !sure && exists();
    if (sure) session.request({Command::deletePreset, {preset}});
    if (!sure && !asks) session.say("No own preset is named \"" + presetName + "\"");
    session.askedToDelete = asks ? preset : std::filesystem::path();
  }
  if (button("Copy look", "Copy lens, bokeh, filter and exposure, for another image. Key Ctrl L", half))
    session.request({Command::copyLook});
  ImGui::SameLine();
  if (button("Paste look", "Use the look of the clipboard; files, focus, camera and technique stay. Key Ctrl Shift L",
             half))
    session.request({Command::pasteLook});
}

}  // namespace satdof
