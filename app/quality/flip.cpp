#include "app/quality/metrics.h"

#if SATDOF_HAS_FLIP
#include <FLIP.h>  // defines the macros Max and Min: include it nowhere else
#endif

namespace satdof {

#if SATDOF_HAS_FLIP

namespace {

// FLIP takes linear light.
FLIP::image<FLIP::color3> decoded(std::span<const float> encoded, glm::ivec2 size) {
  FLIP::image<FLIP::color3> image(size.x, size.y);
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x) {
      const float* rgb = &encoded[(static_cast<std::size_t>(y) * size.x + x) * 3];
      image.set(x, y, FLIP::color3::sRGBToLinearRGB(FLIP::color3(rgb[0], rgb[1], rgb[2])));
    }
  return image;
}

}  // namespace

std::optional<double> flip(std::span<const float> reference, std::span<const float> test, glm::ivec2 size) {
  requireImages(reference, test, size);
  auto linearReference = decoded(reference, size), linearTest = decoded(test, size);
  FLIP::image<float> error(size.x, size.y, 0.0f);
  FLIP::Parameters parameters;
  FLIP::evaluate(linearReference, linearTest, false, parameters, error);
  double sum = 0;
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x) sum += error.get(x, y);
  return sum / (static_cast<double>(size.x) * size.y);
}

#else

std::optional<double> flip(std::span<const float> reference, std::span<const float> test, glm::ivec2 size) {
  requireImages(reference, test, size);
  return std::nullopt;
}

#endif

}  // namespace satdof
