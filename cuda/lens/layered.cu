#include <algorithm>

#include "cuda/lens/image.cuh"
#include "cuda/lens/passes.cuh"
#include "cuda/runtime/launch.cuh"
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
constexpr int kLensBlocks = 4;      // of drawBackgroundPixels() and composePixels(), resident on a multiprocessor
constexpr int kCoarseThreads = 32;  // of a block of drawCoarse()
static_assert(kFine.side == 1 << (kFine.levels - 1) && kFillLevels == kFine.levels + 3);

// A pyramid, level by level. Level 0 has width x height cells, multiples of 2^(kFillLevels - 1).
template <class Bits>
struct Levels {
  Bits* cells;
  int width, height;

  // `image`: size of the image of the lens.
  Levels(const PassView& view, ivec2 image)
      : cells(static_cast<Bits*>(view.memory)), width(fillSizeOf(image).x), height(fillSizeOf(image).y) {}
  // The number of cells in finer levels: the sum of width * height / 4^k for k < level.
  __host__ __device__ int first(int level) const {
    return (width * height - (width >> level) * (height >> level)) / 3 * 4;
  }
  int count() const { return first(kFillLevels - 1) + (width >> (kFillLevels - 1)) * (height >> (kFillLevels - 1)); }
  __device__ Bits at(ivec2 cell, int level) const { return __ldg(place(cell, level)); }
  __device__ void set(ivec2 cell, int level, const Bits& bits) const { *place(cell, level) = bits; }

 private:
  __device__ Bits* place(ivec2 cell, int level) const {
    return cells + first(level) + cell.y * (width >> level) + cell.x;
  }
};

__device__ vec4 fromBits(const uint2& bits) {
  ushort4 halves;
  memcpy(&halves, &bits, sizeof(halves));
  return fromHalves(halves);
}
__device__ uint2 toBits(const vec4& v) {
  const ushort4 halves = toHalves(v);
  uint2 bits;
  memcpy(&bits, &halves, sizeof(bits));
  return bits;
}

// The functions of shaders/lens/layered/levels.glsl.
template <class Bits>
__device__ ivec2 sizeOf(const Levels<Bits>& pyramid, int level) {
  return {pyramid.width >> level, pyramid.height >> level};
}
__device__ vec4 cellAt(const Levels<uint2>& pyramid, ivec2 cell, int level) {
  return fromBits(pyramid.at(cell, level));
}
__device__ vec4 cellAt(const Levels<float4>& pyramid, ivec2 cell, int level) {
  const float4 bits = pyramid.at(cell, level);
  return {bits.x, bits.y, bits.z, bits.w};
}

// The two pyramids of FillCell.
struct FillLevels {
  Levels<uint2> behind, radii;
  int width, height;

  FillLevels(const PassView& ofBehind, const PassView& ofRadii, ivec2 image)
      : behind(ofBehind, image), radii(ofRadii, image), width(behind.width), height(behind.height) {}
  __device__ void set(ivec2 cell, int level, const uint4& bits) const {
    behind.set(cell, level, {bits.x, bits.y});
    radii.set(cell, level, {bits.z, bits.w});
  }
  __device__ uint4 at(ivec2 cell, int level) const {
    const uint2 first = behind.at(cell, level), second = radii.at(cell, level);
    return {first.x, first.y, second.x, second.y};
  }
};

// The second layer of depth at a pixel.
struct SecondPixel {
  vec4 light;  // alpha: its part of the pixel; 0 without a second layer
  float radius;
};

// The images of the scene. A pass leaves out images that it does not need.
struct Source {
  cudaSurfaceObject_t colour, depth, behindColour, behindDepth;
  ivec2 size;

  __device__ vec3 lightAt(ivec2 pixel) const {
    const vec4 light = colourAt(colour, pixel);
    return vec3(light.x, light.y, light.z);
  }
  __device__ float radiusAt(const ThinLens& lens, ivec2 pixel) const {
    return signedRadius(lens, valueAt(depth, pixel));
  }
  __device__ SecondPixel secondAt(const ThinLens& lens, ivec2 pixel) const {
    if (behindColour == 0) return {vec4(0.0f), 0.0f};
    return {colourAt(behindColour, pixel), signedRadius(lens, valueAt(behindDepth, pixel))};
  }
};

