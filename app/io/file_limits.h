#pragma once
#include <cstddef>
#include <cstdint>
#include <glm/vec2.hpp>
#include <stdexcept>
#include <string>

#include "app/core/system/resources.h"

namespace satdof {

// Limits of image files, against damaged and hostile files.
struct FileLimits {
  std::size_t bytes = std::size_t{1} << 31;     // size of the file
  int side = 16384;                             // pixels along each axis
  std::int64_t pixels = std::int64_t{1} << 28;  // pixels of the image
};

// Throws std::runtime_error with the reason if an image of `size` exceeds the limits or cannot be stored in `bytes`
// bytes. `pixelsPerByte`: bound of the compression ratio of the format.
inline void requireSize(glm::ivec2 size, const FileLimits& limits, std::size_t bytes, double pixelsPerByte) {
  const std::string text = std::to_string(size.x) + "x" + std::to_string(size.y);
  if (size.x < 1 || size.y < 1) throw std::runtime_error("its size is " + text);
  if (size.x > limits.side || size.y > limits.side || static_cast<std::int64_t>(size.x) * size.y > limits.pixels)
    throw std::runtime_error("its size is " + text + ", at most " + std::to_string(limits.side) + " on a side and " +
                             std::to_string(limits.pixels) + " pixels are read");
  if (static_cast<double>(size.x) * size.y > pixelsPerByte * static_cast<double>(bytes))
    throw std::runtime_error("it is truncated: " + std::to_string(bytes) + " bytes cannot hold " + text + " pixels");
}

// Throws std::runtime_error unless memory suffices for an image of `size` with `sampleBytes` a pixel plus 8 bytes a
// pixel for the results.
inline void requireRoomToDecode(glm::ivec2 size, double sampleBytes) {
  constexpr double kResultBytes = 8.0;
  requireMemory((sampleBytes + kResultBytes) * size.x * size.y);
}

}  // namespace satdof
