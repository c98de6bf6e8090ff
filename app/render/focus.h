#pragma once
#include <glm/vec2.hpp>
#include <optional>
#include <span>
#include <vector>

#include "app/core/settings.h"
#include "app/device/scene_frame.h"
#include "app/gl/async_readback.h"
#include "app/scene/scene.h"

namespace satdof {

// Changes to LensSettings by a pick or by the autofocus.
struct FocusChange {
  std::optional<float> focusDistanceM;
  bool endsAutofocus = false;      // a pick fixes the focus
  std::optional<float> pickedM{};  // of a pick while the autofocus tracks: the distance of the surface
  std::optional<TrackedPoint> tracked{};
};

void applyFocus(LensSettings& lens, const FocusChange& change);

// How a focus follows what the autofocus measures, in diopters. Without OpenGL.
class FocusFollower {
 public:
  static constexpr double kSmoothingS = 0.25;  // time constant
  static constexpr float kJump = 0.05f,
                         kJumpPart = 0.1f;  // a larger change is a jump: diopters, part of the measured

  // Returns what to focus on, `stepS` after the last call. A measurement that jumps counts once it has lasted for
  // `delayS`: at an edge, where two distances alternate sooner, the focus stays.
  float target(float measured, double stepS, double delayS);
  // Whether a jump has not lasted yet.
  bool waits() const { return waitedS_.has_value(); }
  void reset() { *this = {}; }

  // Returns the focus `stepS` after `from`: (to - from) (1 - exp(-stepS / 0.25 s)) nearer to `to`, or `to` itself if
  // `locks`; at most `speed` diopters a second.
  static float moved(float from, float to, double stepS, float speed, bool locks);

 private:
  std::optional<float> target_;
  std::optional<double> waitedS_;
};

// Puts at most 4096 of the depths of `size` pixels into `samples`: each at a pseudo-random place of its cell, always the same.
void sampleDepths(std::span<const float> depths, glm::ivec2 size, std::vector<float>& samples);

// Where a tracked point is.
struct TrackedPlace {
  float distanceM = 1.0f;  // along the view axis
  glm::vec2 at{0.5f};      // in the image, 0 to 1 from the bottom left
};

// What one frame asks of the autofocus.
struct AutofocusRequest {
  double timeS = 0.0;
  bool alone = false;                     // focuses at once, and waits for the depths
  bool held = false;                      // stays, unless it tracks
  bool changed = false;                   // the scene is not as in the last update
  glm::vec2 at{0.5f};                     // the middle of its square, 0 to 1 from the bottom left
  std::optional<TrackedPlace> tracked{};  // none: AutofocusOn::tracked focuses on `at`
};

// Finds the focus distance in the depth texture, or follows a tracked point. A pick focuses on its point at once. A distance is the
// median over a square of depths, or the nearest but for 2 % of them. Depths are read back some frames later, so nothing waits for
// the GPU.
class Focus {
 public:
  static constexpr int kPickSidePx = 9;
  static constexpr int kMaxSidePx = 512;  // of the square of the autofocus
  static constexpr double kStillStepS = 1.0 / 60.0;
  static constexpr float kHeldPart = 0.01f;  // of the target in diopters

  Focus();
  // Requests the distance at `at` (0 to 1 from the bottom left). The next update() starts the readback.
  void pick(glm::vec2 at) { picked_ = at; }
  // Returns the changes to `lens` by the depths that have arrived, and requests new depths of `scene`. The sky has the largest focus
  // distance. The autofocus moves as FocusFollower says, by the advance of the time. While the time stands still, a step is 1/60 s,
  // the last 1 % are one step where the speed allows, and a focus within 1 % stays. An autofocus that is on in the first update
  // starts in focus.
  FocusChange update(const SceneFrame& scene, const LensSettings& lens, const AutofocusRequest& request);
  // True while a pick is unanswered or the autofocus is more than 1 % from its target. Also until it has measured a scene that
  // changed, unless the time moves.
  bool pending() const { return picked_ || pickReads_.inFlight() > 0 || seeking_; }

 private:
  // Reorders samples_.
  float depthOfSamples(bool nearest);
  void measure(const SceneFrame& scene, const LensSettings& lens, glm::vec2 at);
  void take(std::span<const float> depths, const SceneFrame& scene, const LensSettings& lens);
  std::optional<float> follow(const LensSettings& lens, float distanceM, double advanceS, bool tracks);

  AsyncReadback pickReads_, reads_;
  std::optional<glm::vec2> picked_;
  float pickBend_ = 0.0f, bend_ = 0.0f;  // bendAt() where the depths are read
  glm::ivec2 readSize_{1};               // of the last request
  std::vector<float> samples_;
  std::optional<float> measured_;  // diopters
  FocusFollower follower_;
  std::optional<double> lastTimeS_;
  bool startInFocus_ = false;
  bool seeking_ = false;
  bool measuredIsOld_ = false, readIsOld_ = false;  // of a scene that has changed since
  bool moves_ = false;                              // the time, in the last update
};

}  // namespace satdof
