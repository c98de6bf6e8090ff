#include "cuda/lens/scatter.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "cuda/lens/image.cuh"
#include "cuda/runtime/device.h"
#include "cuda/runtime/device_array.h"
#include "cuda/runtime/launch.cuh"
#include "cuda/runtime/ptx.cuh"
#include "cuda/runtime/timed_work.h"
#include "shaders/lens/layered/fill.h"
#include "shaders/lens/scatter_rectangle.h"

namespace satdof::cuda {

namespace {

using namespace glsl;
constexpr struct {
  int tile = 32;  // side in pixels
  int threads = 512;
  int blocks = 2;  // resident on a multiprocessor
  int sector = 8;  // words of one transaction; rows and margins are whole sectors
} kTuning;
constexpr int kChannels = 4;

constexpr int roundUp(int a, int b) { return (a + b - 1) / b * b; }

// Four planes of words, one for each channel, rows padded. Neighbouring pixels mostly have the same radius,
// so they add to neighbouring words.
struct Planes {
  uint* words;
  int width, height, rowWords;
  __device__ size_t plane() const { return static_cast<size_t>(rowWords) * height; }
  __device__ uint* at(int x, int y) const { return words + static_cast<size_t>(y) * rowWords + x; }
};

// Four planes in shared memory around one tile: side x side words each, from pixel (x, y) on.
struct Window {
  uint* words;
  int side, x, y;
  __device__ int plane() const { return side * side; }
  __device__ bool holds(int px, int py) const {
    return static_cast<uint>(px - x) < static_cast<uint>(side) && static_cast<uint>(py - y) < static_cast<uint>(side);
  }
  __device__ uint* at(int px, int py) const { return words + (py - y) * side + px - x; }
};

template <class Stride>
__device__ void addWords(uint* at, Stride plane, const uvec4& v) {
  atomicAdd(at, v.x);
  atomicAdd(at + plane, v.y);
  atomicAdd(at + 2 * plane, v.z);
  atomicAdd(at + 3 * plane, v.w);
}

// Adds to the window if it holds the pixel, else to the planes.
struct Target {
  Planes planes;
  Window window;

