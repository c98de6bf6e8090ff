#include "app/run/focus_track.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "app/render/focus.h"

namespace satdof {

Track focusTrack(std::span<const float> measured, float framesPerSecond, const LensSettings& lens) {
  constexpr float kTolerance = 0.002f;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const bool locks = lens.autofocusOn == AutofocusOn::tracked;
  const double stepS = 1.0 / static_cast<double>(framesPerSecond),
               delayS = locks ? 0.0 : static_cast<double>(lens.autofocusDelayS);
  FocusFollower follower;
  std::vector<float> focus{follower.target(measured[0], 0.0, 0.0)};
  for (const float now : measured.subspan(1))
    focus.push_back(FocusFollower::moved(focus.back(), follower.target(now, stepS, delayS), stepS,
                                         lens.autofocusSpeed, locks));

  Track track{"lens.focusDistanceM", {}};
  const auto set = [&](std::size_t frame) {
    track.keys.push_back({.timeS = static_cast<double>(frame) * stepS,
                          .value = 1.0f / focus[frame],
                          .easing = Easing::linear});
  };
  set(0);
  // The slopes of lines from the last key that pass all frames since then.
  std::size_t key = 0, last = 0;
  float least = -kInfinity, most = kInfinity;
  for (std::size_t i = 1; i < focus.size(); ++i) {
    const auto frames = static_cast<float>(i - key);
    const float slope = (focus[i] - focus[key]) / frames;
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
