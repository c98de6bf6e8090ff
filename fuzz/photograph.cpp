// Depth files, and images that contain their depth: GDepth, Dynamic Depth, OpenEXR, HEIF, multi-picture JPEG.
#include "app/io/photograph.h"
#include "fuzz/fuzz.h"

using namespace satdof;

// libheif 1.15 leaks 52 bytes in heif_image_handle_get_nclx_color_profile() if the colour profile is unknown.
// NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" const char* __lsan_default_suppressions() { return "leak:libheif.so\nleak:libdav1d.so"; }

namespace {

void requireWhole(const DepthImage& depth) {
  fuzz::require(
      depth.size.x >= 1 && depth.size.y >= 1 &&
          depth.values.size() == static_cast<std::size_t>(depth.size.x) * static_cast<std::size_t>(depth.size.y),
      "a depth has its size");
  if (!depth.origin.empty()) fuzz::requireReadable(depth.origin);
  for (const std::string& note : depth.notes) fuzz::requireReadable(note);
}

template <class Read>
void attempt(const Read& read) {
  try {
    read();
  } catch (const std::runtime_error& error) {
    fuzz::requireReadable(error.what());
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr FileLimits kLimits{.side = 2000, .pixels = 1 << 18};
  attempt([&] { requireWhole(decodeDepth(fuzz::textOf(data, size), kLimits)); });
  attempt([&] {
    const Photograph photograph = decodePhotograph(fuzz::textOf(data, size), true, kLimits);
    if (photograph.depth) requireWhole(*photograph.depth);
  });
  return 0;
}
