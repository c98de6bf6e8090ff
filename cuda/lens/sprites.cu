#include "cuda/lens/sprites.h"

#include <algorithm>

#include "cuda/lens/image.cuh"
#include "cuda/runtime/device_array.h"
#include "cuda/runtime/launch.cuh"
#include "cuda/runtime/timed_work.h"
#include "shaders/bokeh/bins.h"
#include "shaders/bokeh/sprite.h"

namespace satdof::cuda {

namespace {

using namespace glsl;

constexpr struct {
  int binThreads = 1024;
  int prepareBlocks = 64;
  int tileBlocks = 4;  // of addSprites(), resident on a multiprocessor
} kTuning;
constexpr int kTile = kSpriteTilePx, kParts = kSpriteParts, kTileThreads = kTile * kTile * kParts,
              kTileWarps = kTileThreads / 32;

// The tiles of shaders/bokeh/depth_tiles.glsl.
struct DepthTiles {
  float* depth;
  ivec2 size;
  __device__ float tileDepthAt(ivec2 tile) const { return depth[tile.y * size.x + tile.x]; }
};

struct Bins {
  unsigned* indices;  // `listLength` entries for each bin, in the order of the sprites
  unsigned* counts;   // of the sprites that reach each bin; the list is incomplete if the count is larger
  unsigned* order;    // the bins, fullest first
  unsigned listLength;
  int side, columns, count;
};

// Ranks in a block.
template <int kBlockWarps>
struct Compaction {
  unsigned counts[kBlockWarps];  // by warp

  // Returns the number of threads before this one that set `taken`, and the number of all that do. All threads must
  // call it.
  __device__ uint2 place(bool taken) {
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned votes = __ballot_sync(0xffffffffu, taken);
    if (lane == 0) counts[warp] = __popc(votes);
    __syncthreads();
    unsigned before = 0, all = 0;
#pragma unroll
    for (unsigned i = 0; i < kBlockWarps; ++i) {
      if (i == warp) before = all;
      all += counts[i];
    }
    __syncthreads();
    return {before + __popc(votes & ((1u << lane) - 1)), all};
  }
};

// Writes the nearest depth of each tile. A warp for each tile.
__global__ void __launch_bounds__(kPixelThreads)
    findDepthTiles(cudaSurfaceObject_t depth, ivec2 size, const DepthTiles tiles) {
  const int tile = static_cast<int>(blockIdx.x * (kPixelThreads / 32) + threadIdx.x / 32);
  if (tile >= tiles.size.x * tiles.size.y) return;
  const ivec2 first = ivec2(tile % tiles.size.x, tile / tiles.size.x) * kDepthTilePx;
  float nearest = 0.0f;
  for (int i = static_cast<int>(threadIdx.x % 32); i < kDepthTilePx * kDepthTilePx; i += 32)
    nearest = max(nearest, valueAt(depth, glsl::min(first + ivec2(i % kDepthTilePx, i / kDepthTilePx), size - 1)));
  for (int offset = 16; offset > 0; offset /= 2) nearest = max(nearest, __shfl_xor_sync(0xffffffffu, nearest, offset));
  if (threadIdx.x % 32 == 0) tiles.depth[tile] = nearest;
}

// As shaders/bokeh/prepare.comp.
__global__ void __launch_bounds__(kPixelThreads)
    prepareSprites(cudaSurfaceObject_t sprites, cudaSurfaceObject_t command, const SpriteRule rule,
                   const DepthTiles tiles, PreparedSprite* __restrict__ prepared) {
  const unsigned count = surf2Dread<uint4>(command, 0, 0).y;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const auto texel = [&](int k) {
      const auto read =
          surf2Dread<float4>(sprites, static_cast<int>(i % kSpritesPerRow * sizeof(BokehSprite) + k * sizeof(float4)),
                             static_cast<int>(i / kSpritesPerRow));
      return vec4(read.x, read.y, read.z, read.w);
    };
    prepared[i] = preparedSprite(tiles, rule, tiles.size, texel(0), texel(1), texel(2));
  }
}

__device__ vec2 placeOf(const PreparedSprite& sprite) { return {sprite.place.x, sprite.place.y}; }

// Lists the sprites that reach each bin. One block for each bin.
__global__ void __launch_bounds__(kTuning.binThreads)
    binSprites(const PreparedSprite* __restrict__ prepared, cudaSurfaceObject_t command, float anamorphicRatio,
               const Bins bins) {
  __shared__ Compaction<kTuning.binThreads / 32> compaction;
  const unsigned count = surf2Dread<uint4>(command, 0, 0).y;
  const int bin = static_cast<int>(blockIdx.x);
  const ivec2 from = ivec2(bin % bins.columns, bin / bins.columns) * bins.side;
  unsigned* const indices = bins.indices + static_cast<size_t>(bin) * bins.listLength;
  unsigned found = 0;
  for (unsigned first = 0; first < count; first += blockDim.x) {
    const unsigned i = first + threadIdx.x;
    const bool taken =
        i < count && reaches(placeOf(prepared[i]), prepared[i].place.w, anamorphicRatio, from, from + bins.side);
    const uint2 place = compaction.place(taken);
    if (taken && found + place.x < bins.listLength) indices[found + place.x] = i;
    found += place.y;
  }
  if (threadIdx.x == 0) bins.counts[bin] = found;
}

__device__ int leadingZeros(unsigned count) { return __clzll(count) - 32; }

// Sorts the bins by the number of bits of their counts, so that no full bin starts last. One block.
__global__ void __launch_bounds__(kTuning.binThreads) orderBins(const Bins bins) {
  constexpr int kLengths = 33;
  __shared__ unsigned places[kLengths];
  for (int i = static_cast<int>(threadIdx.x); i < kLengths; i += kTuning.binThreads) places[i] = 0;
  __syncthreads();
  for (int bin = static_cast<int>(threadIdx.x); bin < bins.count; bin += kTuning.binThreads)
    atomicAdd(&places[leadingZeros(bins.counts[bin])], 1u);
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned before = 0;
    for (unsigned& place : places) {
      const unsigned number = place;
      place = before;
      before += number;
    }
  }
  __syncthreads();
  for (int bin = static_cast<int>(threadIdx.x); bin < bins.count; bin += kTuning.binThreads)
    bins.order[atomicAdd(&places[leadingZeros(bins.counts[bin])], 1u)] = static_cast<unsigned>(bin);
}

