#pragma once
#include <glm/vec2.hpp>
#include <optional>
#include <vector>

namespace satdof {

struct Likeness {
  double psnrDb = 0;           // infinite for equal pictures
  std::optional<double> ssim;  // none for pictures below 11 x 11
};

// Of two display-encoded pictures, as in metrics.h.
Likeness likenessOf(const std::vector<float>& a, const std::vector<float>& b, glm::ivec2 size);

}  // namespace satdof
