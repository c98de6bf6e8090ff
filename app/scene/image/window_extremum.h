#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <glm/vec2.hpp>
#include <vector>

#include "app/core/pixels.h"
#include "app/core/system/thread_pool.h"

namespace satdof {

// Replaces each value by the minimum or maximum within `radius` (`choose`: std::min or std::max). Computes windows of
// the largest fitting power of two by doubling, and combines up to four of them: O(values * log(radius)).
template <class Choose>
void slidingExtremum(std::vector<float>& line, int radius, Choose choose) {
  const int count = static_cast<int>(line.size()), last = count - 1;
  const auto value = [&](int i) -> float& { return line[static_cast<size_t>(i)]; };
  // The largest power of two that fits into every window. After the loop, value(i) is the extreme of [i, i + span).
  const auto span = static_cast<int>(std::bit_floor(static_cast<unsigned>(std::min(radius, last) + 1)));
  for (int half = 1; half < span; half *= 2)
    for (int i = 0; i < count; ++i) value(i) = choose(value(i), value(std::min(i + half, last)));
  const std::vector<float> spans = line;
  for (int i = 0; i < count; ++i) {
    const int from = std::max(i - radius, 0), to = std::min(i + std::min(radius, last), last) - span + 1;
    float& found = value(i) = spans[static_cast<size_t>(to)];
    for (int next = from; next < to; next += span) found = choose(found, spans[static_cast<size_t>(next)]);
  }
}

// The minimum or maximum in a square window of `radius` around each pixel.
template <class Choose>
std::vector<float> windowExtremum(std::vector<float> v, glm::ivec2 size, int radius, ThreadPool& threads,
                                  Choose choose) {
  threads.forEach(size.y, [&](int y) {
    const auto row = v.begin() + static_cast<std::ptrdiff_t>(pixelIndex(size, {0, y}));
    std::vector<float> line(row, row + size.x);
    slidingExtremum(line, radius, choose);
    std::ranges::copy(line, row);
  });
  threads.forEach(size.x, [&](int x) {
    std::vector<float> line(static_cast<size_t>(size.y));
    for (int y = 0; y < size.y; ++y) line[static_cast<size_t>(y)] = v[pixelIndex(size, {x, y})];
    slidingExtremum(line, radius, choose);
    for (int y = 0; y < size.y; ++y) v[pixelIndex(size, {x, y})] = line[static_cast<size_t>(y)];
  });
  return v;
}

}  // namespace satdof
