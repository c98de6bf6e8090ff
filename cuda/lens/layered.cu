#include "cuda/lens/layered.h"

#include <algorithm>

#include "cuda/lens/image.cuh"
#include "cuda/runtime/array.h"
#include "cuda/runtime/device_array.h"
#include "cuda/runtime/launch.cuh"
#include "cuda/runtime/stage_timer.h"
#include "cuda/runtime/surface.h"
#include "shaders/lens/layered/background.h"
#include "shaders/lens/layered/compose.h"
#include "shaders/lens/layered/hidden.h"

namespace satdof::cuda {

namespace {

using namespace glsl;

constexpr struct {
  int side = 16;   // cells of level 0 of a block, along x and y
  int levels = 5;  // of a block: down to one cell
} kFine;
constexpr int kCoarseThreads = 32;  // of a block that draws one cell of the last level and the cells below it
static_assert(kFine.side == 1 << (kFine.levels - 1) && kFillLevels == kFine.levels + 3);

// A pyramid, level by level. Level 0 has width x height cells, multiples of 2^(kFillLevels - 1).
template <class Bits>
struct Levels {
  Bits* cells;
  int width, height;

  // Number of cells in finer levels: sum of size / 4^k for k < level.
  __host__ __device__ int first(int level) const {
    return (width * height - (width >> level) * (height >> level)) / 3 * 4;
  }
  int count() const {
    return first(kFillLevels - 1) + (width >> (kFillLevels - 1)) * (height >> (kFillLevels - 1));
  }
  __device__ ivec2 size(int level) const { return {width >> level, height >> level}; }
  __device__ Bits* at(ivec2 cell, int level) const {
    return cells + first(level) + cell.y * (width >> level) + cell.x;
  }
};

struct Source {
  cudaSurfaceObject_t colour, depth, behindColour, behindDepth, paneColour, paneDepth;
  ivec2 size;
  bool secondLayer, anyBlended;
};

// The cells of shaders/lens/layered/fill.glsl: eight halves.
struct FillCells {
  using Bits = uint4;
  using Cell = FillCell;
  struct Pixels {
    Source source;
    ThinLens lens;
    float ceiling;
    __device__ FillCell operator()(ivec2 pixel) const {
      pixel = glsl::min(pixel, source.size - 1);
      const vec4 light = colourAt(source.colour, pixel);
      vec4 layer(0.0f);
      float radiusOfLayer = 0.0f;
      if (source.secondLayer) {
        layer = colourAt(source.behindColour, pixel);
        radiusOfLayer = signedRadius(lens, valueAt(source.behindDepth, pixel));
      }
      return cellOfPixel(vec3(light.x, light.y, light.z), signedRadius(lens, valueAt(source.depth, pixel)),
                         layer, radiusOfLayer, ceiling);
    }
  };
  __device__ static uint4 packed(const FillCell& cell) {
    const ushort4 behind = toHalves(cell.behind), radii = toHalves(cell.radii);
    uint4 bits;
    memcpy(&bits.x, &behind, sizeof(behind));
    memcpy(&bits.z, &radii, sizeof(radii));
    return bits;
  }
  __device__ static FillCell unpacked(const uint4& bits) {
    ushort4 behind, radii;
    memcpy(&behind, &bits.x, sizeof(behind));
    memcpy(&radii, &bits.z, sizeof(radii));
    return {fromHalves(behind), fromHalves(radii)};
  }
  __device__ static FillCell merged(FillCell cells[4]) { return mergedCell(cells); }
};

// Means: four floats.
struct MeanCells {
  using Bits = float4;
  using Cell = vec3;
  __device__ static float4 packed(vec3 cell) { return {cell.x, cell.y, cell.z, 0.0f}; }
  __device__ static vec3 unpacked(const float4& bits) { return {bits.x, bits.y, bits.z}; }
  __device__ static vec3 merged(const vec3 cells[4]) {
    return 0.25f * (cells[0] + cells[1] + cells[2] + cells[3]);
  }
};

// The cells of shaders/lens/layered/far.glsl.
struct FarCells : MeanCells {
  struct Pixels {
    cudaSurfaceObject_t depth;
    ivec2 size;
    ThinLens lens;
    MiddleRule middle;
    __device__ vec3 operator()(ivec2 pixel) const {
      return farCellOfPixel(middle, signedRadius(lens, valueAt(depth, glsl::min(pixel, size - 1))));
    }
  };
};

template <class Cells>
__device__ typename Cells::Bits mergedAt(const typename Cells::Bits* below, int pitch, ivec2 cell) {
  typename Cells::Cell four[4];
  for (int k = 0; k < 4; ++k)
    four[k] = Cells::unpacked(below[(2 * cell.y + (k >> 1)) * pitch + 2 * cell.x + (k & 1)]);
  return Cells::packed(Cells::merged(four));
}

// The finer levels of a tile. Shared memory holds its cells, level by level.
template <class Cells>
__global__ void __launch_bounds__(kFine.side* kFine.side)
    drawFine(const typename Cells::Pixels pixels, const Levels<typename Cells::Bits> pyramid) {
  __shared__ typename Cells::Bits tile[(kFine.side * kFine.side * 4 - 1) / 3];
  const int thread = static_cast<int>(threadIdx.x);
  const ivec2 block(blockIdx.x, blockIdx.y),
      first = block * kFine.side + ivec2(thread % kFine.side, thread / kFine.side);
  typename Cells::Cell four[4];
  for (int k = 0; k < 4; ++k) four[k] = pixels(first * 2 + ivec2(k & 1, k >> 1));
  *pyramid.at(first, 0) = tile[thread] = Cells::packed(Cells::merged(four));
  auto* below = tile;
  for (int level = 1, side = kFine.side / 2; level < kFine.levels; ++level, side /= 2) {
    __syncthreads();
    auto* const cells = below + 4 * side * side;
    if (thread < side * side) {
      const ivec2 cell(thread % side, thread / side);
      *pyramid.at(block * side + cell, level) = cells[thread] = mergedAt<Cells>(below, 2 * side, cell);
    }
    below = cells;
  }
}

// The coarser levels: a block for each cell of the last level.
template <class Cells>
__global__ void __launch_bounds__(kCoarseThreads) drawCoarse(const Levels<typename Cells::Bits> pyramid) {
  __shared__ typename Cells::Bits tile[16 + 4];
  const int thread = static_cast<int>(threadIdx.x);
  const ivec2 block(blockIdx.x, blockIdx.y);
  const auto* below = pyramid.at(block * 8, kFine.levels - 1);
  int pitch = pyramid.size(kFine.levels - 1).x;
  auto* cells = tile;
  for (int level = kFine.levels, side = 4; level < kFillLevels; ++level, side /= 2) {
    if (thread < side * side) {
      const ivec2 cell(thread % side, thread / side);
      const auto merged = mergedAt<Cells>(below, pitch, cell);
      *pyramid.at(block * side + cell, level) = merged;
      if (side > 1) cells[thread] = merged;
    }
    __syncwarp();
    below = cells;
    pitch = side;
    cells += side * side;
  }
}

template <class Cells>
void drawPyramid(const typename Cells::Pixels& pixels, const Levels<typename Cells::Bits>& pyramid,
                 cudaStream_t stream) {
  const auto blocks = [&](int level) {
    return dim3(static_cast<unsigned>(pyramid.width >> level),
                static_cast<unsigned>(pyramid.height >> level));
  };
  launch(drawFine<Cells>, {blocks(kFine.levels - 1), kFine.side * kFine.side, 0, stream}, pixels, pyramid);
  launch(drawCoarse<Cells>, {blocks(kFillLevels - 1), kCoarseThreads, 0, stream}, pyramid);
}

// The pyramids, as the functions of shaders/lens/layered/ read them.
struct Pyramid {
  Levels<uint4> fill;
  Levels<float4> far, hidden;

