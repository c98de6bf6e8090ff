#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "app/quality/image_metrics.h"
#include "app/render/renderer.h"

namespace satdof {

// A technique's image against that of another lens, as displayed: exposed, tone-mapped and sRGB-encoded, in
// 32-bit float.
struct Comparison {
  LensKind lens = LensKind::reference;
  int samples = 1;  // of the reference
  ImageMetrics metrics;
  std::optional<ImageMetrics> noiseFloor;  // of the reference against one with the next seed
};

// Draws `settings` once, and again until the images that are refined over several frames are finished.
using DrawFinished = std::function<void(const Settings& settings)>;
// Writes the image that was drawn last; `name` is a lens's, or "difference".
using CaptureImage = std::function<void(const Settings& settings, const std::string& name)>;

// Compares the image of settings.technique with that of the same technique through `lens`; shows `capture`
// the other lens's image and the difference. Throws std::runtime_error when a technique cannot run here.
Comparison compare(Renderer& renderer, const Settings& settings, LensKind lens, const DrawFinished& draw,
                   const CaptureImage& capture);

}  // namespace satdof
