#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "app/core/shot/shot.h"
#include "app/render/renderer.h"

namespace satdof {

// The focus of each frame of a film. With autofocus, the focus moves from frame to frame by FocusFollower and starts in
// focus. The focus of a frame depends on its number alone: all frames before it are measured, in order.
class FilmFocus {
 public:
  struct Found {
    LensSettings lens;      // of the frame
    float focusM = 1;       // what the autofocus measures; without autofocus, the focus of the lens
    std::string message{};  // FrameResult::message
  };
  // Called once for each frame, in order, from 0 on.
  using Find = std::function<Found(long frame)>;

  // The focus of a frame in metres. Calls `find` for each frame up to it that has not been measured.
  float at(long frame, float framesPerSecond, const Find& find);
  // The next frame to measure.
  long next() const { return std::ssize(focus_); }
  // Measures the focus of the next frame in a small sharp image, drawn at the focus of the frame before. `timeS`,
  // `centre`: as in FrameRequest.
  Found measure(Renderer& renderer, const Settings& settings, double timeS, glm::vec2 centre) const;

 private:
  std::vector<float> focus_;  // of all frames so far, in diopters
  FocusFollower follower_;
};

// Returns keys of the focus track whose linear interpolation differs from `focusM` by at most 0.002 diopters at each
// frame. `focusM`:
// one value a frame, from time 0 on; at least one. Greedy, O(frames): a key ends where no line passes all frames
// since the last one.
Track focusTrack(std::span<const float> focusM, float framesPerSecond);

}  // namespace satdof
