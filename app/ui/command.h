#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace satdof {

// What keys and panels can request from the window. app/run/window/commands.cpp carries it out.
enum class Command {
  quit,
  reloadShaders,
  undo,  // the last stroke of the depth brush, else the last edit
  redo,
  cancelLoading,  // stops reading the scene's file
  open,           // lets the user choose a file. `name`: path of the field that takes the file; empty: the file decides
  openFiles,      // `files`
  loadSettings,   // `files`: settings, a shot or a preset of the user
  saveSettings,   // `files`: settings or a preset of the user
  saveSettingsAs,
  deletePreset,  // `files`
  useLens,       // `name`: of a lens preset
  saveShot,      // `files`
  copyJson,
  copyOptions,
  copyLook,
  paste,
  pasteLook,
  stepPhotos,  // `number`: photographs of the strip to go on or back
  planExport,  // shows what exportPhotos will write
  exportPhotos,
  cancelExport,
  estimateDepth,
  cancelEstimate,
  resetDepth,  // removes levels and strokes
  saveImageAs,
  saveImage,     // `files`: its name; none: the next free number
  setFocusKeys,  // sets keys of the focus that the autofocus follows
  saveLab,       // `name`: extension of the file, such as ".svg"
  saveSlowMotion,
};

// A command with its arguments.
struct CommandRequest {
  Command command;
  std::vector<std::filesystem::path> files{};
  std::string name{};
  int number = 0;
};

}  // namespace satdof
