#pragma once
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace satdof {

// Keyword of the text chunk that holds the settings.
inline constexpr const char* kSettingsKeyword = "satdof-settings";

struct PngText {
  std::string keyword, text;
};

// Encodes an RGB PNG, tagged as sRGB, with text chunks. `rows`: size.x * size.y * 3 samples of
// `bitDepth` / 8 bytes in the machine's byte order, bottom row first. Throws std::runtime_error if libpng
// fails.
std::string encodePng(const void* rows, glm::ivec2 size, int bitDepth, const std::vector<PngText>& texts);

bool isPng(std::string_view bytes);

// Returns the text chunk with `keyword` that stands before the image data; none if the chunk is missing or
// the file is damaged.
std::optional<std::string> pngText(std::string_view bytes, std::string_view keyword);

}  // namespace satdof
