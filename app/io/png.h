#pragma once
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace satdof {

// The keyword of the text chunk that holds the settings.
inline constexpr const char* kSettingsKeyword = "satdof-settings";

// An RGB PNG tagged as sRGB with one text chunk. `rows`: size.x * size.y * 3 samples of `bitDepth` / 8 bytes
// in the machine's byte order, bottom row first. Throws std::runtime_error when libpng fails.
std::string encodePng(const void* rows, glm::ivec2 size, int bitDepth, const std::string& keyword,
                      const std::string& text);

bool isPng(std::string_view bytes);

// The text chunk with that keyword, standing before the image data; empty when there is none or the file is
// damaged.
std::optional<std::string> pngText(std::string_view bytes, std::string_view keyword);

}  // namespace satdof
