#include "library/src/cuda/lens/light.h"

#include "cuda/lens/image.cuh"
#include "cuda/runtime/launch.cuh"
#include "shaders/common/tone.h"
#include "shaders/lens/channels.h"

namespace satdof::cuda {

namespace {

using namespace glsl;

// As half() in app/io/light.h: limited to 0 to 65504 (NaN: 0), to nearest, ties up.
__device__ unsigned short halfOf(float linear) {
  const unsigned bits = __float_as_uint(linear > 0.0f ? fminf(linear, 65504.0f) : 0.0f), mantissa = bits & 0x7fffff;
  const int exponent = static_cast<int>(bits >> 23) - 112;
  if (exponent < -10) return 0;
  const unsigned shifted =
      exponent <= 0 ? (mantissa | 0x800000) >> (1 - exponent) : static_cast<unsigned>(exponent) << 23 | mantissa;
  return static_cast<unsigned short>((shifted + 0x1000) >> 13);
}
__device__ float ofHalf(unsigned short bits) { return __half2float(__ushort_as_half(bits)); }

// The element of a caller's image, row 0 at the top, for a pixel of the lens.
template <class T>
__device__ T* pixelAt(T* image, ptrdiff_t stride, ivec2 size, ivec2 pixel, int channels) {
  return image + (size.y - 1 - pixel.y) * stride + channels * pixel.x;
}

template <class T>
__global__ void __launch_bounds__(kPixelThreads)
    takePixels(const T* image, ptrdiff_t stride, ivec2 size, const std::uint16_t* halves, PhotographTone tone,
               cudaSurfaceObject_t light) {
  const ivec2 pixel = pixelOfThread();
  if (pixel.x >= size.x || pixel.y >= size.y) return;
  const T* const from = pixelAt(image, stride, size, pixel, 3);
  vec3 v;
  if constexpr (std::is_integral_v<T>)
    v = unshouldered(vec3(ofHalf(halves[from[0]]), ofHalf(halves[from[1]]), ofHalf(halves[from[2]])), tone.from,
                     tone.peak);
  else
    v = vec3(from[0], from[1], from[2]);
  const unsigned short one = 0x3c00;
  surf2Dwrite(ushort4{halfOf(v.x), halfOf(v.y), halfOf(v.z), one}, light, pixel.x * int{sizeof(ushort4)}, pixel.y);
}

__global__ void __launch_bounds__(kPixelThreads)
    takeDepths(const float* depth, ptrdiff_t stride, ivec2 size, const FocusSurface surface, bool bends,
               cudaSurfaceObject_t to) {
  const ivec2 pixel = pixelOfThread();
  if (pixel.x >= size.x || pixel.y >= size.y) return;
  const float given = *pixelAt(depth, stride, size, pixel, 1), v = given > 0.0f ? fminf(given, 1.0f) : 0.0f;
  setValue(to, pixel, bends ? lensDepth(surface, v, vec2(pixel) + 0.5f) : v);
}

// The colour of a pixel. `apart`: red, green and blue from their own images, with lateral colour and
// vignetting.
__device__ vec3 drawnAt(const DrawnLight& light, ivec2 size, ivec2 pixel) {
  const auto value = [&](int c, ivec2 q) {
    const vec4 v = colourAt(light.images[c], glsl::clamp(q, ivec2(0), size - 1));
    return c == 0 ? v.x : c == 1 ? v.y : v.z;
  };
  if (!light.apart) {
    const vec4 v = colourAt(light.images[0], pixel);
    return {v.x, v.y, v.z};
  }
  const vec2 p = vec2(pixel) + 0.5f;
  const auto at = [&](int c, float larger) {
    if (larger == 0.0f) return value(c, pixel);
    const vec2 from = channelPlace(light.aperture, p, larger), low = floor(from), f = from - low;
    const ivec2 q(low);
    return mix(mix(value(c, q), value(c, q + ivec2(1, 0)), f.x), mix(value(c, q + ivec2(0, 1)), value(c, q + 1), f.x),
               f.y);
  };
  const float left = light.vignetting > 0.0f ? lightLeft(light.aperture, p, light.vignetting) : 1.0f;
  return left * vec3(at(0, light.growth), at(1, 0.0f), at(2, -light.growth));
}

template <class T>
__global__ void __launch_bounds__(kPixelThreads)
    showPixels(const DrawnLight light, PhotographTone tone, ivec2 size, T* out, ptrdiff_t stride) {
  const ivec2 pixel = pixelOfThread();
  if (pixel.x >= size.x || pixel.y >= size.y) return;
  vec3 v = drawnAt(light, size, pixel);
  T* const to = pixelAt(out, stride, size, pixel, 3);
  if constexpr (std::is_integral_v<T>) {
    constexpr float kMax = sizeof(T) == 1 ? 255.0f : 65535.0f;
    for (int c = 0; c < 3; ++c) v[c] = ofHalf(halfOf(v[c]));
    v = shouldered(v, tone.from, tone.peak);
    for (int c = 0; c < 3; ++c) v[c] = roundf(encodeSrgb(min(v[c], 1.0f)) * kMax);
  }
  for (int c = 0; c < 3; ++c) to[c] = static_cast<T>(v[c]);
}

// Calls task(T{}) with the type of an image.
template <class Task>
void withType(Type type, const Task& task) {
  type == Type::uint8 ? task(std::uint8_t{}) : type == Type::uint16 ? task(std::uint16_t{}) : task(float{});
}

}  // namespace

void takeLight(const InputImage& image, const std::uint16_t* halves, const PhotographTone& tone, SurfaceObject light,
               CUstream_st* stream) {
  withType(image.type, [&]<class T>(T) {
    launch(takePixels<T>, {pixelBlocks(image.width, image.height), kPixelThreads, 0, stream},
           static_cast<const T*>(image.data), image.stride, ivec2(image.width, image.height), halves, tone, light);
  });
}

void takeDepth(const cpu::Image<const float>& depth, const FocusSurface& surface, bool bends, SurfaceObject to,
               CUstream_st* stream) {
  launch(takeDepths, {pixelBlocks(depth.width, depth.height), kPixelThreads, 0, stream}, depth.data, depth.stride,
         ivec2(depth.width, depth.height), surface, bends, to);
}

void showLight(const DrawnLight& light, const PhotographTone& tone, const OutputImage& out, CUstream_st* stream) {
  withType(out.type, [&]<class T>(T) {
    launch(showPixels<T>, {pixelBlocks(out.width, out.height), kPixelThreads, 0, stream}, light, tone,
           ivec2(out.width, out.height), static_cast<T*>(out.data), out.stride);
  });
}

}  // namespace satdof::cuda
