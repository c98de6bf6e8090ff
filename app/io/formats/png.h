#pragma once
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/io/file_limits.h"
#include "app/io/metadata/image_text.h"
#include "app/io/notes.h"

namespace satdof {

// Encodes a PNG with text chunks: 3 or 4 channels tagged as sRGB, or 1 grey channel without a tag. `rows`: size.x *
// size.y * channels samples of bitDepth / 8 bytes in native byte order, bottom row first. `exif`: TIFF structure for
// the chunk eXIf; empty: none. Throws std::runtime_error if libpng fails.
std::string encodePng(const void* rows, glm::ivec2 size, int bitDepth, const std::vector<ImageText>& texts,
                      int channels = 3, std::string_view exif = {});

bool isPng(std::string_view bytes);
// Whether all chunks up to IEND are complete and have correct checksums.
bool isWholePng(std::string_view bytes);
// Returns the EXIF data as a TIFF structure; empty if there is none. `late`: also after the pixels, where decodePng()
// finds none.
std::string pngExif(std::string_view bytes, bool late = true);

// Returns the text chunk `keyword` before the image data; nothing if it is missing or the file is damaged.
std::optional<std::string> pngText(std::string_view bytes, std::string_view keyword);

// The pixels of a PNG as stored, with palettes expanded.
struct PngImage {
  glm::ivec2 size{0};
  int channels = 0;                 // grey, grey and alpha, RGB, RGBA
  int bitDepth = 8;                 // 8 or 16; less is scaled to 8
  std::vector<unsigned char> rows;  // samples of bitDepth / 8 bytes in native byte order, bottom row first
  std::string profile;              // ICC; empty: none
  std::string exif;                 // chunk eXIf, a TIFF structure; empty: none
  double gamma = 0.0;               // chunk gAMA, usually 0.45455; 0: none, or the file is tagged as sRGB
  Notes notes{};                    // on chunks of colours that are ignored
};

// Decodes a PNG. Throws std::runtime_error with only the reason. With `damage`, damage after the first row becomes a
// note instead of an error.
PngImage decodePng(std::string_view bytes, const FileLimits& limits = {}, Notes* damage = nullptr);
// Whether the file is an animated PNG: a chunk acTL precedes the image data.
bool isAnimatedPng(std::string_view bytes);
// Returns the size in the header; nothing if it is damaged. `bytes`: the beginning of the file is enough.
std::optional<glm::ivec2> pngSize(std::string_view bytes);

}  // namespace satdof
