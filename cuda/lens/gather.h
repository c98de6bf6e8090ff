#pragma once
#include <memory>

#include "cuda/runtime/texels.h"
#include "cuda/runtime/work.h"
#include "cuda/scan/element_type.h"
#include "shaders/lens/thin_lens.h"

// The box lens on CUDA, as shaders/lens/box/box.frag, and the same blur without a table.
namespace satdof::cuda {

// How depth d = nearM / z becomes a signed radius in pixels. thinLens: signedRadius() of
// shaders/lens/thin_lens.glsl; linear: linearRadius().
struct RadiusRule {
  enum class Kind { thinLens, linear };
  Kind kind = Kind::thinLens;
  ThinLens lens;  // linear: only the anamorphic ratio
  float nearM = 0.1f, focusM = 1.0f, rangeM = 1.0f, fullRadiusPx = 0.0f;
  bool operator==(const RadiusRule&) const = default;
};

// Arrays of the image's size for surface load and store. colour and blurred: RGBA16F; depth: R32F.
struct GatherImages {
  cudaArray* colour = nullptr;
  cudaArray* depth = nullptr;
  cudaArray* blurred = nullptr;
  bool operator==(const GatherImages&) const = default;
};

// An inclusive table of the image in device memory, as TableBuilder writes it. Elements are in units of `unit`; `offset` is
// added to a mean.
struct GatherTable {
  const Texel* rows = nullptr;
  bool transposed = false;
  ElementType type = ElementType::uint32;
  float unit = 1.0f;
  float offset[4] = {0, 0, 0, 0};
  bool operator==(const GatherTable&) const = default;
};

// The blur without a table. direct: sums every pixel of the box, O(r^2) a pixel. separable: sums along x,
// then along y, O(r) a pixel; equal to direct only where the radius is constant, and the corners of a
// fractional box have the product of the weights of its edges.
enum class Convolution { direct, separable };

// Blurs images of one size. Owns its scratch memory. No call allocates or waits, except the first with new
// arrays.
class Gather : public Work {  // one stage, "lens"
 public:
  // Enqueues the blur by eight table look-ups a pixel, at any radius.
  virtual void gather(const GatherImages& images, const GatherTable& table, const RadiusRule& rule,
                      CUstream_st* stream) = 0;
  // Enqueues the blur without a table.
  virtual void convolve(const GatherImages& images, Convolution convolution, const RadiusRule& rule,
                        CUstream_st* stream) = 0;
};

// Throws std::runtime_error if memory runs out.
std::unique_ptr<Gather> makeGather(int width, int height);

}  // namespace satdof::cuda
