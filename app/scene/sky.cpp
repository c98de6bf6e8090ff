#include "app/scene/sky.h"

namespace satdof {

void Sky::draw(const Pinhole& pinhole, bool peels) const {
  program_.use();
  const glm::mat2 unskewed = pinhole.unskewed();
  const auto across = [&](glm::vec2 t) { return t.x * pinhole.frame.right + t.y * pinhole.frame.up; };
  constexpr GLuint kRaysBinding = 5;
  rays_.bind(kRaysBinding, Rays{.forward = pinhole.frame.forward,
                                .peels = static_cast<int>(peels),
                                .rightPerNdc = across(unskewed[0]) / pinhole.scale.x,
                                .upPerNdc = across(unskewed[1]) / pinhole.scale.y,
                                .shear = pinhole.shear});
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

}  // namespace satdof
