#pragma once
#include <memory>
#include <span>
#include <string>

#include "app/device/device.h"
#include "app/filter/mask.h"
#include "app/gl/frame_stats.h"

namespace satdof {

// The textures of a filter: GL_RGBA16F, of the size given to resize().
struct FilterImages {
  const gl::Texture& image;
  const gl::Texture& filtered;
  const gl::Framebuffer& framebuffer;  // of `filtered`
};

// Convolves images by one mask in linear light. Alpha is copied. Owns its scratch memory.
class Filter {
 public:
  virtual ~Filter() = default;
  // Allocates for images of `size`. Throws std::runtime_error when memory runs out.
  virtual void resize(glm::ivec2 size) = 0;
  // Writes images.filtered: the convolution plus the offset, limited to the range of half floats. Reports its time as
  // the stage "filter".
  virtual void run(const FilterImages& images, Timings& timings) = 0;
  // One line for the panel, such as "interop: direct"; may be empty.
  virtual std::string state() const { return {}; }
};

// A row of the registry of filter variants.
struct FilterRow {
  FilterVariant variant;
  DeviceKind runsOn;
  // Null if the variant is not built. Throws std::runtime_error when memory runs out.
  std::unique_ptr<Filter> (*make)(const FilterPlan& plan);
};

// All variants, each once. `automatic` selects the first available one.
std::span<const FilterRow> filters();

// The functions below need a current OpenGL context.

// Whether a variant can run; the reason is empty if it can.
Availability availability(FilterVariant variant);
// The row of a variant. `automatic` selects tiles on CUDA if available, else the fragment shader. On software OpenGL,
// too, the fragment shader is faster than the variants of the processor, which copy images.
const FilterRow& filterOf(FilterVariant variant);
// Makes a filter. Throws std::runtime_error with the reason if the variant is not available, or as filterPlan().
std::unique_ptr<Filter> makeFilter(const FilterMask& mask, FilterVariant variant, FilterForm form);

// The factories of the rows, in gl.cpp, cpu.cpp and cuda.cpp.
std::unique_ptr<Filter> makeGlFilter(const FilterPlan& plan);
std::unique_ptr<Filter> makeCpuFilter(const FilterPlan& plan);
std::unique_ptr<Filter> makeCpuSequentialFilter(const FilterPlan& plan);
// The kernels, on the GPU (SATDOF_HAS_CUDA) and emulated (SATDOF_HAS_EMULATOR).
namespace on_cuda {
std::unique_ptr<Filter> makeFilter(const FilterPlan& plan, Convolve variant);
}
#ifndef SATDOF_EMULATED
namespace on_cuda_emulated {
std::unique_ptr<Filter> makeFilter(const FilterPlan& plan, Convolve variant);
}
#endif

}  // namespace satdof
