#pragma once
#include "app/core/settings.h"

namespace satdof {

// What must be made again, or started again, when settings change.
struct Changes {
  bool scene = false;         // the scene
  bool size = false;          // every image and table
  bool samples = false;       // the scene's multisampled images
  bool lensA = false;         // the lens of technique A, with its tables
  bool lensB = false;         // the lens of technique B
  bool accumulation = false;  // samples that the reference lens has gathered
  bool workload = false;      // percentiles of the timings
};

// The one answer to "what must be rebuilt?". The techniques of both are resolved (app/lens/lens.h). Costs a
// few comparisons.
Changes changes(const Settings& from, const Settings& to);

// Whether a lens made for `from` cannot draw `to`: they differ in a field that the device and the lens read.
bool needsNewLens(const Technique& from, const Technique& to);

}  // namespace satdof
