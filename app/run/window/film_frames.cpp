#include "app/run/window/film_frames.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/core/usage_error.h"
#include "app/run/dropped.h"
#include "app/run/frame_files.h"
#include "app/scene/image/image.h"
#include "app/scene/loading.h"
#include "app/scene/scene_files.h"
#include "app/ui/timeline.h"

namespace satdof {

namespace {

// The image and the depth of a frame.
ImageSettings frameOfFilm(const ImageSettings& names, int number) {
  Settings settings;
  settings.scene.image = names;
  return atFrame(settings, number).scene.image;
}

}  // namespace

void FilmFrames::begin(Session& session, const ImageSettings& names) {
  std::error_code unknown;
  names_ = names;
  for (FilePath* const file : {&names_.file, &names_.depth})
    if (!file->none()) file->text = std::filesystem::absolute(file->text, unknown).string();
  session.inputFrames = frameFiles("--image", names_.file.text).count;
  session.timeline.shown = true;
  session.timeline.range.reset();
  shown_ = {session.settings.scene.image, nullptr, std::nullopt};
  number_ = shown_.image.file == frameOfFilm(names_, 0).file ? 0 : -1;
  steady_.reset();
  tracker_.reset();
}

bool FilmFrames::busy(const Session& session) const {
  return session.inputFrames > 0 && (job_.valid() || inputFrame(session) != number_ ||
                                     session.settings.scene.image.smoothFrames != names_.smoothFrames);
}

void FilmFrames::serve(Session& session, Opening& opening, History& history) {
  using namespace std::chrono_literals;
  const Settings& settings = session.settings;
  if (session.inputFrames == 0 || opening.loading()) return;
  if (!showsPhoto(settings) || settings.scene.image.file != shown_.image.file) {
    session.inputFrames = 0;
    return;
  }
  if (job_.valid() && job_.wait_for(0s) == std::future_status::ready) take(session, opening, history);
  if (busy(session) && !job_.valid()) look(session);
}

void FilmFrames::look(const Session& session) {
  const ImageSettings& image = session.settings.scene.image;
  const LensSettings& lens = session.settings.lens;
  const bool otherSmoothing = names_.smoothFrames != image.smoothFrames;
  if (names_.smoothFrames == 0) {  // a smoothed depth has lost what decides the others
    ImageSettings now = image;
    now.file = names_.file;
    now.depth = names_.depth;
    names_ = now;
  }
  if (!steady_ || otherSmoothing)
    steady_ = std::make_shared<SteadyFrames>(
        image.smoothFrames, [names = names_](int number) { return frameOfFilm(names, number); });
  names_.smoothFrames = image.smoothFrames;
  const glm::vec2 at(lens.autofocusX, lens.autofocusY);
  if (!lens.autofocus || lens.autofocusOn != AutofocusOn::tracked)
    tracker_.reset();
  else if (!tracker_ || std::exchange(tracked_, at) != at)
    tracker_ =
        std::make_shared<FrameTracker>(names_.file.text, glm::vec2(at.x, 1.0f - at.y), std::max(number_, 0));
  number_ = inputFrame(session);
  job_ = std::async(std::launch::async, [number = number_, names = names_, steady = steady_,
                                         tracker = tracker_, scene = session.settings.scene] {
    Frame frame{frameOfFilm(names, number), nullptr, std::nullopt};
    if (names.smoothFrames > 0) frame.image = withCorrectedDepth(frame.image, steady->depthOf(number));
    if (tracker) frame.place = tracker->at(number);
    SceneSettings read = scene;
    read.image = frame.image;
    LoadProgress progress;
    frame.files = loadImage(read, scene, progress);
    glfwPostEmptyEvent();
    return frame;
  });
}

void FilmFrames::take(Session& session, Opening& opening, History& history) {
  Frame frame = job_.get();
  ImageSettings& image = session.settings.scene.image;
  const FilePath before = image.file;
  const bool otherDepth = names_.smoothFrames > 0 || shown_.image.smoothFrames > 0;
  shown_ = std::move(frame);
  if (otherDepth) {
    const ImageSettings edited = std::exchange(image, shown_.image);
    image.highlights = edited.highlights;
    image.highlightsFrom = edited.highlightsFrom;
    image.parallax = edited.parallax;
    image.smoothFrames = edited.smoothFrames;
  } else {
    image.file = shown_.image.file;
    image.depth = shown_.image.depth;
  }
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