  __device__ void add(ivec2 p, const uvec4& v) const {
    if (p.x >= planes.width || p.y >= planes.height) return;
    if (window.holds(p.x, p.y))
      addWords(window.at(p.x, p.y), window.plane(), v);
    else
      addWords(planes.at(p.x, p.y), planes.plane(), v);
  }
};

// Adds q over disc n around p. kSteps is a template parameter so that loops unroll and step sizes are constants. A disc
// inside the image and the window needs neither the tests nor the reflections of addRectangle().
template <int kSteps>
__device__ void scatterDisc(const Target& target, ivec2 p, int n, float ratio, uvec4 q) {
  const uvec4 negative = negated(q);
  const int reachX = stairHalfWidthX(kSteps, 0, n, ratio);
  const int reachY = stairHalfWidthY(kSteps, kSteps - 1, n);
  const Planes& planes = target.planes;
  const Window& window = target.window;
  if (p.x >= reachX && p.y >= reachY && p.x + reachX + 1 < planes.width && p.y + reachY + 1 < planes.height &&
      window.holds(p.x - reachX, p.y - reachY) && window.holds(p.x + reachX + 1, p.y + reachY + 1)) {
#pragma unroll
    for (int i = 0; i < stairRectangles(kSteps); ++i) {
      const ivec2 reach = stairHalf(kSteps, i, n, ratio);
      const bool added = stairSign(kSteps, i) > 0;
      const uvec4 &plus = added ? q : negative, &minus = added ? negative : q;
      uint* const below = window.at(p.x - reach.x, p.y - reach.y);
      uint* const above = window.at(p.x - reach.x, p.y + reach.y + 1);
      addWords(below, window.plane(), plus);
      addWords(below + 2 * reach.x + 1, window.plane(), minus);
      addWords(above, window.plane(), minus);
      addWords(above + 2 * reach.x + 1, window.plane(), plus);
    }
    return;
  }
#pragma unroll 1
  for (int i = 0; i < stairRectangles(kSteps); ++i) {
    addRectangle(target, ivec2(planes.width, planes.height), p, stairHalf(kSteps, i, n, ratio),
                 stairSign(kSteps, i) > 0 ? q : negative);
  }
}

// The signed radius at p, clamped to the image. All pixels of layers have radii of at most 0.
template <Scattered kScattered>
__device__ float radiusAt(cudaSurfaceObject_t depth, const ThinLens& lens, ivec2 size, ivec2 p) {
  const ivec2 inside = glsl::clamp(p, ivec2(0), size - 1);
  if constexpr (kScattered == Scattered::blended) return layerRadius(lens, colourAt(depth, inside));
  const float r = signedRadius(lens, valueAt(depth, inside));
  return kScattered == Scattered::layer ? -abs(r) : r;
}

// From pixel p of radius r to the centre of its disc: see discShift().
template <Scattered kScattered>
__device__ ivec2 shiftOf(cudaSurfaceObject_t depth, const ThinLens& lens, ivec2 size, ivec2 p, float r) {
  if (!isShifted(r)) return ivec2(0);
  const auto at = [&](int x, int y) { return radiusAt<kScattered>(depth, lens, size, {p.x + x, p.y + y}); };
  return {discShift(at(-1, 0), r, at(1, 0), lens.anamorphicRatio), discShift(at(0, -1), r, at(0, 1), 1.0f)};
}

// Whether a scattered pixel is behind the focus plane: there, radii are negative only because it is scattered.
template <Scattered kScattered>
__device__ bool isBehind(cudaSurfaceObject_t depth, const ThinLens& lens, ivec2 p) {
  if constexpr (kScattered == Scattered::blended) {
    const vec4 there = colourAt(depth, p);
    return unlimitedRadius(lens, there.x / there.w) > 0.0f;
  }
  return unlimitedRadius(lens, valueAt(depth, p)) > 0.0f;
}

// Scatters a tile of pixels a block. Most corners of their discs lie within `margin` pixels of the tile. The block sums
// these in shared memory, then adds the sums to the planes. Cost: at most 4 (tile + 2 margin + 1)^2 atomics in global
// memory a tile, instead of 4 channels x 4 (2K - 1) corners x 2 discs x tile^2.
template <int kSteps, Scattered kScattered>
__global__ void __launch_bounds__(kTuning.threads, kTuning.blocks)
    scatterTiles(cudaSurfaceObject_t colour, cudaSurfaceObject_t depth, const ScatterRule rule, const Planes planes,
                 int margin, int side) {
  constexpr int kWarps = kTuning.threads / 32, kPixels = kTuning.tile / kWarps;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int tileX = static_cast<int>(blockIdx.x) * kTuning.tile;
  const int tileY = static_cast<int>(blockIdx.y) * kTuning.tile;
  const int x = tileX + lane;
  const ivec2 size(planes.width, planes.height);
  float radius[kPixels];
  bool near = false;
#pragma unroll
  for (int i = 0; i < kPixels; ++i) {
    const int y = tileY + warp + i * kWarps;
    radius[i] = 0.0f;
    if (x < planes.width && y < planes.height) radius[i] = radiusAt<kScattered>(depth, rule.lens, size, {x, y});
    near |= scatteredPart(radius[i], rule.band) > 0.0f;
  }
  if (__syncthreads_or(near) == 0) return;

  uint4* const sharedWords = sharedMemory<uint4>();
  const Window window{&sharedWords->x, side, tileX - margin, tileY - margin};
  const Target target{planes, window};
  for (int i = threadIdx.x; i < window.plane(); i += kTuning.threads) sharedWords[i] = uint4{0, 0, 0, 0};
  __syncthreads();
#pragma unroll 1
  for (int i = 0; i < kPixels; ++i) {
    const float part = scatteredPart(radius[i], rule.band);
    if (part <= 0.0f) continue;
    const int y = tileY + warp + i * kWarps;
    const vec4 light = colourAt(colour, {x, y});
    const bool behind = rule.aperture.catEye > 0.0f && isBehind<kScattered>(depth, rule.lens, {x, y});
    const CutDisc disc = cutDisc(rule.aperture, vec2(x, y) + 0.5f, behind ? -radius[i] : radius[i]);
    const ivec2 moved = ivec2(x, y) + shiftOf<kScattered>(depth, rule.lens, size, {x, y}, radius[i]);
    const int n = discIndex(disc.radius);
    const NearWeights weights =
        nearWeights(part, disc.radius, discArea(kSteps, n, disc.ratio), discArea(kSteps, n + 1, disc.ratio));
#pragma unroll 1
    for (int outer = 0; outer < 2; ++outer) {
      const float weight = outer == 0 ? weights.inner : weights.outer;
      if (weight <= 0.0f) continue;
      uvec4 words = scatterWords(vec3(light.x, light.y, light.z), weight, {x, y});
      if (kScattered != Scattered::nearPixels)
        words.w = scatterWord(light.w, weight, static_cast<uint>(x), static_cast<uint>(y), 3u);
      const ivec2 centre = glsl::clamp(moved + leaningShift(disc, n + outer), ivec2(0), size - 1);
      scatterDisc<kSteps>(target, centre, n + outer, disc.ratio, words);
    }
  }
  __syncthreads();
  for (int row = warp; row < kChannels * side; row += kWarps) {
    const int channel = row / side, y = row % side;
    for (int i = lane; i < side; i += 32) {
      const uint sum = window.words[row * side + i];
      // Words outside the image are 0.
      if (sum != 0) atomicAdd(planes.at(window.x + i, window.y + y) + channel * planes.plane(), sum);
    }
  }
}

// Copies the planes to the image and clears them for the next run.
__global__ void __launch_bounds__(kPixelThreads) takeDifferences(const Planes planes, uint4* __restrict__ image) {
  const int x = pixelOfThread().x, y = pixelOfThread().y;
  if (x >= planes.width || y >= planes.height) return;
  uint v[kChannels];
#pragma unroll
  for (int c = 0; c < kChannels; ++c) v[c] = planes.at(x, y)[c * planes.plane()];
#pragma unroll
  for (int c = 0; c < kChannels; ++c)
    if (v[c] != 0) planes.at(x, y)[c * planes.plane()] = 0;
  image[static_cast<size_t>(y) * planes.width + x] = {v[0], v[1], v[2], v[3]};
}

constexpr Scattered kNear = Scattered::nearPixels, kBlended = Scattered::blended, kLayer = Scattered::layer;
constexpr decltype(&scatterTiles<1, kNear>) kScatterTiles[][kMaxSteps] = {
    {scatterTiles<1, kNear>, scatterTiles<2, kNear>, scatterTiles<3, kNear>, scatterTiles<4, kNear>,
     scatterTiles<5, kNear>},
    {scatterTiles<1, kBlended>, scatterTiles<2, kBlended>, scatterTiles<3, kBlended>, scatterTiles<4, kBlended>,
     scatterTiles<5, kBlended>},
    {scatterTiles<1, kLayer>, scatterTiles<2, kLayer>, scatterTiles<3, kLayer>, scatterTiles<4, kLayer>,
     scatterTiles<5, kLayer>}};

}  // namespace

// The memory of Planes. All words are 0 between scatters.
class ScatterScratch {
 public:
  ScatterScratch(int width, int height)
      : rowWords_(roundUp(width, kTuning.sector)),
        words_(size_t{kChannels} * static_cast<size_t>(rowWords_) * static_cast<size_t>(height)) {
    SATDOF_CUDA(cudaMemset(words_.data(), 0, words_.bytes()));
    SATDOF_CUDA(cudaStreamSynchronize(nullptr));  // a scatter may use a stream that does not wait for this one
  }
  int rowWords() const { return rowWords_; }
  uint* words() const { return words_.data(); }

