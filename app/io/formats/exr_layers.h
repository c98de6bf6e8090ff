#pragma once
#include <array>
#include <glm/vec2.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "app/io/depth_image.h"
#include "app/io/file_limits.h"
#include "app/io/notes.h"

// Finds colours and depth among the layers and parts of an OpenEXR file. Images cover the display window with square
// pixels. The functions throw std::runtime_error with only the reason.
namespace satdof {

struct ExrColours {
  glm::ivec2 size{0};
  // Linear light, sRGB primaries, bottom row first; black outside the data window.
  std::array<std::vector<float>, 3> rgb;
  Notes notes;
};

// Returns the colours of the best layer: unnamed; else a name of a finished image ("ViewLayer.Combined"); else the
// first with colours. Colours are R, G, B in any case; Y, RY, BY; or Y.
ExrColours coloursInExr(std::string_view bytes, const FileLimits& limits = {});

// Returns the size of coloursInExr(). `bytes`: the beginning of the file is enough.
glm::ivec2 exrSize(std::string_view bytes, const FileLimits& limits = {});

// Returns the depth of a file with colours; nothing if no channel is named as depth: depth.Y of satdof, Z in any case,
// channels of layers named depth, or mist. The Z of a vector is not depth. Infinitely far or unknown outside the data
// window.
std::optional<DepthImage> depthInExr(std::string_view bytes, const FileLimits& limits = {});

// Returns the depth of a depth file: like depthInExr(), else its only channel, else equal channels R, G and B.
DepthImage depthOfExr(std::string_view bytes, const FileLimits& limits = {});

}  // namespace satdof
