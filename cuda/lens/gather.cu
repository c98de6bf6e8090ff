#include "cuda/lens/passes.cuh"

#include "cuda/lens/image.cuh"
#include "cuda/runtime/launch.cuh"
#include "shaders/lens/box_mean.h"

namespace satdof::cuda {

namespace {

using namespace glsl;

__device__ float radiusAt(const BlurSurfaces& surfaces, const RadiusRule& rule, ivec2 pixel) {
  return radiusOf(rule, valueAt(surfaces.depth, pixel));
}

// Blurs a pixel as shaders/lens/box/box.glsl. mean(halfWidth): the mean over the box; called where the blur weight is
// not 0.
template <class Mean>
__device__ void blurPixel(const BlurSurfaces& surfaces, const RadiusRule& rule, ivec2 pixel, Mean mean) {
  const float radius = radiusAt(surfaces, rule, pixel);
  const float weight = blurWeight(radius);
  const vec4 sharp = colourAt(surfaces.colour, pixel);
  setColour(surfaces.blurred, pixel, weight > 0.0f ? mix(sharp, mean(boxHalfWidth(radius)), weight) : sharp);
}

template <class T>
__global__ void __launch_bounds__(kPixelThreads)
    gatherBoxes(const BlurSurfaces surfaces, const RadiusRule rule, Table<T> table, bool transposed, ivec2 size,
                float unit, vec4 offset) {
  const ivec2 pixel = pixelOfThread();
  if (pixel.x >= size.x || pixel.y >= size.y) return;
  blurPixel(surfaces, rule, pixel, [&](float halfWidth) {
    return boxMean(table, transposed, size, pixel, halfWidth, rule.lens.anamorphicRatio, unit, offset);
  });
}

// The pixels `from` to `to` of a window of half-width h around a centre, clamped to [0, size). n = ceil(h - 1/2) pixels
// lie on either side of the centre. The outermost two have the weight h + 1/2 - n, all others 1.
struct BlurWindow {
  int from, to, first, last;
  float edge;
  __device__ BlurWindow(int centre, float halfWidth, int size) {
    const float h = fminf(halfWidth, static_cast<float>(size) + 1.0f);
    const int n = static_cast<int>(ceilf(h - 0.5f));
    first = centre - n;
    last = centre + n;
    from = ::max(first, 0);
    to = ::min(last, size - 1);
    edge = n > 0 ? h + 0.5f - static_cast<float>(n) : 1.0f;
  }
  __device__ float weight(int position) const { return position == first || position == last ? edge : 1.0f; }
};

// The mean of boxMean() without a table: sums the pixels of the outer box.
__device__ vec4 directMean(cudaSurfaceObject_t colour, ivec2 size, ivec2 pixel, float halfWidth,
                           float anamorphicRatio) {
  const Boxes boxes = boxesOf(halfWidth, anamorphicRatio, size);
  const ivec2 from = glsl::max(pixel - boxes.outer, ivec2(0)), to = glsl::min(pixel + boxes.outer + 1, size);
  vec4 sum(0.0f);
  float area = 0.0f;
  for (int y = from.y; y < to.y; ++y)
    for (int x = from.x; x < to.x; ++x) {
      const bool onRing = ::abs(x - pixel.x) > boxes.inner.x || ::abs(y - pixel.y) > boxes.inner.y;
      const float weight = onRing ? boxes.outerWeight : 1.0f;
      sum = sum + colourAt(colour, {x, y}) * weight;
      area += weight;
    }
  return sum * (1.0f / area);
}

__global__ void __launch_bounds__(kPixelThreads)
    convolveDirectly(const BlurSurfaces surfaces, const RadiusRule rule, ivec2 size) {
  const ivec2 pixel = pixelOfThread();
  if (pixel.x >= size.x || pixel.y >= size.y) return;
  blurPixel(surfaces, rule, pixel, [&](float halfWidth) {
    return directMean(surfaces.colour, size, pixel, halfWidth, rule.lens.anamorphicRatio);
  });
}

// Writes the mean along x of each pixel.
__global__ void __launch_bounds__(kPixelThreads)
    convolveRows(const BlurSurfaces surfaces, const RadiusRule rule, ivec2 size, float4* __restrict__ means) {
  const ivec2 pixel = pixelOfThread();
  if (pixel.x >= size.x || pixel.y >= size.y) return;
  const BlurWindow window(
      pixel.x, fmaxf(boxHalfWidth(radiusAt(surfaces, rule, pixel)) * rule.lens.anamorphicRatio, 0.5f), size.x);
  vec4 sum(0.0f);
  float length = 0.0f;
  for (int x = window.from; x <= window.to; ++x) {
    const float weight = window.weight(x);
    sum = sum + colourAt(surfaces.colour, {x, pixel.y}) * weight;
    length += weight;
  }
  const vec4 mean = sum * (1.0f / length);
  means[static_cast<size_t>(pixel.y) * size.x + pixel.x] = {mean.x, mean.y, mean.z, mean.w};
}

// Blurs each pixel by the mean along y of the means along x.
__global__ void __launch_bounds__(kPixelThreads)
    convolveColumns(const BlurSurfaces surfaces, const RadiusRule rule, ivec2 size, Table<float> means) {
  const ivec2 pixel = pixelOfThread();
  if (pixel.x >= size.x || pixel.y >= size.y) return;
  blurPixel(surfaces, rule, pixel, [&](float halfWidth) {
    const BlurWindow window(pixel.y, halfWidth, size.y);
    vec4 sum(0.0f);
    float length = 0.0f;
    for (int y = window.from; y <= window.to; ++y) {
      const float weight = window.weight(y);
      sum = sum + texelFetch(means, {pixel.x, y}, 0) * weight;
      length += weight;
    }
    return sum * (1.0f / length);
  });
}

template <class T>
void gather(const BoxRule& rule, const PassViews& views, cudaStream_t stream) {
  const vec4 offset(rule.offset.x, rule.offset.y, rule.offset.z, rule.offset.w);
  launch(gatherBoxes<T>, {pixelBlocks(views.size.x, views.size.y), kPixelThreads, 0, stream}, BlurSurfaces(views),
         rule.radius, {views.reads[2].texels(), views.pitchOf(views.size)}, views.transposed, views.size, rule.unit,
         offset);
}

}  // namespace

void enqueue(const BoxRule& rule, const PassViews& views, cudaStream_t stream) {
  rule.floats == 0 ? gather<unsigned>(rule, views, stream) : gather<float>(rule, views, stream);
}

void enqueue(const ConvolutionRule& rule, const PassViews& views, cudaStream_t stream) {
  const BlurSurfaces surfaces(views);
  const dim3 blocks = pixelBlocks(views.size.x, views.size.y);
  if (rule.convolution == Convolution::direct) {
    launch(convolveDirectly, {blocks, kPixelThreads, 0, stream}, surfaces, rule.radius, views.size);
    return;
  }
  void* const means = views.writes[1].memory;  // along rows
  launch(convolveRows, {blocks, kPixelThreads, 0, stream}, surfaces, rule.radius, views.size,
         static_cast<float4*>(means));
  launch(convolveColumns, {blocks, kPixelThreads, 0, stream}, surfaces, rule.radius, views.size,
         {views.writes[1].texels(), views.size.x});
}

}  // namespace satdof::cuda
