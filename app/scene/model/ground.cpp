#include "app/scene/model/ground.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

namespace satdof {

namespace {

constexpr int kMapSide = 1024;
constexpr GLuint kMapUnit = 1, kShadowBinding = 4;
constexpr float kLowestLight = 0.6f;  // sine of its height: shadows stay short

}  // namespace

GroundLight groundLight(const Irradiance& irradiance, const glm::mat3& toEnvironment) {
  // Of the bands 0 and 1 of one far light alone.
  constexpr float kOfOneLight = 0.488603f * 2.0f / 3.0f / 0.282095f;
  const auto luminance = [](const glm::vec3& c) { return glm::dot(c, glm::vec3(0.2126f, 0.7152f, 0.0722f)); };
  const glm::vec3 to(luminance(irradiance[3]), luminance(irradiance[1]), luminance(irradiance[2]));
  const float all = luminance(irradiance[0]), length = glm::length(to);
  if (!(all > 0.0f) || !(length > 0.0f)) return {};
  const float direct = std::clamp(length / (all * kOfOneLight), 0.0f, 1.0f);
  const glm::vec3 world = glm::transpose(toEnvironment) * to / length;
  glm::vec3 light = glm::mix(glm::vec3(0.0f, 1.0f, 0.0f), world, direct);
  const float across = std::hypot(light.x, light.z);
  light.y = std::max(light.y, across * kLowestLight / std::sqrt(1.0f - kLowestLight * kLowestLight));
  return {glm::normalize(light), glm::mix(0.9f, 0.15f, direct)};
}

Ground::Ground()
    : map_(GL_RG16F, glm::ivec2(kMapSide), 1, std::bit_width(static_cast<unsigned>(kMapSide))),
      framebuffer_(map_),
      emptyArray_(gl::makeVertexArray()),
      cast_({"scene/model/model.vert", "scene/model/model.frag"}, {{"CAST", "1"}}),
      ground_({"scene/model/ground.vert", "scene/model/ground.frag"}) {
  glTextureParameteri(map_.name(), GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  glTextureParameteri(map_.name(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
}

void Ground::place(const Bounds& bounds, const GroundLight& light) {
  // Below the faces that stand on it.
  const float y = bounds.low.y - 1e-3f * bounds.radius();
  const float rayM = (bounds.high.y - y) / light.to.y, halfShadowM = light.spread * rayM;
  bounds_ = {};
  for (const float m : {0.0f, rayM})
    for (const glm::vec3& corner : {bounds.low, bounds.high})
      bounds_.add({corner.x - m * light.to.x, y, corner.z - m * light.to.z});
  // Square texels; the border stays light.
  const glm::vec3 centre = bounds_.centre();
  const float half =
      0.5f * std::max(bounds_.high.x - bounds_.low.x, bounds_.high.z - bounds_.low.z) + 1.2f * halfShadowM;
  bounds_ = {};
  bounds_.add(centre - glm::vec3(half, 0.0f, half));
  bounds_.add(centre + glm::vec3(half, 0.0f, half));
  shadow_ = {.low = bounds_.low,
             .heightM = std::max(bounds.high.y - bounds.low.y, 1e-4f),
             .high = bounds_.high,
             .spread = light.spread,
             .toLight = light.to,
             .skyLevel = 0.0f};
}

const gl::Program& Ground::beginCasters() {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
  glViewport(0, 0, kMapSide, kMapSide);
  const glm::vec4 light(0.0f);
  glClearNamedFramebufferfv(framebuffer_.name(), GL_COLOR, 0, &light.x);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_CULL_FACE);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE);
  glBlendEquation(GL_MAX);
  cast_.use();
  block_.bind(kShadowBinding, shadow_);
  return cast_;
}

void Ground::endCasters() {
  glBlendEquation(GL_FUNC_ADD);
  glDisable(GL_BLEND);
  glEnable(GL_DEPTH_TEST);
  glEnable(GL_CULL_FACE);
  glGenerateTextureMipmap(map_.name());
}

void Ground::draw(const GeometryPass& pass, float skyLevel) {
  if (bounds_.empty() || pass.pinhole.frame.eye.y <= bounds_.low.y) return;
  glBindVertexArray(emptyArray_.name());
  map_.bind(kMapUnit);
  ground_.use(pass);
  shadow_.skyLevel = skyLevel;
  block_.bind(kShadowBinding, shadow_);
  glDisable(GL_CULL_FACE);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  glEnable(GL_CULL_FACE);
}

}  // namespace satdof
