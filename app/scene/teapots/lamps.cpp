#include "app/scene/teapots/lamps.h"

#include <algorithm>
#include <limits>

namespace satdof {

namespace {

constexpr GLuint kBinding = 1;
constexpr GLsizei kDiscVertices = 3 * 20;  // as in shaders/scene/teapots/lamp.vert

}  // namespace

void Lamps::place(double timeS) {
  // The block `Lamps` of shaders/scene/teapots/lamps.glsl (std140).
  struct {
    glm::vec4 centreAndRadius, radiance;
  } block[kLamps];
  static_assert(sizeof block == kBlockBytes);
  for (int i = 0; i < kLamps; ++i) {
    const Lamp& lamp = lamps_[static_cast<std::size_t>(i)] = lampAt(i, timeS);
    block[i] = {glm::vec4(lamp.position, lamp.radiusM), glm::vec4(lamp.radiance, 0.0f)};
  }
  glNamedBufferSubData(block_.name(), 0, sizeof block, block);
  glBindBufferBase(GL_UNIFORM_BUFFER, kBinding, block_.name());
}

float Lamps::nearestM(const Pinhole& pinhole) const {
  float nearestM = std::numeric_limits<float>::infinity();
  for (const Lamp& lamp : lamps_)
    if (pinhole.mayShow(lamp.position, lamp.radiusM))
      nearestM = std::min(nearestM, pinhole.distanceM(lamp.position) - lamp.radiusM);
  return nearestM;
}

void Lamps::draw(const GeometryPass& pass) const {
  glBindBufferBase(GL_UNIFORM_BUFFER, kBinding, block_.name());
  discs_.use(pass);
  glDrawArraysInstanced(GL_TRIANGLES, 0, kDiscVertices, kLamps);
}

void Lamps::drawGlows(const GeometryPass& pass) const {
  const BlendedDraws added(GL_ONE, GL_ONE);
  glBindBufferBase(GL_UNIFORM_BUFFER, kBinding, block_.name());
  glows_.use(pass);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, kLanterns);
}

}  // namespace satdof
