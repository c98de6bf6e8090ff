#pragma once
#include <array>
#include <glm/vec4.hpp>

#include "app/scene/geometry_scene.h"
#include "app/scene/teapots/layout.h"

namespace satdof {

// The lamps of layout.h as discs, and the light of the lanterns on the ground.
class Lamps {
 public:
  // Moves the lamps to their positions at `timeS`, and binds the block `Lamps`.
  void place(double timeS);
  // Lower bound of the distances of the visible lamps; infinity if none is visible.
  float nearestM(const Pinhole& pinhole) const;
  // Need a bound vertex array without attributes. drawGlows() needs the albedo of the ground on texture unit 0.
  void draw(const GeometryPass& pass) const;
  void drawGlows(const GeometryPass& pass) const;

 private:
  GeometryProgram discs_{{"scene/teapots/lamp.vert", "scene/teapots/lamp.frag"}};
  GeometryProgram glows_{{"scene/teapots/glow.vert", "scene/teapots/glow.frag"}};
  static constexpr GLsizeiptr kBlockBytes = 2 * sizeof(glm::vec4) * kLamps;
  gl::Buffer block_{kBlockBytes, nullptr, GL_DYNAMIC_STORAGE_BIT};
  std::array<Lamp, kLamps> lamps_;
};

}  // namespace satdof
