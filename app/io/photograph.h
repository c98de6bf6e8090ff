#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "app/io/depth_image.h"
#include "app/io/picture.h"

namespace satdof {

// An image with the depth in its own file.
struct Photograph {
  Picture picture;
  std::optional<DepthImage> depth;  // turned like the picture; none: the file has none
  std::string exif{};               // for photographFacts()
};

// With depth, the picture is the one before the camera blurred it, if the file keeps that one. `withDepth` false: the
// depth in the file is not read. Throws std::runtime_error that names the file and the cause.
Photograph readPhotograph(const std::filesystem::path& path, bool withDepth, const FileLimits& limits = {});

// The same from memory. Throws std::runtime_error with the reason alone.
Photograph decodePhotograph(std::string_view bytes, bool withDepth, const FileLimits& limits = {});

}  // namespace satdof
