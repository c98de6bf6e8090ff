#include "app/run/window/shown_quality.h"

#include <utility>

namespace satdof {

bool ShownQuality::choose(bool changed, bool held, bool recording, const QualitySettings& settings,
                          QualityInputs inputs) {
  changedWhileHeld_ = held && (changedWhileHeld_ || changed);
  inputs.moving = changed || changedWhileHeld_ || std::exchange(yieldedNow_, false);
  inputs.drawnS = std::exchange(newDrawS_, std::nullopt);
  yielded_ = yielded_ && !changed;
  const Quality before = chosen();
  state_ = advance(state_, settings, inputs);
  if (recording) state_.chosen = {settings.adaptive ? Shown::best : Shown::quick, 1.0f};
  if (chosen().shown == before.shown) return false;
  before_ = before;
  samples_ = 1;  // until one sample is timed
  if (chosen().shown == Shown::reference) under_ = before.shown;
  return true;
}

bool ShownQuality::yields() const {
  if (chosen().shown == Shown::quick) return !state_.quickS[static_cast<std::size_t>(chosen().step)];
  return chosen().shown == Shown::best && state_.bestS.value_or(2 * kGoalS) > kGoalS;
}

ShownQuality::EndedBy ShownQuality::endedBy(float drawS) const {
  if (!yields() || drawS <= kGoalS) return EndedBy::nothing;
  if (drawS > kPatienceS) return chosen().shown == Shown::quick ? EndedBy::time : EndedBy::input;
  return chosen().shown == Shown::best && yielded_ ? EndedBy::nothing : EndedBy::action;
}

bool ShownQuality::rests() const {
  return chosen().shown == Shown::reference ||
         (chosen().shown == Shown::best && state_.bestS.value_or(2 * kGoalS) > kGoalS);
}

void ShownQuality::yielded(float drawS) {
  yieldedNow_ = true;
  if (chosen().shown == Shown::quick) {
    newDrawS_ = drawS;
  } else {
    state_.chosen = before_;
    yielded_ = true;
  }
}

void ShownQuality::measured(float drawS) {
  drawS_ = drawS;
  newDrawS_ = drawS;
  samples_ = samplesFor(samples_, drawS);
}

}  // namespace satdof
