#include "app/io/photograph.h"

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

Photograph decodePhotograph(std::string_view bytes, bool withDepth, const FileLimits& limits) {
  if (withDepth && isExr(bytes)) return {decodePicture(bytes, limits), depthInExr(bytes, limits)};
  if (withDepth && isHeif(bytes)) return {decodePicture(bytes, limits), depthInHeif(bytes, limits)};
  if (!withDepth || !isJpeg(bytes)) return {decodePicture(bytes, limits), std::nullopt};
  auto embedded = embeddedDepth(bytes, limits);
  if (!embedded) return {decodePicture(bytes, limits), std::nullopt};
  Photograph photograph;
  const int orientation = exifOrientation(jpegMetadata(bytes).exif);
  DepthImage& depth = embedded->depth;
  turn(depth.values, depth.size, 1, orientation);
  photograph.depth = std::move(depth);
  if (embedded->original.empty()) {
    photograph.picture = decodePicture(bytes, limits);
  } else {
    photograph.picture = decodePicture(embedded->original, limits);
    turn(photograph.picture.rgba, photograph.picture.size, 4, orientation);
    addNote(photograph.picture.notes,
            "the sharp image in the file is used, not the one that the camera blurred");
  }
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