  __device__ ivec2 fillSize(int level) const { return fill.size(level); }
  __device__ FillCell fillCell(ivec2 cell, int level) const {
    return FillCells::unpacked(__ldg(fill.at(cell, level)));
  }
  __device__ ivec2 farSize(int level) const { return far.size(level); }
  __device__ vec3 farCell(ivec2 cell, int level) const {
    return FarCells::unpacked(__ldg(far.at(cell, level)));
  }

 private:
  template <class CellAt>
  __device__ auto ofLevel(vec2 place, int level, const CellAt& cellAt) const {
    const vec2 at = place / static_cast<float>(2 << level) - 0.5f;
    const ivec2 low(glsl::floor(at)), last = fillSize(level) - 1;
    const vec2 f = at - vec2(low);
    const auto cell = [&](int dx, int dy) {
      return cellAt(glsl::clamp(low + ivec2(dx, dy), ivec2(0), last), level);
    };
    return mix(mix(cell(0, 0), cell(1, 0), f.x), mix(cell(0, 1), cell(1, 1), f.x), f.y);
  }
  // Bilinear between cells, linear between levels, as a texture with mipmaps. `place`: in pixels.
  template <class CellAt>
  __device__ auto between(vec2 place, float level, const CellAt& cellAt) const {
    const float clamped = clamp(level, 0.0f, static_cast<float>(kFillLevels - 1));
    const int fine = static_cast<int>(clamped);
    const float part = clamped - static_cast<float>(fine);
    const auto cells = ofLevel(place, fine, cellAt);
    return part > 0.0f ? mix(cells, ofLevel(place, fine + 1, cellAt), part) : cells;
  }

