#pragma once
#include <array>
#include <cstddef>
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/io/image_text.h"

namespace satdof {

// A channel of an OpenEXR image: size.x * size.y values, bottom row first.
struct ExrChannel {
  std::string name;   // "R"; of a layer: "coc.Y"
  bool half = false;  // 16-bit floats in the file, else 32-bit
  std::vector<float> values;
};

struct ExrImage {
  glm::ivec2 size{0};
  std::vector<ExrChannel> channels;
  std::vector<ImageText> texts;  // string attributes of the header
  // The frame that the pixels belong to, and where their lower left corner is in it. Read, not written.
  glm::ivec2 displaySize{0}, from{0};
  float pixelAspect = 1.0f;  // width of a pixel by its height; any number of the file
  // x and y of red, green, blue and white; none: those of sRGB.
  std::optional<std::array<glm::vec2, 4>> primaries{};

  // The channel with this name, or null.
  const ExrChannel* channel(std::string_view name) const;
};

// What decodeExr() accepts.
struct ExrLimits {
  int sidePx = 16384;
  size_t bytes = size_t{4} << 30;  // of the values; of the library's buffers as well
};

// Encodes a scanline image, compressed without loss (ZIP). Half channels are rounded to the nearest half float;
// finite values beyond 65504 become 65504. Throws std::runtime_error if the library fails.
std::string encodeExr(const ExrImage& image);

bool isExr(std::string_view bytes);

// Returns the string attribute `name` of the header; none if the attribute is missing or the header is damaged.
// `bytes`: the file, or its first part.
std::optional<std::string> exrText(std::string_view bytes, std::string_view name);

// What a part of a file holds.
struct ExrPart {
  bool deep = false;                  // several values a pixel: not read
  std::vector<std::string> channels;  // in a file of several parts with the name of their part: "depth.Z"
};

// Reads the headers. Throws like decodeExr().
std::vector<ExrPart> exrParts(std::string_view bytes, const std::string& file);

// Returns the image in the data window of a part: scanlines or the largest level of tiles, not deep. Reads the
// channels with these `names` only; no names: all. Values are as stored, infinite or not a number included; channels
// stored for some pixels are interpolated. Checks every size against `limits` and the length of the file before it allocates. Throws
// std::runtime_error, "cannot read NAME: reason", with `file` as the name.
ExrImage decodeExr(std::string_view bytes, const std::string& file,
                   const std::vector<std::string>& names = {}, const ExrLimits& limits = {},
                   std::size_t part = 0);

}  // namespace satdof
