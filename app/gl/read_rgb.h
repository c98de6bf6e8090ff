#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "app/gl/objects.h"

namespace satdof {

// Reads the texels of `texture` as RGB, bottom row first. `type`: the OpenGL type that matches T. Waits for
// the GPU.
template <class T>
std::vector<T> readRgb(const gl::Texture& texture, GLenum type) {
  constexpr int kBandRows = 256;  // the byte count of a band always fits OpenGL's int
  const glm::ivec2 size = texture.size();
  const size_t rowValues = static_cast<size_t>(size.x) * 3;
  std::vector<T> rgb(rowValues * static_cast<size_t>(size.y));
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  for (int y = 0; y < size.y; y += kBandRows) {
    const int rows = std::min(kBandRows, size.y - y);
    const std::span band =
        std::span(rgb).subspan(rowValues * static_cast<size_t>(y), rowValues * static_cast<size_t>(rows));
    glGetTextureSubImage(texture.name(), 0, 0, y, 0, size.x, rows, 1, GL_RGB, type,
                         static_cast<GLsizei>(band.size_bytes()), band.data());
  }
  return rgb;
}

}  // namespace satdof
