#pragma once
#include <glm/vec2.hpp>
#include <optional>
#include <span>
#include <vector>

#include "app/core/settings.h"
#include "app/device/scene_frame.h"
#include "app/gl/async_readback.h"

namespace satdof {

// Changes to LensSettings by a pick or by the autofocus.
struct FocusChange {
  std::optional<float> focusDistanceM;
  bool endsAutofocus = false;  // a pick fixes the focus
};

void applyFocus(LensSettings& lens, const FocusChange& change);

// Finds the focus distance in the depth texture. A pick focuses on its point at once. The autofocus follows
// the centre of the visible image smoothly. Each distance is the median over a square of depths. Depths are read back
// some frames later, so nothing waits for the GPU.
class Focus {
 public:
  static constexpr int kPickSidePx = 9;
  static constexpr int kMaxCentreSidePx = 256;  // upper limit; the square's side is a tenth of the height
  static constexpr double kSmoothingS = 0.25;   // time constant of the autofocus
  static constexpr double kStillStepS = 1.0 / 60.0;
  static constexpr float kHeldPart = 0.01f;  // of the target in diopters

  Focus();
  // Requests the distance at `at` (0 to 1 from the bottom left). The next update() starts the readback.
  void pick(glm::vec2 at) { picked_ = at; }
  // Returns the changes to `lens` by the depths that have arrived, and requests new depths of `scene`. The
  // sky has the largest focus distance. With the median D of the centre in diopters, the autofocus moves by
  // (D - current) (1 - exp(-dt / 0.25 s)). dt is the advance of `timeS`. While the time stands still, dt is
  // 1/60 s, the last 1 % of D are one step, and a focus within 1 % stays. An autofocus that is on in the first
  // update starts in focus.
  // `alone`: an autofocus that is on focuses on the centre of this scene at once, and waits for its depths.
  // `centre`: of the visible image, 0 to 1 from the bottom left.
  FocusChange update(const SceneFrame& scene, const LensSettings& lens, double timeS, bool alone = false,
                     glm::vec2 centre = glm::vec2(0.5f));
  // True while a pick is unanswered or the autofocus is more than 1 % from its target.
  bool pending() const { return picked_ || pickReads_.inFlight() > 0 || seeking_; }

 private:
  float medianDiopters(std::span<const float> depths, float nearM, float bend);
  void requestCentre(const SceneFrame& scene, const LensSettings& lens, glm::vec2 centre);
  std::optional<float> followCentre(const SceneFrame& scene, const LensSettings& lens, glm::vec2 centre,
                                    float distanceM, double advanceS);

  AsyncReadback pickReads_, centreReads_;
  std::optional<glm::vec2> picked_;
  float pickBend_ = 0.0f, centreBend_ = 0.0f;  // bendAt() where the depths are read
  std::vector<float> sorted_;
  std::optional<float> centreDiopters_;
  std::optional<double> lastTimeS_;
  bool startInFocus_ = false;
  bool seeking_ = false;
};

}  // namespace satdof
