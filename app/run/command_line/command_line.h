#pragma once
#include <filesystem>
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/core/settings.h"
#include "app/core/shot/shot.h"
#include "app/core/shot/shutter.h"
#include "app/io/layer_file.h"
#include "app/io/metadata/exif.h"
#include "app/io/notes.h"
#include "app/lab/results.h"
#include "app/trace/trace.h"

namespace satdof {

// The parsed command line. With `frames`, a window works like --headless: draws them, writes the files and ends.
struct CommandLine {
  bool help = false, version = false, list = false, formats = false, inputs = false;
  bool headless = false;
  bool fresh = false;                // a window starts from the defaults, not from the remembered settings
  bool glDebug = false;              // any OpenGL error ends the run with status 1
  int frames = 0;                    // 0: one frame with --headless; no end in a window
  float framesPerSecond = 0;         // 1 / time step of the animation; 0: 60 with --headless, real time in a window
  std::optional<Shot> shot;          // of --shot, or the focus of --animate focus=A:B
  bool pullsFocus = false;           // --animate made the shot; it is stretched to all frames
  std::filesystem::path shotPath;    // of --shot
  std::string shotText;              // contents of that file
  Notes notes;                       // what the readers of shot, lens and videos left out
  std::filesystem::path capture;     // file of the last image
  std::filesystem::path sequence;    // the files of all images are numberedNames() of this
  int bitDepth = 0;                  // see CaptureOptions; 0: the format's first choice
  int quality = 0;                   // of a lossy format, 1 to 100; 0: CaptureOptions::quality
  std::optional<KeepMetadata> keep;  // EXIF data of the photograph to keep; none: CaptureOptions::keep
  std::vector<Layer> layers;         // to write beside every image
  int first = 0, last = 0;           // range of frames to draw, from 1; 0: all (headless only)
  bool resume = false;               // keeps frames of the sequence that exist (headless only)
  Shutter shutter;                   // motion blur of sequence and video (headless only)
  std::filesystem::path video;       // file of all frames (headless only)
  bool withUi = false;               // captures show the panels (window only)
  std::filesystem::path stats;       // see writeStats()
  std::optional<LensKind> compare;   // lens to compare the last image with (headless only)
  int memoryMiB = 0;                 // limit for images; 0: the free memory (headless only)

  std::filesystem::path lab, share;            // outputs of runLab(): no frame is drawn
  std::string labOnly;                         // experiments, see lab::selectExperiments()
  lab::Timed labTimed = lab::Timed::endToEnd;  // times that plots show
  std::optional<lab::Results> labFrom;         // results to plot instead of measuring
  std::filesystem::path labFromPath;           // file of labFrom

  std::filesystem::path trace;  // output of runTrace(): no frame is drawn
  trace::Request traceOf{.kernel = ""};
  std::filesystem::path traceData;  // file of --data

  // Files that scenes show, by option: {"--image", {"a.jpg", "b.jpg"}}. Several files or a folder make a batch
  // (batch.h).
  std::vector<std::pair<std::string, std::vector<std::string>>> files;
  ImageSettings film;                         // files of --image and --depth before useFilms()
  std::vector<std::filesystem::path> opened;  // files and folders that a window opens together
  std::string name;                           // in a batch: the file that this run shows
  std::optional<glm::vec2> focusAt;  // place to focus on, 0 to 1 from the bottom left of the image (headless only)

  // Whether a window draws the frames of --frames and ends, without user.
  bool scripted() const { return frames > 0; }
  bool writesFrames() const { return !sequence.empty() || !video.empty(); }
  // Frame rate of files, in frames a second.
  float rate() const;
  // Whether an option was given, such as "--size".
  bool given(std::string_view option) const;

  // Returns `base`, overridden by the --settings file, then by the options.
  Settings settings(Settings base = {}) const;
  // Whether every OpenGL call is checked: --gl-debug, or a debug build.
  bool debugContext() const;

  std::string depthCommand;            // see depthCommand(), for photographs without depth; empty: none
  std::string lensPreset;              // see applyLensPreset()
  std::filesystem::path saveLens;      // output of --save-lens
  std::filesystem::path settingsPath;  // file of --settings
  std::string settingsJson;            // contents of that file
  bool findsCorrection = false;        // useDepthBeside() has found a corrected depth: it is read by default
  std::vector<std::pair<std::string, std::string>> options;  // of settings: {"--focus", "3.5"}
};

// Parses and checks the arguments of the program. Throws UsageError for unknown options, values out of range,
// options that exclude each other, and files that cannot be read or written. CommandLine::settings() does not throw
// afterwards.
CommandLine parse(int argc, const char* const* argv);

// Parses the arguments for CommandLine::settings() alone: checks no other options together, and leaves a film as it is
// named. Reads files. Any thread may call it. Throws UsageError.
CommandLine parseSettings(int argc, const char* const* argv);

// Returns the text of --help.
std::string helpText();

}  // namespace satdof
