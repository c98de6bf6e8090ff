#include "app/quality/image_metrics.h"

#include "app/quality/metrics.h"

namespace satdof {

ImageMetrics imageMetrics(const std::vector<float>& a, const std::vector<float>& b, glm::ivec2 size) {
  ImageMetrics metrics{psnr(a, b, size), std::nullopt};
  if (size.x >= kSsimWindow && size.y >= kSsimWindow) metrics.ssim = ssim(a, b, size);
  return metrics;
}

}  // namespace satdof
