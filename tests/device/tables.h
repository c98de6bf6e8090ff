#pragma once
#include <cstdint>
#include <glm/vec2.hpp>
#include <vector>

#include "app/device/device.h"
#include "app/gl/objects.h"

// Images and tables for tests: four channels, rows of x, row 0 at the bottom.
namespace satdof::test {

inline constexpr std::size_t kChannels = 4;
inline std::size_t elementCount(glm::ivec2 size) {
  return static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y) * kChannels;
}

// Half floats (as bits) between -ceiling / 4 and 2 ceiling, including zeros, subnormals and the largest half.
std::vector<uint16_t> randomHalves(glm::ivec2 size, float ceiling, unsigned seed);
std::vector<uint32_t> randomWords(glm::ivec2 size, unsigned seed);

gl::Texture makeTexture(glm::ivec2 size, const std::vector<uint16_t>& halves);  // GL_RGBA16F
gl::Texture makeTexture(glm::ivec2 size, const std::vector<uint32_t>& words);   // GL_RGBA32UI

// Downloads a table as bits, element (x, y) at [(y * size.x + x) * 4], transposed or not. Waits.
std::vector<uint32_t> readTable(const Table& view);

// The inclusive table of `values` by plain loops: T(x, y) = v(x, y) + T(x-1, y) + T(x, y-1) - T(x-1, y-1).
template <class T>
std::vector<T> inclusiveTable(glm::ivec2 size, std::vector<T> values) {
  const auto width = static_cast<std::size_t>(size.x);
  const auto at = [&](std::size_t x, std::size_t y, std::size_t c) -> T& {
    return values[(y * width + x) * kChannels + c];
  };
  for (std::size_t y = 0; y < static_cast<std::size_t>(size.y); ++y)
    for (std::size_t c = 0; c < kChannels; ++c) {
      T sum{};
      for (std::size_t x = 0; x < width; ++x) {
        sum += at(x, y, c);
        at(x, y, c) = sum + (y > 0 ? at(x, y - 1, c) : T{});
      }
    }
  return values;
}

// The elements of an image, computed without the code under test: roundEven(min(max(v, 0), ceiling) * scale).
std::vector<uint64_t> fixedElements(const std::vector<uint16_t>& halves, double scale, double ceiling);
// v - mean in double precision.
std::vector<double> realElements(const std::vector<uint16_t>& halves, const glm::vec4& mean);

// Compares every bit with the 64-bit table of `elements` modulo 2^32.
void expectExact(glm::ivec2 size, const std::vector<uint32_t>& table, const std::vector<uint64_t>& elements);

// Compares a float32 table with a double-precision table. Every algorithm here sums the row of an element
// before or after its columns, pairwise or one by one, without subtracting. So an element passes through at
// most d = (w - 1) + (h - 1) additions for the image, 64 for carries between pieces, and one for v - mean.
// Each addition has a relative error of at most u = 2^-24. So |T' - T| <= d u / (1 - d u) * sum |v - mean|
// (Higham 2002, 4.2).
void expectWithinBound(glm::ivec2 size, const std::vector<uint32_t>& table, const std::vector<double>& elements);
// The factor of sum |v - mean| in the bound of expectWithinBound().
double float32Bound(glm::ivec2 size);

}  // namespace satdof::test
