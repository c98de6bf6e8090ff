#pragma once
#include <span>

#include "app/core/shot.h"

namespace satdof {

// What the autofocus follows, as keys of the focus. `measured`: in diopters, of each frame from time 0 on; the focus starts there and
// then moves as FocusFollower says. The keys differ by at most 0.002 diopters from it. Needs at least one frame.
Track focusTrack(std::span<const float> measured, float framesPerSecond, const LensSettings& lens);

}  // namespace satdof
