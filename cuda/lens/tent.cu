#include "cuda/lens/tent.h"
#include "cuda/runtime/launch.cuh"

#include "cuda/lens/image.cuh"
#include "cuda/runtime/stage_timer.h"
#include "cuda/runtime/surface.h"

namespace satdof::cuda {

namespace {

using namespace glsl;

__global__ void __launch_bounds__(kPixelThreads)
    quantiseCells(cudaSurfaceObject_t colour, ivec2 size, const TentRule rule, uint4* __restrict__ cells) {
  const ivec2 cell = pixelOfThread();
  if (cell.x >= rule.size.x || cell.y >= rule.size.y) return;
  const ivec2 from = cell * rule.shrink, to = glsl::min(from + rule.shrink, size);
  vec3 sum(0.0f);
  for (int y = from.y; y < to.y; ++y)
    for (int x = from.x; x < to.x; ++x) {
      const vec4 light = colourAt(colour, {x, y});
      sum += tentLight(rule, vec3(light.x, light.y, light.z));
    }
  const uvec4 words = tentCell(rule, cell, sum, (to.x - from.x) * (to.y - from.y));
  cells[static_cast<size_t>(cell.y) * rule.size.x + cell.x] = {words.x, words.y, words.z, words.w};
}

struct Surfaces {
  cudaSurfaceObject_t colour, depth, blurred;
};

template <int kShrink>
__global__ void __launch_bounds__(kPixelThreads)
    blurTents(const Surfaces surfaces, Table<unsigned> table, bool transposed, TentRule rule, ivec2 size) {
  const ivec2 pixel = pixelOfThread();
  if (pixel.x >= size.x || pixel.y >= size.y) return;
  rule.shrink = kShrink;
  setColour(surfaces.blurred, pixel,
            tentBlurred(table, transposed, rule, pixel, colourAt(surfaces.colour, pixel),
                        signedRadius(rule.lens, valueAt(surfaces.depth, pixel))));
}

class TentOnDevice : public Tent {
 public:
  TentOnDevice(int width, int height) : size_(width, height) {}

  void quantise(cudaArray* colour, const TentRule& rule, Texel* cells, CUstream_st* stream) override {
    quantiseTimer_.begin(stream);
    launch(quantiseCells, {pixelBlocks(rule.size.x, rule.size.y), kPixelThreads, 0, stream},
           surfaces_.get(colour), size_, rule, reinterpret_cast<uint4*>(cells));
    quantiseTimer_.next(stream);
  }

  void blur(const TentImages& images, const Texel* table, bool transposed, const TentRule& rule,
            CUstream_st* stream) override {
    const Surfaces surfaces{surfaces_.get(images.colour), surfaces_.get(images.depth),
                            surfaces_.get(images.blurred)};
    const auto kernel = rule.shrink == 1 ? blurTents<1> : blurTents<2>;
    blurTimer_.begin(stream);
    launch(kernel, {pixelBlocks(size_.x, size_.y), kPixelThreads, 0, stream}, surfaces,
           {table, transposed ? rule.size.y : rule.size.x}, transposed, rule, size_);
    blurTimer_.next(stream);
  }

  void forgetArrays() override { surfaces_.forget(); }
  size_t runs() const override { return blurTimer_.builds(); }
  std::vector<StageTime> stageTimes() const override { return timesOf(quantiseTimer_, blurTimer_); }

 private:
  ivec2 size_;
  SurfaceCache surfaces_;
  StageTimer quantiseTimer_{{"quantise"}}, blurTimer_{{"lens"}};
};

}  // namespace

std::unique_ptr<Tent> makeTent(int width, int height) {
  return std::make_unique<TentOnDevice>(width, height);
}

}  // namespace satdof::cuda
