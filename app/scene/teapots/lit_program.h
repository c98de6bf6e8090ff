#pragma once
#include <array>
#include <string>
#include <vector>

#include "app/scene/geometry_scene.h"

namespace satdof {

// The light of the sky: the evening of shaders/scene/lighting.glsl, or an environment (EnvironmentLight).
enum class SkyLight { evening, environment };

// A program whose shaders use shaders/scene/lighting.glsl, in a variant for each SkyLight.
class LitProgram {
 public:
  explicit LitProgram(const std::vector<std::string>& files, const gl::Defines& defines = {})
      : variants_{GeometryProgram(files, defines), GeometryProgram(files, with(defines, {"ENVIRONMENT", "1"}))} {}
  const gl::Program& use(const GeometryPass& pass, SkyLight light) const {
    return variants_[static_cast<std::size_t>(light)].use(pass);
  }

 private:
  static gl::Defines with(gl::Defines defines, const gl::Defines::value_type& added) {
    defines.push_back(added);
    return defines;
  }

  std::array<GeometryProgram, 2> variants_;
};

}  // namespace satdof
