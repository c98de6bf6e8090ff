#pragma once
#include <optional>

#include "app/run/quality.h"

namespace satdof {

// The adaptive quality of a window, from frame to frame.
class ShownQuality {
 public:
  // Chooses what the next frame shows. `changed`: the image, since the last call. `held`: a mouse button or a key is
  // down. A recording shows the best image, or the settings as they are if nothing adapts. Returns whether
  // Quality::shown is another one.
  bool choose(bool changed, bool held, bool recording, const QualitySettings& settings, QualityInputs inputs);

  const Quality& chosen() const { return state_.chosen; }
  const QualityState& state() const { return state_; }
  // What the reference fades from.
  Shown under() const { return under_; }

  // Whether input may end the drawing of what is chosen once it has taken longer than kGoalS: a slow best image, once, which
  // is drawn after a rest, and a quick image without a time. So even constant input cannot keep images away.
  bool yields() const;
  // Call if input ended the drawing after `drawS`: counts as a motion. Instead of a best image, what was chosen before stays;
  // a quick image is as slow as that at least.
  void yielded(float drawS);
  // Call with the time that an image took.
  void measured(float drawS);
  bool slow() const { return drawS_ > kGoalS; }
  // The time of the last image; 0: none was measured.
  float drawS() const { return drawS_; }
  // Whether what is chosen is shown at rest only.
  bool rests() const;
  // Of the reference in the next frame.
  int samples() const { return samples_; }

 private:
  QualityState state_;
  Shown under_ = Shown::best;
  Quality before_;                 // the last choice of another Quality::shown
  bool yielded_ = false;           // since the image changed
  bool yieldedNow_ = false;        // since the last choose()
  bool changedWhileHeld_ = false;  // the image, since a mouse button or a key went down
  std::optional<float> newDrawS_;  // since the last choose()
  float drawS_ = 0.0f;
  int samples_ = 1;
};

}  // namespace satdof