// The scene of shaders/bokeh/sprite.glsl.
struct SpriteScene {
  cudaSurfaceObject_t depth, backColour, backDepth, aperture;
  ivec2 size;
  __device__ float apertureSumAt(ivec2 corner) const { return valueAt(aperture, corner); }
  __device__ float depthAt(ivec2 pixel) const { return valueAt(depth, pixel); }
  __device__ vec4 depthsAt(ivec2 pixel) const {
    const ivec2 low = glsl::clamp(pixel, ivec2(0), size - 1), high = glsl::clamp(pixel + 1, ivec2(0), size - 1);
    return {depthAt(low), depthAt({high.x, low.y}), depthAt({low.x, high.y}), depthAt(high)};
  }
  __device__ vec2 blendedAt(ivec2 pixel) const {
    pixel = glsl::clamp(pixel, ivec2(0), size - 1);
    return vec2(colourAt(backColour, pixel).w, meanDepth(colourAt(backDepth, pixel)));
  }
};

// Adds the sprites, as shaders/bokeh/add.comp. A block for each tile of each bin.
__global__ void __launch_bounds__(kTileThreads, kTuning.tileBlocks)
    addSprites(const PreparedSprite* __restrict__ prepared, cudaSurfaceObject_t command, const Bins bins,
               const SpriteScene scene, const SpriteRule rule, ivec2 size, cudaSurfaceObject_t image) {
  __shared__ Compaction<kTileWarps> compaction;
  __shared__ PreparedSprite sprites[kTileThreads];
  const int bin = static_cast<int>(bins.order[blockIdx.y]), tile = static_cast<int>(blockIdx.x),
            tilesOfRow = bins.side / kTile;
  const ivec2 from = ivec2(bin % bins.columns, bin / bins.columns) * bins.side +
                     ivec2(tile % tilesOfRow, tile / tilesOfRow) * kTile,
              to = from + kTile;
  if (from.x >= size.x || from.y >= size.y) return;
  const unsigned reaching = bins.counts[bin];
  if (reaching == 0 && rule.alone == 0) return;
  const bool listed = reaching <= bins.listLength;
  const unsigned count = listed ? reaching : surf2Dread<uint4>(command, 0, 0).y;
  const unsigned* const indices = bins.indices + static_cast<size_t>(bin) * bins.listLength;

  const int place = static_cast<int>(threadIdx.x) / kParts;
  const unsigned part = threadIdx.x % kParts;
  const ivec2 pixel = from + ivec2(place % kTile, place / kTile);
  const bool inside = pixel.x < size.x && pixel.y < size.y;
  const vec2 p = vec2(pixel) + 0.5f;
  const float surface = inside ? signedRadius(rule.lens, scene.depthAt(pixel)) : 0.0f;
  vec3 behind(0.0f), front(0.0f);  // alpha of the image dims `behind`
  for (unsigned first = 0; first < count; first += kTileThreads) {
    const unsigned i = first + threadIdx.x;
    PreparedSprite mine;
    if (i < count) mine = prepared[listed ? indices[i] : i];
    const bool taken = i < count && reaches(placeOf(mine), mine.place.w, rule.lens.anamorphicRatio, from, to);
    const uint2 found = compaction.place(taken);
    if (taken) sprites[found.x] = mine;
    __syncthreads();
    for (unsigned k = part; k < found.y && inside; k += kParts) {
      const PreparedSprite& sprite = sprites[k];
      const float coverage = spriteCoverage(scene, rule, sprite, p);
      if (coverage <= 0.0f) continue;
      const bool dimmed = rule.scattered != 0 && rule.blended != 0 && sprite.place.z >= 0.0f;
      (dimmed ? behind : front) += vec3(sprite.light.x, sprite.light.y, sprite.light.z) *
                                   (coverage * spritePassing(scene, rule, size, sprite, p, surface));
    }
    __syncthreads();
  }
  for (int offset = 1; offset < kParts; offset *= 2)
    for (float* sum : {&behind.x, &behind.y, &behind.z, &front.x, &front.y, &front.z})
      *sum += __shfl_xor_sync(0xffffffffu, *sum, offset);
  if (!inside || part != 0) return;
  vec4 colour = colourAt(image, pixel);
  if (rule.alone != 0) colour = vec4(0.0f, 0.0f, 0.0f, colour.w);
  const vec3 sum = behind * colour.w + front;
  setColour(image, pixel, {colour.x + sum.x, colour.y + sum.y, colour.z + sum.z, colour.w});
}