 private:
  int rowWords_;
  DeviceArray<uint> words_;
};

namespace {

class ScatterOnDevice : public TimedWork<Scatter> {
 public:
  ScatterOnDevice(int width, int height, std::shared_ptr<ScatterScratch> scratch)
      : TimedWork({"scatter", "differences"}), width_(width), height_(height), scratch_(std::move(scratch)) {
    // The widest window with which kTuning.blocks blocks fit on a multiprocessor: faster than one block with a wider
    // window, although more corners miss a narrower window.
    const size_t bytes = std::min(device().sharedBytesOfBlock,
                                  device().sharedBytesOfMultiprocessor / kTuning.blocks - kSystemSharedBytes);
    while (windowBytes(widestMargin_ + kTuning.sector) <= bytes) widestMargin_ += kTuning.sector;
    for (const auto& kernels : kScatterTiles)
      for (const auto kernel : kernels)
        SATDOF_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                         static_cast<int>(windowBytes(widestMargin_))));
  }

  void run(Scattered scattered, cudaArray* colour, cudaArray* depth, const ScatterRule& rule, Texel* differences,
           CUstream_st* stream) override {
    const Planes planes{scratch_->words(), width_, height_, scratch_->rowWords()};
    const float widest =
        std::min((rule.widestPx + 2.0f) * std::max(rule.lens.anamorphicRatio, 1.0f), static_cast<float>(widestMargin_));
    const int margin = std::clamp(roundUp(static_cast<int>(widest), kTuning.sector), kTuning.sector, widestMargin_);
    timer_.begin(stream);
    const auto kernel = kScatterTiles[static_cast<size_t>(scattered)][std::clamp(rule.steps, 1, kMaxSteps) - 1];
    const dim3 tiles(static_cast<unsigned>((width_ + kTuning.tile - 1) / kTuning.tile),
                     static_cast<unsigned>((height_ + kTuning.tile - 1) / kTuning.tile));
    launch(kernel, {tiles, kTuning.threads, windowBytes(margin), stream}, surfaces_.get(colour), surfaces_.get(depth),
           rule, planes, margin, windowSide(margin));
    timer_.next(stream);
    launch(takeDifferences, {pixelBlocks(width_, height_), kPixelThreads, 0, stream}, planes,
           reinterpret_cast<uint4*>(differences));
    timer_.next(stream);
  }

 private:
  // Plus one, because the far corners of a rectangle lie one pixel beyond it.
  static int windowSide(int margin) { return kTuning.tile + 2 * margin + 1; }
  static size_t windowBytes(int margin) {
    const auto side = static_cast<size_t>(windowSide(margin));
    return kChannels * sizeof(uint) * side * side;
  }

  int width_, height_;
  std::shared_ptr<ScatterScratch> scratch_;
  int widestMargin_ = 8;
};

}  // namespace

std::shared_ptr<ScatterScratch> makeScatterScratch(int width, int height) {
  return std::make_shared<ScatterScratch>(width, height);
}

std::unique_ptr<Scatter> makeScatter(int width, int height, std::shared_ptr<ScatterScratch> scratch) {
  if (width <= 0 || height <= 0)
    throw std::runtime_error("cannot scatter the near field of an image of " + std::to_string(width) + "x" +
                             std::to_string(height) + ": choose at least 1x1");
  if (scratch == nullptr) scratch = makeScatterScratch(width, height);
  return std::make_unique<ScatterOnDevice>(width, height, std::move(scratch));
}

}  // namespace satdof::cuda
