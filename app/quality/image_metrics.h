#pragma once
#include <glm/vec2.hpp>
#include <optional>
#include <vector>

namespace satdof {

struct ImageMetrics {
  double psnrDb = 0;           // infinite for equal images
  std::optional<double> ssim;  // none for images below 11 x 11
};

// Of two display-encoded images, as in metrics.h.
ImageMetrics imageMetrics(const std::vector<float>& a, const std::vector<float>& b, glm::ivec2 size);

}  // namespace satdof
