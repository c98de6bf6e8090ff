#include "app/scene/model/ground.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <optional>
#include <utility>

#include "app/scene/model/entry.h"
#include "shaders/common/luminance.h"

namespace satdof {

namespace {

constexpr int kMapSide = 1024;
constexpr GLuint kMapUnit = 9, kShadowBinding = 4;
constexpr float kLowestLight = 0.6f;  // sine of the elevation, which keeps shadows short
constexpr float kLongestShadow = 3.0f, kLampSpread = 0.03f, kLowestLamp = 0.05f;

// Projects `point` from the light to the ground at height y. `light`: position with w = 1, or direction towards it with
// w = 0. None if the point is above a lamp.
std::optional<glm::vec3> onGround(const glm::vec4& light, const glm::vec3& point, float y) {
  if (light.w == 0.0f) return point - glm::vec3(light) * ((point.y - y) / light.y);
  const float below = light.y - point.y;
  if (below <= 0.0f) return std::nullopt;
  return glm::vec3(light) + (point - glm::vec3(light)) * ((light.y - y) / below);
}

// Adds the shadow of `bounds` to the bounds on the ground, limited to
// kLongestShadow radii. Corners above a lamp count as shadows of this length.
void addShadow(Bounds& ground, const glm::vec4& light, const Bounds& bounds, float y) {
  const glm::vec3 centre = bounds.centre(), most = glm::vec3(kLongestShadow * bounds.radius());
  for (int i = 0; i < 8; ++i) {
    const glm::vec3 corner((i & 1) != 0 ? bounds.high.x : bounds.low.x, (i & 2) != 0 ? bounds.high.y : y,
                           (i & 4) != 0 ? bounds.high.z : bounds.low.z);
    const glm::vec3 away = glm::vec3(corner) - glm::vec3(light);
    const glm::vec3 at = onGround(light, corner, y).value_or(centre + 1e3f * away);
    const glm::vec3 near = glm::clamp(at, centre - most, centre + most);
    ground.add({near.x, y, near.z});
  }
}

}  // namespace

GroundLight groundLight(const Irradiance& irradiance, const glm::mat3& toEnvironment) {
  // Ratio of the bands l = 1 and l = 0 for a single distant light.
  constexpr float kDirectional = 0.488603f * 2.0f / 3.0f / 0.282095f;
  using glsl::luminance;
  const glm::vec3 to(luminance(irradiance[3]), luminance(irradiance[1]), luminance(irradiance[2]));
  const float all = luminance(irradiance[0]), length = glm::length(to);
  if (!(all > 0.0f) || !(length > 0.0f)) return {};
  const float direct = std::clamp(length / (all * kDirectional), 0.0f, 1.0f);
  const glm::vec3 world = glm::transpose(toEnvironment) * to / length;
  glm::vec3 light = glm::mix(glm::vec3(0.0f, 1.0f, 0.0f), world, direct);
  const float across = std::hypot(light.x, light.z);
  light.y = std::max(light.y, across * kLowestLight / std::sqrt(1.0f - kLowestLight * kLowestLight));
  return {glm::normalize(light), glm::mix(0.9f, 0.15f, direct)};
}

Ground::Ground()
    : emptyArray_(gl::makeVertexArray()),
      cast_({"scene/model/model.vert", "scene/model/model.frag"}, {{"CAST", "1"}}),
      ground_({"scene/model/ground.vert", "scene/model/ground.frag"}) {}

void Ground::place(const Bounds& bounds, const GroundLight& light, const LampBlock& lamps) {
  // Slightly below the lowest faces of the model, which would hide the plane.
  const float y = bounds.low.y - 1e-3f * bounds.radius();
  shadow_ = {};
  shadow_.heightM = std::max(bounds.high.y - bounds.low.y, 1e-4f);
  shadow_.lights[0] = {light.to, 0.0f};
  shadow_.sources[0] = {light.spread, -1.0f, 0.0f, 0.0f};
  // The brightest lamps above the ground.
  const glm::vec3 centre = bounds.centre(), up(0.0f, 1.0f, 0.0f);
  std::vector<std::pair<float, std::size_t>> order;
  for (std::size_t i = 0; i < static_cast<std::size_t>(lamps.count.x); ++i) {
    const glm::vec4& at = lamps.positions[i];
    const bool above = at.w == 0.0f ? at.y > kLowestLamp : at.y > y;
    const glm::vec3 part = lampLightOverPi(lamps, i, {centre.x, y, centre.z}, up);
    if (above) order.emplace_back(-(part.r + part.g + part.b), i);
  }
  std::ranges::sort(order);
  std::size_t count = 1;
  for (; count < kMaxShadows && count <= order.size(); ++count) {
    const std::size_t lamp = order[count - 1].second;
    shadow_.lights[count] = lamps.positions[lamp];
    shadow_.sources[count] = {kLampSpread, static_cast<float>(lamp), 0.0f, 0.0f};
  }
  shadow_.count.x = static_cast<int>(count);
  bounds_ = {};
  float halfShadowM = 0.0f;
  for (std::size_t i = 0; i < count; ++i) {
    addShadow(bounds_, shadow_.lights[i], bounds, y);
    const float height = shadow_.lights[i].w == 0.0f ? shadow_.lights[i].y : 1.0f;
    halfShadowM = std::max(halfShadowM, shadow_.sources[i].x * (bounds.high.y - y) / height);
  }
  // A square map with a margin for the penumbra, so that no shadow touches its border.
  const glm::vec3 middle = bounds_.centre();
  const float half =
      0.5f * std::max(bounds_.high.x - bounds_.low.x, bounds_.high.z - bounds_.low.z) + 1.2f * halfShadowM;
  bounds_ = {};
  bounds_.add(middle - glm::vec3(half, 0.0f, half));
  bounds_.add(middle + glm::vec3(half, 0.0f, half));
  shadow_.low = bounds_.low;
  shadow_.high = bounds_.high;
  while (maps_.size() < count) {
    Map map;
    map.covered = {GL_RG16F, glm::ivec2(kMapSide), 1, std::bit_width(static_cast<unsigned>(kMapSide))};
    glTextureParameteri(map.covered.name(), GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTextureParameteri(map.covered.name(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    map.framebuffer = gl::Framebuffer(map.covered);
    maps_.push_back(std::move(map));
  }
}

const gl::Program& Ground::beginCasters(int shadow) {
  const GLuint framebuffer = entry(maps_, shadow).framebuffer.name();
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glViewport(0, 0, kMapSide, kMapSide);
  const glm::vec4 light(0.0f);
  glClearNamedFramebufferfv(framebuffer, GL_COLOR, 0, &light.x);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_CULL_FACE);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE);
  glBlendEquation(GL_MAX);
  cast_.use();
  cast_.set("shadow", shadow);
  block_.bind(kShadowBinding, shadow_);
  return cast_;
}

void Ground::endCasters(int shadow) {
  glBlendEquation(GL_FUNC_ADD);
  glDisable(GL_BLEND);
  glEnable(GL_DEPTH_TEST);
  glEnable(GL_CULL_FACE);
  glGenerateTextureMipmap(entry(maps_, shadow).covered.name());
}

void Ground::draw(const GeometryPass& pass, float skyLevel) {
  if (bounds_.empty() || pass.pinhole.frame.eye.y <= bounds_.low.y) return;
  glBindVertexArray(emptyArray_.name());
  for (std::size_t i = 0; i < maps_.size(); ++i) maps_[i].covered.bind(kMapUnit + static_cast<GLuint>(i));
  ground_.use(pass);
  shadow_.skyLevel = skyLevel;
  block_.bind(kShadowBinding, shadow_);
  glDisable(GL_CULL_FACE);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  glEnable(GL_CULL_FACE);
}

}  // namespace satdof
