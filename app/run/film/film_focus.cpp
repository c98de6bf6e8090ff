#include "app/run/film/film_focus.h"

#include <algorithm>
#include <limits>

#include "app/core/fields.h"
#include "app/run/small_settings.h"

namespace satdof {

float FilmFocus::at(long frame, float framesPerSecond, const Find& find) {
  while (next() <= frame) {
    const Found of = find(next());
    const LensSettings& lens = of.lens;
    const float found = 1.0f / of.focusM;
    if (!lens.autofocus) {
      follower_ = {};
      focus_.push_back(found);
      continue;
    }
    const bool locks = lens.autofocusOn == AutofocusOn::tracked;
    const double stepS = 1.0 / static_cast<double>(framesPerSecond),
                 delayS = locks ? 0.0 : static_cast<double>(lens.autofocusDelayS);
    const float target = follower_.target(found, stepS, delayS);
    focus_.push_back(focus_.empty() ? target
                                    : FocusFollower::moved(focus_.back(), target, stepS, lens.autofocusSpeed, locks));
  }
  return 1.0f / focus_[static_cast<std::size_t>(frame)];
}

FilmFocus::Found FilmFocus::measure(Renderer& renderer, const Settings& settings, double timeS,
                                    glm::vec2 centre) const {
  constexpr int kLongestSidePx = 480;
  const LensSettings& lens = settings.lens;
  if (!lens.autofocus) return {lens, lens.focusDistanceM};
  const int sidePx = std::min(std::max(settings.size.x, settings.size.y), kLongestSidePx);
  Settings small = sharpSettings(settings, settings.size, static_cast<float>(sidePx));
  small.scene.samples = 1;
  small.lens = lens;
  // The field of view of a lens with focus breathing depends on the focus (lens_space.h). A frame is therefore
  // measured at the focus of the frame before it, and the first one twice: at the farthest focus, then at the
  // focus found there.
  float& focusM = small.lens.focusDistanceM;
  focusM = focus_.empty() ? static_cast<float>(fieldOf("lens.focusDistanceM").max) : 1.0f / focus_.back();
  small.lens.overscan = Overscan::off;
  Timings untimed;
  FrameResult result;
  for (int draws = focus_.empty() ? 2 : 1; draws > 0 && result.message.empty(); --draws) {
    result = renderer.render(small, {.timeS = timeS, .focusAt = {}, .standalone = true, .centre = centre}, untimed);
    focusM = result.focus.focusDistanceM.value_or(focus_.empty() ? lens.focusDistanceM : focusM);
  }
  return {lens, focusM, result.message};
}

Track focusTrack(std::span<const float> focusM, float framesPerSecond) {
  constexpr float kTolerance = 0.002f;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const double stepS = 1.0 / static_cast<double>(framesPerSecond);
  Track track{"lens.focusDistanceM", {}};
  const auto set = [&](std::size_t frame) {
    track.keys.push_back(
        {.timeS = static_cast<double>(frame) * stepS, .value = focusM[frame], .easing = Easing::linear});
  };
  set(0);
  // Lines from the last key with slopes in [least, most] pass all frames since then within the tolerance.
  std::size_t key = 0, last = 0;
  float least = -kInfinity, most = kInfinity;
  for (std::size_t i = 1; i < focusM.size(); ++i) {
    const auto frames = static_cast<float>(i - key);
    const float slope = (1.0f / focusM[i] - 1.0f / focusM[key]) / frames;
    if (slope < least || slope > most) {
      set(last);
      key = last;
      least = -kInfinity;
      most = kInfinity;
      i = key;
      continue;
    }
    last = i;
    least = std::max(least, slope - kTolerance / frames);
    most = std::min(most, slope + kTolerance / frames);
  }
  if (last > key) set(last);
  return track;
}

}  // namespace satdof
