#pragma once
#include <satdof/cuda.h>
#include <satdof/lens.h>

namespace satdof::cuda {

// lens::refocus() for images of one size in the memory of a CUDA device. Results differ from lens::refocus()
// by rounding; floats have the precision of half floats. As the plans of satdof/cuda.h, except that the first
// run after set() may wait. Owns about 170 bytes per pixel (186 with axial colour) and up to 25 MB.
class LensPlan {
 public:
  // Throws std::invalid_argument if lens::refocus() does not support this size.
  LensPlan(int width, int height);
  LensPlan(LensPlan&&) noexcept;
  LensPlan& operator=(LensPlan&&) noexcept;
  ~LensPlan();
  // Sets the options and the depth range of the following runs. May allocate and wait. Throws as
  // lens::refocus().
  void set(const lens::DepthRange& depths, std::span<const lens::Option> options);
  // image: three channels of float, std::uint8_t or std::uint16_t, as for lens::refocus(). `out` has the type
  // of the image and may be the image. depth: unitM / distance, in the size of the image, for example from
  // lens::prepareDepth(). Limited to 0 to 1; NaN counts as 0.
  void run(const InputImage& image, const cpu::Image<const float>& depth, const OutputImage& out, CUstream_st* stream);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace satdof::cuda
