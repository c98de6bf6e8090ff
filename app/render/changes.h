#pragma once
#include "app/core/settings.h"

namespace satdof {

// Whether samples that the reference lens has accumulated are of another image.
bool restartsReference(const Settings& from, const Settings& to);

// Whether percentiles of the timings begin again.
bool changesWorkload(const Settings& from, const Settings& to);

// Whether `to` needs another lens object than `from`: they differ in a field that the device or the lens reads. Both must be
// resolved (app/lens/lens.h).
bool needsNewLens(const Technique& from, const Technique& to);

// Returns `settings` without the fields that do not change the image.
Settings imageOf(Settings settings);

}  // namespace satdof
