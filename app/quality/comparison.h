#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "app/quality/image_metrics.h"
#include "app/render/renderer.h"

namespace satdof {

// A method's picture against that of another lens, as displayed: exposed, tone-mapped and sRGB-encoded, in
// 32-bit float.
struct Comparison {
  LensKind lens = LensKind::reference;
  int samples = 1;  // of the reference
  Likeness likeness;
  std::optional<Likeness> noiseFloor;  // of the reference against one with the next seed
};

// Draws `settings` once, and again until the pictures that are refined over several frames are finished.
using DrawFinished = std::function<void(const Settings& settings)>;
// Writes the picture that was drawn last; `name` is a lens's, or "difference".
using CapturePicture = std::function<void(const Settings& settings, const std::string& name)>;

// Compares the picture of settings.method with that of the same method through `lens`; shows `capture` the
// other lens's picture and the difference. Throws std::runtime_error when a method cannot run here.
Comparison compare(Renderer& renderer, const Settings& settings, LensKind lens, const DrawFinished& draw,
                   const CapturePicture& capture);

}  // namespace satdof
