#pragma once
// The passes of cuda/lens/passes.h, one function each.
#include <cuda_runtime_api.h>

#include <span>

#include "cuda/lens/passes.h"
#include "cuda/runtime/texels.h"

namespace satdof::cuda {

// A PassImage in kernels.
struct PassView {
  cudaSurfaceObject_t surface = 0;  // of PassImage::array
  void* memory = nullptr;
  const Texel* texels() const { return static_cast<const Texel*>(memory); }
};

struct PassViews {
  glsl::ivec2 size;
  bool transposed;
  std::span<const PassView> reads, writes;
  // Elements of a row of a table of an image of this size.
  int pitchOf(glsl::ivec2 ofImage) const { return transposed ? ofImage.y : ofImage.x; }
};

// The images of a pass that blurs pixels by their depth.
struct BlurSurfaces {
  cudaSurfaceObject_t colour, depth, blurred;
  explicit BlurSurfaces(const PassViews& views)
      : colour(views.reads[0].surface), depth(views.reads[1].surface), blurred(views.writes[0].surface) {}
};

void enqueue(const BoxRule& rule, const PassViews& views, cudaStream_t stream);
void enqueue(const ConvolutionRule& rule, const PassViews& views, cudaStream_t stream);
void enqueue(const glsl::TentCellRule& rule, const PassViews& views, cudaStream_t stream);
void enqueue(const glsl::TentRule& rule, const PassViews& views, cudaStream_t stream);
void enqueue(const glsl::FillRule& rule, const PassViews& views, cudaStream_t stream);
void enqueue(const glsl::FarRule& rule, const PassViews& views, cudaStream_t stream);
void enqueue(const glsl::HiddenRule& rule, const PassViews& views, cudaStream_t stream);
void enqueue(const glsl::BackgroundRule& rule, const PassViews& views, cudaStream_t stream);
void enqueue(const glsl::ComposeRule& rule, const PassViews& views, cudaStream_t stream);
void enqueue(const BlendedDepthRule& rule, const PassViews& views, cudaStream_t stream);

}  // namespace satdof::cuda
