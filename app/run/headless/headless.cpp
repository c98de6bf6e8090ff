#include "app/run/headless/headless.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <glm/common.hpp>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "app/core/field_json.h"
#include "app/core/files/files.h"
#include "app/core/settings_json.h"
#include "app/core/shot/shot_json.h"
#include "app/core/text/foreign_text.h"
#include "app/core/text/formatted.h"
#include "app/core/tracking.h"
#include "app/gl/throttle.h"
#include "app/gl/transfer.h"
#include "app/io/damage.h"
#include "app/io/photograph.h"
#include "app/quality/comparison.h"
#include "app/render/resolve.h"
#include "app/run/batch.h"
#include "app/run/capture.h"
#include "app/run/capture_texts.h"
#include "app/run/film/film_focus.h"
#include "app/run/film/frame_files.h"
#include "app/run/film/patch_tracker.h"
#include "app/run/film/shutter.h"
#include "app/run/film/steady_frames.h"
#include "app/run/film/video.h"
#include "app/run/frame_loop.h"
#include "app/run/inputs.h"
#include "app/run/limits.h"
#include "app/run/progress.h"
#include "app/run/stats_file.h"
#include "app/run/system/depth_command.h"
#include "app/run/system/termination.h"
#include "app/run/tiles.h"
#include "app/scene/scene_files.h"

namespace satdof {

namespace {

constexpr std::size_t kFramesInFlight = 2;
constexpr double kVideoWaitS = 1.0;

void print(const Comparison& comparison, std::FILE* to) {
  const auto text = [](const ImageMetrics& metrics) {
    return formatted("PSNR %.2f dB, SSIM %.4f", metrics.psnrDb,
                     metrics.ssim.value_or(std::numeric_limits<double>::quiet_NaN())) +
           (metrics.flip ? formatted(", FLIP %.4f", *metrics.flip) : "");
  };
  std::fprintf(to, "against %s: %s", name(comparison.lens), text(comparison.metrics).c_str());
  if (comparison.noiseFloor)
    std::fprintf(to, " (noise floor of %d samples: %s)", comparison.samples, text(*comparison.noiseFloor).c_str());
  std::fprintf(to, "\n");
}

FramePlan planOf(const CommandLine& line) {
  return {.frames = std::max(1, line.frames),
          .framesPerSecond = line.rate(),
          .capture = line.capture,
          .first = std::max(line.first - 1, 0),
          .end = line.last};
}

// Limits of a capture.
struct Room {
  glm::ivec2 size;  // of the file; if larger than the drawn image, the capture is drawn in tiles
  double freeBytes;
};

// Estimates the depth of a photograph without depth by --depth-command.
void estimateDepth(const CommandLine& line, Settings& settings) {
  if (line.depthCommand.empty() || !showsPhoto(settings)) return;
  std::stop_source stop;
  const Termination termination([&] { stop.request_stop(); });
  try {
    estimateMissing(depthCommand("--depth-command", line.depthCommand), settings.scene.image, true,
                    {.stop = stop.get_token()});
  } catch (const ToolStopped&) {
    endBy(termination.signal());
  }
}

bool drawsOneImage(const CommandLine& line) { return line.frames == 0; }

// The settings that a run draws: at best quality if images are written and quality adapts. Frames that are not written
// measure the settings as they are.
Settings drawnSettings(const CommandLine& line, const Settings& settings) {
  const bool writes = drawsOneImage(line) || !line.sequence.empty() || !line.video.empty();
  return writes && settings.quality.adaptive ? bestSettings(settings) : settings;
}

// Identifies a film: equal for all ranges of its frames.
std::string filmText(const CommandLine& line) {
  std::string text =
      settingsToJson(line.settings()) + (line.shot ? shotToJson(*line.shot) : std::string()) +
      formatted(" %g %g %d %d %d %s ", line.framesPerSecond, line.shutter.angleDegrees, line.shutter.samples,
                line.bitDepth, line.quality, name(line.keep.value_or(CaptureOptions().keep))) +
      line.depthCommand;
  for (const Layer layer : line.layers) text += layerPath(" ", layer).string();
  if (line.focusAt) text += formatted(" %g %g", line.focusAt->x, line.focusAt->y);
  return text;
}

// Draws the frames of one command line into a texture. Needs a current context.
class HeadlessRun {
 public:
  // `focus`, `inputs`: shared by all runs of one film, which measure and read once.
  HeadlessRun(const CommandLine& line, const Settings& settings, const Room& room, Renderer& renderer, FilmFocus& focus,
              InputHashes& inputs)
      : line_(line),
        settings_(settings),
        room_(room),
        renderer_(renderer),
        focus_(focus),
        inputs_(inputs),
        loop_(plan_, settings_),
        screen_(GL_RGBA8, settings.size),
        inFlight_(mayFocus() ? 0 : kFramesInFlight) {
    look(settings_);
  }

