#pragma once
#include <string>

#include "app/gl/program.h"

namespace satdof::gl {

// The shader stage of a pass over all pixels.
enum class PixelStage { fragment, compute };

// A pass over all pixels of an image: shaders/NAME.frag with one output, or shaders/NAME.comp, which writes image unit
// 0 in work groups of 16 x 16.
class PixelPass {
 public:
  PixelPass(PixelStage stage, const std::string& name, Defines defines = {});
  const Program& program() const { return program_; }
  // Binds the program and writes every pixel of `output`. `framebuffer`: of `output`, for PixelStage::fragment.
  void run(const Texture& output, const Framebuffer& framebuffer) const;

 private:
  PixelStage stage_;
  Program program_;
};

}  // namespace satdof::gl
