#include "app/scene/sky.h"

namespace satdof {

void Sky::draw(const Pinhole& pinhole, bool peels) const {
  program_.use();
  program_.set("forward", pinhole.frame.forward);
  program_.set("rightPerNdc", pinhole.frame.right / pinhole.scale.x);
  program_.set("upPerNdc", pinhole.frame.up / pinhole.scale.y);
  program_.set("shear", pinhole.shear);
  program_.set("peels", static_cast<int>(peels));
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

}  // namespace satdof
