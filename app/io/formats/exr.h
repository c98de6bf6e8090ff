#pragma once
#include <array>
#include <cstddef>
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/io/metadata/image_text.h"

namespace satdof {

// A channel of an OpenEXR image: size.x * size.y values, bottom row first.
struct ExrChannel {
  std::string name;   // "R", or with a layer "coc.Y"
  bool half = false;  // 16-bit floats in the file, else 32-bit
  std::vector<float> values;
};

struct ExrImage {
  glm::ivec2 size{0};
  std::vector<ExrChannel> channels;
  std::vector<ImageText> texts;  // string attributes of the header
  // Size of the display window, and the lower left corner of the pixels in it. Read, not written.
  glm::ivec2 displaySize{0}, from{0};
  float pixelAspect = 1.0f;  // width over height of a pixel, as stored: not validated
  // Chromaticities x, y of red, green, blue and white; none: sRGB.
  std::optional<std::array<glm::vec2, 4>> primaries{};

  // Returns the channel with this name, or null.
  const ExrChannel* channel(std::string_view name) const;
};

// Limits of decodeExr().
struct ExrLimits {
  int sidePx = 16384;
  std::size_t bytes = std::size_t{4} << 30;  // for the values, and again for the buffers of OpenEXR
};

// Encodes a scanline image with lossless compression (ZIP). Half channels are rounded to the nearest half float; finite
// values beyond 65504 become 65504. Throws std::runtime_error if OpenEXR fails.
std::string encodeExr(const ExrImage& image);

bool isExr(std::string_view bytes);

// Returns the string attribute `name` of the header; nothing if it is missing or the header is damaged. `bytes`: the
// beginning of the file is enough.
std::optional<std::string> exrText(std::string_view bytes, std::string_view name);

// The contents of a part of a file.
struct ExrPart {
  bool deep = false;                  // deep pixels, which are not read
  std::vector<std::string> channels;  // of a named part with its name: "depth.Z"
};

// Reads the headers. Throws like decodeExr().
std::vector<ExrPart> exrParts(std::string_view bytes, const std::string& file);

// Returns the image in the data window of a part: scanlines, or the largest level of tiles; no deep pixels. `names`:
// the channels to read; empty: all. Values are as stored, including infinities and NaN; subsampled channels are
// interpolated. Checks every size against `limits` and the length of the file before it allocates. Throws
// std::runtime_error, "cannot read FILE: reason".
ExrImage decodeExr(std::string_view bytes, const std::string& file, const std::vector<std::string>& names = {},
                   const ExrLimits& limits = {}, std::size_t part = 0);

}  // namespace satdof
