#pragma once
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/io/file_limits.h"
#include "app/io/image_text.h"
#include "app/io/notes.h"

namespace satdof {

// Encodes a PNG with text chunks: RGB or RGBA, tagged as sRGB, or with one channel, grey without a tag. `rows`:
// size.x * size.y * channels samples of `bitDepth` / 8 bytes in the machine's byte order, bottom row first.
// `exif`: a TIFF structure for the chunk eXIf; empty: none.
// Throws std::runtime_error if libpng fails.
std::string encodePng(const void* rows, glm::ivec2 size, int bitDepth, const std::vector<ImageText>& texts,
                      int channels = 3, std::string_view exif = {});

bool isPng(std::string_view bytes);
// Whether all chunks to the end are there and have the right check sums.
bool isWholePng(std::string_view bytes);
// The TIFF structure of its EXIF data; empty: none.
std::string pngExif(std::string_view bytes);

// Returns the text chunk with `keyword` that stands before the image data; none if the chunk is missing or
// the file is damaged.
std::optional<std::string> pngText(std::string_view bytes, std::string_view keyword);

// The pixels of a PNG as they are stored, without palette.
struct PngImage {
  glm::ivec2 size{0};
  int channels = 0;  // grey, grey and alpha, RGB, RGBA
  int bitDepth = 8;  // 8 or 16; less is scaled to 8
  std::vector<unsigned char>
      rows;             // samples of bitDepth / 8 bytes in the machine's byte order, bottom row first
  std::string profile;  // ICC; empty: none
  std::string exif;     // of the chunk eXIf: a TIFF structure; empty: none
  double gamma = 0.0;   // of the chunk gAMA, 0.45455 is usual; 0: none, or the file says sRGB
};

// Throws std::runtime_error with the reason alone: the caller names the file. With `damage`, a file that ends or is damaged
// between its first and its last pixel is no error, but a note.
PngImage decodePng(std::string_view bytes, const FileLimits& limits = {}, Notes* damage = nullptr);
// Whether it is an APNG: frames follow the image, or contain it.
bool isAnimatedPng(std::string_view bytes);
// The size that the header states; the rest of the file may be missing.
std::optional<glm::ivec2> pngSize(std::string_view bytes);

}  // namespace satdof
