#include "app/io/formats/webp.h"

#include "app/io/codecs/rows.h"
#include "app/io/codecs/samples.h"
#include "app/io/formats/jpeg.h"
#include "app/io/metadata/orientation.h"

namespace satdof::formats {

namespace {

glm::ivec2 sizeOf(std::string_view head, const FileLimits&) {
  return orientedSize(webpSize(head), exifOrientation(webpExif(head)));
}

Picture pictureOf(std::string_view bytes, const FileLimits& limits) {
  const WebpImage image = decodeWebp(bytes, limits);
  Picture picture{image.size, {}, true, {}};
  convert(picture, topFirst(image.rows, static_cast<std::size_t>(image.size.x * image.channels)).data(), image.channels,
          0.0, image.profile);
  applyOrientation(picture.rgba, picture.size, 4, exifOrientation(webpExif(bytes)));
  return picture;
}

DepthImage depthOf(std::string_view bytes, const FileLimits& limits) {
  const WebpImage image = decodeWebp(bytes, limits);
  DepthImage depth{.size = image.size};
  takeGrey(depth, topFirst(image.rows, static_cast<std::size_t>(image.size.x * image.channels)).data(), image.channels,
           255.0f);
  return depth;
}

}  // namespace

Codec webp() {
  return {.name = "WebP",
          .extensions = {".webp"},
          .begins = isWebp,
          .about = {"single images of 8 bits, with losses and without, profile, orientation; films are refused",
                    "transparent pixels: blended over black", "", "libwebp"},
          .picture = pictureOf,
          .size = sizeOf,
          .depth = depthOf,
          .exif = webpExif,
          .library = webpLibrary};
}

}  // namespace satdof::formats
