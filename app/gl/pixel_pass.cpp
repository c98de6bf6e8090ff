#include "app/gl/pixel_pass.h"

#include <utility>
#include <vector>

namespace satdof::gl {

namespace {

std::vector<std::string> filesOf(PixelStage stage, const std::string& name) {
  if (stage == PixelStage::compute) return {name + ".comp"};
  return {"common/fullscreen.vert", name + ".frag"};
}

}  // namespace

PixelPass::PixelPass(PixelStage stage, const std::string& name, Defines defines)
    : stage_(stage), program_(filesOf(stage, name), std::move(defines)) {}

void PixelPass::run(const Texture& output, const Framebuffer& framebuffer) const {
  const glm::ivec2 size = output.size();
  if (stage_ == PixelStage::fragment) {
    program_.use();
    drawFullScreen(framebuffer.name(), size);
    return;
  }
  glBindImageTexture(0, output.name(), 0, GL_FALSE, 0, GL_WRITE_ONLY, output.format());
  program_.dispatch(size);
}

}  // namespace satdof::gl
