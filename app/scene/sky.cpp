#include "app/scene/sky.h"

namespace satdof {

void Sky::draw(const Pinhole& pinhole, bool peels) const {
  program_.use();
  program_.set("forward", pinhole.frame.forward);
  const glm::mat2 unskewed = pinhole.unskewed();
  const auto across = [&](glm::vec2 t) { return t.x * pinhole.frame.right + t.y * pinhole.frame.up; };
  program_.set("rightPerNdc", across(unskewed[0]) / pinhole.scale.x);
  program_.set("upPerNdc", across(unskewed[1]) / pinhole.scale.y);
  program_.set("shear", pinhole.shear);
  program_.set("peels", static_cast<int>(peels));
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

}  // namespace satdof
