#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/core/settings.h"
#include "app/run/focus_sweep.h"

namespace satdof {

// What the command line asks for. `frames`, `capture`, `sequence` and `stats` mean the same in a window as
// headless: draw `frames` frames, then write the files and end.
struct CommandLine {
  bool help = false, version = false, list = false;
  bool headless = false;
  bool fresh = false;         // a window starts from the defaults, not from what the last one left
  bool glDebug = false;       // any OpenGL error ends the run with status 1
  int frames = 0;             // 0: one frame headless, until it is closed in a window
  float framesPerSecond = 0;  // fixed time step of the animation; 0: 60 headless, real time in a window
  std::optional<FocusSweep> focusSweep;  // moves the focus over `frames` frames, autofocus off
  std::filesystem::path capture;         // the last frame's image
  std::filesystem::path sequence;        // every frame's image: numberedPath() of this
  int bitDepth = 8;                      // of PNG, 8 or 16
  bool withUi = false;                   // captures show the panels (window only)
  std::filesystem::path stats;           // see writeStats()
  std::optional<LensKind> compare;       // the last frame's image against this lens's (headless only)
  std::filesystem::path benchmark;       // see writeBenchmark() (headless only)

  // `base` < the --settings file < options.
  Settings settings(Settings base = {}) const;

  std::filesystem::path settingsPath;
  std::string settingsJson;
  std::vector<std::pair<std::string, std::string>> options;  // "--focus", "3.5"
};

// Throws UsageError for anything unknown or out of range, missing or damaged settings files included, so that
// settings() cannot fail afterwards.
CommandLine parse(int argc, const char* const* argv);

// The text of --help.
std::string helpText();

}  // namespace satdof
