#pragma once
#include "shaders/common/random.h"
#include "shaders/lens/aperture/aperture.h"
#include "shaders/lens/aperture/staircase.h"
#include "shaders/lens/thin_lens.h"

namespace satdof {

// Radii in front of the focus plane. Their part in the scatter rises from fromPx on, by `rise` a pixel, to 1, and falls from
// untilPx on, by `fall` a pixel, to 0.
struct alignas(16) ScatterBand {
  float fromPx = 0.0f, rise = 0.0f, untilPx = 0.0f, fall = 0.0f;
  bool operator==(const ScatterBand&) const = default;
};

namespace glsl {
#include "shaders/lens/near_scatter.glsl"
}  // namespace glsl

// What is scattered: the near pixels of an image, all pixels of a layer of blended surfaces, or all pixels of a layer with one
// depth each.
enum class Scattered { nearPixels, blended, layer };

// Which pixels the near scatter takes and how far it scatters their light, see
// shaders/lens/near_scatter.glsl.
struct ScatterRule {
  ThinLens lens;
  Aperture aperture{};
  ScatterBand band{.fromPx = glsl::kNearFromPx, .rise = glsl::kNearRise};
  int steps = 3;          // of the staircase disc, 1 to 5
  float widestPx = 0.0f;  // largest expected near radius; larger ones are correct, but may be slower
  bool operator==(const ScatterRule&) const = default;
};

}  // namespace satdof