  void run() {
    if (line_.focusAt || (settings_.scene.frame && (line_.first > 1 || (mayFocus() && line_.frames > 0)))) frameScene();
    if (!line_.video.empty()) startVideo();
    if (!line_.sequence.empty() || video_)
      loop_.startSequence({.path = line_.sequence,
                           .firstNumber = line_.last > 0 ? plan_.first + 1 : 0,
                           .video = video_ != nullptr,
                           .frames = loop_.frames()});
    while (!loop_.done()) {
      step();
      if (loop_.refining())
        showSamples(loop_.result());
      else
        progress_.show("frame", loop_.framesDone(), loop_.frames());
    }
    if (video_) video_->end();
    while (video_ && !video_->finished(kVideoWaitS)) {
    }
    std::optional<Comparison> comparison;
    if (line_.compare) comparison = compareLens(*line_.compare);
    if (!line_.stats.empty())
      writeStats(line_.stats, drawnNow(), loop_.result().state, loop_.result().shown.notes, loop_.stats(),
                 loop_.frames(), loop_.warmUpFrames(), comparison);
    requireGlSuccess();
    progress_.clear();
    std::FILE* const to = line_.stats == "-" ? stderr : stdout;  // the statistics are JSON
    std::fprintf(to, "%d frame%s of %dx%d, median %.2f ms (%s)\n", loop_.frames(), loop_.frames() == 1 ? "" : "s",
                 room_.size.x, room_.size.y, loop_.stats().frame.medianUs() * 1e-3, loop_.result().state.c_str());
    if (comparison) print(*comparison, to);
  }

  // Ranges [first, last] of frames, from 1 on, that the files of the sequence do not hold.
  std::vector<std::pair<int, int>> missingFrames() {
    if (line_.focusAt || settings_.scene.frame) frameScene();
    std::vector<std::pair<int, int>> missing;
    int kept = 0;
    for (int frame = plan_.first; frame < plan_.first + loop_.frames(); ++frame) {
      Settings of = settingsOf(frame);
      if (of.lens.autofocus) of.lens.focusDistanceM = focusM(frame);
      if (holdsCapture(numberedPath(line_.sequence, frame + 1), of, animationTimeS(plan_, settings_, frame),
                       frameOptions(of)))
        ++kept;
      else if (!missing.empty() && missing.back().second == frame)
        ++missing.back().second;
      else
        missing.emplace_back(frame + 1, frame + 1);
    }
    std::printf("%d of %d frames are on the disk\n", kept, loop_.frames());
    std::fflush(stdout);
    return missing;
  }

 private:
  void step() {
    loop_.begin(std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(), true);
    settings_ = atTime(plan_.first + static_cast<int>(loop_.framesDone()));
    if (!loop_.draws(true)) return;
    loop_.take(draw(loop_.shown(), loop_.timeS(), loop_.timings()));
    endDraw();
    for (const FrameFile& file : loop_.files()) file.path.empty() ? append() : write(file);
    loop_.end();
  }

  bool mayFocus() const { return settings_.lens.autofocus || (shot_ != nullptr && animates(*shot_, "lens.autofocus")); }

  void startVideo() {
    if (mayBeTransparent(settings_, shot_)) {
      const std::string missing = alphaMissing(line_.video);
      if (!missing.empty()) printNotes({missing});
      videoAlpha_ = missing.empty();
    }
    video_ = satdof::startVideo(line_.video, {.size = settings_.size,
                                              .framesPerSecond = plan_.framesPerSecond,
                                              .alpha = videoAlpha_,
                                              .frames = loop_.frames()});
  }

  // The settings of a frame, from 0 on: with the keys of the shot and, of a film, its files and the tracked place.
  Settings atTime(int frame) {
    Settings settings = settings_;
    LensSettings& lens = settings.lens;
    const bool film = isFrameName(asked_.scene.image.file.text);
    if (film) copyFocusPoint(lens, asked_.lens);
    if (shot_ != nullptr) settings = settingsAt(*shot_, settings, shotTimeS(frame));
    if (!film) return settings;
    settings.scene.image = steady_.of(settings.scene.image, frame, [this](int of) { return filesOf(of); });
    if (!showsPhoto(settings) || !tracks(lens)) return settings;
    beginTracking(lens, 0);
    LensSettings before = lens;
    if (trackers_.follow(lens, frame) && (frame == 0 || !trackers_.follow(before, frame - 1)))
      printNotes({"frame " + std::to_string(frame + 1) +
                  " does not show what the autofocus tracks: it stays on the last place"});
    return settings;
  }

