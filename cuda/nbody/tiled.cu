#include "cuda/block/divide.h"
#include "cuda/nbody/tiled.cuh"

#include "cuda/nbody/factories.h"
#include "cuda/runtime/check.h"
#include "cuda/runtime/device.h"
#include "cuda/runtime/device_array.h"
#include "cuda/runtime/launch.cuh"
#include "cuda/runtime/stage_timer.h"

namespace satdof::cuda {

namespace {

using Shape = TileShape<128, 8>;  // the fastest of 20 measured on an H100
constexpr unsigned kSumThreads = 256;

// accelerations[i] = the sum of the partial fields of body i, in the order of the chunks.
__global__ void __launch_bounds__(kSumThreads) sumChunks(const float4* __restrict__ partial, std::uint32_t bodies,
                                                         std::uint32_t chunks, float4* __restrict__ accelerations) {
  const std::uint32_t i = blockIdx.x * kSumThreads + threadIdx.x;
  if (i >= bodies) return;
  Field field;
#pragma unroll 4
  for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
    const float4 part = partial[std::size_t{chunk} * bodies + i];
    field += Field{part.x, part.y, part.z, part.w};
  }
  accelerations[i] = {field.x, field.y, field.z, field.potential};
}

PairSplit splitForDevice(std::uint32_t bodies) {
  int blocks = 0;
  SATDOF_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sumTiles<Shape, false>, Shape::threads, 0));
  return splitPairs(bodies, Shape::group, static_cast<unsigned>(blocks) * device().multiprocessors);
}

// All pairs, with tiles of sources in shared memory (Nyland, Harris, Prins 2007: GPU Gems 3, chapter 31). If
// the targets alone do not fill the device, the sources are split in chunks, too; their partial sums are
// added in a fixed order.
class TiledGravity : public Gravity {
 public:
  explicit TiledGravity(const GravityOptions& options)
      : bodies_(options.bodies),
        softeningSquared_(options.softening * options.softening),
        split_(splitForDevice(options.bodies)),
        partial_(split_.chunks > 1 ? std::size_t{split_.chunks} * options.bodies : 0) {}

  void run(const float4* positions, float4* accelerations, bool withPotential, CUstream_st* stream) override {
    timer_.begin(stream);
    const auto kernel = withPotential ? sumTiles<Shape, true> : sumTiles<Shape, false>;
    float4* const sums = split_.chunks > 1 ? partial_.data() : accelerations;
    launch(kernel, {split_.blocks(), Shape::threads, 0, stream}, positions, bodies_, split_, softeningSquared_, sums);
    timer_.next(stream);
    if (split_.chunks > 1) {
      launch(sumChunks, {blocksFor(bodies_, kSumThreads), kSumThreads, 0, stream}, partial_.data(), bodies_,
             split_.chunks, accelerations);
    }
    timer_.next(stream);
  }
  std::vector<StageTime> stageTimes() const override { return timer_.times(); }
  size_t runs() const override { return timer_.builds(); }

 private:
  std::uint32_t bodies_;
  float softeningSquared_;
  PairSplit split_;
  DeviceArray<float4> partial_;
  StageTimer timer_{{"forces", "sum"}};
};

}  // namespace

std::unique_ptr<Gravity> makeTiledGravity(const GravityOptions& options) {
  return std::make_unique<TiledGravity>(options);
}

}  // namespace satdof::cuda