 public:
  __device__ vec2 nearLevel(vec2 place, float level) const {
    return between(place, level, [this](ivec2 cell, int of) {
      const vec4 radii = fillCell(cell, of).radii;
      return vec2(radii.y, radii.z);
    });
  }
  __device__ vec3 hiddenLevel(vec2 place, float level) const {
    return between(place, level,
                   [this](ivec2 cell, int of) { return MeanCells::unpacked(__ldg(hidden.at(cell, of))); });
  }
};

struct LayerImages {
  cudaSurfaceObject_t light, depth;
};

// Writes the hidden near field. The cells are means of HiddenNear::sums.
struct HiddenCells : MeanCells {
  struct Pixels {
    Source source;
    ThinLens lens;
    Pyramid pyramid;
    LayerImages hidden;
    __device__ vec3 operator()(ivec2 pixel) const {
      const ivec2 inside = glsl::min(pixel, source.size - 1);
      const HiddenNear drawn =
          hiddenNear(pyramid, lens, vec2(inside) + 0.5f, signedRadius(lens, valueAt(source.depth, inside)),
                     colourAt(source.behindColour, inside), valueAt(source.behindDepth, inside));
      if (pixel.x == inside.x && pixel.y == inside.y) {
        setColour(hidden.light, pixel, drawn.light);
        setValue(hidden.depth, pixel, drawn.depth);
      }
      return drawn.sums;
    }
  };
};

struct BackgroundImages {
  cudaSurfaceObject_t colour, radius;
};

struct MiddleImages {
  LayerImages layers[kMiddleLayers];
};

__global__ void __launch_bounds__(kPixelThreads)
    drawBackgroundPixels(const Source source, const BackgroundRule rule, const Pyramid pyramid,
                         const BackgroundImages background, uint4* __restrict__ farImage,
                         cudaSurfaceObject_t panes, bool anyMiddle, const MiddleImages middle) {
  const ivec2 pixel = pixelOfThread();
  if (pixel.x >= source.size.x || pixel.y >= source.size.y) return;
  const vec4 light = colourAt(source.colour, pixel);
  const float r = signedRadius(rule.lens, valueAt(source.depth, pixel));
  vec4 layer(0.0f);
  float radiusOfLayer = 0.0f;
  if (source.secondLayer) {
    layer = colourAt(source.behindColour, pixel);
    radiusOfLayer = signedRadius(rule.lens, valueAt(source.behindDepth, pixel));
  }
  vec4 pane(0.0f);
  float paneRadius = 0.0f;
  if (source.anyBlended) {
    pane = colourAt(source.paneColour, pixel);
    paneRadius = -layerRadius(rule.lens, colourAt(source.paneDepth, pixel));
  }
  const Background drawn = backgroundOf(pyramid, rule, pixel, vec3(light.x, light.y, light.z), r, layer,
                                        radiusOfLayer, pane, paneRadius);
  setColour(background.colour, pixel, vec4(drawn.colour, 1.0f));
  setValue(background.radius, pixel, drawn.radius);
  farImage[static_cast<size_t>(pixel.y) * source.size.x + pixel.x] = {drawn.far.x, drawn.far.y, drawn.far.z,
                                                                      drawn.far.w};
  if (source.anyBlended) setColour(panes, pixel, drawn.pane);
  if (!anyMiddle) return;
#pragma unroll
  for (int i = 0; i < kMiddleLayers; ++i) {
    setColour(middle.layers[i].light, pixel, drawn.middle[i].light);
    setValue(middle.layers[i].depth, pixel, depthOfRadius(rule.lens, drawn.middle[i].radius));
  }
}

struct BlendedSurfaces {
  cudaSurfaceObject_t colour, depth;
  Table<unsigned> table;
};

struct ComposeInputs {
  Table<unsigned> near, foremost, far, first, second, hidden;
  BlendedSurfaces back, front;
  bool anyNear, anyForemost, anyMiddle, anyHidden, transposed;
  BackgroundImages background;
  Pyramid pyramid;
  ivec2 size;
  int show;
  FocusDiscs discs;
};

__device__ vec4 scattered(Table<unsigned> table, bool transposed, ivec2 pixel) {
  return vec4(cornerSum(table, transposed, pixel.x + 1, pixel.y + 1)) * (1.0f / scatterScale());
}
__device__ vec4 layerAt(const ComposeInputs& inputs, const ThinLens& lens, const BlendedSurfaces& layer,
                        ivec2 pixel) {
  return blendedLayer(lens, pixel, inputs.size, scattered(layer.table, inputs.transposed, pixel),
                      colourAt(layer.colour, pixel), layerRadius(lens, colourAt(layer.depth, pixel)));
}

// The pixels of a block and around it, as far as discs of the focus layer reach: kMostReachX pixels along x for the widest
// aperture.
struct FocusSources {
  static constexpr int kDiscs = kFocusReach + 1, kMostReachX = 9;
  static constexpr int kMost = (kPixelBlock.width + 2 * kMostReachX) * (kPixelBlock.height + 2 * kFocusReach);
  vec4 light[kMost];
  float weights[kDiscs][kMost], radius[kMost];

