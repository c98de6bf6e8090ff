#include <stdexcept>
#include <string>

#include "cuda/block/divide.h"
#include "cuda/block/warp.cuh"
#include "cuda/compact/compactor.h"
#include "cuda/lens/bokeh.h"
#include "cuda/lens/image.cuh"
#include "cuda/lens/passes.cuh"
#include "cuda/runtime/device_array.h"
#include "cuda/runtime/launch.cuh"
#include "cuda/runtime/timed_work.h"
#include "cuda/sort/sorter.h"
#include "shaders/bokeh/sprite.h"

namespace satdof::cuda {

namespace {

using namespace glsl;

struct Tuning {
  static constexpr unsigned threads = 256;
  static constexpr unsigned tile = satdof::kMaxCellPx;  // side of the tile of a block; cells do not cross tiles
  static constexpr unsigned writingBlocks = 512;
};
static_assert(Tuning::tile * Tuning::tile == Tuning::threads);

constexpr std::uint32_t kPadding = 0xffffffffu;  // sorts after every depth

struct Image {
  cudaSurfaceObject_t colour, depth;
  std::uint32_t width, height;
  BokehRule rule;

  __device__ float depthAt(std::uint32_t x, std::uint32_t y) const { return valueAt(depth, ivec2(x, y)); }
  __device__ Highlight highlightAt(std::uint32_t x, std::uint32_t y) const {
    const vec4 light = colourAt(colour, ivec2(x, y));
    return highlightOf(rule, vec3(light.x, light.y, light.z), depthAt(x, y));
  }
};

// The radii of shaders/bokeh/first.glsl.
struct TileRadii {
  float (*rows)[Tuning::tile];
  __device__ float radiusAt(ivec2 pixel) const { return rows[pixel.y][pixel.x]; }
};

// Flags each pixel that is the first highlight of its even (x) or odd (y) kind in its cell: see isFirst().
// Shared memory holds the radii of the tile.
__global__ void __launch_bounds__(Tuning::threads) markFirsts(Image image, uint2* __restrict__ flags) {
  __shared__ float radii[Tuning::tile][Tuning::tile];
  const std::uint32_t x = blockIdx.x * Tuning::tile + threadIdx.x;
  const std::uint32_t y = blockIdx.y * Tuning::tile + threadIdx.y;
  const bool inside = x < image.width && y < image.height;
  const float radius = inside ? image.highlightAt(x, y).radius : 0.0f;
  radii[threadIdx.y][threadIdx.x] = radius;
  __syncthreads();
  if (!inside) return;
  const auto first = [&](uint parity) {
    return isFirst(TileRadii{radii}, ivec2(threadIdx.x, threadIdx.y), int{Tuning::tile}, parity);
  };
  flags[y * image.width + x] = uint2{first(0), first(1)};
}

// Writes the records to sort: the depth of the first pixel of each sprite, and its element. Writes the command.
__global__ void __launch_bounds__(Tuning::threads)
    keyByDepth(Image image, const std::uint32_t* __restrict__ elements, const std::uint32_t* __restrict__ kept,
               std::uint32_t capacity, MutableRecords records, cudaSurfaceObject_t command) {
  const std::uint32_t i = blockIdx.x * Tuning::threads + threadIdx.x;
  const std::uint32_t inUse = *kept > capacity ? 0 : *kept;
  if (i == 0) surf2Dwrite(uint4{kSpriteVertices, inUse, 0, 0}, command, 0, 0);
  if (i >= capacity) return;
  const std::uint32_t element = i < inUse ? elements[i] : 0, pixel = pixelOf(element);
  const float depth = image.depthAt(pixel % image.width, pixel / image.width);
  records.keys[i] = i < inUse ? __float_as_uint(fabsf(depth)) : kPadding;
  records.values[i] = element;
}

// Writes the texels of the sprites. A warp sums the cell of a sprite, in a fixed order.
__global__ void __launch_bounds__(Tuning::threads)
    writeSprites(Image image, const std::uint32_t* __restrict__ elements, const std::uint32_t* __restrict__ kept,
                 std::uint32_t capacity, cudaSurfaceObject_t sprites) {
  constexpr unsigned kWarps = Tuning::threads / kWarpSize;
  const std::uint32_t inUse = *kept > capacity ? 0 : *kept;
  const unsigned lane = threadIdx.x % kWarpSize;
  for (std::uint32_t i = blockIdx.x * kWarps + threadIdx.x / kWarpSize; i < inUse; i += gridDim.x * kWarps) {
    const std::uint32_t first = pixelOf(elements[i]), firstX = first % image.width, firstY = first / image.width;
    const uint parity = parityOf(elements[i]);
    const uint kind = highlightKind(image.highlightAt(firstX, firstY).radius, parity);
    const int level = cellLevel(kind);
    const std::uint32_t left = firstX >> level << level, bottom = firstY >> level << level;
    BokehMoments sum = noMoments();
    for (unsigned at = lane; at < 1u << 2 * level; at += kWarpSize) {
      const std::uint32_t x = left + (at & ((1u << level) - 1)), y = bottom + (at >> level);
      if (x >= image.width || y >= image.height) continue;
      const Highlight other = image.highlightAt(x, y);
      if (highlightKind(other.radius, parity) != kind) continue;
      sum = withHighlight(sum, other, kindPart(other.radius, parity), vec2(x, y) - vec2(firstX, firstY));
    }
    static_assert(sizeof(BokehMoments) == 11 * sizeof(float));
    for (float* part : {&sum.weight, &sum.radius, &sum.pixels, &sum.centre.x, &sum.centre.y, &sum.variance.x,
                        &sum.variance.y, &sum.variance.z, &sum.light.x, &sum.light.y, &sum.light.z})
      *part = sumLanes(*part);
    if (lane != 0) continue;
    const SpriteTexels texels = spriteTexels(sum, vec2(firstX, firstY), image.depthAt(firstX, firstY));
    const int column = static_cast<int>(i % kSpritesPerRow * sizeof(BokehSprite));
    const int row = static_cast<int>(i / kSpritesPerRow);
    const auto write = [&](const vec4& texel, int place) {
      surf2Dwrite(float4{texel.x, texel.y, texel.z, texel.w}, sprites,
                  column + place * static_cast<int>(sizeof(float4)), row);
    };
    write(texels.place, 0);
    write(texels.light, 1);
    write(texels.shape, 2);
  }
}

// As shaders/bokeh/reduce.comp.
__global__ void __launch_bounds__(kPixelThreads) reduceImage(Image image, const std::uint32_t* __restrict__ kept,
                                                             std::uint32_t capacity, cudaSurfaceObject_t reduced) {
  const ivec2 pixel = pixelOfThread();
  const auto x = static_cast<std::uint32_t>(pixel.x), y = static_cast<std::uint32_t>(pixel.y);
  if (x >= image.width || y >= image.height) return;
  vec4 light = colourAt(image.colour, pixel);
  if (*kept <= capacity) {
    const vec3 ofSprite = image.highlightAt(x, y).light;
    light = vec4(light.x - ofSprite.x, light.y - ofSprite.y, light.z - ofSprite.z, light.w);
  }
  setColour(reduced, pixel, light);
}

class Collector : public TimedWork<BokehCollector> {
 public:
  explicit Collector(const BokehOptions& options)
      : TimedWork({"mark highlights", "compact", "sort by depth", "write sprites", "highlights"}),
        width_(static_cast<std::uint32_t>(options.width)),
        height_(static_cast<std::uint32_t>(options.height)),
        capacity_(options.capacity),
        compactor_(makeCompactor(options.compaction, 2 * width_ * height_, options.scan)),
        sorter_(makeSorter(options.sort, capacity_, options.scan)),
        flags_(2 * width_ * height_),
        indices_(2 * width_ * height_),
        kept_(1),
        records_{DeviceArray<std::uint32_t>(capacity_), DeviceArray<std::uint32_t>(capacity_),
                 DeviceArray<std::uint32_t>(capacity_), DeviceArray<std::uint32_t>(capacity_)} {}

