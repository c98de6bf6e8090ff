#pragma once
#include <filesystem>
#include <glm/vec2.hpp>
#include <string>
#include <vector>

namespace satdof {

enum class ImageFormat { png, hdr, pfm };

// Returns the format of the extension. Throws UsageError listing the known extensions.
ImageFormat imageFormat(const std::filesystem::path& path);

// Throws UsageError if the extension is unknown or cannot hold the panels (`withUi`), or if no file can be
// made at `path`. Leaves no file.
void requireCapturePath(const std::filesystem::path& path, bool withUi = false);

// "image.png" -> "image-0001.png": the number after the highest in the folder. Creates the file, empty, so that
// no other program takes the name. Throws std::runtime_error after number 999999999, or if the folder is not
// writable.
std::filesystem::path claimNumberedPath(const std::filesystem::path& path);

// Encodes linear light as Radiance RGBE (ImageFormat::hdr: 1 % precision, no negative values) or as a
// portable float map (ImageFormat::pfm: exact). `rgb`: size.x * size.y * 3 floats, bottom row first. Throws
// std::runtime_error if the encoder fails.
std::string encodeLinear(ImageFormat format, const std::vector<float>& rgb, glm::ivec2 size);

}  // namespace satdof
