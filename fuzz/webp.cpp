// A WebP image, as a texture.
#include "app/io/formats/webp.h"

#include <stdexcept>

#include "fuzz/fuzz.h"

using namespace satdof;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) try {
  constexpr FileLimits kLimits{.side = 2000, .pixels = 1 << 18};
  const WebpImage image = decodeWebp(fuzz::textOf(data, size), kLimits);
  const auto pixels = static_cast<std::size_t>(image.size.x) * static_cast<std::size_t>(image.size.y);
  fuzz::require(pixels >= 1 && pixels <= (1 << 18), "an image keeps the limits");
  fuzz::require(image.rows.size() == pixels * static_cast<std::size_t>(image.channels), "an image has its size");
  return 0;
} catch (const std::runtime_error& error) {
  fuzz::requireReadable(error.what());
  return 0;
}
