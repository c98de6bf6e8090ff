#pragma once
#include "app/gl/pixel_pass.h"
#include "app/lens/lens.h"

namespace satdof {

// Replaces every pixel by the mean over a box: shaders/lens/box/box.glsl. The box has the area of the circle
// of confusion and is clamped to the image. Eight look-ups in one table a pixel, at any radius. `rule` sets
// the radius. Throws std::runtime_error if the device is not available.
std::unique_ptr<Lens> makeBoxLens(const Technique& technique, const BlurRule& rule);

// The box lens in shaders of `stage`. `table` builds tables in `format`.
std::unique_ptr<Lens> makeBoxLens(std::unique_ptr<TableBuilder> table, TableFormat format,
                                  const BlurRule& rule, gl::PixelStage stage = gl::PixelStage::fragment);

}  // namespace satdof
