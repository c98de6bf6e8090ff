#include "app/scene/image/weighted_median.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace satdof {

namespace {

using Taps = std::span<std::pair<float, float>>;

// By sorting: O(n log n).
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

// Moves the values for which `accepts` is true to the front, without branches. Returns their number and weight.
template <class Accepts>
Part moveToFront(Taps taps, const Accepts& accepts) {
  Part part{0, 0.0};
  for (auto& tap : taps) {
    const auto moved = tap;
    const bool accepted = accepts(moved.first);
    tap = taps[part.count];
    taps[part.count] = moved;
    part.count += accepted ? 1 : 0;
    part.weight += accepted ? static_cast<double>(moved.second) : 0.0;
  }
  return part;
}

}  // namespace

// Quickselect with sums in double precision: O(n) on average. Sorts if a sum is so close to half the total that the
// rounding of float sums would decide.
float weightedMedian(Taps all, float total) {
  constexpr double kRounding = 1.2e-7;  // of one sum, relative
  const double half = 0.5 * static_cast<double>(total),
               unsure = 2.0 * kRounding * static_cast<double>(all.size()) * static_cast<double>(total);
  double below = 0.0;  // weight of the values that are less than all values in `taps`
  Taps taps = all;
  while (taps.size() > 1) {
    const float a = taps.front().first, b = taps[taps.size() / 2].first, c = taps.back().first;
    const float pivot = std::max(std::min(a, b), std::min(std::max(a, b), c));
    Part part = moveToFront(taps, [pivot](float value) { return value < pivot; });
    const bool least = part.count == 0;
    if (least) part = moveToFront(taps, [pivot](float value) { return value <= pivot; });
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
