#pragma once
#include <span>
#include <utility>

namespace satdof {

// The weighted median of pairs {value, weight}: sorts by value and returns the first value up to which the weights,
// added as floats, reach half of `total`; the last value if they never do. `total`: the float sum of the weights in any
// order. `taps`: at least one, weights >= 0; reordered.
float weightedMedian(std::span<std::pair<float, float>> taps, float total);

}  // namespace satdof
