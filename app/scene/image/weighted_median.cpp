#include "app/scene/image/weighted_median.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace satdof {

namespace {

using Taps = std::span<std::pair<float, float>>;

float sortedMedian(Taps taps, float total) {
  std::sort(taps.begin(), taps.end());
  float sum = 0.0f;
  for (const auto& [value, weight] : taps)
    if (sum += weight; 2.0f * sum >= total) return value;
  return taps.back().first;
}

struct Part {
  std::size_t count;
  double weight;
};

// Puts the values that are `in` first.
template <class In>
Part first(Taps taps, const In& in) {
  Part part{0, 0.0};
  for (auto& tap : taps) {  // without branches
    const auto moved = tap;
    const bool isIn = in(moved.first);
    tap = taps[part.count];
    taps[part.count] = moved;
    part.count += isIn ? 1 : 0;
    part.weight += isIn ? static_cast<double>(moved.second) : 0.0;
  }
  return part;
}

}  // namespace

// Quickselect, O(taps) on average, by sums in double. Sorts where a sum is so near to half that rounding of the float sums decides.
float weightedMedian(Taps all, float total) {
  constexpr double kRounding = 1.2e-7;  // of one sum, relative
  const double half = 0.5 * static_cast<double>(total),
               unsure = 2.0 * kRounding * static_cast<double>(all.size()) * static_cast<double>(total);
  double below = 0.0;  // weight of the values that were found to be less than all in `taps`
  Taps taps = all;
  while (taps.size() > 1) {
    const float a = taps.front().first, b = taps[taps.size() / 2].first, c = taps.back().first;
    const float pivot = std::max(std::min(a, b), std::min(std::max(a, b), c));
    Part part = first(taps, [pivot](float value) { return value < pivot; });
    const bool least = part.count == 0;
    if (least) part = first(taps, [pivot](float value) { return value <= pivot; });
    const double beyond = below + part.weight - half;
    if (std::abs(beyond) <= unsure) return sortedMedian(all, total);
    if (least && beyond > 0.0) return pivot;
    taps = beyond > 0.0 ? taps.first(part.count) : taps.subspan(part.count);
    if (beyond < 0.0) below += part.weight;
    if (taps.empty()) return sortedMedian(all, total);
  }
  return taps.front().first;
}

}  // namespace satdof