  // Reads the pixels if the discs of one reach others; returns whether they do. All threads of the block call it.
  __device__ bool read(const BackgroundImages& image, ivec2 size, const FocusDiscs& discs) {
    const int thread = static_cast<int>(threadIdx.x), pitch = pitchOf(discs);
    const ivec2 block(kPixelBlock.width, kPixelBlock.height);
    const ivec2 first = ivec2(blockIdx.x, blockIdx.y) * block - ivec2(discs.rows[0].z, kFocusReach);
    const int all = pitch * (kPixelBlock.height + 2 * kFocusReach);
    const auto pixelOf = [&](int i) {
      return glsl::clamp(first + ivec2(i % pitch, i / pitch), ivec2(0), size - 1);
    };
    bool soft = false;
    for (int i = thread; i < all; i += kPixelThreads) {
      radius[i] = valueAt(image.radius, pixelOf(i));
      soft = soft || isSoft(radius[i]);
    }
    if (__syncthreads_or(soft) == 0) return false;
    for (int i = thread; i < all; i += kPixelThreads) {
      const vec4 colour = colourAt(image.colour, pixelOf(i));
      const FocusSource source = focusSource(vec3(colour.x, colour.y, colour.z), radius[i], discs.areas);
      light[i] = source.light;
      weights[0][i] = source.weights.x;
      weights[1][i] = source.weights.y;
      weights[2][i] = source.weights.z;
    }
    __syncthreads();
    return true;
  }

  // The focus layer at a pixel of the block.
  __device__ FocusLayer at(ivec2 pixel, const FocusDiscs& discs) const {
    const ivec2 inBlock(pixel.x % kPixelBlock.width, pixel.y % kPixelBlock.height);
    const int pitch = pitchOf(discs);
    FocusLayer layer{vec4(0.0f), vec2(0.0f)};
#pragma unroll
    for (int y = -kFocusReach; y <= kFocusReach; ++y) {
      const ivec3 row = discs.rows[abs(y)];
      const int middle = (inBlock.y + y + kFocusReach) * pitch + inBlock.x + discs.rows[0].z;
      for (int x = -row.z; x <= row.z; ++x) {
        const int disc = abs(x) <= row.x ? 0 : abs(x) <= row.y ? 1 : 2;
        layer = withSource(layer, light[middle + x], radius[middle + x], weights[disc][middle + x]);
      }
    }
    return layer;
  }