// How to draw a pyramid: the type of its cells, their packed bits, the pyramid itself, and Pixels, which returns the
// cell of a pixel. FillCells: shaders/lens/layered/fill.glsl; eight halves a cell.
struct FillCells {
  using Bits = uint4;
  using Cell = FillCell;
  using Drawn = FillLevels;
  struct Pixels {
    Source source;
    ThinLens lens;
    float ceiling;
    __device__ FillCell operator()(ivec2 pixel) const {
      pixel = glsl::min(pixel, source.size - 1);
      const SecondPixel second = source.secondAt(lens, pixel);
      return cellOfPixel(source.lightAt(pixel), source.radiusAt(lens, pixel), second.light, second.radius, ceiling);
    }
  };
  __device__ static uint4 packed(const FillCell& cell) {
    const uint2 behind = toBits(cell.behind), radii = toBits(cell.radii);
    return {behind.x, behind.y, radii.x, radii.y};
  }
  __device__ static FillCell unpacked(const uint4& bits) {
    return {fromBits({bits.x, bits.y}), fromBits({bits.z, bits.w})};
  }
  __device__ static FillCell merged(FillCell cells[4]) { return mergedCell(cells); }
};

// Pyramids of means; four floats a cell.
struct MeanCells {
  using Bits = float4;
  using Cell = vec3;
  using Drawn = Levels<float4>;
  __device__ static float4 packed(vec3 cell) { return {cell.x, cell.y, cell.z, 0.0f}; }
  __device__ static vec3 unpacked(const float4& bits) { return {bits.x, bits.y, bits.z}; }
  __device__ static vec3 merged(const vec3 cells[4]) { return 0.25f * (cells[0] + cells[1] + cells[2] + cells[3]); }
};

// The pyramid of shaders/lens/layered/far.glsl.
struct FarCells : MeanCells {
  struct Pixels {
    cudaSurfaceObject_t depth;
    ivec2 size;
    ThinLens lens;
    __device__ vec3 operator()(ivec2 pixel) const {
      return farCellOfPixel(signedRadius(lens, valueAt(depth, glsl::min(pixel, size - 1))));
    }
  };
};

// The bits of a cell above four. load(cell): the bits of a cell of the level below.
template <class Cells, class Load>
__device__ typename Cells::Bits mergedAt(ivec2 cell, const Load& load) {
  typename Cells::Cell four[4];
  for (int k = 0; k < 4; ++k) four[k] = Cells::unpacked(load(2 * cell + ivec2(k & 1, k >> 1)));
  return Cells::packed(Cells::merged(four));
}

// Draws the finer levels of a tile. Shared memory holds its cells, level by level.
template <class Cells>
__global__ void __launch_bounds__(kFine.side* kFine.side)
    drawFine(const typename Cells::Pixels pixels, const typename Cells::Drawn pyramid) {
  __shared__ typename Cells::Bits tile[(kFine.side * kFine.side * 4 - 1) / 3];
  const int thread = static_cast<int>(threadIdx.x);
  const ivec2 block(blockIdx.x, blockIdx.y),
      first = block * kFine.side + ivec2(thread % kFine.side, thread / kFine.side);
  typename Cells::Cell four[4];
  for (int k = 0; k < 4; ++k) four[k] = pixels(first * 2 + ivec2(k & 1, k >> 1));
  const auto merged = Cells::packed(Cells::merged(four));
  tile[thread] = merged;
  pyramid.set(first, 0, merged);
  auto* below = tile;
  for (int level = 1, side = kFine.side / 2; level < kFine.levels; ++level, side /= 2) {
    __syncthreads();
    auto* const cells = below + 4 * side * side;
    if (thread < side * side) {
      const ivec2 cell(thread % side, thread / side);
      const auto bits = mergedAt<Cells>(cell, [&](ivec2 at) { return below[at.y * 2 * side + at.x]; });
      cells[thread] = bits;
      pyramid.set(block * side + cell, level, bits);
    }
    below = cells;
  }
}

// Draws the coarser levels. A block draws one cell of the last level and the cells below it.
template <class Cells>
__global__ void __launch_bounds__(kCoarseThreads) drawCoarse(const typename Cells::Drawn pyramid) {
  __shared__ typename Cells::Bits tile[16 + 4];
  const int thread = static_cast<int>(threadIdx.x);
  const ivec2 block(blockIdx.x, blockIdx.y), cell(thread % 4, thread / 4);
  if (thread < 16) {
    const auto bits = mergedAt<Cells>(cell, [&](ivec2 at) { return pyramid.at(block * 8 + at, kFine.levels - 1); });
    tile[thread] = bits;
    pyramid.set(block * 4 + cell, kFine.levels, bits);
  }
  const auto* below = tile;
  for (int level = kFine.levels + 1, side = 2; level < kFillLevels; ++level, side /= 2) {
    __syncwarp();
    auto* const cells = tile + 16;
    if (thread < side * side) {
      const ivec2 at(thread % side, thread / side);
      const auto merged = mergedAt<Cells>(at, [&](ivec2 from) { return below[from.y * 2 * side + from.x]; });
      pyramid.set(block * side + at, level, merged);
      if (side > 1) cells[thread] = merged;
    }
    below = cells;
  }
}

