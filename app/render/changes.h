#pragma once
#include "app/core/settings.h"

namespace satdof {

// Whether the change invalidates the samples that the reference lens has accumulated.
bool restartsReference(const Settings& from, const Settings& to);

// Whether the change restarts the percentiles of the timings.
bool changesWorkload(const Settings& from, const Settings& to);

// Whether two resolved techniques (app/lens/lens.h) differ in a field that the device or the lens reads.
bool needsNewLens(const Technique& from, const Technique& to);

// Returns `settings` with the default in every field that does not change the image.
Settings imageOf(Settings settings);

}  // namespace satdof
