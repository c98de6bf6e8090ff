#pragma once
#include "shaders/common/random.h"
#include "shaders/lens/aperture/aperture.h"
#include "shaders/lens/aperture/staircase.h"
#include "shaders/lens/thin_lens.h"

namespace satdof {

// Which near radii are scattered. The scattered part rises from the near radius fromPx on, by `rise` a pixel, to 1, and
// falls from untilPx on, by `fall` a pixel, to 0.
struct alignas(16) ScatterBand {
  float fromPx = 0.0f, rise = 0.0f, untilPx = 0.0f, fall = 0.0f;
  bool operator==(const ScatterBand&) const = default;
};

namespace glsl {
#include "shaders/lens/near_scatter.glsl"
}  // namespace glsl

// The pixels to scatter: the near pixels of an image, all pixels of a layer of blended surfaces (BlendedLayer in
// app/device/scene_frame.h), or all pixels of a layer with a depth image.
enum class Scattered { nearPixels, blended, layer };

// Parameters of a scatter: shaders/lens/near_scatter.glsl.
struct ScatterRule {
  ThinLens lens;
  Aperture aperture{};
  ScatterBand band{.fromPx = glsl::kNearFromPx, .rise = glsl::kNearRise};
  int steps = 3;          // of the staircase disc, 1 to 5
  float widestPx = 0.0f;  // largest expected near radius; larger radii are drawn correctly, but slower
  bool operator==(const ScatterRule&) const = default;
};

}  // namespace satdof