class SpritesOnDevice : public TimedWork<Sprites> {
 public:
  SpritesOnDevice(int width, int height, unsigned capacity, unsigned indices)
      : TimedWork({"sprites"}), size_(width, height), prepared_(capacity) {
    const SpriteBins bins = spriteBins(size_);
    bins_.side = bins.sidePx;
    bins_.columns = bins.columns;
    bins_.count = bins.count;
    const auto count = static_cast<unsigned>(bins.count);
    bins_.listLength = std::min(capacity, indices / count);
    indices_ = DeviceArray<unsigned>(size_t{count} * bins_.listLength);
    counts_ = DeviceArray<unsigned>(count);
    order_ = DeviceArray<unsigned>(count);
    bins_.indices = indices_.data();
    bins_.counts = counts_.data();
    bins_.order = order_.data();
    tiles_.size = (size_ + kDepthTilePx - 1) / kDepthTilePx;
    tileDepths_ = DeviceArray<float>(static_cast<size_t>(tiles_.size.x) * static_cast<size_t>(tiles_.size.y));
    tiles_.depth = tileDepths_.data();
  }

  void draw(const SpriteArrays& arrays, const SpriteRule& rule, CUstream_st* stream) override {
    const cudaSurfaceObject_t command = surfaces_.get(arrays.command);
    const auto binCount = static_cast<unsigned>(bins_.count), tilesOfRow = static_cast<unsigned>(bins_.side / kTile);
    timer_.begin(stream);
    if (rule.scattered != 0) {
      constexpr int kTilesOfBlock = kPixelThreads / 32;
      const int tileCount = tiles_.size.x * tiles_.size.y;
      launch(findDepthTiles,
             {static_cast<unsigned>((tileCount + kTilesOfBlock - 1) / kTilesOfBlock), kPixelThreads, 0, stream},
             surfaces_.get(arrays.depth), size_, tiles_);
    }
    launch(prepareSprites, {kTuning.prepareBlocks, kPixelThreads, 0, stream}, surfaces_.get(arrays.sprites), command,
           rule, tiles_, prepared_.data());
    launch(binSprites, {binCount, kTuning.binThreads, 0, stream}, prepared_.data(), command, rule.lens.anamorphicRatio,
           bins_);
    launch(orderBins, {1, kTuning.binThreads, 0, stream}, bins_);
    const auto surfaceIf = [&](int used, auto* array) { return used != 0 ? surfaces_.get(array) : 0; };
    const SpriteScene scene{surfaces_.get(arrays.depth), surfaceIf(rule.blended, arrays.backColour),
                            surfaceIf(rule.blended, arrays.backDepth), surfaceIf(rule.aperture.image, arrays.aperture),
                            size_};
    launch(addSprites, {dim3(tilesOfRow * tilesOfRow, binCount), kTileThreads, 0, stream}, prepared_.data(), command,
           bins_, scene, rule, size_, surfaces_.get(arrays.image));
    timer_.next(stream);
  }

 private:
  ivec2 size_;
  Bins bins_{};
  DeviceArray<PreparedSprite> prepared_;
  DeviceArray<unsigned> indices_, counts_, order_;
  DepthTiles tiles_{};
  DeviceArray<float> tileDepths_;
};

}  // namespace

std::unique_ptr<Sprites> makeSprites(int width, int height, unsigned capacity, unsigned indices) {
  return std::make_unique<SpritesOnDevice>(width, height, capacity, indices);
}

}  // namespace satdof::cuda
