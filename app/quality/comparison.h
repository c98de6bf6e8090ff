#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/core/settings.h"
#include "app/quality/metrics.h"

namespace satdof {

// Image metrics of a technique against the same technique with another lens. Both images are as displayed:
// exposed, tone-mapped, sRGB-encoded, 32-bit float.
struct Comparison {
  LensKind lens = LensKind::reference;
  int samples = 1;  // of the reference
  ImageMetrics metrics;
  std::optional<ImageMetrics> noiseFloor;  // the reference against the reference with the next seed
};

// Draws `settings` until the image is fully refined. Returns the image as displayed: settings.size.x *
// settings.size.y * 3 floats.
using DrawImage = std::function<std::vector<float>(const Settings& settings)>;
// Writes the image that DrawImage drew last; `name` is the name of a lens, or "difference".
using CaptureImage = std::function<void(const Settings& settings, const std::string& name)>;

// Compares the image of settings.technique with the image of the same technique with `lens`. Calls `capture`
// for the image of `lens` and for the difference. Passes on exceptions of `draw` and `capture`.
Comparison compare(const Settings& settings, LensKind lens, const DrawImage& draw, const CaptureImage& capture);

}  // namespace satdof
