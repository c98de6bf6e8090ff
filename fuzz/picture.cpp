// Image files: PNG, PFM, OpenEXR, JPEG and what stb_image reads, with profiles and orientation.
#include "app/io/picture.h"
#include "fuzz/fuzz.h"

using namespace satdof;

// libheif 1.15 leaks 52 bytes in heif_image_handle_get_nclx_color_profile() if the colour profile is unknown.
// NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" const char* __lsan_default_suppressions() { return "leak:libheif.so\nleak:libdav1d.so"; }

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) try {
  constexpr FileLimits kLimits{.side = 2000, .pixels = 1 << 18};
  const Picture picture = decodePicture(fuzz::textOf(data, size), kLimits);
  const auto pixels = static_cast<std::size_t>(picture.size.x) * static_cast<std::size_t>(picture.size.y);
  fuzz::require(pixels >= 1 && pixels <= (1 << 18) && picture.rgba.size() == 4 * pixels, "a picture has its size");
  for (const std::string& note : picture.notes) fuzz::requireReadable(note);
  return 0;
} catch (const std::runtime_error& error) {
  fuzz::requireReadable(error.what());
  return 0;
}
