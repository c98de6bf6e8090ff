#pragma once
#include <array>
#include <glm/vec4.hpp>
#include <span>
#include <vector>

#include "app/scene/asset_textures.h"
#include "app/scene/geometry_scene.h"
#include "app/scene/teapots/layout.h"

namespace satdof {

// The teapots of layout.h, instanced in levels of detail, and their shadows on the ground.
class Crowd {
 public:
  Crowd();
  // Moves `count` teapots to where they stand at `timeS`; the strongest of `lamps` lights each teapot.
  // Returns the smallest distance of a teapot that the image may show, or infinity.
  float place(int count, std::span<const Lamp> lamps, const Pinhole& pinhole, double timeS);
  // Both draw the teapots that may show themselves or their shadows, and bind a vertex array.
  void draw(const GeometryPass& pass) const;
  void drawShadows(const GeometryPass& pass) const;

 private:
  // The instance attributes of shaders/scene/teapots/teapot.vert.
  struct Instance {
    glm::vec4 placement;  // w: cosine of the turn
    glm::vec4 glaze;      // w: sine of the turn
    glm::vec4 ornament;
    glm::vec4 lampPosition, lampIntensity;
  };
  struct Visible {
    float distanceM;
    int index;
    Teapot teapot;
  };
  struct Level {
    GLsizei indices;
    size_t firstIndexByte;
    GLint baseVertex;
  };
  // Quads along a patch's side, finest first.
  static constexpr std::array kSegments = {16, 12, 9, 7, 5, 4, 3, 2};

  void tessellateLevels();
  void describeVertices();
  float collectVisible(int count, const Pinhole& pinhole, double timeS);
  static Instance instanceOf(const Teapot& teapot, std::span<const Lamp> lamps);

  GeometryProgram program_{{"scene/teapots/teapot.vert", "scene/teapots/teapot.frag"}};
  GeometryProgram shadows_{{"scene/teapots/shadow.vert", "scene/teapots/shadow.frag"}};
  gl::Texture ornament_ = loadTexture("ornament.png", GL_R8);
  VolumeTexture shadowVolume_ = loadVolume("shadows.png", 16);
  gl::Buffer vertices_, indices_;
  gl::Buffer instances_{kMaxTeapots * sizeof(Instance), nullptr, GL_DYNAMIC_STORAGE_BIT};
  gl::VertexArrayObject array_ = gl::makeVertexArray();
  std::array<Level, kSegments.size()> levels_;
  std::vector<Visible> visible_;  // nearest first
  std::vector<Instance> staged_;
};

}  // namespace satdof
