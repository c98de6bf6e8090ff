#pragma once
#include <filesystem>
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/core/settings.h"
#include "app/core/shot.h"
#include "app/core/shutter.h"
#include "app/io/exif.h"
#include "app/io/layer_file.h"
#include "app/io/notes.h"
#include "app/lab/results.h"
#include "app/trace/trace.h"

namespace satdof {

// The parsed command line. `frames`, `capture`, `sequence` and `stats` mean the same in a window and
// headless: draw `frames` frames, write the files, end.
struct CommandLine {
  bool help = false, version = false, list = false, formats = false, inputs = false;
  bool headless = false;
  bool fresh = false;              // a window starts from the defaults, not from the remembered settings
  bool glDebug = false;            // any OpenGL error ends the run with status 1
  int frames = 0;                  // 0: headless one frame; in a window no end
  float framesPerSecond = 0;       // fixed time step of the animation; 0: headless 60, in a window real time
  std::optional<Shot> shot;        // of --shot, or the focus of --animate focus=A:B
  bool pullsFocus = false;         // the shot is of --animate: it takes all `frames`
  std::filesystem::path shotPath;  // of --shot
  std::string shotText;            // of that file
  Notes notes;                     // what the readers of the shot and the lens left out
  std::filesystem::path capture;   // file of the last image
  std::filesystem::path sequence;  // files of all images: numberedNames() of this
  int bitDepth = 0;                // of a PNG or an EXR, see CaptureOptions
  int quality = 0;                 // of a lossy format, 1 to 100; 0: CaptureOptions::quality
  std::optional<KeepMetadata> keep;  // of a photograph; none: CaptureOptions::keep
  std::vector<Layer> layers;         // to write beside every image
  int first = 0, last = 0;           // frames to draw of `frames`, from 1; 0: all (headless only)
  bool resume = false;               // frames of the sequence that are on the disk stay (headless only)
  Shutter shutter;                   // of sequence and video (headless only)
  std::filesystem::path video;       // of all frames (headless only)
  bool withUi = false;               // captures show the panels (window only)
  std::filesystem::path stats;       // see writeStats()
  std::optional<LensKind> compare;   // lens to compare the last image with (headless only)
  int memoryMiB = 0;                 // that images may take; 0: what is free (headless only)

  std::filesystem::path lab, share;            // files of the laboratory, see runLab(): no frame is drawn
  std::string labOnly;                         // experiments, see lab::selectExperiments()
  lab::Timed labTimed = lab::Timed::endToEnd;  // the times that plots show
  std::optional<lab::Results> labFrom;         // results of a file, in place of measurements
  std::filesystem::path labFromPath;           // that file

  std::filesystem::path trace;  // see runTrace(): no frame is drawn
  trace::Request traceOf{.kernel = ""};
  std::filesystem::path traceData;  // the file of its numbers

  // Files that scenes show, by option: {"--image", {"a.jpg", "b.jpg"}}. Several, or a folder, are a batch (batch.h).
  std::vector<std::pair<std::string, std::vector<std::string>>> files;
  ImageSettings film;                         // the files of --image and --depth before useFilms()
  std::vector<std::filesystem::path> opened;  // files and folders that a window opens together
  std::string name;                           // of a run of a batch: the file that it shows
  std::optional<glm::vec2> focusAt;  // in place of a focus distance: 0 to 1 from the bottom left of the image

  // Of a window: draws the frames of --frames, as the options say, and ends.
  bool scripted() const { return frames > 0; }
  bool writesFrames() const { return !sequence.empty() || !video.empty(); }
  float rate() const;  // frames a second that are written
  // Whether an option was given, such as "--size".
  bool given(std::string_view option) const;

  // `base`, overridden by the --settings file, overridden by the options.
  Settings settings(Settings base = {}) const;
  // Whether every OpenGL call is checked: --gl-debug, or a debug build.
  bool debugContext() const;

  std::string depthCommand;  // of depthCommand(), for photographs without depth; empty: none
  std::string lensPreset;    // of applyLensPreset()
  std::filesystem::path saveLens;
  std::filesystem::path settingsPath;
  std::string settingsJson;
  std::vector<std::pair<std::string, std::string>> options;  // "--focus", "3.5"
};

// Throws UsageError for an unknown option, a value out of range, or a missing or damaged settings file, so
// settings() does not throw afterwards.
CommandLine parse(int argc, const char* const* argv);

// Returns the text of --help.
std::string helpText();

}  // namespace satdof
