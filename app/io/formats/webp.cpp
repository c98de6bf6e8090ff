#include "app/io/formats/webp.h"

#include <stdexcept>

#if SATDOF_HAS_WEBP
#include <webp/decode.h>
#endif

namespace satdof {

bool isWebp(std::string_view bytes) {
  return bytes.size() >= 12 && bytes.starts_with("RIFF") && bytes.substr(8, 4) == "WEBP";
}

namespace {

// Returns the content of the first chunk with this name; empty if there is none.
std::string chunkOf(std::string_view bytes, std::string_view name) {
  constexpr std::size_t kFirst = 12, kHeader = 8;
  for (std::size_t at = kFirst; at + kHeader <= bytes.size();) {
    std::size_t length = 0;
    for (std::size_t i = 0; i < 4; ++i) length |= std::size_t{static_cast<unsigned char>(bytes[at + 4 + i])} << (8 * i);
    if (bytes.substr(at, 4) == name) return std::string(bytes.substr(at + kHeader, length));
    at += kHeader + length + length % 2;
  }
  return {};
}

}  // namespace

std::string webpExif(std::string_view bytes) {
  // Some programs write the prefix of a JPEG segment before the structure.
  constexpr std::string_view kHead("Exif\0\0", 6);
  std::string exif = chunkOf(bytes, "EXIF");
  return exif.starts_with(kHead) ? exif.substr(kHead.size()) : exif;
}

#if SATDOF_HAS_WEBP

namespace {

WebPBitstreamFeatures featuresOf(std::string_view head) {
  WebPBitstreamFeatures features;
  const VP8StatusCode status =
      WebPGetFeatures(reinterpret_cast<const std::uint8_t*>(head.data()), head.size(), &features);
  if (status == VP8_STATUS_NOT_ENOUGH_DATA) throw std::runtime_error("it is truncated before its pixels");
  if (status != VP8_STATUS_OK) throw std::runtime_error("the WebP image is damaged before its pixels");
  return features;
}

}  // namespace

glm::ivec2 webpSize(std::string_view head) {
  const WebPBitstreamFeatures features = featuresOf(head);
  return {features.width, features.height};
}

WebpImage decodeWebp(std::string_view bytes, const FileLimits& limits) {
  // A lossless image of a single colour takes less than a bit a thousand pixels.
  constexpr double kMaxPixelsPerByte = 1e6;
  const WebPBitstreamFeatures features = featuresOf(bytes);
  if (features.has_animation != 0) throw std::runtime_error("it is an animated WebP: save one of its images alone");
  WebpImage image;
  image.size = {features.width, features.height};
  image.channels = features.has_alpha != 0 ? 4 : 3;
  requireSize(image.size, limits, bytes.size(), kMaxPixelsPerByte);
  requireRoomToDecode(image.size, 2.0 * image.channels + 4.0);  // the rows, and the planes of libwebp
  const int stride = image.size.x * image.channels;
  image.rows.resize(static_cast<std::size_t>(stride) * static_cast<std::size_t>(image.size.y));
  const auto decode = image.channels == 4 ? WebPDecodeRGBAInto : WebPDecodeRGBInto;
  if (decode(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), image.rows.data(), image.rows.size(),
             stride) == nullptr)
    throw std::runtime_error("the pixels of the WebP image are damaged or missing");
  image.profile = chunkOf(bytes, "ICCP");
  return image;
}

std::string webpLibrary() {
  const int version = WebPGetDecoderVersion();
  return "libwebp " + std::to_string(version >> 16) + "." + std::to_string(version >> 8 & 0xff) + "." +
         std::to_string(version & 0xff);
}

#else

namespace {
[[noreturn]] void refuse() {
  throw std::runtime_error(
      "WebP is not read: this program was built without libwebp; convert the image to PNG or JPEG");
}
}  // namespace

glm::ivec2 webpSize(std::string_view) { refuse(); }
WebpImage decodeWebp(std::string_view, const FileLimits&) { refuse(); }
std::string webpLibrary() { return {}; }

#endif

}  // namespace satdof
