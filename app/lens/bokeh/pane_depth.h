#pragma once
#include "app/device/scene_frame.h"
#include "app/gl/objects.h"
#include "app/gl/program.h"

namespace satdof {

// The mean depth of a layer of blended surfaces, as SceneFrame::depth.
class PaneDepth {
 public:
  explicit PaneDepth(glm::ivec2 size) : depth_(GL_R32F, size) {}
  static gl::Program makeProgram() { return gl::Program({"bokeh/pane_depth.comp"}); }

  // `program`: of makeProgram().
  void draw(const BlendedLayer& layer, const gl::Program& program) const;
  const gl::Texture& texture() const { return depth_; }

 private:
  gl::Texture depth_;
};

}  // namespace satdof
