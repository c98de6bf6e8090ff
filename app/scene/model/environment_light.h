#pragma once
#include <glm/mat3x3.hpp>
#include <memory>
#include <optional>
#include <string>

#include "app/core/settings.h"
#include "app/core/system/loading.h"
#include "app/scene/camera.h"
#include "app/scene/model/gpu_model.h"
#include "app/scene/sky.h"

namespace satdof {

// The environment of a scene: loads it, binds its light and draws its sky. Uses uniform block binding 2 and texture
// unit 8.
class EnvironmentLight {
 public:
  // `overGround`: the ground of the scene covers the lower half of the sky.
  explicit EnvironmentLight(bool overGround);
  // Requests settings.environment and uploads it when it is loaded. Returns whether the environment changed. `wait`:
  // blocks until it is loaded or has failed.
  bool request(const ModelSettings& settings, bool wait);
  bool ready() const { return environment_ != nullptr; }
  // Null before the first environment.
  const Environment* environment() const { return environment_ ? &environment_->environment() : nullptr; }
  // Binds the block `Environment` of shaders/scene/environment.glsl and its texture; black before the first
  // environment.
  void bind(const ModelSettings& settings) const;
  // Binds the image of the sky to texture unit 0. Returns its level of detail for an image `heightPx` high.
  float bindSky(const Pinhole& pinhole, int heightPx) const;
  // Call after bind(). A vertex array must be bound.
  void drawSky(const Pinhole& pinhole, int heightPx, bool peels) const;
  std::optional<LoadStatus> loading() const { return loading_.status(); }
  void cancel() { loading_.cancel(); }
  // Why the requested environment is missing; usually empty.
  std::string message() const;
  // From the reader of the current environment.
  Notes notes() const { return environment_ ? environment_->environment().notes : Notes(); }

 private:
  Loading<std::string, Environment> loading_;
  std::unique_ptr<GpuEnvironment> environment_;  // null before the first
  std::string wanted_;
  gl::Buffer block_;
  gl::Texture black_{GL_RGBA16F, {1, 1}};
  Sky sky_;
};

// Rotation from the world to the environment, as in shaders/scene/environment.glsl.
glm::mat3 toEnvironment(const ModelSettings& settings);

// The environment that was loaded last, by loadEnvironment(). Shared by all scenes.
HeldResults<std::string, Environment>& environments();

// The message for a failure to load `what`; empty without failure.
std::string loadingMessage(const std::optional<LoadFailure>& failure, const std::string& what);

}  // namespace satdof
