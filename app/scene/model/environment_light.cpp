#include "app/scene/model/environment_light.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/trigonometric.hpp>

namespace satdof {

namespace {

constexpr GLuint kBlockBinding = 2, kPrefilteredUnit = 8, kSkyUnit = 0;

// The block `Environment` of shaders/scene/environment.glsl (std140).
struct Block {
  std::array<glm::vec4, 9> irradiance;
  glm::vec4 environment;
};

}  // namespace

EnvironmentLight::EnvironmentLight(bool overGround)
    : loading_(environments()),
      block_(sizeof(Block), nullptr, GL_DYNAMIC_STORAGE_BIT),
      sky_("scene/model/sky.frag", overGround ? gl::Defines{{"OVER_GROUND", "1"}} : gl::Defines{}) {}

bool EnvironmentLight::request(const ModelSettings& settings, bool wait) {
  wanted_ = settings.environment.text;
  if (!loading_.request(wanted_, wait)) return false;
  environment_ = std::make_unique<GpuEnvironment>(loading_.result());
  return true;
}

void EnvironmentLight::bind(const ModelSettings& settings) const {
  Block block{};
  if (environment_) {
    const Environment& light = environment_->environment();
    for (std::size_t i = 0; i < block.irradiance.size(); ++i)
      block.irradiance[i] = glm::vec4(light.irradiance[i], 0.0f);
    const glm::mat3 turn = toEnvironment(settings);
    block.environment = {turn[0].x, turn[0].z, settings.environmentStrength,
                         static_cast<float>(light.prefiltered.size() - 1)};
    environment_->bindPrefiltered(kPrefilteredUnit);
  } else {
    black_.bind(kPrefilteredUnit);
  }
  glNamedBufferSubData(block_.name(), 0, sizeof block, &block);
  glBindBufferBase(GL_UNIFORM_BUFFER, kBlockBinding, block_.name());
}

float EnvironmentLight::bindSky(const Pinhole& pinhole, int heightPx) const {
  if (!environment_) {
    black_.bind(kSkyUnit);
    return 0.0f;
  }
  environment_->bindSky(kSkyUnit);
  // Angles of a pixel and of a texel.
  const float pixel = 2.0f / (pinhole.scale.y * static_cast<float>(heightPx));
  const float texel = 3.14159265f / static_cast<float>(environment_->environment().sky.size.y);
  return std::max(std::log2(pixel / texel), 0.0f);
}

void EnvironmentLight::drawSky(const Pinhole& pinhole, int heightPx, bool peels) const {
  sky_.program().set("level", bindSky(pinhole, heightPx));
  sky_.draw(pinhole, peels);
}

std::string EnvironmentLight::message() const { return loadingMessage(loading_.failure(), wanted_); }

glm::mat3 toEnvironment(const ModelSettings& settings) {
  const float turn = glm::radians(settings.environmentDegrees), c = std::cos(turn), s = std::sin(turn);
  return {{c, 0.0f, s}, {0.0f, 1.0f, 0.0f}, {-s, 0.0f, c}};
}

HeldResults<std::string, Environment>& environments() {
  static HeldResults<std::string, Environment> held(loadEnvironment);
  return held;
}

std::string loadingMessage(const std::optional<LoadFailure>& failure, const std::string& what) {
  if (!failure) return {};
  return failure->fault == LoadFault::cancelled ? "the loading of " + what + " was cancelled" : failure->reason;
}

}  // namespace satdof
