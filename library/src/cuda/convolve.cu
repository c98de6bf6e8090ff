#include <type_traits>

#include "cuda/convolve/pass.cuh"
#include "library/src/check.h"
#include "library/src/cuda/sums.h"

namespace satdof::cuda {

namespace {

// A sum without fused multiply-adds: rounded after each operation, as on the processor. Integers are modulo
// 2^32.
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

// One channel, blockIdx.z, of an image of T or bytes. Source and sink of convolveTiles().
template <class T>
struct ChannelSource {
  using Stored = T;
  using Value = Rounded<T>;
  const void* elements;
  std::ptrdiff_t stride;
  int channels;
  bool bytes;
  __device__ T load(int x, int y) const {
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(y) * stride + x * channels + blockIdx.z;
    return bytes ? static_cast<T>(static_cast<const std::uint8_t*>(elements)[at]) : static_cast<const T*>(elements)[at];
  }
  __device__ static Value widen(T stored) { return {stored}; }
};
template <class T>
struct ChannelSink {
  T* elements;
  std::ptrdiff_t stride;
  int channels;
  __device__ void store(int x, int y, Rounded<T> value) const {
    elements[static_cast<std::ptrdiff_t>(y) * stride + x * channels + blockIdx.z] = value.value;
  }
};

}  // namespace

template <class T>
void convolve(const InputImage& image, const cpu::Mask<T>& mask, const cpu::Image<T>& out, CUstream_st* stream) {
  cpu::requireImage(out, "the output");
  requirePixels(image, "the image", out.width, out.height, out.channels);
  requirePixels(OutputImage(out), "the output", image.width, image.height, image.channels);
  const bool bytes = image.type == Type::uint8;
  cpu::require(bytes || image.type == typeOf<T>(), "cannot convolve an image of ", nameOf(image.type), " in ",
               nameOf(typeOf<T>()), ": convert it");
  cpu::require(image.height <= 1 << 20, "the image has ", image.height, " rows: the limit is 2^20");
  cpu::requireMask(mask, image.channels);
  const Pass<T> pass(Convolve::tiled, {image.width, image.height}, {mask.width, mask.height, mask.weights});
  pass.runTiles(ChannelSource<T>{image.data, image.stride, image.channels, bytes},
                ChannelSink<T>{out.data, out.stride, out.channels}, stream, static_cast<unsigned>(image.channels));
}

template void convolve(const InputImage&, const cpu::Mask<float>&, const cpu::Image<float>&, CUstream_st*);
template void convolve(const InputImage&, const cpu::Mask<double>&, const cpu::Image<double>&, CUstream_st*);
template void convolve(const InputImage&, const cpu::Mask<std::int32_t>&, const cpu::Image<std::int32_t>&,
                       CUstream_st*);

}  // namespace satdof::cuda
