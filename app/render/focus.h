#pragma once
#include <glm/vec2.hpp>
#include <optional>
#include <vector>

#include "app/core/settings.h"
#include "app/gl/async_readback.h"
#include "app/scene/scene_frame.h"

namespace satdof {

// Moves the focus to what is seen: at a picked place at once, or, with autofocus, at the image's centre,
// smoothly. Distances are medians over a square of the depth texture, read frames later: nothing waits for
// the GPU.
class Focus {
 public:
  static constexpr int kPickSidePx = 9;
  static constexpr int kMaxCentreSidePx = 256;  // a tenth of the height below that
  static constexpr double kSmoothingS = 0.25;   // time constant of the autofocus

  Focus();
  // Asks for the distance at `at` (0 to 1 from the bottom left) in the next update's image. Ends autofocus.
  void pick(glm::vec2 at) { picked_ = at; }
  // Sets lens.focusDistanceM from what has arrived and asks for what is wanted from `scene`. Where nothing
  // but sky is seen the focus goes to the far end of its range. Diopters approach the centre's median D by dD
  // = (D - current) (1 - exp(-dt / 0.25 s)); dt is the advance of `timeS`, 1/60 s while that stands still. An
  // autofocus that is on in the first update starts in focus.
  void update(const SceneFrame& scene, LensSettings& lens, double timeS);
  // Whether a pick is on its way or the autofocus is more than 1 % away from its aim.
  bool pending() const { return picked_ || pickReads_.inFlight() > 0 || seeking_; }

 private:
  float medianDiopters(std::span<const float> depths, float nearM);
  void followCentre(const SceneFrame& scene, LensSettings& lens, double stepS);

  AsyncReadback pickReads_, centreReads_;
  std::optional<glm::vec2> picked_;
  std::vector<float> sorted_;
  std::optional<float> centreDiopters_;
  std::optional<double> lastTimeS_;
  bool startInFocus_ = false;
  bool seeking_ = false;
};

}  // namespace satdof
