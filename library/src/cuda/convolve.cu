#include <type_traits>

#include "cuda/convolve/pass.cuh"
#include "library/src/check.h"
#include "library/src/cuda/sums.h"

namespace satdof::cuda {

namespace {

// A sum that is rounded after each operation, as on the processor. Integers are modulo 2^32.
template <class T>
struct Rounded {
  T value;
};
template <class T>
__device__ Rounded<T> addProduct(Rounded<T> sum, T weight, Rounded<T> value) {
  if constexpr (std::is_integral_v<T>)
    return {satdof::cuda::addProduct(sum.value, weight, value.value)};
  else
    return {sum.value + weight * value.value};
}

// One channel of an image.
template <class T>
struct ChannelPlane {
  using Stored = std::remove_const_t<T>;
  using Value = Rounded<Stored>;
  T* elements;
  std::ptrdiff_t stride;
  int channels;
  __device__ T& at(int x, int y) const {
    return elements[static_cast<std::ptrdiff_t>(y) * stride + static_cast<std::ptrdiff_t>(x) * channels];
  }
  __device__ Stored load(int x, int y) const { return at(x, y); }
  __device__ static Value widen(Stored stored) { return {stored}; }
  __device__ void store(int x, int y, Value value) const { at(x, y) = value.value; }
};

}  // namespace

template <class T>
void convolve(const cpu::Image<const T>& image, const cpu::Mask<T>& mask, const cpu::Image<T>& out,
              CUstream_st* stream) {
  cpu::requireImage(image, "the image");
  requirePixels(OutputImage(out), "the output", image.width, image.height, image.channels);
  requirePixels(InputImage(image), "the image", image.width, image.height, image.channels);
  cpu::require(image.height <= 1 << 20, "the image has ", image.height, " rows: the limit is 2^20");
  cpu::requireMask(mask, image.channels);
  const Pass<T> pass(Convolve::tiled, {image.width, image.height}, {mask.width, mask.height, mask.weights});
  for (int c = 0; c < image.channels; ++c)
    pass.runTiles(ChannelPlane<const T>{image.data + c, image.stride, image.channels},
                  ChannelPlane<T>{out.data + c, out.stride, out.channels}, stream);
}

template void convolve(const cpu::Image<const float>&, const cpu::Mask<float>&, const cpu::Image<float>&,
                       CUstream_st*);
template void convolve(const cpu::Image<const double>&, const cpu::Mask<double>&, const cpu::Image<double>&,
                       CUstream_st*);
template void convolve(const cpu::Image<const std::int32_t>&, const cpu::Mask<std::int32_t>&,
                       const cpu::Image<std::int32_t>&, CUstream_st*);

}  // namespace satdof::cuda
