#pragma once
#include "app/core/settings.h"

namespace satdof {

// What must be rebuilt or restarted when settings change.
struct Changes {
  bool size = false;          // every image and table
  bool samples = false;       // the scene's multisampled images
  bool lensA = false;         // the lens of technique A, with its tables
  bool lensB = false;         // the lens of technique B
  bool accumulation = false;  // samples accumulated by the reference lens
  bool workload = false;      // percentiles of the timings
};

// Returns what must be rebuilt or restarted. The techniques of both settings must be resolved
// (app/lens/lens.h).
Changes changes(const Settings& from, const Settings& to);

// Returns `settings` without the fields that do not change the image.
Settings imageOf(Settings settings);

// Whether `to` needs another lens object than `from`: they differ in a field that the device or the lens
// reads.
bool needsNewLens(const Technique& from, const Technique& to);

}  // namespace satdof
