#include "app/run/command_line/completion.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/core/files/files.h"
#include "app/core/system/loading.h"
#include "app/core/text/foreign_text.h"
#include "app/core/usage_error.h"
#include "app/filter/mask.h"
#include "app/io/codec.h"
#include "app/io/image_file.h"
#include "app/io/layer_file.h"
#include "app/io/settings_file.h"
#include "app/lab/files.h"
#include "app/run/batch.h"
#include "app/run/command_line/inputs_kept.h"
#include "app/run/dropped.h"
#include "app/run/film/film_input.h"
#include "app/run/film/frame_files.h"
#include "app/run/film/single_frame.h"
#include "app/run/film/video.h"
#include "app/scene/model/camera_shot.h"
#include "app/scene/model/framing.h"
#include "app/scene/model/reader.h"
#include "app/trace/files.h"

namespace satdof {

namespace {

// Reads the shot of the camera of a model that --shot names.
void readModelShot(CommandLine& line) {
  if (line.shotPath.empty() || !isModelFile(line.shotPath)) return;
  ModelSettings settings = line.settings().scene.model;
  settings.camera = std::max(settings.camera, 1);
  settings.clip = std::max(settings.clip, 1);
  LoadProgress progress;
  const std::string refusal = "--shot " + pathText(line.shotPath) + ": ";
  try {
    const auto model = readModel(line.shotPath, progress);
    line.shot = cameraShot(*model, settings, modelScale(settings, *model));
  } catch (const std::runtime_error& error) {
    throw UsageError(refusal + error.what());
  }
  if (line.shot->camera.empty())
    throw UsageError(refusal + "clip " + std::to_string(settings.clip) + " moves no camera " +
                     std::to_string(settings.camera) + "; see --clip and --model-camera");
}

// Without --frames, sets the frames to the length of the shot. Stretches a pull of the focus to the length of the
// frames.
void useShotLength(CommandLine& line) {
  if (!line.shot) return;
  if (line.pullsFocus) {
    if (line.frames < 2) throw UsageError("--animate focus=A:B needs two frames: add --frames N, N at least 2");
    scaleTimes(*line.shot, (line.frames - 1) / static_cast<double>(line.rate()));
  } else if (line.frames == 0 && line.writesFrames()) {
    const double frames = framesOf(*line.shot, line.rate());
    if (frames > kMaxFrames)
      throw UsageError("--shot: the whole shot has more than " + std::to_string(kMaxFrames) +
                       " frames: lower --fps or give --frames");
    line.frames = static_cast<int>(frames);
  }
}

void requireResumable(const CommandLine& line) {
  const bool alone = line.capture.empty() && line.video.empty() && line.stats.empty() && !line.compare;
  if (!line.headless || line.sequence.empty() || line.frames == 0 || !alone)
    throw UsageError("--resume needs --headless, --frames N and --sequence FILE, and no other output");
  if (writerOf(line.sequence).text == nullptr)
    throw UsageError("--resume: " + pathText(line.sequence) + " would hold no settings to compare; choose " +
                     namesWithText());
}

// Without --frames, sets the frames to the number of files of --image. Throws UsageError if a frame is missing.
void useFrameFiles(CommandLine& line) {
  const std::string name = line.settings().scene.image.file.text;
  if (!isFrameName(name)) return;
  if (!line.headless && (line.frames > 0 || !line.sequence.empty()))
    throw UsageError("--image " + pathText(name) + ": frames that are written need --headless");
  if (line.frames == 0 && line.writesFrames()) line.frames = findFrames("--image", name).count;
  atFrame(line.settings(), std::max(line.frames, 1) - 1, line.film);
}

// Completes and checks the number and range of frames, and the options that need them.
void useFrames(CommandLine& line) {
  useFrameFiles(line);
  useShotLength(line);
  if (line.resume) requireResumable(line);
  if (line.shutter.opens() && (!line.headless || !line.writesFrames()))
    throw UsageError(
        "--shutter-angle needs --headless and --sequence FILE or --video FILE; in a window, choose it in "
        "the list Film of the timeline");
  if (line.first > 0 || line.last > 0) {
    if (!line.headless || !line.writesFrames() || line.frames == 0)
      throw UsageError("--first and --last need --headless, --frames N and --sequence FILE or --video FILE");
    if (line.first == 0) line.first = 1;
    if (line.last == 0) line.last = line.frames;
    if (line.first > line.last || line.last > line.frames)
      throw UsageError("--first " + std::to_string(line.first) + " --last " + std::to_string(line.last) +
                       ": expected frames in order, from 1 to " + std::to_string(line.frames) + ", see --frames");
  }
  if (line.video.empty()) return;
  if (!line.headless || line.frames == 0)
    throw UsageError("--video needs --headless and --frames N; --fps sets the frame rate");
  requireVideo(line.video);
}

// Whether an option gives a depth or says how it is read.
bool readsDepth(const std::pair<std::string, std::string>& option) {
  return option.first == "--depth" || saysReading(option);
}

// Names a photograph, or a photograph and its depth, that a window opens by --image and --depth if options are given
// that opening it would replace. Throws UsageError if options of a depth cannot apply to the files.
void nameOpened(CommandLine& line) {
  const auto ofDepth = std::ranges::find_if(line.options, readsDepth);
  const bool readsAny = ofDepth != line.options.end();
  if (line.opened.empty() || (!readsAny && !line.given("--focus") && !line.given("--view"))) return;
  const auto refuse = [&](const std::string& why) {
    if (readsAny) throw UsageError(ofDepth->first + ": " + why + "; name one photograph by --image");
  };
  Dropped found;
  try {
    if (!photosOf(line.opened).empty()) return refuse("it does not apply to several photographs in a window");
    found = dropped({}, line.opened);
  } catch (const std::runtime_error&) {
    if (readsAny) throw;
    return;  // the window reports it
  }
  const ImageSettings& image = found.settings.scene.image;
  if (!found.showsFile || image.file.none())
    return refuse(pathText(line.opened.front().filename()) + " is no photograph");
  const bool pair = line.opened.size() > 1;
  if (pair && line.given("--depth")) return refuse("the depth is named twice");
  const auto name = [&](const std::string& option, const FilePath& file) {
    line.options.emplace_back(option, file.text);
    line.files.emplace(line.files.begin(), option, std::vector{file.text});
  };
  if (pair) name("--depth", image.depth);
  name("--image", image.file);
  line.opened.clear();
}

// Moves the photographs of --image to `opened`: a window shows several as a strip.
void openTogether(CommandLine& line) {
  constexpr const char* kPhotographs = "--image";
  const auto& [option, values] = line.files.front();
  if (line.frames > 0 || line.files.size() > 1 || option != kPhotographs)
    throw UsageError(option + ": several files need --headless; a window opens several photographs by --image alone");
  line.opened.insert(line.opened.end(), values.begin(), values.end());
  line.files.clear();
  std::erase_if(line.options, [](const auto& each) { return each.first == kPhotographs; });
}

// Throws UsageError for options that work only in a window, or only with --headless.
void requireHost(const CommandLine& line) {
  if (line.withUi && line.headless)
    throw UsageError("--with-ui --headless: the panels need a window; leave one option out");
  if (line.compare && !line.headless)
    throw UsageError("--compare works only with --headless; in a window, split the image");
  if (line.memoryMiB > 0 && !line.headless)
    throw UsageError("--memory works only with --headless; in a window, choose a smaller size");
  if (line.focusAt && !line.headless)
    throw UsageError("--focus-at works only with --headless; in a window, click on the image");
  if (!line.opened.empty() && (line.headless || line.scripted()))
    throw UsageError("unexpected argument " + pathText(line.opened.front()) +
                     ": without a window, an option names it, as --image FILE does");
}

// Throws UsageError if images cannot be written to the files of --capture and --sequence, or layers beside them.
void requireImageFiles(const CommandLine& line) {
  if (line.capture.empty() && line.sequence.empty()) {
    if (!line.layers.empty())
      throw UsageError("--export needs --capture FILE or --sequence FILE: the layers are written beside the image");
    if (line.bitDepth > 0 && !line.video.empty())
      throw UsageError("--bit-depth needs --capture FILE or --sequence FILE: it does not apply to a video");
  }
  for (const auto& path : {line.capture, line.sequence})
    if (!path.empty()) {
      requireCapturePath(path, line.withUi);
      requireBitDepth(path, line.bitDepth);
      for (const Layer layer : line.layers) {
        requireLayerFormat(path, layer);
        requireWritable(layerPath(path, layer));
      }
    }
}

// Throws UsageError if another output is asked of a run that draws no frame.
void requireOneRun(const CommandLine& line) {
  std::vector<std::string> given;
  const auto add = [&](const char* option, bool isGiven) {
    if (isGiven) given.emplace_back(option);
  };
  add("--save-lens", !line.saveLens.empty());
  add("--lab", !line.lab.empty());
  add("--share", !line.share.empty());
  add("--trace", !line.trace.empty());
  if (given.empty()) return;
  add("--capture", !line.capture.empty());
  add("--sequence", !line.sequence.empty());
  add("--video", !line.video.empty());
  add("--stats", !line.stats.empty());
  add("--compare", line.compare.has_value());
  if (given.size() > 1)
    throw UsageError(given[0] + " " + given[1] + ": each is a run of its own; leave one option out");
}

void requireLab(const CommandLine& line) {
  if (line.lab.empty() && (line.labFrom || !line.labOnly.empty()))
    throw UsageError("--lab-only and --lab-from need --lab FILE");
  if (!line.lab.empty()) lab::fileFormat(line.lab);
}

// Completes and checks the request of --trace.
void useTrace(CommandLine& line) {
  if (line.trace.empty()) return;
  const bool film = trace::fileFormat(line.trace) == trace::FileFormat::film;
  if (film) requireVideo(line.trace);
  std::string& kernel = line.traceOf.kernel;
  if (kernel.empty()) kernel = trace::rowOf(line.traceOf.whatIf).kernel;
  if (kernel.empty()) kernel = trace::Request{}.kernel;
  line.traceOf.blockSize = line.settings().technique.table.blockSize;
  trace::requireValid(line.traceOf, film ? trace::kMaxRecorded : trace::kMaxCounted);
}

void readSettings(CommandLine& line) {
  if (!line.settingsPath.empty()) line.settingsJson = readSettingsText(line.settingsPath, &line.notes);
  (void)maskOf(line.settings().filter);
}

// Names the depth of the photograph of --image.
void useDepthOfPhoto(CommandLine& line) {
  if (isBatch(line)) return;
  for (const auto& [option, values] : line.files)
    if (option == "--image" && !isFilm(values.front())) useDepthBeside(line, values.front());
}

}  // namespace

void completeSettings(CommandLine& line) {
  readSettings(line);
  nameOpened(line);
  useDepthOfPhoto(line);
}

void complete(CommandLine& line) {
  readSettings(line);
  requireOneRun(line);
  readModelShot(line);
  requireHost(line);
  nameOpened(line);
  useDepthOfFilmBeside(line);
  requireInputsKept(line);  // before videos are replaced by their frames
  useFilms(line);
  useDepthOfPhoto(line);
  if (isBatch(line) && !line.headless) openTogether(line);
  if (isBatch(line))
    for (const CommandLine& one : batchOf(line)) addNotes(line.notes, one.notes);
  addNotes(line.notes, notesOnFrame(line.settings()));
  requireImageFiles(line);
  useFrames(line);
  requireLab(line);
  useTrace(line);
  for (const auto& path : {line.stats, line.lab, line.share, line.trace})
    if (!path.empty()) requireWritable(path);
  requireInputsKept(line);
}

}  // namespace satdof