  // The settings that draw a frame, from 0 on.
  Settings settingsOf(int frame) { return drawnSettings(line_, atTime(frame)); }
  // The settings that draw the current frame of the loop.
  Settings drawnNow() const { return drawnSettings(line_, settings_); }

  // The focus of a recorded frame, from 0 on, in metres.
  float focusM(int frame) {
    return focus_.at(frame, plan_.framesPerSecond, [&](long at) {
      if (at < frame) progress_.show("focus", at + 1, frame + 1);
      if (!small_) small_.emplace(renderer_.sharedScene());
      auto found = focus_.measure(*small_, settingsOf(static_cast<int>(at)), animationTimeS(plan_, settings_, at),
                                  FrameRequest().centre);
      if (!found.message.empty()) throw std::runtime_error(found.message);
      return found;
    });
  }

  // The image of a film with the files of a frame, from 0 on.
  ImageSettings filesOf(int frame) const {
    Settings settings = atFrame(asked_, frame);
    look(settings);
    estimateDepth(line_, settings);
    return settings.scene.image;
  }

  // Call before the files of the settings are read.
  void look(const Settings& settings) const {
    if (!line_.sequence.empty()) inputs_.of(settings);
  }

  // Frames the file of the scene, and focuses on line_.focusAt, before the first frame is drawn.
  void frameScene() {
    Timings timings;
    FrameRequest request{.timeS = settings_.scene.timeS, .focusAt = line_.focusAt, .focusInPhotograph = true};
    for (int draws = 0; draws < FrameLoop::kMaxFocusDraws; ++draws) {
      timings.beginFrame();
      const FrameResult result = renderer_.render(drawnNow(), request, timings);
      timings.endFrame();
      if (!result.message.empty()) throw std::runtime_error(result.message);
      applyResult(settings_, result);
      request.focusAt.reset();
      if (!line_.focusAt || !result.focusPending) return;
      glFinish();
    }
    throw std::runtime_error("--focus-at: the depth never arrived; update the graphics driver");
  }

  FrameResult draw(const Settings& settings, float timeS, Timings& timings) {
    const bool alone = drawsOneImage(line_) || loop_.writesFrame();
    Settings drawn = drawnSettings(line_, settings);
    std::optional<float> focusM;
    if (!drawsOneImage(line_) && alone && settings_.lens.autofocus) {
      focusM = this->focusM(plan_.first + static_cast<int>(loop_.framesDone()));
      drawn.lens.focusDistanceM = *focusM;
      drawn.lens.autofocus = false;
    }
    FrameResult result = renderer_.render(drawn, {.timeS = timeS, .focusAt = {}, .standalone = alone}, timings);
    if (focusM) result.focus.focusDistanceM = focusM;
    if (!result.message.empty()) {
      const auto [film, numbered] = filmAndFrame();
      throw std::runtime_error(ofFilm(result.message, settings.scene.image, numbered));
    }
    printFrameNotes(result.shown.notes, settings.scene.image);
    renderer_.present(framebuffer_.name(), settings.size, settings, timings);
    return result;
  }

  // Prints each note once, on stderr.
  void printNotes(const Notes& notes) {
    for (const std::string& note : notes)
      if (isNew(note)) printNote(note);
  }

  // Prints the notes on a frame, and names its film in them. Those that several frames share are printed once, without
  // a number of a frame.
  void printFrameNotes(Notes& notes, const ImageSettings& frame) {
    if (!isFrameName(asked_.scene.image.file.text)) return printNotes(notes);
    const auto [film, numbered] = filmAndFrame();
    for (std::string& note : notes) {
      const bool damage = lacksPixels({note});
      const std::string ofFrame = ofFilm(note, frame, numbered);
      note = ofFilm(note, frame, film);
      if (isNew(damage ? ofFrame : note)) printNote(damage || loop_.framesDone() > 0 ? ofFrame : note);
    }
  }

