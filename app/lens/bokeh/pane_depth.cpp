#include "app/lens/bokeh/pane_depth.h"

namespace satdof {

void PaneDepth::draw(const BlendedLayer& layer, const gl::Program& program) const {
  program.use();
  layer.depth->bind(0);
  glBindImageTexture(0, depth_.name(), 0, GL_FALSE, 0, GL_WRITE_ONLY, depth_.format());
  const glm::ivec2 groups = (depth_.size() + 15) / 16;
  glDispatchCompute(static_cast<GLuint>(groups.x), static_cast<GLuint>(groups.y), 1);
  glMemoryBarrier(GL_ALL_BARRIER_BITS);
}

}  // namespace satdof
