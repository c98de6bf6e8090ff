#include "app/run/window/film_frames.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "app/core/files/cache.h"
#include "app/core/system/inquiry.h"
#include "app/core/system/loading.h"
#include "app/core/text/foreign_text.h"
#include "app/core/tracking.h"
#include "app/run/system/depth_command.h"
#include "app/run/window/files/recent_images.h"
#include "app/scene/image/image.h"
#include "app/scene/scene_files.h"
#include "app/ui/timeline/timeline.h"

namespace satdof {

void FilmFrames::begin(Session& session, InputFilm film, History& history) {
  const ImageSettings& image = session.settings.scene.image;
  // Opening the film of the last window or the same film again is no edit.
  auto& recent = session.preferences.recentImages;
  if (session.preferences.film == film.asked)
    history.amendFrame(shown_.image.file, session.settings);
  else
    restoreFocus(session.settings, film.asked, recent);
  inquiry_.leave();
  TrackerCache trackers(film.file.text);
  reader_ = {std::move(film), {}, std::move(trackers)};
  session.inputFrames = reader_.film.frames;
  if (reader_.film.framesPerSecond > 0)
    session.preferences.capture.framesPerSecond = std::clamp(reader_.film.framesPerSecond, 1.0f, 1000.0f);
  session.preferences.film = reader_.film.asked;
  rememberFiles(recent, shownImage(session));
  Timeline& timeline = session.timeline;
  timeline.shown = true;
  timeline.range.reset();
  timeline.timeS = 0.0;
  shown_ = {image, nullptr, std::nullopt};
  tracked_.reset();
  smoothingKey_ = {};
  number_ = shown_.image.file == reader_.film.frame(image, 0).file ? 0 : -1;
}

// Follows whether the scene shows the film. Undo may show it again after another image.
void FilmFrames::follow(Session& session) {
  auto& film = session.preferences.film;
  ImageSettings& image = session.settings.scene.image;
  if (!std::exchange(followed_, true) && reader_.film.frames == 0) shown_.image = image;  // of the last window
  session.inputFrames = 0;
  if (!showsPhoto(session.settings)) return;
  if (image.file != shown_.image.file) return film.reset();
  if (reader_.film.frames > 0) {
    film = reader_.film.asked;
    session.inputFrames = reader_.film.frames;
    // Opening reads image and depth of a film together. A name without extension may be a folder of frames.
    if (isFilm(image.depth.text) || (!image.depth.none() && !std::filesystem::path(image.depth.text).has_extension()))
      image.file = film->file;
  } else if (film && !std::exchange(reopened_, true)) {
    image.file = film->file;
    image.depth = film->depth;
  }
}

// For frames that are only shown, DepthEstimator runs the command.
bool FilmFrames::runs(const Session& session) const {
  return mayRun() && (session.sequence || session.settings.scene.image.smoothFrames > 0);
}

bool FilmFrames::readsOther(const Settings& settings, bool runs) const {
  return (runs && !ran_) || SteadyFrames::smoothingKey(settings.scene.image) != smoothingKey_ ||
         (tracks(settings.lens) && tracked_ != trackedPoint(settings.lens));
}

bool FilmFrames::busy(const Session& session) const {
  return session.inputFrames > 0 &&
         (inquiry_.waits() || inputFrame(session) != number_ || readsOther(session.settings, runs(session)));
}

void FilmFrames::serve(Session& session, Opening& opening, History& history) {
  files_.reset();
  if (opening.loading()) return;
  if (auto film = opening.takeFilm()) begin(session, *std::move(film), history);
  follow(session);
  if (session.inputFrames == 0) return;
  estimates_ = estimates_ || isCached(session.settings.scene.image.depth.text, "depth");
  take(session, opening, history);
  reader_.depthCommand = estimates_ ? session.preferences.depthCommand : "";
  // A recording tracks the point of its first frame, so that its frames depend on their time alone.
  if (LensSettings& lens = session.settings.lens; tracks(lens) && !hasTrackedPoint(lens) && !session.sequence) {
    beginTracking(lens, std::max(number_, 0));
    history.amendFrame(session.settings.scene.image.file, session.settings);
  }
  if (busy(session) && !inquiry_.waits()) request(session);
  tellWait(session);
}

void FilmFrames::tellWait(Session& session) const {
  constexpr std::chrono::seconds kTell{2};
  if (!inquiry_.waits() || std::chrono::steady_clock::now() - requestedAt_ < kTell || session.notices.ageS < kNoticeS)
    return;
  session.say("Frame " + std::to_string(number_ + 1) +
              " is still being read: " + pathText(reader_.film.asked.file.text));
}

void FilmFrames::request(const Session& session) {
  smoothingKey_ = SteadyFrames::smoothingKey(session.settings.scene.image);
  if (tracks(session.settings.lens)) tracked_ = trackedPoint(session.settings.lens);
  ran_ = runs(session);
  number_ = inputFrame(session);
  requestedAt_ = std::chrono::steady_clock::now();
  inquiry_.ask("", [number = number_, reader = reader_, settings = session.settings, runs = ran_]() mutable {
    Read read = reader(number, settings, true, runs);
    glfwPostEmptyEvent();
    return read;
  });
}

FilmFrames::Read FilmFrames::Reader::operator()(int number, const Settings& settings, bool loads, bool runs) {
  const auto filesOf = [this, runs](int of) {
    ImageSettings files = film.frame({}, of);
    if (!depthCommand.empty()) estimateMissing(satdof::depthCommand("Depth command", depthCommand), files, runs, {});
    return files;
  };
  Frame frame{steady.of(settings.scene.image, number, filesOf), nullptr, std::nullopt};
  if (tracks(settings.lens)) {
    frame.lens = settings.lens;
    beginTracking(*frame.lens, 0);
    frame.lost = trackers.follow(*frame.lens, number);
  }
  if (loads) {
    SceneSettings shown = settings.scene;
    shown.image = frame.image;
    LoadProgress progress;
    frame.files = loadImage(shown, settings.scene, progress);
  }
  return {std::move(frame), *this};
}

Settings FilmFrames::at(Settings settings, long frame, bool loads, const std::function<void()>& wait) {
  constexpr std::chrono::milliseconds kMoment{20};
  const auto number = static_cast<int>(std::min(frame, reader_.film.frames - 1L));
  const bool isShown = number == number_ && !inquiry_.waits() && !readsOther(settings, mayRun());
  if (number < 0 || isShown || settings.scene.image.file != shown_.image.file) return settings;
  Inquiry<Read> inquiry;
  inquiry.ask("", [=, reader = reader_, runs = mayRun()]() mutable { return reader(number, settings, loads, runs); });
  std::optional<Read> read;
  while (!(read = inquiry.take(kMoment))) wait();
  reader_ = read->reader;
  const auto& [image, files, lens, lost] = read->frame;
  files_ = files;
  settings.scene.image = image;
  settings.lens = lens.value_or(settings.lens);
  return settings;
}

void FilmFrames::take(Session& session, Opening& opening, History& history) {
  const auto read = inquiry_.take();
  if (!read) return;
  ImageSettings& image = session.settings.scene.image;
  const FilePath before = image.file;
  shown_ = read->frame;
  image = withFiles(image, shown_.image);
  reader_ = read->reader;
  if (shown_.lens) {
    session.settings.lens.autofocusX = shown_.lens->autofocusX;
    session.settings.lens.autofocusY = shown_.lens->autofocusY;
    if (shown_.lost) session.say("Tracking: lost in this frame, stays on the last place");
  }
  opening.markRead(image);
  history.amendFrame(before, session.settings);
}

}  // namespace satdof