 private:
  __device__ static int pitchOf(const FocusDiscs& discs) { return kPixelBlock.width + 2 * discs.rows[0].z; }
};

// kSteps is a template parameter so that loops unroll and step sizes are constants.
template <int kSteps, bool kBlended>
__global__ void __launch_bounds__(kPixelThreads)
    composePixels(const ComposeInputs inputs, ComposeRule rule, cudaSurfaceObject_t blurred) {
  __shared__ FocusSources sources;
  const bool soft = sources.read(inputs.background, inputs.size, inputs.discs);
  const ivec2 pixel = pixelOfThread();
  if (pixel.x >= inputs.size.x || pixel.y >= inputs.size.y) return;
  rule.steps = kSteps;
  FrontLayers layers{};
  if (inputs.anyMiddle) {
    layers.first = scattered(inputs.first, inputs.transposed, pixel);
    layers.second = scattered(inputs.second, inputs.transposed, pixel);
  }
  if (inputs.anyNear) layers.near = scattered(inputs.near, inputs.transposed, pixel);
  if (inputs.anyHidden) layers.hidden = scattered(inputs.hidden, inputs.transposed, pixel);
  if (inputs.anyForemost) layers.foremost = scattered(inputs.foremost, inputs.transposed, pixel);
  if constexpr (kBlended) {
    layers.back = layerAt(inputs, rule.lens, inputs.back, pixel);
    layers.ownBack = colourAt(inputs.back.colour, pixel);
    layers.front = layerAt(inputs, rule.lens, inputs.front, pixel);
  }
  const vec4 background = colourAt(inputs.background.colour, pixel);
  const vec3 fill(background.x, background.y, background.z);
  const float r = valueAt(inputs.background.radius, pixel);
  const FocusLayer focus = soft ? sources.at(pixel, inputs.discs) : focusAlone(fill, r);
  setColour(blurred, pixel,
            composed(inputs.pyramid, inputs.far, inputs.transposed, rule, pixel, inputs.size, fill, r, focus,
                     layers, kBlended, inputs.show));
}

constexpr decltype(&composePixels<1, false>) kComposePixels[][kMostSteps] = {
    {composePixels<1, false>, composePixels<2, false>, composePixels<3, false>, composePixels<4, false>,
     composePixels<5, false>},
    {composePixels<1, true>, composePixels<2, true>, composePixels<3, true>, composePixels<4, true>,
     composePixels<5, true>}};

class LayeredOnDevice : public Layered {
 public:
  LayeredOnDevice(int width, int height)
      : size_(width, height),
        colour_(TexelFormat::rgba16f, width, height),
        radius_(TexelFormat::r32f, width, height),
        background_{Surface(colour_.get()), Surface(radius_.get())} {
    const auto cells = [](int pixels) {
      return (pixels + kLargestCellPx - 1) / kLargestCellPx * kLargestCellPx / 2;
    };
    pyramid_.fill = {nullptr, cells(width), cells(height)};
    pyramid_.far = pyramid_.hidden = {nullptr, cells(width), cells(height)};
    fillCells_ = DeviceArray<uint4>(static_cast<size_t>(pyramid_.fill.count()));
    farCells_ = DeviceArray<float4>(static_cast<size_t>(pyramid_.far.count()));
    pyramid_.fill.cells = fillCells_.data();
    pyramid_.far.cells = farCells_.data();
  }

  void prepareBlended() override { panes_ = Array(TexelFormat::rgba16f, size_.x, size_.y); }
  cudaArray* panes() const override { return panes_.get(); }

  void prepareSecondLayer() override {
    const auto prepare = [this](Layer& layer) {
      if (layer.light.get() != nullptr) return;
      layer.light = Array(TexelFormat::rgba16f, size_.x, size_.y);
      layer.depth = Array(TexelFormat::r32f, size_.x, size_.y);
    };
    for (Layer& layer : middle_) prepare(layer);
    prepare(hidden_);
    if (pyramid_.hidden.cells != nullptr) return;
    hiddenCells_ = DeviceArray<float4>(static_cast<size_t>(pyramid_.hidden.count()));
    pyramid_.hidden.cells = hiddenCells_.data();
  }
  LayerArrays middle(int layer) const override { return middle_[static_cast<size_t>(layer)].arrays(); }
  LayerArrays hidden() const override { return hidden_.arrays(); }

