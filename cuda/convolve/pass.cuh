#pragma once
#include <algorithm>
#include <stdexcept>
#include <string>

#include "cuda/convolve/kernels.cuh"
#include "cuda/runtime/device_array.h"
#include "cuda/runtime/launch.cuh"

namespace satdof::cuda {

// Throws std::runtime_error unless `extent` and `passes` are as makeConvolver() requires.
template <class W>
void requireValid(Extent extent, const MaskPasses<W>& passes) {
  const auto refuse = [](const std::string& what, const char* cure) {
    throw std::runtime_error("cannot convolve " + what + ": " + cure);
  };
  if (extent.width < 0 || extent.height < 0 || extent.width > 1 << 30 || extent.height > 65535)
    refuse(std::to_string(extent.width) + " x " + std::to_string(extent.height) + " elements",
           "choose at most 1073741824 x 65535");
  if (passes.empty() || passes.size() > 2)
    refuse("in " + std::to_string(passes.size()) + " passes", "give one mask or the two factors of one");
  for (const Mask<W>& mask : passes) {
    const std::string size = "by a mask of " + std::to_string(mask.width) + " x " + std::to_string(mask.height);
    const auto odd = [](int side) { return side >= 1 && side <= kMaxMaskSide && side % 2 == 1; };
    if (!odd(mask.width) || !odd(mask.height)) refuse(size, "sides must be odd, from 1 to 63");
    if (mask.weights.size() != static_cast<size_t>(mask.width) * static_cast<size_t>(mask.height))
      refuse(size + " with " + std::to_string(mask.weights.size()) + " weights", "give one weight an element");
  }
}

// The convolution by one mask with one variant, for any source and sink (kernels.cuh).
template <class W>
class Pass {
 public:
  Pass(Convolve variant, Extent extent, const Mask<W>& mask) : variant_(variant), extent_(extent), mask_(mask) {
    if (variant_ != Convolve::naive) return;
    weights_ = DeviceArray<W>(mask.weights.size());
    SATDOF_CUDA(cudaMemcpy(weights_.data(), mask.weights.data(), weights_.bytes(), cudaMemcpyHostToDevice));
  }

  template <class Source, class Sink>
  void run(const Source& source, const Sink& sink, cudaStream_t stream) const {
    if (extent_.width == 0 || extent_.height == 0) return;
    const MaskShape shape{mask_.width, mask_.height};
    const bool tiled = variant_ == Convolve::tiled, row = mask_.height == 1;
    if (variant_ == Convolve::naive && row)
      enqueue<RowBlock>(source, sink, GlobalMask<W>{weights_.data(), shape}, stream);
    else if (variant_ == Convolve::naive)
      enqueue<TallBlock>(source, sink, GlobalMask<W>{weights_.data(), shape}, stream);
    else if (tiled)
      runTiles(source, sink, stream);
    else if (row)
      enqueue<RowBlock>(source, sink, parameter<kMaxMaskSide>(), stream);
    else
      withParameter([&](const auto& mask) { enqueue<TallBlock>(source, sink, mask, stream); });
  }

  // run() of Convolve::tiled, for several images of one size: source and sink select theirs by blockIdx.z.
  template <class Source, class Sink>
  void runTiles(const Source& source, const Sink& sink, cudaStream_t stream, unsigned images = 1) const {
    if (mask_.height == 1)
      enqueueTiles<RowBlock>(source, sink, parameter<kMaxMaskSide>(), stream, images);
    else
      withParameter([&](const auto& mask) { enqueueTiles<TileBlock>(source, sink, mask, stream, images); });
  }

 private:
  template <int kCapacity>
  ConstantMask<W, kCapacity> parameter() const {
    ConstantMask<W, kCapacity> mask{{}, {mask_.width, mask_.height}};
    std::copy(mask_.weights.begin(), mask_.weights.end(), mask.weights);
    return mask;
  }
  // Calls launch(mask) with the mask as a kernel parameter. A launch copies its parameters, so there are
  // three sizes: 252 bytes, 3.8 KB and 15.9 KB of weights.
  template <class Launch>
  void withParameter(const Launch& launch) const {
    constexpr int kHalfSide = kMaxMaskSide / 2;
    const size_t count = mask_.weights.size();
    if (count <= kMaxMaskSide)
      launch(parameter<kMaxMaskSide>());
    else if (count <= kHalfSide * kHalfSide)
      launch(parameter<kHalfSide * kHalfSide>());
    else
      launch(parameter<kMaxMaskSide * kMaxMaskSide>());
  }

  template <class Block, class Source, class Sink, class Parameter>
  void enqueue(const Source& source, const Sink& sink, const Parameter& mask, cudaStream_t stream) const {
    launch(convolveFromMemory<Block, Source, Sink, Parameter>,
           {gridFor<Block>(extent_), dim3(Block::kWide, Block::kHigh), 0, stream}, source, sink, extent_.width,
           extent_.height, mask);
  }
  template <class Block, class Source, class Sink, class Parameter>
  void enqueueTiles(const Source& source, const Sink& sink, const Parameter& mask, cudaStream_t stream,
                    unsigned images) const {
    const auto kernel = convolveTiles<Block, Source, Sink, Parameter>;
    const size_t bytes = sizeof(typename Source::Stored) * static_cast<size_t>(Block::kWide + mask_.width - 1) *
                         static_cast<size_t>(Block::kHigh * Block::kRows + mask_.height - 1);
    constexpr size_t kDefaultSharedBytes = 48 << 10;
    if (bytes > kDefaultSharedBytes)
      SATDOF_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
    const dim3 grid = gridFor<Block>(extent_);
    launch(kernel, {{grid.x, grid.y, images}, dim3(Block::kWide, Block::kHigh), bytes, stream}, source, sink,
           extent_.width, extent_.height, mask);
  }

  Convolve variant_;
  Extent extent_;
  Mask<W> mask_;
  DeviceArray<W> weights_;  // for Convolve::naive only
};

}  // namespace satdof::cuda
