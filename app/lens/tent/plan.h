#pragma once
#include "app/lens/blur_rule.h"
#include "app/lens/graph.h"

namespace satdof {

// The parameters of a frame of the tent lens. Light 1 is `scale` units of its tables.
glsl::TentRule tentRule(const LensSettings& lens, const SceneFacts& scene);

// Replaces every pixel by the mean under a tent (r - |dx|)+ (r - |dy|)+, divided by the tent's weight inside
// the image. The tent has the second moment of the circle of confusion: r^2 = 1 + 3/2 R^2. A tent is a box
// blurred by a box: the difference [1, -2, 1] x [1, -2, 1] at spacing r of the table of the table (Heckbert
// 1986, Filtering by Repeated Integration). Nine look-ups, 18 for a fractional radius. Sums are modulo 2^32.
// They are exact while the tent's weight r^4 times the largest element fits in 32 bits. Wide tents therefore
// leave few levels, 2^32 / r^4; dithering hides them. Below 2^8 levels the tables sum the image at half the
// size. Half-widths end where half the size also leaves fewer than 2^8 levels, at 128 pixels (R = 104).
LensGraph tentGraph(const LensFacts& facts);

}  // namespace satdof
