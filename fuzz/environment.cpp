// An environment: a Radiance or OpenEXR image as sky. An accepted sky has finite, non-negative radiance.
#include <cmath>

#include "app/scene/model/environment.h"
#include "fuzz/fuzz.h"

using namespace satdof;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) try {
  constexpr FileLimits kLimits{.side = 2000, .pixels = 1 << 16};
  Notes notes;
  const SkyImage sky = decodeSky(fuzz::textOf(data, size), kLimits, notes);
  const auto texels = static_cast<std::size_t>(sky.size.x) * static_cast<std::size_t>(sky.size.y);
  fuzz::require(texels >= 1 && texels <= (1 << 16) && sky.radiance.size() == texels, "a sky has its size");
  for (const glm::vec3& radiance : sky.radiance)
    for (int c = 0; c < 3; ++c)
      fuzz::require(radiance[c] >= 0.0f && radiance[c] <= 65504.0f, "radiance is finite and not negative");
  return 0;
} catch (const std::runtime_error& error) {
  fuzz::requireReadable(error.what());
  return 0;
}
