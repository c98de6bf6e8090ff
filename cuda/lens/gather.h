#pragma once
#include <memory>

#include "cuda/runtime/work.h"
#include "cuda/scan/element_type.h"
#include "shaders/lens/thin_lens.h"

// The box lens on CUDA, behind plain C++: shaders/lens/box/box.frag, and slower ways to the same blur.
namespace satdof::cuda {

// Signed radius in pixels at depth d = nearM / z, as in shaders/lens/thin_lens.glsl. thinLens:
// alpha d + beta; linear: in distance, up to fullRadiusPx at rangeM from focusM.
struct RadiusRule {
  enum class Kind { thinLens, linear };
  Kind kind = Kind::thinLens;
  ThinLens lens;  // linear: only the anamorphic ratio
  float nearM = 0.1f, focusM = 1.0f, rangeM = 1.0f, fullRadiusPx = 0.0f;
  bool operator==(const RadiusRule&) const = default;
};

// Arrays of the image's size, made or registered for surface load/store. colour and blurred: RGBA16F,
// depth: R32F.
struct GatherImages {
  cudaArray* colour = nullptr;
  cudaArray* depth = nullptr;
  cudaArray* blurred = nullptr;
  bool operator==(const GatherImages&) const = default;
};

// An inclusive table of the image, as TableBuilder writes it. Elements count `unit` each; `offset` is added
// to a mean.
struct GatherTable {
  cudaArray* array = nullptr;
  bool transposed = false;
  ElementType type = ElementType::uint32;
  float unit = 1.0f;
  float offset[4] = {0, 0, 0, 0};
  bool operator==(const GatherTable&) const = default;
};

// Without a table: every pixel of the box summed, O(r^2) a pixel; or the box along x, then along y, O(r) a
// pixel, which is the same blur only where the radius is constant, and weighs a fractional box's corners by
// the product of its edges' weights.
enum class Convolution { direct, separable };

// Blurs images of one size. Owns its scratch memory; no call allocates or waits, once it has seen its
// arrays.
class Gather : public Work {  // one stage, "lens"
 public:
  // Enqueues the blur by eight table look-ups a pixel, whatever the radius.
  virtual void gather(const GatherImages& images, const GatherTable& table, const RadiusRule& rule,
                      CUstream_st* stream) = 0;
  // Enqueues the blur without a table.
  virtual void convolve(const GatherImages& images, Convolution convolution, const RadiusRule& rule,
                        CUstream_st* stream) = 0;
};

// Throws std::runtime_error when memory runs out.
std::unique_ptr<Gather> makeGather(int width, int height);

}  // namespace satdof::cuda