  // The film that is drawn, and its current frame, by their names for messages. Equal if no film is drawn.
  std::pair<ImageSettings, ImageSettings> filmAndFrame() const {
    ImageSettings film = asked_.scene.image;
    const auto name = [](FilePath& file, const FilePath& given) {
      if (!given.none() && isFrameName(file.text)) file = given;
    };
    name(film.file, line_.film.file);
    name(film.depth, line_.film.depth);
    ImageSettings numbered = film;
    if (isFrameName(asked_.scene.image.file.text))
      for (FilePath* const file : {&numbered.file, &numbered.depth})
        if (!file->none()) file->text += ", frame " + std::to_string(plan_.first + loop_.framesDone() + 1);
    return {film, numbered};
  }

  bool isNew(const std::string& note) {
    if (std::ranges::find(told_, note) != told_.end()) return false;
    told_.push_back(note);
    return true;
  }

  void printNote(const std::string& note) {
    progress_.clear();
    std::fprintf(stderr, "satdof: note: %s\n", printable(note).c_str());
  }

  void endDraw() {
    throttle_.pieceDone(inFlight_);
    requireGlSuccess();
  }

  void write(const FrameFile& file) {
    const Settings of = drawnNow();
    CaptureOptions options = frameOptions(of);
    options.numbered = file.numbered;
    options.dated = !loop_.sequence();
    capture(renderer_, of, loop_.timeS(), file.path, options);
  }

  // The time of a frame, from 0 on, in the shot.
  double shotTimeS(long frame) const {
    return shot_ != nullptr ? frameTimeS(*shot_, frame, plan_.framesPerSecond) : 0.0;
  }

  // The options that all images of the command line share.
  CaptureOptions fileOptions() const {
    return {.bitDepth = line_.bitDepth,
            .quality = line_.quality > 0 ? line_.quality : CaptureOptions().quality,
            .keep = line_.keep.value_or(CaptureOptions().keep),
            .dated = false};
  }

  // The options for writing the current frame of the loop.
  CaptureOptions frameOptions(const Settings& settings) {
    CaptureOptions options = fileOptions();
    options.size = room_.size;
    options.layers = line_.layers;
    if (!line_.sequence.empty()) options.inputs = inputs_.of(settings);
    options.memoryBytes = room_.freeBytes;
    options.tileDone = [this](long done, long tiles) { progress_.show("tile", done, tiles); };
    openShutter(options, line_.shutter, settings,
                {shot_, shotTimeS(plan_.first + loop_.framesDone()), loop_.timeS(), plan_.framesPerSecond});
    return options;
  }

  void append() {
    while (!video_->ready(kVideoWaitS)) {
    }
    const Settings of = drawnNow();
    video_->append(line_.shutter.opens() || videoAlpha_
                       ? captureRgb(renderer_, of, loop_.timeS(), frameOptions(of), videoAlpha_)
                       : gl::readRgb<unsigned char>(screen_, GL_UNSIGNED_BYTE));
  }

  void showSamples(const FrameResult& result) {
    const int samples = settings_.lens.lensSamples;
    progress_.show("sample", std::lround(result.progress * static_cast<float>(samples)), samples);
  }

  // Draws until the image is refined. Returns its pixels as displayed, RGB.
  std::vector<float> drawRefined(const Settings& settings) {
    FrameResult result;
    do {
      loop_.timings().beginFrame();
      result = draw(settings, loop_.timeS(), loop_.timings());
      loop_.timings().endFrame();
      endDraw();
      showSamples(result);
    } while (result.progress < 1.0f);
    const gl::Texture target(GL_RGBA32F, settings.size);
    const gl::Framebuffer framebuffer(target);
    renderer_.present(framebuffer.name(), settings.size, settings, loop_.timings());
    return gl::readRgb<float>(target, GL_FLOAT);
  }

  Comparison compareLens(LensKind lens) {
    Settings fixed = drawnNow();
    fixed.lens.autofocus = false;
    const auto captureOther = [&](const Settings& drawn, const std::string& suffix) {
      if (!line_.capture.empty())
        capture(renderer_, drawn, loop_.timeS(), suffixedPath(line_.capture, suffix), fileOptions());
    };
    return compare(
        fixed, lens, [&](const Settings& settings) { return drawRefined(settings); }, captureOther);
  }

