#pragma once
#include "app/lens/blur_rule.h"
#include "app/lens/graph.h"

namespace satdof {

// The plan of a frame of the tent lens. Linear light 1 is `scale` elements of its tables.
glsl::TentRule tentRule(const LensSettings& lens, const SceneFacts& scene);

// The graph of the tent lens: replaces every pixel by the mean under a tent (r - |dx|)+ (r - |dy|)+, divided by the
// tent's weight inside the image. The tent has the second moment of the circle of confusion: r^2 = 1 + 3/2 R^2. A tent
// is a box blurred by a box: the difference [1, -2, 1] x [1, -2, 1] at spacing r of the table of the table (Heckbert
// 1986, Filtering by Repeated Integration). Cost: nine look-ups a pixel, 18 for a fractional radius.
// Sums are modulo 2^32, and exact while the tent's weight r^4 times the largest element fits in 32 bits. So wide tents
// leave only 2^32 / r^4 levels of light, which dithering hides. Below 2^8 levels, the tables sum the image at half the
// size. r is limited to the largest value with 2^8 levels at half the size: 128 pixels (R = 104).
LensGraph tentGraph(const LensFacts& facts);

}  // namespace satdof