  void drawBackground(const LayeredImages& images, const LayeredRule& rule, Texel* farImage,
                      CUstream_st* stream) override {
    const Source source{.colour = surfaceOf(images.colour),
                        .depth = surfaceOf(images.depth),
                        .behindColour = surfaceOf(images.behindColour),
                        .behindDepth = surfaceOf(images.behindDepth),
                        .paneColour = surfaceOf(images.paneColour),
                        .paneDepth = surfaceOf(images.paneDepth),
                        .size = size_,
                        .secondLayer = images.behindColour != nullptr,
                        .anyBlended = images.paneColour != nullptr};
    backgroundTimer_.begin(stream);
    if (rule.anyNear) drawPyramid<FillCells>({source, rule.lens, rule.farCeiling}, pyramid_.fill, stream);
    backgroundTimer_.next(stream);
    drawPyramid<FarCells>({source.depth, size_, rule.lens, rule.middle}, pyramid_.far, stream);
    const BackgroundRule background{
        rule.lens,          rule.middle,   rule.farCeiling, rule.farScale, rule.anyNear ? kFillLevels : 0,
        source.secondLayer, rule.anyHidden};
    if (rule.anyHidden)
      drawPyramid<HiddenCells>({source, rule.lens, pyramid_, imagesOf(hidden())}, pyramid_.hidden, stream);
    MiddleImages middle{};
    for (int i = 0; i < kMiddleLayers; ++i) middle.layers[i] = imagesOf(this->middle(i));
    launch(drawBackgroundPixels, {pixelBlocks(size_.x, size_.y), kPixelThreads, 0, stream}, source,
           background, pyramid_, backgroundImages(), reinterpret_cast<uint4*>(farImage), surfaceOf(panes()),
           rule.anyMiddle, middle);
    backgroundTimer_.next(stream);
  }

  void compose(const LayeredTables& tables, const LayeredRule& rule, cudaArray* blurred,
               CUstream_st* stream) override {
    const bool blended = tables.back.table != nullptr;
    const int pitch = tables.transposed ? size_.y : size_.x;
    const ComposeInputs inputs{.near = {tables.near, pitch},
                               .foremost = {tables.foremost, pitch},
                               .far = {tables.far, pitch},
                               .first = {tables.middle[0], pitch},
                               .second = {tables.middle[1], pitch},
                               .hidden = {tables.hidden, pitch},
                               .back = surfacesOf(tables.back, pitch),
                               .front = surfacesOf(tables.front, pitch),
                               .anyNear = rule.anyNear,
                               .anyForemost = tables.foremost != nullptr,
                               .anyMiddle = rule.anyMiddle,
                               .anyHidden = tables.hidden != nullptr,
                               .transposed = tables.transposed,
                               .background = backgroundImages(),
                               .pyramid = pyramid_,
                               .size = size_,
                               .show = rule.show,
                               .discs = rule.focus};
    const int steps = std::clamp(rule.steps, 1, kMostSteps);
    const ComposeRule compose{rule.lens, steps, rule.farCeiling, rule.farScale, rule.nearPx};
    composeTimer_.begin(stream);
    launch(kComposePixels[blended][steps - 1], {pixelBlocks(size_.x, size_.y), kPixelThreads, 0, stream},
           inputs, compose, surfaceOf(blurred));
    composeTimer_.next(stream);
  }

  void forgetArrays() override { surfaces_.forget(); }
  size_t runs() const override { return composeTimer_.builds(); }
  std::vector<StageTime> stageTimes() const override { return timesOf(backgroundTimer_, composeTimer_); }

 private:
  cudaSurfaceObject_t surfaceOf(cudaArray* array) { return array == nullptr ? 0 : surfaces_.get(array); }
  BlendedSurfaces surfacesOf(const BlendedArrays& layer, int pitch) {
    return {surfaceOf(layer.colour), surfaceOf(layer.depth), {layer.table, pitch}};
  }
  LayerImages imagesOf(const LayerArrays& layer) { return {surfaceOf(layer.light), surfaceOf(layer.depth)}; }
  BackgroundImages backgroundImages() const { return {background_[0].object(), background_[1].object()}; }

  ivec2 size_;
  struct Layer {
    Array light, depth;
    LayerArrays arrays() const { return {light.get(), depth.get()}; }
  };

  Array colour_, radius_, panes_;
  std::array<Layer, kMiddleLayers> middle_;  // empty before prepareSecondLayer()
  Layer hidden_;                             // likewise
  Surface background_[2];                    // of colour_ and radius_
  DeviceArray<uint4> fillCells_;
  DeviceArray<float4> farCells_, hiddenCells_;
  Pyramid pyramid_{};
  SurfaceCache surfaces_;
  StageTimer backgroundTimer_{{"fill", "background"}}, composeTimer_{{"lens"}};
};

}  // namespace

std::unique_ptr<Layered> makeLayered(int width, int height) {
  return std::make_unique<LayeredOnDevice>(width, height);
}

}  // namespace satdof::cuda