  const CommandLine& line_;
  const Settings asked_{line_.settings()};
  TrackerCache trackers_{asked_.scene.image.file.text};
  Settings settings_;
  Room room_;
  Renderer& renderer_;
  FilmFocus& focus_;
  InputHashes& inputs_;
  std::optional<Renderer> small_;  // draws the images that focus_ measures
  const FramePlan plan_{planOf(line_)};
  const Shot* const shot_{line_.shot ? &*line_.shot : nullptr};
  FrameLoop loop_;
  gl::Texture screen_;
  gl::Framebuffer framebuffer_{screen_};
  gl::Throttle throttle_;
  std::size_t inFlight_;
  Progress progress_;
  Notes told_;  // notes that isNew() has seen
  SteadyFrames steady_;
  std::unique_ptr<Video> video_;
  bool videoAlpha_ = false;
};

// Whether the capture is the only output.
bool capturesOnly(const CommandLine& line) {
  return !line.capture.empty() && line.sequence.empty() && line.stats.empty();
}

// The size of the small image in which a capture in tiles finds focus and distances.
glm::ivec2 overviewSize(Settings settings, double freeBytes) {
  constexpr int kMaxPx = 1024;
  settings.size = sizeWithin(settings, freeBytes);
  while (std::max(settings.size.x, settings.size.y) > kMaxPx)
    settings.size = glm::max(settings.size / 2, glm::ivec2(1));
  return settings.size;
}

// Runs one command line that is no batch. Makes the renderer if there is none.
void runOne(const CommandLine& line, std::optional<Renderer>& renderer) {
  std::optional<NameClaim> claim;
  if (!line.sequence.empty())  // several programs may write ranges of one film at a time
    claim.emplace(line.sequence, line.resume || line.last > 0 ? std::optional(filmText(line)) : std::nullopt);
  const bool image = drawsOneImage(line);
  Settings settings = atFrame(line.settings(), 0);
  estimateDepth(line, settings);
  useImageSize(line, settings);
  if (line.shot) settings = settingsAt(*line.shot, settings, 0);
  Settings asked = settings;
  asked.split.enabled |= line.compare.has_value() || (line.shot && animates(*line.shot, "split.enabled"));
  whileContextLasts([&] {
    constexpr double kMebibyte = 1048576.0;
    const Room room{settings.size, line.memoryMiB > 0 ? line.memoryMiB * kMebibyte : freeImageBytes()};
    const Settings largest = drawnSettings(line, asked);
    if (const std::string lacking = shortage(largest, room.freeBytes); !lacking.empty()) {
      if (!image || !capturesOnly(line) || !canTile(largest)) throw std::runtime_error(lacking);
      settings.size = overviewSize(drawnSettings(line, settings), room.freeBytes);
    }
    // Keys of samples or layers may need more memory.
    if (line.shot && !image)
      for (const double timeS : keyTimes(*line.shot))
        if (const std::string lacking =
                shortage(drawnSettings(line, settingsAt(*line.shot, asked, timeS)), room.freeBytes);
            !lacking.empty())
          throw std::runtime_error("--shot, " + json::numberText(timeS) + " s: " + lacking);
    if (!renderer) renderer.emplace();
    FilmFocus focus;
    InputHashes inputs;
    if (!line.resume) return HeadlessRun(line, settings, room, *renderer, focus, inputs).run();
    for (const auto& [first, last] : HeadlessRun(line, settings, room, *renderer, focus, inputs).missingFrames()) {
      CommandLine range = line;
      range.first = first;
      range.last = last;
      HeadlessRun(range, settings, room, *renderer, focus, inputs).run();
    }
  });
}

// Runs the command lines of a batch. One that fails does not end the others. Throws std::runtime_error at the end if
// any failed.
void runBatch(const std::vector<CommandLine>& lines) {
  std::vector<std::string> failed;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::printf("%zu of %zu: %s\n", i + 1, lines.size(), excerpt(lines[i].name, 500).c_str());
    std::fflush(stdout);
    try {
      std::optional<Renderer> renderer;
      runOne(lines[i], renderer);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "satdof: %s\n", printable(error.what()).c_str());
      failed.push_back(lines[i].name);
    }
  }
  std::printf("%zu of %zu files done\n", lines.size() - failed.size(), lines.size());
  if (failed.empty()) return;
  std::string names;
  for (const std::string& name : failed) names.append(names.empty() ? "" : ", ").append(name);
  throw std::runtime_error(std::to_string(failed.size()) + " of " + std::to_string(lines.size()) +
                           " files failed: " + excerpt(names, 500));
}

}  // namespace

void HeadlessSession::run(const CommandLine& line) {
  if (isBatch(line))
    runBatch(batchOf(line));
  else
    runOne(line, renderer_);
}

void runHeadless(const CommandLine& line) { HeadlessSession(line.debugContext()).run(line); }

}  // namespace satdof
