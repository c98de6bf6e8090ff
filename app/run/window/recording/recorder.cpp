#include "app/run/window/recording/recorder.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <glm/common.hpp>
#include <stdexcept>

#include "app/core/files/file_names.h"
#include "app/core/files/file_timeout.h"
#include "app/core/system/abandon.h"
#include "app/core/text/count_text.h"
#include "app/core/text/foreign_text.h"
#include "app/io/codec.h"
#include "app/io/image_file.h"
#include "app/run/capture_texts.h"
#include "app/run/film/shutter.h"
#include "app/run/remembered/remembered.h"
#include "app/run/window/files/saving.h"
#include "app/scene/registry.h"
#include "app/ui/edit.h"
#include "app/ui/timeline/timeline.h"

namespace satdof {

namespace {

// The largest size with the aspect ratio of `image` that fits into `most`.
glm::ivec2 fittedInto(glm::ivec2 image, glm::ivec2 most) {
  const glm::dvec2 ratio = glm::dvec2(image) / glm::dvec2(most);
  return glm::max(glm::ivec2(glm::round(glm::dvec2(image) / std::max(ratio.x, ratio.y))), glm::ivec2(1));
}

}  // namespace

std::filesystem::path captureFile(const CaptureSettings& capture, const std::string& name) {
  std::filesystem::path file = std::filesystem::path(capture.folder) / name;
  return file += captureChoice(capture.format).codec->extensions.front();
}

void Recorder::saveImage(const std::vector<std::filesystem::path>& file, float timeS) {
  const auto path = file.empty() ? write(captureFile(session_.preferences.capture, captureName(session_)), timeS, true)
                                 : write(file.front(), timeS, false);
  const auto waiting = pendingWrites();
  const bool late = std::ranges::find(waiting, path) != waiting.end();
  if (!path.empty()) tellWritten(session_, path, late ? std::nullopt : std::optional(path));
}

std::filesystem::path Recorder::write(const std::filesystem::path& path, float timeS, bool numbered) {
  CaptureOptions options = fileOptions();
  if (path == commandLine_.capture || !commandLine_.sequence.empty()) {
    options.bitDepth = commandLine_.bitDepth;
    options.layers = commandLine_.layers;
  }
  options.numbered = numbered;
  if (!recordsImages() || recordedSize_ == session_.settings.size) addPanels(options);
  std::optional<ScopedProgress> shown;
  try {
    const auto photo = capturesAlone(options) ? photoSize() : std::nullopt;
    if (photo) useSize(options, *photo);
    options.redraw = options.redraw || blurs();
    std::filesystem::path written;
    if (!commandLine_.scripted() && !session_.sequence) {
      const glm::ivec2 size = options.size == glm::ivec2(0) ? session_.settings.size : options.size;
      progress_.keep();
      const std::filesystem::path name = numbered ? numberedNames(path)() : path;
      shown.emplace(progress_, name.filename().string(), image_.expectedS(size));
      options.progressed = [this](float drawn, float next) { progress_.drawn(drawn, next); };
    }
    draw(options, timeS, [&](Renderer& renderer, Settings settings, const CaptureOptions& taken) {
      if (photo) settings.camera.shiftX = settings.camera.shiftY = 0.0f;
      written = capture(renderer, settings, timeS, path, blurred(taken, settings, timeS));
    });
    session_.forget("capture");
    if (session_.sequence) frame_ = written;
    return written;
  } catch (const FrameAbandoned&) {
    if (!progress_.cancelled()) throw;
    progress_.say("Capture cancelled");
    return {};
  } catch (const std::runtime_error& error) {
    if (commandLine_.scripted()) throw;
    session_.sequence.reset();
    session_.report("capture", error.what());
    // If the folder cannot be written, let the user choose another one.
    try {
      readWithTimeout(path, [path] { return requireWritable(path), true; });
    } catch (const std::runtime_error&) {
      if (numbered && !session_.strip.exporting) session_.request({Command::saveImageAs});
    }
    return {};
  }
}

CaptureOptions Recorder::fileOptions() const {
  const CaptureSettings& how = session_.preferences.capture;
  CaptureOptions options{.bitDepth = captureChoice(how.format).choice->bits,
                         .quality = how.quality,
                         .keep = how.keep,
                         .dated = !session_.sequence};
  options.size = !how.windowSize ? how.size : recordsImages() ? recordedSize_ : glm::ivec2(0);
  return options;
}

bool Recorder::capturesAlone(const CaptureOptions& options) const {
  return !commandLine_.scripted() && !options.drawOver;
}

std::optional<glm::ivec2> Recorder::photoSize() const {
  const SceneSettings& scene = session_.settings.scene;
  const auto imageSize = sceneRow(scene.kind).imageSize;
  return imageSize == nullptr ? std::nullopt : imageSize(scene);
}

void Recorder::useSize(CaptureOptions& options, glm::ivec2 photo) const {
  const CaptureSettings& how = session_.preferences.capture;
  options.size = how.windowSize ? photo : fittedInto(photo, how.size);
  options.redraw = true;
}

FrameResult Recorder::drawFrame(Settings settings, float timeS, glm::vec2 cursor, bool cancellable, Timings& timings) {
  using Work = CaptureProgress::Work;
  const auto slowStep = [&](const char* what, Work work, const auto& step) {
    if (!cancellable) return step();
    const ScopedProgress shown(progress_, what, 0.0f, work);
    try {
      return step();
    } catch (const FrameAbandoned&) {
      if (progress_.cancelled() && session_.sequence) cancel();
      throw;
    } catch (const std::runtime_error& error) {
      fail(error.what());
      throw FrameAbandoned();
    }
  };
  std::optional<float> focusM;
  if (session_.settings.lens.autofocus) {
    focusM = slowStep("the focus", Work::drawing, [&] { return focus_.nextFrameM(timeS); });
    settings.lens.focusDistanceM = *focusM;
    settings.lens.autofocus = false;
  }
  FrameResult result =
      slowStep("the recording", Work::longWork, [&] { return image_.draw(settings, timeS, cursor, true, timings); });
  if (focusM) result.focus.focusDistanceM = focusM;
  return result;
}

bool Recorder::append(float timeS) {
  CaptureOptions options{.size = recordedSize_};
  if (recordedSize_ == session_.settings.size) addPanels(options);
  options.redraw = videoOfPhoto_ || blurs();
  try {
    draw(options, timeS, [&](Renderer& renderer, Settings settings, const CaptureOptions& taken) {
      if (videoOfPhoto_) settings.camera.shiftX = settings.camera.shiftY = 0.0f;
      video_->append(captureRgb(renderer, settings, timeS, blurred(taken, settings, timeS), videoAlpha_));
    });
    session_.forget("capture");
    return true;
  } catch (const std::runtime_error& error) {
    fail(error.what());
    return false;
  }
}

void Recorder::fail(const std::string& reason) {
  session_.sequence.reset();
  if (video_) remove(std::move(video_));
  session_.report("capture", reason);
}

void Recorder::draw(const CaptureOptions& options, float timeS, const WindowImage::Take& take) {
  struct Flag {
    explicit Flag(bool& of) : flag(of) { flag = true; }
    ~Flag() { flag = false; }
    bool& flag;
  };
  const Flag flag(capturing_);
  try {
    image_.capture(options, timeS, take);
  } catch (const FrameAbandoned&) {
    if (!progress_.cancelled()) std::fputs("satdof: the capture is abandoned\n", stderr);
    throw;
  }
}

void Recorder::addPanels(CaptureOptions& options) const {
  if (session_.preferences.capture.recordsPanels())
    options.drawOver = [this](GLuint framebuffer, glm::ivec2) {
      if (progress_.shown()) layOutAgain_();
      ui_.paint(framebuffer);
    };
}

bool Recorder::blurs() const { return session_.filmsShot() && session_.preferences.capture.shutter.opens(); }

CaptureOptions Recorder::blurred(CaptureOptions options, const Settings& settings, float timeS) const {
  const CaptureSettings& how = session_.preferences.capture;
  if (blurs())
    openShutter(options, how.shutter, settings,
                {&session_.shot(), session_.timeline.timeS, timeS, how.framesPerSecond});
  return options;
}

void Recorder::command(FrameLoop& loop) {
  if (!session_.sequence) {
    claim_.reset();
    loop.stopSequence();
    endVideo();
    return;
  }
  if (loop.sequence()) return;
  const bool video = session_.sequence->video;
  if (video && !startVideo()) return session_.sequence.reset();
  ImageSequence sequence{.path = {},
                         .video = video,
                         .frames = session_.sequence->frames,
                         .framesPerSecond = session_.preferences.capture.framesPerSecond};
  held_.clear();
  if (!video) recordedSize_ = session_.settings.size;
  if (!video && !claim()) return;
  if (!video && session_.sequence->ofShot) {
    sequence.firstNumber = static_cast<int>(session_.sequence->firstOfShot) + 1;
    const ScopedProgress shown(progress_, "the frames on the disk", 0.0f);
    try {
      sequence.path = filmPath();
    } catch (const FrameAbandoned&) {
      if (!progress_.cancelled()) throw;
      return cancel();
    } catch (const std::runtime_error& error) {
      return fail(error.what());
    }
  } else if (!video) {
    sequence.path = sequencePath();
  }
  loop.startSequence(sequence);
  skipHeld(loop);
  if (loop.sequence()) session_.sequence->written = loop.sequence()->written;
  if (const auto held = std::ranges::count(held_, true); held > 0)
    session_.say(std::to_string(held) + " of " + std::to_string(held_.size()) + " frames are on the disk");
}

bool Recorder::claim() {
  claim_.reset();  // an earlier recording may have claimed the same names
  try {
    claim_ = readWithTimeout(sequencePath(), [path = sequencePath()] { return std::make_unique<NameClaim>(path); });
    return true;
  } catch (const std::runtime_error& error) {
    if (commandLine_.scripted()) throw;
    session_.sequence.reset();
    session_.report("capture", error.what());
    return false;
  }
}

std::filesystem::path Recorder::filmPath() {
  const std::filesystem::path path = sequencePath();
  int copy = 1;
  while (!fitsFilm(copyPath(path, copy))) ++copy;
  return copyPath(path, copy);
}

bool Recorder::fitsFilm(const std::filesystem::path& path) {
  const int frames = session_.sequence->frames;
  held_.assign(static_cast<std::size_t>(frames), false);
  for (int frame = 0; frame < frames; ++frame) {
    const auto number = static_cast<int>(session_.sequence->firstOfShot) + frame + 1;
    const std::filesystem::path file = numberedPath(path, number);
    if (!readWithTimeout(file, [file] { return isThere(file); })) continue;
    progress_.drawn(static_cast<float>(frame) / static_cast<float>(frames),
                    static_cast<float>(frame + 1) / static_cast<float>(frames));
    if (!holdsFrame(file, frame)) return false;
    held_[static_cast<std::size_t>(frame)] = true;
  }
  return true;
}

bool Recorder::holdsFrame(const std::filesystem::path& file, int frame) const {
  const CaptureSettings& how = session_.preferences.capture;
  const long number = session_.sequence->firstOfShot + frame;
  const double timeS = frameTimeS(session_.shot(), number, how.framesPerSecond);
  Settings settings = image_.fileSettings(focus_.shotFrame(number));
  CaptureOptions options = fileOptions();
  addPanels(options);
  if (const auto photo = capturesAlone(options) ? photoSize() : std::nullopt) {
    useSize(options, *photo);
    settings.camera.shiftX = settings.camera.shiftY = 0.0f;
  }
  if (options.size != glm::ivec2(0)) settings.size = options.size;
  const float animationS = session_.followsShot() ? static_cast<float>(timeS) : settings.scene.timeS;
  openShutter(options, how.shutter, settings, {&session_.shot(), timeS, animationS, how.framesPerSecond});
  return holdsCapture(file, settings, animationS, options);
}

void Recorder::skipHeld(FrameLoop& loop) const {
  while (loop.sequence() && static_cast<std::size_t>(loop.sequence()->written) < held_.size() &&
         held_[static_cast<std::size_t>(loop.sequence()->written)])
    loop.countImage();
}

void Recorder::cancel() {
  if (session_.sequence->written == 0) remove(std::move(video_));
  session_.sequence.reset();
  session_.say("Recording cancelled");
}

void Recorder::follow(FrameLoop& loop) {
  if (!session_.sequence) return;
  skipHeld(loop);
  if (loop.sequence()) {
    session_.sequence->written = loop.sequence()->written;
    return;
  }
  if (video_)
    endVideo();
  else
    saved_ = session_.sequence->frames - std::ranges::count(held_, true);
  session_.sequence.reset();
}

bool Recorder::wantsAlpha() const {
  return !session_.preferences.capture.recordsPanels() &&
         mayBeTransparent(session_.settings, session_.sequence->ofShot ? &session_.shot() : nullptr);
}

bool Recorder::prepared() try {
  const std::string& format = session_.preferences.capture.videoFormat;
  if (!session_.sequence || !session_.sequence->video || !wantsAlpha() || alpha_.format == format) return true;
  const bool begins = !alphaOf_.waits();
  if (begins) alphaOf_.ask("", [format] { return Alpha{format, alphaMissing("video" + format)}; });
  if (const auto answer = alphaOf_.take(begins ? Inquiry<Alpha>::kMoment : std::chrono::milliseconds()))
    alpha_ = *answer;
  const bool known = alpha_.format == format;
  if (begins && !known) session_.say("The recording begins when ffmpeg has told its encoders", kSavedNoticeS);
  return known;
} catch (const std::runtime_error& error) {
  fail(error.what());
  return true;
}

bool Recorder::startVideo() {
  const CaptureSettings& how = session_.preferences.capture;
  constexpr glm::ivec2 kMax{3840, 2160};  // of a photograph
  recordedSize_ = how.windowSize ? session_.settings.size : how.size;
  try {
    const bool panels = how.recordsPanels();
    const auto photo = panels ? std::nullopt : photoSize();
    videoOfPhoto_ = photo.has_value();
    if (photo) recordedSize_ = fittedInto(*photo, how.windowSize ? glm::min(*photo, kMax) : how.size);
    const auto path = captureFile(how, captureName(session_)).replace_extension(how.videoFormat);
    videoAlpha_ = wantsAlpha() && alpha_.missing.empty();
    if (wantsAlpha() && !videoAlpha_) session_.say("Recording: " + alpha_.missing, kSavedNoticeS);
    video_ = satdof::startVideo(path,
                                {.size = recordedSize_,
                                 .framesPerSecond = how.framesPerSecond,
                                 .alpha = videoAlpha_,
                                 .frames = session_.sequence->frames},
                                true);
    return true;
  } catch (const std::runtime_error& error) {
    session_.report("capture", error.what());
    return false;
  }
}

bool Recorder::ready() {
  constexpr double kWaitS = 0.01;
  return video_ ? video_->ready(kWaitS) : pendingWrites().empty();
}

void Recorder::close() {
  if (session_.filmsShot()) remove(std::move(video_));
  endVideo();
}

void Recorder::endVideo() {
  if (!video_) return;
  video_->end();
  finishing_.push_back(std::move(video_));
  session_.say("Finishing the video");
}

std::string Recorder::finish() {
  for (const auto& [file, failure] : takeLateWrites()) {
    if (failure.empty()) {
      session_.saySaved(file);
      if (folderOf(file) == session_.presetFolder) session_.ownPresets = ownPresets(configFolder());
    } else {
      std::fprintf(stderr, "satdof: %s\n", printable(failure).c_str());
      session_.report("capture", failure);
      if (file != frame_) continue;
      session_.sequence.reset();
      saved_ = 0;
    }
  }
  if (saved_ > 0 && pendingWrites().empty())
    session_.say("Saved " + countText(static_cast<std::size_t>(std::exchange(saved_, 0)), "image"));
  std::erase_if(finishing_, [this](const std::unique_ptr<Video>& video) {
    try {
      const auto written = video->finished(0.0);
      if (written) session_.saySaved(*written);
      return written.has_value();
    } catch (const std::runtime_error& error) {
      std::fprintf(stderr, "satdof: %s\n", printable(error.what()).c_str());  // the window may have closed
      session_.report("capture", error.what());
      return true;
    }
  });
  if (!finishing_.empty()) return "the video";
  const auto files = pendingWrites();
  return files.empty() ? "" : pathText(files.front());
}

void Recorder::abandon() {
  if (!finishing_.empty()) std::fputs("satdof: the video is abandoned\n", stderr);
  for (auto& video : std::exchange(finishing_, {})) remove(std::move(video));
  for (const auto& file : pendingWrites())
    std::fprintf(stderr, "satdof: %s\n", failureText("write", file, "its folder does not answer").c_str());
}

void Recorder::remove(std::unique_ptr<Video> video) {
  finishesInTime("video", [dropped = std::shared_ptr<Video>(std::move(video))]() mutable { dropped.reset(); });
}

std::filesystem::path Recorder::sequencePath() const {
  if (!commandLine_.sequence.empty()) return commandLine_.sequence;
  return captureFile(session_.preferences.capture, session_.filmsShot() ? filmName(session_) : "sequence");
}

}  // namespace satdof
