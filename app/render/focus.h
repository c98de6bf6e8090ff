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
  bool endsAutofocus = false;             // by a pick, unless the autofocus tracks a point
  std::optional<float> pickedM{};         // distance of the picked surface, which the autofocus shall track
  std::optional<TrackedPoint> tracked{};  // that surface, in the scene
};

void applyFocus(LensSettings& lens, const FocusChange& change);

// Smooths and delays the measurements of the autofocus. All focus values are in diopters. Without OpenGL.
class FocusFollower {
 public:
  static constexpr double kSmoothingS = 0.25;  // time constant
  // A change larger than both is a jump: in diopters, and relative to the target.
  static constexpr float kJump = 0.05f, kRelativeJump = 0.1f;

  // Returns the target of the focus, `stepS` seconds after the last call. A jump of the measurement changes the target
  // once the jump has lasted for `delayS`. At an edge, where two distances alternate faster, the target stays.
  float target(float measured, double stepS, double delayS);
  // Whether a jump has not yet lasted for the delay.
  bool waits() const { return waitedS_.has_value(); }
  void reset() { *this = {}; }

  // Returns the focus `stepS` seconds after `from`: from + (to - from) (1 - exp(-stepS / kSmoothingS)), or `to` if
  // `locks`. Moves by at most `speed` diopters a second.
  static float moved(float from, float to, double stepS, float speed, bool locks);

 private:
  std::optional<float> target_;
  std::optional<double> waitedS_;  // duration of the current jump
};

// Subsamples the depths of `size` pixels, at most 64 x 64. Stratified: one pseudo-random pixel of each cell, the same
// in every call. All depths of a smaller image.
void sampleDepths(std::span<const float> depths, glm::ivec2 size, std::vector<float>& samples);

// Where a tracked point is.
struct TrackedPlace {
  float distanceM = 1.0f;  // along the view axis
  glm::vec2 at{0.5f};      // in the image, 0 to 1 from the bottom left
};

// Input of the autofocus in one frame.
struct AutofocusRequest {
  double timeS = 0.0;                     // animation time
  bool standalone = false;                // focuses at once: waits for the depths
  bool held = false;                      // keeps the focus, unless the autofocus tracks a point
  bool changed = false;                   // the scene differs from the last update
  glm::vec2 at{0.5f};                     // centre of the measured square, 0 to 1 from the bottom left
  std::optional<TrackedPlace> tracked{};  // the tracked point; none: AutofocusOn::tracked measures at `at`
};

// Reads the depth where the user clicked. It arrives some frames later, so no frame waits for the GPU.
class FocusPick {
 public:
  static constexpr int kSidePx = 9;  // side of the square whose median depth counts

  FocusPick();
  // Requests the depth at `at`, 0 to 1 from the bottom left.
  void ask(glm::vec2 at) { asked_ = at; }
  // Whether a request waits for start().
  bool asked() const { return asked_.has_value(); }
  bool pending() const { return asked() || reads_.inFlight() > 0; }
  struct Depth {
    float depth;  // median, as nearM / z
    float bend;   // of tilt and field curvature at this point
  };
  // Returns the oldest depth that has arrived.
  std::optional<Depth> take();
  // Starts the read for a request. Returns whether there was one.
  bool start(const SceneFrame& scene, const LensSettings& lens);

 private:
  AsyncReadback reads_;
  std::optional<glm::vec2> asked_;
  float bend_ = 0.0f;  // of the last read
  std::vector<float> samples_;
};

// Measures the focus distance in the depth texture, or follows a tracked point. A pick focuses on its point at once.
// The distance is the median of a square of depths; for AutofocusOn::nearest, the nearest after 2 % outliers. Depths
// are read back some frames later, so no frame waits for the GPU.
class Focus {
 public:
  static constexpr int kMaxSidePx = 512;              // largest side of the square of the autofocus
  static constexpr double kPausedStepS = 1.0 / 60.0;  // time step while the animation is paused
  static constexpr float kTolerance = 0.01f;          // in focus: relative to the target, in diopters

  Focus();
  // Requests the distance at `at` (0 to 1 from the bottom left). The next update() starts the readback.
  void pick(glm::vec2 at) { pick_.ask(at); }
  // Returns the changes to `lens` by the depths that have arrived, and requests new depths of `scene`. The sky has the
  // largest focus distance. FocusFollower moves the autofocus by the advance of the animation time. While the animation
  // is paused, a step is kPausedStepS; a focus within kTolerance stays, and a step that ends within kTolerance ends at
  // the target if the speed allows. An autofocus that is on in the first update starts in focus.
  FocusChange update(const SceneFrame& scene, const LensSettings& lens, const AutofocusRequest& request);
  // Whether a later update() will move the focus: a pick is unanswered, the autofocus is outside kTolerance, or, while
  // the animation is paused, the autofocus has not yet measured a changed scene.
  bool pending() const { return pick_.pending() || seeking_; }

 private:
  // `locks` in the functions below: measured_ is the distance of a tracked point, not of the depth texture.

  // Focuses a standalone frame: waits for its depths.
  FocusChange focusAtOnce(const SceneFrame& scene, const LensSettings& lens, const AutofocusRequest& request,
                          bool locks);
  // Returns the changes by a pick whose depth has arrived, and starts the read of a new pick.
  FocusChange servePick(const SceneFrame& scene, const LensSettings& lens);
  // Requests the depths around `at`.
  void measure(const SceneFrame& scene, const LensSettings& lens, glm::vec2 at);
  // Sets measured_ by the depths of measure().
  void take(std::span<const float> depths, const SceneFrame& scene, const LensSettings& lens);
  struct Step {
    std::optional<float> distanceM{};  // none: the focus stays
    bool arrives = false;
  };
  // Returns the next step of the focus on the way from `distanceM` to measured_.
  Step follow(const LensSettings& lens, float distanceM, double advanceS, bool locks);

  FocusPick pick_;
  AsyncReadback reads_;
  float bend_ = 0.0f;       // bendAt() of the requested depths
  glm::ivec2 readSize_{1};  // size of the last request
  std::vector<float> samples_;
  std::optional<float> measured_;  // diopters
  FocusFollower follower_;
  std::optional<double> lastTimeS_;
  bool startInFocus_ = false;
  bool seeking_ = false;
  // measured_, or the request in flight, is of an older scene.
  bool measuredIsOld_ = false, readIsOld_ = false;
  bool advanced_ = false;  // the animation time advanced in the last update
};

}  // namespace satdof
