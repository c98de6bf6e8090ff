#pragma once
#include <filesystem>
#include <glm/vec2.hpp>
#include <string>
#include <vector>

namespace satdof {

enum class ImageFormat { png, hdr, pfm };

// By the extension. Throws UsageError naming those that are known.
ImageFormat imageFormat(const std::filesystem::path& path);

// Throws UsageError unless the extension is known (and can show panels, where asked) and a file can be made
// there; leaves nothing.
void requireCapturePath(const std::filesystem::path& path, bool withUi = false);

// "image.png" -> "image-0001.png", with the number after the highest that is there.
std::filesystem::path numberedPath(const std::filesystem::path& path);

// Linear light: Radiance RGBE (ImageFormat::hdr, 1 % precision, no negative values) or portable float map
// (ImageFormat::pfm, exact). `rgb`: size.x * size.y * 3 floats, bottom row first.
std::string encodeLinear(ImageFormat format, const std::vector<float>& rgb, glm::ivec2 size);

}  // namespace satdof
