#pragma once
#include "app/lens/blur_rule.h"
#include "app/lens/lens.h"

namespace satdof {

// The picture as the lens's table sums it: the fixed-point scale follows from the largest radius.
SatSource tableSource(const BlurRule& rule, const LensInputs& inputs);

// As SingleTableLens, blurring where method.lensOn says. Throws std::runtime_error when that or the backend
// is not available.
std::unique_ptr<Lens> makeSingleTableLens(const Method& method, const BlurRule& rule);
// With CUDA, from the table while it is still CUDA's, or without one.
std::unique_ptr<Lens> makeCudaSingleTableLens(const Method& method, const BlurRule& rule);

// One table of the whole picture; every pixel is replaced by the mean over a box with the area of its circle
// of confusion, stretched along x with a thin lens's aperture, clamped to the picture:
// shaders/lens/box/box.frag. Eight look-ups a pixel, whatever the radius.
class SingleTableLens : public Lens {
 public:
  // Throws std::runtime_error when the method's backend is not available.
  SingleTableLens(const Method& method, const BlurRule& rule);
  SingleTableLens(std::unique_ptr<SatBackend> backend, SatFormat format, const BlurRule& rule);
  void resize(glm::ivec2 size) override;
  void process(const LensInputs& inputs, const gl::Framebuffer& output, Timings& timings) override;
  SatView table() const override { return table_; }
  std::string state() const override { return backend_->state(); }

 private:
  const BlurRule& rule_;
  std::unique_ptr<SatBackend> backend_;
  gl::Program program_;
  SatView table_;
};

}  // namespace satdof
