#include <cuda_fp16.h>

#include <stdexcept>
#include <string>

#include "cuda/check.h"
#include "cuda/compact/compactor.h"
#include "cuda/device_array.h"
#include "cuda/lens/highlights.h"
#include "cuda/sat/stage_timer.h"
#include "cuda/sort/sorter.h"
#include "cuda/surface.h"

namespace satdof::cuda {

namespace {

#define SHADER_FUNCTION __device__ inline
#include "shaders/highlights.glsl"
#undef SHADER_FUNCTION

constexpr unsigned kThreads = 256;
constexpr std::uint32_t kPadding = 0xffffffffu;  // after every depth

struct Picture {
  cudaSurfaceObject_t colour, depth;
  std::uint32_t width, pixels;

  __device__ int byteColumn(std::uint32_t pixel, std::size_t texelBytes) const {
    return static_cast<int>(pixel % width * texelBytes);
  }
  __device__ int row(std::uint32_t pixel) const { return static_cast<int>(pixel / width); }
  __device__ float depthAt(std::uint32_t pixel) const {
    return surf2Dread<float>(depth, byteColumn(pixel, sizeof(float)), row(pixel));
  }
  __device__ float3 colourAt(std::uint32_t pixel) const {
    const auto bits = surf2Dread<ushort4>(colour, byteColumn(pixel, sizeof(ushort4)), row(pixel));
    return {__half2float(__ushort_as_half(bits.x)), __half2float(__ushort_as_half(bits.y)),
            __half2float(__ushort_as_half(bits.z))};
  }
};

__device__ HighlightSprite spriteOf(const Picture& picture, const HighlightRule& rule, std::uint32_t pixel) {
  const float3 colour = picture.colourAt(pixel);
  const float depth = picture.depthAt(pixel);
  const float unscaledPx = rule.alpha * depth + rule.beta;
  const float radiusPx = unscaledPx * (unscaledPx < 0.0f ? rule.nearScale : rule.farScale);
  const float part =
      highlightPart(luminance(colour.x, colour.y, colour.z), radiusPx, rule.threshold, rule.minRadiusPx);
  return {static_cast<float>(pixel % picture.width) + 0.5f,
          static_cast<float>(pixel / picture.width) + 0.5f,
          radiusPx,
          depth,
          colour.x * part,
          colour.y * part,
          colour.z * part,
          part};
}

__global__ void __launch_bounds__(kThreads)
    markHighlights(Picture picture, HighlightRule rule, std::uint32_t* __restrict__ flags) {
  const std::uint32_t pixel = blockIdx.x * kThreads + threadIdx.x;
  if (pixel < picture.pixels) flags[pixel] = spriteOf(picture, rule, pixel).part > 0.0f;
}

__global__ void __launch_bounds__(kThreads)
    keyByDepth(Picture picture, const std::uint32_t* __restrict__ pixels,
               const std::uint32_t* __restrict__ kept, std::uint32_t capacity, MutableRecords records,
               cudaSurfaceObject_t command) {
  const std::uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  const std::uint32_t inUse = min(*kept, capacity);
  if (i == 0) surf2Dwrite(uint4{4, inUse, 0, 0}, command, 0, 0);
  if (i >= capacity) return;
  const std::uint32_t pixel = i < inUse ? pixels[i] : 0;
  records.keys[i] = i < inUse ? __float_as_uint(fabsf(picture.depthAt(pixel))) : kPadding;
  records.values[i] = pixel;
}

__global__ void __launch_bounds__(kThreads)
    writeSprites(Picture picture, HighlightRule rule, const std::uint32_t* __restrict__ pixels,
                 const std::uint32_t* __restrict__ kept, std::uint32_t capacity,
                 cudaSurfaceObject_t sprites) {
  const std::uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= min(*kept, capacity)) return;
  const HighlightSprite sprite = spriteOf(picture, rule, pixels[i]);
  const int x = static_cast<int>(i % kSpritesPerRow * sizeof(sprite));
  const int y = static_cast<int>(i / kSpritesPerRow);
  surf2Dwrite(float4{sprite.xPx, sprite.yPx, sprite.radiusPx, sprite.depth}, sprites, x, y);
  surf2Dwrite(float4{sprite.r, sprite.g, sprite.b, sprite.part}, sprites,
              x + static_cast<int>(sizeof(float4)), y);
}

unsigned blocksFor(std::uint32_t threads) { return (threads + kThreads - 1) / kThreads; }

class Collector : public HighlightCollector {
 public:
  explicit Collector(const HighlightOptions& options)
      : width_(static_cast<std::uint32_t>(options.width)),
        pixels_(width_ * static_cast<std::uint32_t>(options.height)),
        capacity_(options.capacity),
        compactor_(makeCompactor(options.compaction, pixels_)),
        sorter_(makeSorter(options.sort, capacity_)),
        flags_(pixels_),
        indices_(pixels_),
        kept_(1),
        records_{DeviceArray<std::uint32_t>(capacity_), DeviceArray<std::uint32_t>(capacity_),
                 DeviceArray<std::uint32_t>(capacity_), DeviceArray<std::uint32_t>(capacity_)} {}

  void collect(cudaArray* colour, cudaArray* depth, const HighlightRule& rule, cudaArray* sprites,
               cudaArray* command, CUstream_st* stream) override {
    const Picture picture{surfaces_.get(colour), surfaces_.get(depth), width_, pixels_};
    const MutableRecords unsorted{records_[0].data(), records_[1].data()};
    const MutableRecords sorted{records_[2].data(), records_[3].data()};

    timer_.begin(stream);
    markHighlights<<<blocksFor(pixels_), kThreads, 0, stream>>>(picture, rule, flags_.data());
    SATDOF_CUDA_LAUNCHED();
    timer_.next(stream);
    compactor_->run(flags_.data(), indices_.data(), kept_.data(), stream);
    timer_.next(stream);
    keyByDepth<<<blocksFor(capacity_), kThreads, 0, stream>>>(picture, indices_.data(), kept_.data(),
                                                              capacity_, unsorted, surfaces_.get(command));
    SATDOF_CUDA_LAUNCHED();
    sorter_->run(unsorted, sorted, stream);
    timer_.next(stream);
    writeSprites<<<blocksFor(capacity_), kThreads, 0, stream>>>(picture, rule, sorted.values, kept_.data(),
                                                                capacity_, surfaces_.get(sprites));
    SATDOF_CUDA_LAUNCHED();
    timer_.next(stream);
  }

  void forgetArrays() override { surfaces_.forget(); }
  std::vector<StageTime> stageTimes() const override { return timer_.times(); }

 private:
  std::uint32_t width_, pixels_, capacity_;
  std::unique_ptr<Compactor> compactor_;
  std::unique_ptr<Sorter> sorter_;
  DeviceArray<std::uint32_t> flags_, indices_, kept_;
  DeviceArray<std::uint32_t> records_[4];
  SurfaceCache surfaces_;
  StageTimer timer_{{"mark highlights", "compact", "sort by depth", "write sprites"}};
};

}  // namespace

std::unique_ptr<HighlightCollector> makeHighlightCollector(const HighlightOptions& options) {
  if (options.width <= 0 || options.height <= 0 || options.capacity == 0)
    throw std::runtime_error("cannot collect " + std::to_string(options.capacity) +
                             " highlights of a picture of " + std::to_string(options.width) + "x" +
                             std::to_string(options.height) + ": all three must be at least 1");
  return std::make_unique<Collector>(options);
}

}  // namespace satdof::cuda
