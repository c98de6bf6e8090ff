#include "app/run/window/film_frames.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "app/run/dropped.h"
#include "app/run/window/exchange.h"
#include "app/scene/image/image.h"
#include "app/scene/loading.h"
#include "app/scene/scene_files.h"
#include "app/ui/timeline.h"

namespace satdof {

void FilmFrames::begin(Session& session, InputFilm film, History& history) {
  const ImageSettings& image = session.settings.scene.image;
  // The film of the last window, or one that is opened again, is no edit.
  if (session.preferences.film == film.asked) history.amendFrame(shown_.image.file, session.settings);
  film_ = std::move(film);
  decides_ = image;
  session.inputFrames = film_.frames;
  if (film_.framesPerSecond > 0)
    session.preferences.capture.framesPerSecond = std::clamp(film_.framesPerSecond, 1.0f, 1000.0f);
  session.preferences.film = film_.asked;
  rememberFiles(session.preferences.recentImages, film_.asked);
  Timeline& timeline = session.timeline;
  timeline.shown = true;
  timeline.range.reset();
  timeline.timeS = 0.0;
  shown_ = {image, nullptr, std::nullopt};
  number_ = shown_.image.file == film_.frame(image, 0).file ? 0 : -1;
  steady_.reset();
  tracker_.reset();
}

// Follows whether the scene shows the film. Another image ends it; an undo may show it again.
void FilmFrames::follow(Session& session) {
  auto& film = session.preferences.film;
  ImageSettings& image = session.settings.scene.image;
  if (!std::exchange(followed_, true) && film_.frames == 0) shown_.image = image;  // of the last window
  session.inputFrames = 0;
  if (!showsPhoto(session.settings)) return;
  if (image.file != shown_.image.file) return film.reset();
  if (film_.frames > 0) {
    film = film_.asked;
    session.inputFrames = film_.frames;
    if (isFilm(image.depth.text)) image.file = film->file;  // they are opened together
  } else if (film && !std::exchange(asked_, true)) {
    image.file = film->file;
    image.depth = film->depth;
  }
}

bool FilmFrames::busy(const Session& session) const {
  return session.inputFrames > 0 && (job_.valid() || inputFrame(session) != number_ ||
                                     session.settings.scene.image.smoothFrames != decides_.smoothFrames);
}

void FilmFrames::serve(Session& session, Opening& opening, History& history) {
  using namespace std::chrono_literals;
  if (opening.loading()) return;
  if (auto film = opening.takeFilm()) begin(session, *std::move(film), history);
  follow(session);
  if (session.inputFrames == 0) return;
  if (job_.valid() && job_.wait_for(0s) == std::future_status::ready) take(session, opening, history);
  if (busy(session) && !job_.valid()) look(session);
}

void FilmFrames::look(const Session& session) {
  const ImageSettings& image = session.settings.scene.image;
  const LensSettings& lens = session.settings.lens;
  const bool otherSmoothing = decides_.smoothFrames != image.smoothFrames;
  if (decides_.smoothFrames == 0) decides_ = image;  // a smoothed depth has lost what decides the others
  if (!steady_ || otherSmoothing)
    steady_ = std::make_shared<SteadyFrames>(
        image.smoothFrames,
        [film = film_, decides = decides_](int number) { return film.frame(decides, number); });
  decides_.smoothFrames = image.smoothFrames;
  const glm::vec2 at(lens.autofocusX, lens.autofocusY);
  if (!lens.autofocus || lens.autofocusOn != AutofocusOn::tracked)
    tracker_.reset();
  else if (!tracker_ || std::exchange(tracked_, at) != at)
    tracker_ =
        std::make_shared<FrameTracker>(film_.file.text, glm::vec2(at.x, 1.0f - at.y), std::max(number_, 0));
  number_ = inputFrame(session);
  job_ =
      std::async(std::launch::async, [number = number_, reader = reader(), scene = session.settings.scene] {
        Frame frame = reader(number);
        SceneSettings read = scene;
        read.image = frame.image;
        LoadProgress progress;
        frame.files = loadImage(read, scene, progress);
        glfwPostEmptyEvent();
        return frame;
      });
}

FilmFrames::Frame FilmFrames::Reader::operator()(int number) const {
  Frame frame{film.frame(decides, number), nullptr, std::nullopt};
  if (decides.smoothFrames > 0) frame.image = withCorrectedDepth(frame.image, steady->depthOf(number));
  if (tracker) frame.place = tracker->at(number);
  return frame;
}

void FilmFrames::put(ImageSettings& image, const ImageSettings& frame) const {
  if (decides_.smoothFrames == 0 && shown_.image.smoothFrames == 0) {
    image.file = frame.file;
    image.depth = frame.depth;
    return;
  }
  const ImageSettings edited = std::exchange(image, frame);
  image.highlights = edited.highlights;
  image.highlightsFrom = edited.highlightsFrom;
  image.parallax = edited.parallax;
  image.smoothFrames = edited.smoothFrames;
}

Settings FilmFrames::at(Settings settings, long frame) {
  const auto number = static_cast<int>(std::min(frame, film_.frames - 1L));
  if (film_.frames == 0 || number == number_ || settings.scene.image.file != shown_.image.file)
    return settings;
  if (job_.valid()) job_.wait();
  const Frame other = reader()(number);
  put(settings.scene.image, other.image);
  if (other.place) {
    settings.lens.autofocusX = other.place->at.x;
    settings.lens.autofocusY = 1.0f - other.place->at.y;
  }
  return settings;
}

void FilmFrames::take(Session& session, Opening& opening, History& history) {
  Frame frame = job_.get();
  ImageSettings& image = session.settings.scene.image;
  const FilePath before = image.file;
  put(image, frame.image);
  shown_ = std::move(frame);
  if (shown_.place) {
    LensSettings& lens = session.settings.lens;
    lens.autofocusX = tracked_.x = shown_.place->at.x;
    lens.autofocusY = tracked_.y = 1.0f - shown_.place->at.y;
    if (shown_.place->lost) session.say("Tracking: lost in this frame, stays on the last place");
  }
  opening.useRead(image);
  history.amendFrame(before, session.settings);
}

}  // namespace satdof
