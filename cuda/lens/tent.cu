#include "cuda/lens/image.cuh"
#include "cuda/lens/passes.cuh"
#include "cuda/runtime/launch.cuh"

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

template <int kShrink>
__global__ void __launch_bounds__(kPixelThreads)
    blurTents(const BlurSurfaces surfaces, Table<unsigned> table, bool transposed, TentRule rule, ivec2 size) {
  const ivec2 pixel = pixelOfThread();
  if (pixel.x >= size.x || pixel.y >= size.y) return;
  rule.shrink = kShrink;
  setColour(surfaces.blurred, pixel,
            tentBlurred(table, transposed, rule, pixel, colourAt(surfaces.colour, pixel),
                        signedRadius(rule.lens, valueAt(surfaces.depth, pixel))));
}

}  // namespace

void enqueue(const TentCellRule& rule, const PassViews& views, cudaStream_t stream) {
  launch(quantiseCells, {pixelBlocks(rule.size.x, rule.size.y), kPixelThreads, 0, stream}, views.reads[0].surface,
         views.size, static_cast<const TentRule&>(rule), static_cast<uint4*>(views.writes[0].memory));
}

void enqueue(const TentRule& rule, const PassViews& views, cudaStream_t stream) {
  const auto kernel = rule.shrink == 1 ? blurTents<1> : blurTents<2>;
  launch(kernel, {pixelBlocks(views.size.x, views.size.y), kPixelThreads, 0, stream}, BlurSurfaces(views),
         {views.reads[2].texels(), views.pitchOf(rule.size)}, views.transposed, rule, views.size);
}

}  // namespace satdof::cuda
