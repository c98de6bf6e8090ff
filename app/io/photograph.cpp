#include "app/io/photograph.h"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "app/core/files.h"
#include "app/io/embedded_depth.h"
#include "app/io/exr.h"
#include "app/io/exr_layers.h"
#include "app/io/heif.h"
#include "app/io/jpeg.h"
#include "app/io/orientation.h"

namespace satdof {

namespace {

bool sameAspect(glm::ivec2 a, glm::ivec2 b) {
  return std::abs(static_cast<double>(a.x) * b.y / (static_cast<double>(a.y) * b.x) - 1.0) < 0.02;
}

}  // namespace

Photograph decodePhotograph(std::string_view bytes, bool withDepth, const FileLimits& limits) {
  if (withDepth && isExr(bytes)) return {decodePicture(bytes, limits), depthInExr(bytes, limits)};
  if (withDepth && isHeif(bytes)) return {decodePicture(bytes, limits), depthInHeif(bytes, limits)};
  if (!withDepth || !isJpeg(bytes)) return {decodePicture(bytes, limits), std::nullopt};
  auto embedded = embeddedDepth(bytes, limits);
  if (!embedded) return {decodePicture(bytes, limits), std::nullopt};
  Photograph photograph;
  const int orientation = exifOrientation(jpegMetadata(bytes).exif);
  DepthImage& depth = embedded->depth;
  if (embedded->original.empty()) {
    photograph.picture = decodePicture(bytes, limits);
  } else {
    photograph.picture = decodePicture(embedded->original, limits);
    turn(photograph.picture.rgba, photograph.picture.size, 4, orientation);
    addNote(photograph.picture.notes,
            "the sharp image in the file is used, not the one that the camera blurred");
  }
  const glm::ivec2 size = photograph.picture.size;
  if (orientation > 4 && size.x != size.y && sameAspect(depth.size, size))
    addNote(depth.notes, "its depth is upright already: not turned as the image is");
  else
    turn(depth.values, depth.size, 1, orientation);
  photograph.depth = std::move(depth);
  return photograph;
}

Photograph readPhotograph(const std::filesystem::path& path, bool withDepth, const FileLimits& limits) {
  const std::string bytes = readWholeFile(path, limits.bytes);
  try {
    Photograph photograph = decodePhotograph(bytes, withDepth, limits);
    photograph.picture.notes = inFile(path, photograph.picture.notes);
    if (photograph.depth) photograph.depth->notes = inFile(path, photograph.depth->notes);
    return photograph;
  } catch (const std::runtime_error& error) {
    throw std::runtime_error("cannot read image \"" + path.string() + "\": " + error.what());
  }
}

}  // namespace satdof
