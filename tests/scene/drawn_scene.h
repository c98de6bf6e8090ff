#pragma once
#include <glm/vec4.hpp>
#include <utility>
#include <vector>

#include "app/scene/scene.h"

namespace satdof::test {

// A frame and its texels. Row 0 is the bottom row.
struct DrawnScene {
  SceneFrame frame;
  std::vector<glm::vec4> colour;
  std::vector<float> depth;
  float depthAt(glm::ivec2 pixel) const { return depth[static_cast<std::size_t>(pixel.y * frame.size.x + pixel.x)]; }
};

// The texels start as -7, which no scene draws.
inline DrawnScene download(const SceneFrame& frame) {
  const auto pixels = static_cast<std::size_t>(frame.size.x * frame.size.y);
  DrawnScene drawn{frame, std::vector<glm::vec4>(pixels, glm::vec4(-7.0f)), std::vector<float>(pixels, -7.0f)};
  glGetTextureImage(frame.colour->name(), 0, GL_RGBA, GL_FLOAT, static_cast<GLsizei>(pixels * 16), drawn.colour.data());
  glGetTextureImage(frame.depth->name(), 0, GL_RED, GL_FLOAT, static_cast<GLsizei>(pixels * 4), drawn.depth.data());
  return drawn;
}

inline DrawnScene draw(Scene& scene, Targets& targets, const SceneView& view = {}) {
  static Timings timings;
  timings.beginFrame();
  const SceneFrame frame = scene.draw(view, targets, timings);
  timings.endFrame();
  return download(frame);
}

// A copy of the depth, for SceneView::behind.
inline gl::Texture depthTexture(const DrawnScene& drawn) {
  const glm::ivec2 size = drawn.frame.size;
  gl::Texture texture(GL_R32F, size);
  glTextureSubImage2D(texture.name(), 0, 0, 0, size.x, size.y, GL_RED, GL_FLOAT, drawn.depth.data());
  return texture;
}

// The first and the second depth layer of a scene.
inline std::pair<DrawnScene, DrawnScene> drawLayers(Scene& scene, Targets& targets, SceneView view) {
  DrawnScene first = draw(scene, targets, view);
  const gl::Texture behind = depthTexture(first);
  view.behind = &behind;
  DrawnScene second = draw(scene, targets, view);
  return {std::move(first), std::move(second)};
}

}  // namespace satdof::test
