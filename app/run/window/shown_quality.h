#pragma once
#include <optional>

#include "app/run/quality.h"

namespace satdof {

// The adaptive quality of a window, from frame to frame: advance() with the inputs of a window.
class ShownQuality {
 public:
  // Chooses the quality of the next frame. `changed`: the image, since the last call. `held`: a mouse button or
  // key is down. `recording`:
  // shows the best image, or the settings as they are if quality does not adapt. Returns whether Quality::shown
  // has changed.
  bool choose(bool changed, bool held, bool recording, const QualitySettings& settings, QualityInputs inputs);

  const Quality& chosen() const { return state_.chosen; }
  const QualityState& state() const { return state_; }
  // The quality of the image that the reference fades in over.
  Shown under() const { return under_; }

  // What abandons the drawing of the chosen image after `drawS`. A quick image whose time is unknown: an action after
  // kGoalS, the time itself after kPatienceS. A slow best image: an action after kGoalS, any input after kPatienceS;
  // once abandoned, until the image changes only after kPatienceS, so that constant input cannot prevent all images.
  enum class EndedBy { nothing, action, input, time };
  EndedBy endedBy(float drawS) const;
  // Whether endedBy() may tell more than nothing.
  bool yields() const;
  // Call if the drawing was abandoned after `drawS`. Counts as motion. After a best image, the quality before it
  // is chosen; for a quick image, `drawS` counts as its time.
  void yielded(float drawS);
  // Call with the seconds that an image took.
  void measured(float drawS);
  bool slow() const { return drawS_ > kGoalS; }
  // Seconds of the last image; 0: none was measured.
  float drawS() const { return drawS_; }
  // Whether the chosen image is shown only at rest.
  bool rests() const;
  // Samples of the reference in the next frame.
  int samples() const { return samples_; }

 private:
  QualityState state_;
  Shown under_ = Shown::best;
  Quality before_;                 // last choice with another Quality::shown
  bool yielded_ = false;           // yielded() was called since the image changed
  bool yieldedNow_ = false;        // yielded() was called since the last choose()
  bool changedWhileHeld_ = false;  // the image changed since a mouse button or key went down
  std::optional<float> newDrawS_;  // measured since the last choose()
  float drawS_ = 0.0f;
  int samples_ = 1;
};

}  // namespace satdof
