#include "app/filter/cpu_convolve.h"
#include "library/src/check.h"
#include "library/src/pool.h"

namespace satdof::cpu {

template <class T>
void convolve(Image<const T> image, const Mask<T>& mask, Image<T> out) {
  requireImage(image, "the image");
  requireSize(out, "the output", image, "the image");
  const auto row = static_cast<std::ptrdiff_t>(image.rowElements());
  require((image.stride == row && out.stride == row) || image.height == 1, "a convolution needs rows without gaps");
  requireMask(mask, image.channels);
  const MaskPassOf<T> pass{mask.width, mask.height, mask.weights};
  withPool(8 * image.rowElements() * static_cast<std::size_t>(image.height), [&](ThreadPool& pool) {
    convolveParallel(pool, {image.width, image.height}, image.channels, image.data, out.data, pass);
  });
}

template void convolve(Image<const float>, const Mask<float>&, Image<float>);
template void convolve(Image<const double>, const Mask<double>&, Image<double>);
template void convolve(Image<const std::int32_t>, const Mask<std::int32_t>&, Image<std::int32_t>);

}  // namespace satdof::cpu
