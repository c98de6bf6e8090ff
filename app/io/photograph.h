#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "app/io/depth_image.h"
#include "app/io/picture.h"

namespace satdof {

// An image with the depth embedded in its file.
struct Photograph {
  Picture picture;
  std::optional<DepthImage> depth;  // with the orientation of `picture`; none: the file has none
  std::string exif{};               // for photographFacts()
  std::string content{};            // hashed() file, if asked for
};

// Reads an image and, if `withDepth`, its embedded depth. If the file also contains the image before the camera blurred
// it, `picture` is that one. Throws std::runtime_error that names the file and the cause.
Photograph readPhotograph(const std::filesystem::path& path, bool withDepth, const FileLimits& limits = {},
                          bool withContent = false);

// The same from memory. Throws std::runtime_error with only the reason.
Photograph decodePhotograph(std::string_view bytes, bool withDepth, const FileLimits& limits = {});

}  // namespace satdof
