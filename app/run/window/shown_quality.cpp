#include "app/run/window/shown_quality.h"

#include <utility>

namespace satdof {

bool ShownQuality::choose(bool changed, bool held, bool recording, const QualitySettings& settings,
                          QualityInputs inputs) {
  changedWhileHeld_ = held && (changedWhileHeld_ || changed);
  inputs.moving = changed || changedWhileHeld_;
  inputs.drawnS = std::exchange(newDrawS_, std::nullopt);
  const Shown before = chosen().shown;
  state_ = advance(state_, settings, inputs);
  if (recording) state_.chosen = {settings.adaptive ? Shown::best : Shown::quick, 1.0f};
  if (chosen().shown == before) return false;
  samples_ = 1;  // until the time of one is measured
  if (chosen().shown == Shown::reference) under_ = before;
  return true;
}

void ShownQuality::measured(float drawS) {
  drawS_ = drawS;
  newDrawS_ = drawS;
  samples_ = samplesFor(samples_, drawS);
}

}  // namespace satdof
