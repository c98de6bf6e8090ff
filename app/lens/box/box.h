#pragma once
#include "app/lens/blur_rule.h"
#include "app/lens/lens.h"

namespace satdof {

// The image as the lens's table sums it: the fixed-point scale follows from the largest radius.
TableSource tableSource(const BlurRule& rule, const LensInputs& inputs);

// As SingleTableLens, blurring where technique.lensOn says. Throws std::runtime_error when that or the device
// is not available.
std::unique_ptr<Lens> makeSingleTableLens(const Technique& technique, const BlurRule& rule);
// With CUDA, from the table while it is still CUDA's, or without one.
std::unique_ptr<Lens> makeCudaSingleTableLens(const Technique& technique, const BlurRule& rule);

// One table of the whole image; every pixel is replaced by the mean over a box with the area of its circle
// of confusion, stretched along x with a thin lens's aperture, clamped to the image:
// shaders/lens/box/box.frag. Eight look-ups a pixel, whatever the radius.
class SingleTableLens : public Lens {
 public:
  // Throws std::runtime_error when the technique's device is not available.
  SingleTableLens(const Technique& technique, const BlurRule& rule);
  SingleTableLens(std::unique_ptr<TableBuilder> device, TableFormat format, const BlurRule& rule);
  void resize(glm::ivec2 size) override;
  void process(const LensInputs& inputs, const gl::Framebuffer& output, Timings& timings) override;
  Table table() const override { return table_; }
  std::string state() const override { return builder_->state(); }

 private:
  const BlurRule& rule_;
  std::unique_ptr<TableBuilder> builder_;
  gl::Program program_;
  Table table_;
};

}  // namespace satdof