template <class Cells>
void drawPyramid(const typename Cells::Pixels& pixels, const typename Cells::Drawn& pyramid, cudaStream_t stream) {
  const auto blocks = [&](int level) {
    return dim3(static_cast<unsigned>(pyramid.width >> level), static_cast<unsigned>(pyramid.height >> level));
  };
  launch(drawFine<Cells>, {blocks(kFine.levels - 1), kFine.side * kFine.side, 0, stream}, pixels, pyramid);
  launch(drawCoarse<Cells>, {blocks(kFillLevels - 1), kCoarseThreads, 0, stream}, pyramid);
}

struct LayerImages {
  cudaSurfaceObject_t colour, depth;
};

// The pyramid of the means of HiddenNear::sums. Pixels also writes the hidden near field.
struct HiddenCells : MeanCells {
  struct Pixels {
    Source source;
    ThinLens lens;
    Levels<uint2> fillRadii;
    LayerImages hidden;
    __device__ vec3 operator()(ivec2 pixel) const {
      const ivec2 inside = glsl::min(pixel, source.size - 1);
      const HiddenNear drawn = hiddenNear(fillRadii, lens, vec2(inside) + 0.5f, source.radiusAt(lens, inside),
                                          colourAt(source.behindColour, inside), valueAt(source.behindDepth, inside));
      if (pixel.x == inside.x && pixel.y == inside.y) {
        setColour(hidden.colour, pixel, drawn.light);
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

__global__ void __launch_bounds__(kPixelThreads, kLensBlocks)
    drawBackgroundPixels(const Source source, const LayerImages back, const BackgroundRule rule, const FillLevels fill,
                         const Levels<float4> farRadii, const BackgroundImages background, uint4* __restrict__ farImage,
                         cudaSurfaceObject_t backLeft, const MiddleImages middle) {
  const ivec2 pixel = pixelOfThread();
  if (pixel.x >= source.size.x || pixel.y >= source.size.y) return;
  const SecondPixel second = source.secondAt(rule.lens, pixel);
  PixelSurfaces surfaces{
      source.lightAt(pixel), source.radiusAt(rule.lens, pixel), second.light, second.radius, vec4(0.0f), 0.0f};
  if (rule.anyBlended != 0) {
    surfaces.blended = colourAt(back.colour, pixel);
    surfaces.blendedRadius = -layerRadius(rule.lens, colourAt(back.depth, pixel));
  }
  const Background drawn = backgroundOf(fill.behind, fill.radii, farRadii, rule, pixel, surfaces);
  setColour(background.colour, pixel, vec4(drawn.colour, 1.0f));
  setValue(background.radius, pixel, drawn.radius);
  farImage[static_cast<size_t>(pixel.y) * source.size.x + pixel.x] = {drawn.far.x, drawn.far.y, drawn.far.z,
                                                                      drawn.far.w};
  if (rule.anyBlended != 0) setColour(backLeft, pixel, drawn.blended);
  if (rule.anyMiddle == 0) return;
#pragma unroll
  for (int i = 0; i < kMiddleLayers; ++i) {
    setColour(middle.layers[i].colour, pixel, drawn.middle[i].light);
    setValue(middle.layers[i].depth, pixel, depthOfRadius(rule.lens, drawn.middle[i].radius));
  }
}

struct BlendedImages : LayerImages {
  Table<unsigned> table;  // of the scatter
};

struct ComposeInputs {
  Table<unsigned> near, foremost, far, first, second, hidden;
  BlendedImages back, front;
  bool transposed;
  BackgroundImages background;
  Levels<uint2> fillRadii;
  Levels<float4> hiddenSums;
  ivec2 size;
};

__device__ vec4 scattered(Table<unsigned> table, bool transposed, ivec2 pixel) {
  return vec4(cornerSum(table, transposed, pixel.x + 1, pixel.y + 1)) * (1.0f / scatterScale());
}
__device__ vec4 layerAt(const ComposeInputs& inputs, const ThinLens& lens, const BlendedImages& layer, ivec2 pixel) {
  return blendedLayer(lens, pixel, inputs.size, scattered(layer.table, inputs.transposed, pixel),
                      colourAt(layer.colour, pixel), layerRadius(lens, colourAt(layer.depth, pixel)));
}

// The pixels of a block and around it that discs of the focus layer reach.
struct FocusSources {
  static constexpr int kMax = (kPixelBlock.width + 2 * kMaxFocusReachX) * (kPixelBlock.height + 2 * kFocusReach);
  vec4 light[kMax];
  float weights[kFocusDiscs][kMax], radius[kMax];

  // Reads the pixels if one of them spreads to others, and returns whether one does. All threads of the block must call
  // it.
  __device__ bool read(const BackgroundImages& image, ivec2 size, const FocusDiscs& discs) {
    const int thread = static_cast<int>(threadIdx.x), pitch = pitchOf(discs);
    const ivec2 block(kPixelBlock.width, kPixelBlock.height);
    const ivec2 first = ivec2(blockIdx.x, blockIdx.y) * block - ivec2(discs.rows[0].z, kFocusReach);
    const int all = pitch * (kPixelBlock.height + 2 * kFocusReach);
    const auto pixelOf = [&](int i) { return glsl::clamp(first + ivec2(i % pitch, i / pitch), ivec2(0), size - 1); };
    bool soft = false;
    for (int i = thread; i < all; i += kPixelThreads) {
      radius[i] = valueAt(image.radius, pixelOf(i));
      soft = soft || isSoft(radius[i]);
    }
    if (__syncthreads_or(soft) == 0) return false;
    for (int i = thread; i < all; i += kPixelThreads) {
      const vec4 colour = colourAt(image.colour, pixelOf(i));
      const FocusSource source = focusSource(vec3(colour.x, colour.y, colour.z), radius[i], vec3(discs.areas));
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
      const ivec4 row = discs.rows[abs(y)];
      const int middle = (inBlock.y + y + kFocusReach) * pitch + inBlock.x + discs.rows[0].z;
      for (int x = -row.z; x <= row.z; ++x)
        layer = withSource(layer, light[middle + x], radius[middle + x], weights[focusDisc(row, x)][middle + x]);
    }
    return layer;
  }

 private:
  __device__ static int pitchOf(const FocusDiscs& discs) { return kPixelBlock.width + 2 * discs.rows[0].z; }
};

// kSteps is a template parameter so that loops unroll and step sizes are constants.
template <int kSteps, bool kBlended>
__global__ void __launch_bounds__(kPixelThreads, kLensBlocks)
    composePixels(const ComposeInputs inputs, ComposeRule rule, cudaSurfaceObject_t blurred) {
  __shared__ FocusSources sources;
  const bool soft = sources.read(inputs.background, inputs.size, rule.discs);
  const ivec2 pixel = pixelOfThread();
  if (pixel.x >= inputs.size.x || pixel.y >= inputs.size.y) return;
  rule.steps = kSteps;
  rule.anyBlended = kBlended;
  FrontLayers layers{};
  if (rule.anyMiddle != 0) {
    layers.first = scattered(inputs.first, inputs.transposed, pixel);
    layers.second = scattered(inputs.second, inputs.transposed, pixel);
  }
  if (rule.anyNear != 0) layers.near = scattered(inputs.near, inputs.transposed, pixel);
  if (rule.anyHidden != 0) layers.hidden = scattered(inputs.hidden, inputs.transposed, pixel);
  if (rule.anyForemost != 0) layers.foremost = scattered(inputs.foremost, inputs.transposed, pixel);
  if constexpr (kBlended) {
    layers.back = layerAt(inputs, rule.lens, inputs.back, pixel);
    layers.ownBack = colourAt(inputs.back.colour, pixel);
    layers.front = layerAt(inputs, rule.lens, inputs.front, pixel);
  }
  const vec4 background = colourAt(inputs.background.colour, pixel);
  const vec3 fill(background.x, background.y, background.z);
  const float r = valueAt(inputs.background.radius, pixel);
  const FocusLayer focus = soft ? sources.at(pixel, rule.discs) : focusAlone(fill, r);
  setColour(blurred, pixel,
            composed(inputs.fillRadii, inputs.hiddenSums, inputs.far, inputs.transposed, rule, pixel, inputs.size, fill,
                     r, focus, layers));
}

constexpr decltype(&composePixels<1, false>) kComposePixels[][kMaxSteps] = {
    {composePixels<1, false>, composePixels<2, false>, composePixels<3, false>, composePixels<4, false>,
     composePixels<5, false>},
    {composePixels<1, true>, composePixels<2, true>, composePixels<3, true>, composePixels<4, true>,
     composePixels<5, true>}};

}  // namespace

size_t pyramidCells(ivec2 imageSize) { return static_cast<size_t>(Levels<float4>({}, imageSize).count()); }

void enqueue(const FillRule& rule, const PassViews& views, cudaStream_t stream) {
  const auto& in = views.reads;
  const Source source{.colour = in[kFillColour].surface,
                      .depth = in[kFillDepth].surface,
                      .behindColour = in[kFillBehindColour].surface,
                      .behindDepth = in[kFillBehindDepth].surface,
                      .size = views.size};
  drawPyramid<FillCells>({source, rule.lens, rule.ceiling},
                         {views.writes[kFillBehind], views.writes[kFillRadii], views.size}, stream);
}

void enqueue(const FarRule& rule, const PassViews& views, cudaStream_t stream) {
  drawPyramid<FarCells>({views.reads[kFarDepth].surface, views.size, rule.lens}, {views.writes[kFarRadii], views.size},
                        stream);
}

void enqueue(const HiddenRule& rule, const PassViews& views, cudaStream_t stream) {
  const auto &in = views.reads, &out = views.writes;
  const Source source{.colour = 0,
                      .depth = in[kHiddenSceneDepth].surface,
                      .behindColour = in[kHiddenBehindColour].surface,
                      .behindDepth = in[kHiddenBehindDepth].surface,
                      .size = views.size};
  const Levels<float4> sums(out[kHiddenSums], views.size);
  const Levels<uint2> fillRadii(in[kHiddenFillRadii], views.size);
  const LayerImages hidden{out[kHiddenLight].surface, out[kHiddenDepth].surface};
  drawPyramid<HiddenCells>({source, rule.lens, fillRadii, hidden}, sums, stream);
}

void enqueue(const BackgroundRule& rule, const PassViews& views, cudaStream_t stream) {
  const auto &in = views.reads, &out = views.writes;
  const Source source{.colour = in[kBackgroundSceneColour].surface,
                      .depth = in[kBackgroundSceneDepth].surface,
                      .behindColour = in[kBackgroundBehindColour].surface,
                      .behindDepth = in[kBackgroundBehindDepth].surface,
                      .size = views.size};
  MiddleImages middle{};
  for (size_t i = 0; i < kMiddleLayers; ++i)
    middle.layers[i] = {out[kBackgroundMiddleLight + i].surface, out[kBackgroundMiddleDepth + i].surface};
  launch(drawBackgroundPixels, {pixelBlocks(views.size.x, views.size.y), kPixelThreads, 0, stream}, source,
         {in[kBackgroundBackColour].surface, in[kBackgroundBackDepth].surface}, rule,
         {in[kBackgroundFillBehind], in[kBackgroundFillRadii], views.size}, {in[kBackgroundFarRadii], views.size},
         {out[kBackgroundColour].surface, out[kBackgroundRadius].surface},
         static_cast<uint4*>(out[kBackgroundFar].memory), out[kBackgroundBackLeft].surface, middle);
}

void enqueue(const ComposeRule& rule, const PassViews& views, cudaStream_t stream) {
  const auto& in = views.reads;
  const int pitch = views.pitchOf(views.size), steps = std::clamp(rule.steps, 1, kMaxSteps);
  const auto table = [&](size_t place) { return Table<unsigned>(in[place].texels(), pitch); };
  const ComposeInputs inputs{
      .near = table(kComposeNear),
      .foremost = table(kComposeForemost),
      .far = table(kComposeFar),
      .first = table(kComposeFirst),
      .second = table(kComposeSecond),
      .hidden = table(kComposeHidden),
      .back = {{in[kComposeBackColour].surface, in[kComposeBackDepth].surface}, table(kComposeBack)},
      .front = {{in[kComposeFrontColour].surface, in[kComposeFrontDepth].surface}, table(kComposeFront)},
      .transposed = views.transposed,
      .background = {in[kComposeBackground].surface, in[kComposeRadius].surface},
      .fillRadii = {in[kComposeFillRadii], views.size},
      .hiddenSums = {in[kComposeHiddenSums], views.size},
      .size = views.size};
  launch(kComposePixels[rule.anyBlended][steps - 1],
         {pixelBlocks(views.size.x, views.size.y), kPixelThreads, 0, stream}, inputs, rule,
         views.writes[kComposeResult].surface);
}

}  // namespace satdof::cuda
