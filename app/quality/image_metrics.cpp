#include "app/quality/image_metrics.h"

#include "app/quality/metrics.h"

namespace satdof {

Likeness likenessOf(const std::vector<float>& a, const std::vector<float>& b, glm::ivec2 size) {
  Likeness likeness{psnr(a, b, size), std::nullopt};
  if (size.x >= kSsimWindow && size.y >= kSsimWindow) likeness.ssim = ssim(a, b, size);
  return likeness;
}

}  // namespace satdof
