#pragma once
#include <array>
#include <glm/vec2.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "app/io/depth_image.h"
#include "app/io/file_limits.h"
#include "app/io/notes.h"

// What an OpenEXR file of any layers and parts shows: the colours and the depth in its display window, with square
// pixels. The functions throw std::runtime_error with the reason alone.
namespace satdof {

struct ExrColours {
  glm::ivec2 size{0};
  std::array<std::vector<float>, 3>
      rgb;  // sRGB primaries, linear, bottom row first; black outside the data window
  Notes notes;
};

// The colours without a layer, or of the layer whose name says that it is the finished image ("ViewLayer.Combined"), or of
// the first layer that has some: R, G and B in any case; Y with RY and BY, or alone.
ExrColours coloursInExr(std::string_view bytes, const FileLimits& limits = {});

// The size of coloursInExr(). `bytes`: the file, or its first part.
glm::ivec2 exrSize(std::string_view bytes, const FileLimits& limits = {});

// The depth of a file that holds colours, too; none if no channel is called so: satdof's depth.Y, Z in any case, what
// layers called depth hold, or a layer of mist. Of vectors, Z is no depth. Outside the data window nothing is seen.
std::optional<DepthImage> depthInExr(std::string_view bytes, const FileLimits& limits = {});

// The depth of a depth file: as above, or its only channel, or equal channels R, G and B.
DepthImage depthOfExr(std::string_view bytes, const FileLimits& limits = {});

}  // namespace satdof
