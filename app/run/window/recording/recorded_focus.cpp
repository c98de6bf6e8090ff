#include "app/run/window/recording/recorded_focus.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "app/core/shot/shot.h"
#include "app/core/system/abandon.h"
#include "app/scene/registry.h"
#include "app/ui/image/zoom.h"
#include "app/ui/timeline/timeline.h"

namespace satdof {

float RecordedFocus::nextFrameM(float timeS) {
  const Sequence& sequence = *session_.sequence;
  if (sequence.ofShot) return shotFocusM(focus_, sequence.firstOfShot + sequence.written, false);
  return focus_.at(sequence.written, framesPerSecond_ > 0 ? framesPerSecond_ : frameRate(session_), [&](long) {
    return focus_.measure(image_.thumbnailRenderer(), session_.settings, timeS, centreShown(session_));
  });
}

float RecordedFocus::shotFocusM(FilmFocus& focus, long frame, bool always) {
  const long first = focus.next(), total = frame + 1 - first;
  return focus.at(frame, frameRate(session_), [&](long at) {
    progress_.drawn(static_cast<float>(at - first) / static_cast<float>(total),
                    static_cast<float>(at + 1 - first) / static_cast<float>(total));
    return measureShot(focus, at, always);
  });
}

FilmFocus::Found RecordedFocus::measureShot(const FilmFocus& focus, long frame, bool always) {
  Settings at = unfocusedFrame(frame, true);
  at.lens.autofocus |= always;
  const double timeS = frameTimeS(session_.shot(), frame, frameRate(session_));
  const bool isPhoto = sceneRow(at.scene.kind).showsPhotographs();
  return focus.measure(image_.thumbnailRenderer(), at,
                       session_.followsShot() ? timeS : static_cast<double>(at.scene.timeS),
                       isPhoto ? session_.visible.centre() : glm::vec2(0.5f));
}

Settings RecordedFocus::unfocusedFrame(long frame, bool loads) {
  const Shot& shot = session_.shot();
  const double timeS = frameTimeS(shot, frame, frameRate(session_));
  return settingsAt(shot, film_.at(settingsAt(shot, session_.settings, timeS), frame, loads, throwIfAbandoned), timeS);
}

Settings RecordedFocus::shotFrame(long frame) {
  Settings settings = unfocusedFrame(frame, false);
  if (settings.lens.autofocus)
    settings.lens.focusDistanceM =
        focus_.at(frame, frameRate(session_), [this](long at) { return measureShot(focus_, at, false); });
  return settings;
}

void RecordedFocus::setKeys() {
  Shot shot = session_.shot();
  const float rate = frameRate(session_);
  std::vector<float> focusM(
      std::max(static_cast<std::size_t>(framesOf(shot, rate)), static_cast<std::size_t>(session_.inputFrames)));
  progress_.keep();
  const ScopedProgress shown(progress_, "the focus", 0.0f);
  try {
    FilmFocus focus;
    shotFocusM(focus, std::ssize(focusM) - 1, true);
    std::ranges::generate(focusM, [&, frame = 0L]() mutable { return shotFocusM(focus, frame++, true); });
  } catch (const FrameAbandoned&) {
    if (!progress_.cancelled()) throw;
    return session_.say("Keys of the autofocus cancelled");
  }
  std::erase_if(shot.tracks, [](const Track& track) {
    return track.field == "lens.focusDistanceM" || track.field == "lens.autofocus";
  });
  shot.tracks.push_back(focusTrack(focusM, rate));
  if (changeShot(session_, std::move(shot), "Keys of the autofocus")) session_.settings.lens.autofocus = false;
}

}  // namespace satdof
