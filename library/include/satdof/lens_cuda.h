#pragma once
#include <satdof/cuda.h>
#include <satdof/lens.h>

namespace satdof::cuda {

// Refocuses images of one size in the memory of a CUDA device. Results differ from lens::refocus() by rounding; floats have the
// precision of half floats. Works like the plans of satdof/cuda.h, except that the first run after set() may wait. Owns about 170 bytes
// a pixel (186 with axial colour) and up to 25 MB.
class LensPlan {
 public:
  // Throws std::invalid_argument unless lens::refocus() takes this size.
  LensPlan(int width, int height);
  LensPlan(LensPlan&&) noexcept;
  LensPlan& operator=(LensPlan&&) noexcept;
  ~LensPlan();
  // The options of the following runs, and what their depths have in common. Allocates what earlier ones did not need, and may wait.
  // Throws as lens::refocus().
  void set(const lens::DepthRange& depths, std::span<const lens::Option> options);
  // image: three channels of float, std::uint8_t or std::uint16_t, as lens::refocus(); `out` has its type and may be the image.
  // depth: of the size of the image, unitM / distance, such as lens::prepareDepth() writes. Numbers below 0 and NaN count as 0, above 1
  // as 1.
  void run(const InputImage& image, const cpu::Image<const float>& depth, const OutputImage& out,
           CUstream_st* stream);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace satdof::cuda
