#pragma once
#include "app/lens/lens.h"

namespace satdof {

// Replaces every pixel by the mean over a box with the area of its circle of confusion, clamped to the image:
// shaders/lens/box/box.frag. Eight look-ups in one table a pixel, whatever the radius. `rule` sets the
// radius. technique.lens.on says what computes the blur. Throws std::runtime_error when the device cannot.
std::unique_ptr<Lens> makeBoxLens(const Technique& technique, const BlurRule& rule);

// The blur in a fragment shader, from tables that `table` builds in `format`.
std::unique_ptr<Lens> makeBoxLens(std::unique_ptr<TableBuilder> table, TableFormat format,
                                  const BlurRule& rule);

// The blur in CUDA: from the table before OpenGL gets it back, or without a table. Only with SATDOF_HAS_CUDA.
std::unique_ptr<Lens> makeCudaBoxLens(const Technique& technique, const BlurRule& rule);

}  // namespace satdof
