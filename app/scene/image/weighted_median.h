#pragma once
#include <span>
#include <utility>

namespace satdof {

// The first value, by size, up to which the float sum of the weights, in this order, is at least half of `total`, their float sum
// in another order; the last value, if there is none. `all`, at least one, are values and weights from 0 on; they are reordered.
float weightedMedian(std::span<std::pair<float, float>> all, float total);

}  // namespace satdof