  void collect(const BokehArrays& arrays, const BokehRule& rule, CUstream_st* stream) override {
    const Image image{surfaces_.get(arrays.colour), surfaces_.get(arrays.depth), width_, height_, rule};
    const MutableRecords unsorted{records_[0].data(), records_[1].data()};
    const MutableRecords sorted{records_[2].data(), records_[3].data()};

    timer_.begin(stream);
    constexpr unsigned kTile = Tuning::tile;
    const dim3 tiles((width_ + kTile - 1) / kTile, (height_ + kTile - 1) / kTile);
    launch(markFirsts, {tiles, dim3(kTile, kTile), 0, stream}, image, reinterpret_cast<uint2*>(flags_.data()));
    timer_.next(stream);
    compactor_->run(flags_.data(), indices_.data(), kept_.data(), stream);
    timer_.next(stream);
    launch(keyByDepth, {blocksFor(capacity_, Tuning::threads), Tuning::threads, 0, stream}, image, indices_.data(),
           kept_.data(), capacity_, unsorted, surfaces_.get(arrays.command));
    sorter_->run(unsorted, sorted, stream);
    timer_.next(stream);
    launch(writeSprites, {Tuning::writingBlocks, Tuning::threads, 0, stream}, image, sorted.values, kept_.data(),
           capacity_, surfaces_.get(arrays.sprites));
    timer_.next(stream);
    if (arrays.reduced != nullptr) {
      launch(reduceImage, {pixelBlocks(static_cast<int>(width_), static_cast<int>(height_)), kPixelThreads, 0, stream},
             image, kept_.data(), capacity_, surfaces_.get(arrays.reduced));
    }
    timer_.next(stream);
  }

 private:
  std::uint32_t width_, height_, capacity_;
  std::unique_ptr<Compactor> compactor_;
  std::unique_ptr<Sorter> sorter_;
  DeviceArray<std::uint32_t> flags_, indices_, kept_;
  DeviceArray<std::uint32_t> records_[4];
};

// As shaders/bokeh/blended_depth.comp.
__global__ void __launch_bounds__(kPixelThreads)
    drawBlendedDepth(cudaSurfaceObject_t sums, ivec2 size, cudaSurfaceObject_t depth) {
  const ivec2 pixel = pixelOfThread();
  if (pixel.x >= size.x || pixel.y >= size.y) return;
  setValue(depth, pixel, meanDepth(colourAt(sums, pixel)));
}

}  // namespace

std::unique_ptr<BokehCollector> makeBokehCollector(const BokehOptions& options) {
  if (options.width <= 0 || options.height <= 0 || options.capacity == 0)
    throw std::runtime_error("cannot collect " + std::to_string(options.capacity) + " bokeh sprites of an image of " +
                             std::to_string(options.width) + "x" + std::to_string(options.height) +
                             ": all three must be at least 1");
  return std::make_unique<Collector>(options);
}

void enqueue(const BlendedDepthRule&, const PassViews& views, cudaStream_t stream) {
  launch(drawBlendedDepth, {pixelBlocks(views.size.x, views.size.y), kPixelThreads, 0, stream}, views.reads[0].surface,
         views.size, views.writes[0].surface);
}

}  // namespace satdof::cuda
