#pragma once
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <optional>

#include "app/gl/async_readback.h"
#include "app/gl/objects.h"

namespace satdof {

// The loupe: a magnified part of the displayed image in the lower right corner of the window.
class Loupe {
 public:
  static constexpr int kSidePx = 192;
  static constexpr int kMarginPx = 12;

  // Draws the surroundings of `at`, 0 to 1 from the bottom left, magnified into the default framebuffer of `size`
  // pixels. Returns the displayed colour of the pixel at `at` some frames ago; none before the first colour arrives.
  std::optional<glm::vec3> draw(glm::ivec2 size, glm::vec2 at, int magnification);
  // The centre of the pixel at `at` in the loupe, 0 to 1 from the bottom left.
  glm::vec2 mark() const { return mark_; }

 private:
  gl::Texture copy_;
  gl::Framebuffer framebuffer_;
  AsyncReadback reads_{4};
  std::optional<glm::vec3> colour_;
  glm::vec2 mark_{0.5f};
};

}  // namespace satdof
