#pragma once
#include <array>

#include "app/gl/objects.h"

namespace satdof {

// Two textures: a pass reads one and writes the other.
struct PingPong {
  PingPong(GLenum format, glm::ivec2 size)
      : textures{gl::Texture(format, size), gl::Texture(format, size)},
        targets{gl::Framebuffer(textures[0]), gl::Framebuffer(textures[1])} {}
  glm::ivec2 size() const { return textures[0].size(); }
  std::array<gl::Texture, 2> textures;
  std::array<gl::Framebuffer, 2> targets;
};

}  // namespace satdof
