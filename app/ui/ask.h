#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace satdof {

// What keys and panels ask of the window.
enum class Ask {
  quit,
  reloadShaders,
  undo,  // a stroke of the depth brush, else an edit
  redo,
  cancelLoading,  // of the scene's file
  open,  // files of the user's choice; `name`: path of the field that takes the file; empty: the file decides
  openFiles,
  loadSettings,  // or a shot, or an own preset
  saveSettings,  // or an own preset
  saveSettingsAs,
  deletePreset,
  useLens,  // `name`: of a lens preset
  saveShot,
  copyJson,
  copyOptions,
  copyLook,
  paste,
  pasteLook,
  stepPhotos,  // `number`: of photographs of the strip
  planExport,  // tells what exportPhotos will write
  exportPhotos,
  cancelExport,
  estimateDepth,
  cancelEstimate,
  resetDepth,  // without levels and strokes
  saveImageAs,
  // Of the image that is drawn next:
  saveImage,     // `files`: its name; none: the next free number
  setFocusKeys,  // that the autofocus follows
  saveLab,       // `name`: extension of the file, such as ".svg"
  saveSlowMotion,
};

struct Asked {
  Ask what;
  std::vector<std::filesystem::path> files{};
  std::string name{};
  int number = 0;
};

}  // namespace satdof
