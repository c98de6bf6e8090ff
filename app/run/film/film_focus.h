#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "app/core/shot.h"
#include "app/render/renderer.h"

namespace satdof {

// The focus of each frame of a film. While the autofocus is on, the focus moves as FocusFollower says, from the first frame of the film
// on, which is in focus: the focus of a frame depends on its number alone, whichever frames are drawn.
class FilmFocus {
 public:
  struct Found {
    LensSettings lens;      // of the frame
    float focusM = 1;       // that its autofocus measures; without autofocus, the focus of the lens
    std::string message{};  // FrameResult::message
  };
  // Called once for each frame, from 0 on, in their order.
  using Find = std::function<Found(long frame)>;

  // Returns the focus of a frame in metres.
  float at(long frame, float framesPerSecond, const Find& find);
  // The next frame for `find`.
  long next() const { return std::ssize(focus_); }
  // For at(): draws the next frame small and sharp, as it is before the focus moves. `timeS`, `centre`: as in FrameRequest.
  Found measure(Renderer& renderer, const Settings& settings, double timeS, glm::vec2 centre) const;

 private:
  std::vector<float> focus_;  // of all frames so far, diopters
  FocusFollower follower_;
};

// Keys of the focus, which differ by at most 0.002 diopters from `focusM`, of each frame from time 0 on. Needs at least one frame.
Track focusTrack(std::span<const float> focusM, float framesPerSecond);

}  // namespace satdof
