#pragma once
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/io/depth_image.h"
#include "app/io/file_limits.h"
#include "app/io/notes.h"

// HEIC and AVIF, by libheif. Without libheif all functions but the first two throw.
namespace satdof {

// Whether the bytes begin like a file of the HEIF family.
bool isHeif(std::string_view bytes);

// "libheif 1.15.1", or empty if this program was built without it.
std::string heifLibrary();

// An image as shown: its rotation, mirroring and cropping are applied.
struct HeifImage {
  glm::ivec2 size{0};
  int channels = 3;                 // 4: with alpha
  int bitDepth = 8;                 // or 16: values of 10 and 12 bits are scaled to 16
  std::vector<unsigned char> rows;  // bottom row first; 16 bits in the byte order of the machine
  std::string profile;              // ICC; empty: sRGB
  Notes notes{};                    // what is ignored
};

// The functions below throw std::runtime_error with the reason alone.

HeifImage decodeHeif(std::string_view bytes, const FileLimits& limits = {});

// The size of the image as shown.
glm::ivec2 heifSize(std::string_view bytes, const FileLimits& limits = {});

// Returns the depth beside the image; none if the file has none. n is the number in the file from 0 to 1:
//   uniform inverse Z   1 / z = 1 / far + n (1 / near - 1 / far)
//   uniform disparity   1 / z = least + n (most - least): cameras write inverse metres
//   uniform Z           z = near + n (far - near)
// Without the two ends, with another representation or without any, depth is relative and large numbers are near.
// `origin` of the depth says which.
std::optional<DepthImage> depthInHeif(std::string_view bytes, const FileLimits& limits = {});

// The EXIF data (a TIFF structure); empty: none. The orientation in it is applied already.
std::string heifExif(std::string_view bytes);

}  // namespace satdof
