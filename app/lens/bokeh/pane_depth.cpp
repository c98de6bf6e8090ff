#include "app/lens/bokeh/pane_depth.h"

namespace satdof {

void PaneDepth::draw(const BlendedLayer& layer, const gl::Program& program) const {
  layer.depth->bind(0);
  glBindImageTexture(0, depth_.name(), 0, GL_FALSE, 0, GL_WRITE_ONLY, depth_.format());
  program.dispatch(depth_.size());
}

}  // namespace satdof
