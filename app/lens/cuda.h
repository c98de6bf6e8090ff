#pragma once
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "app/device/cuda/cuda_pass.h"
#include "app/lens/lens.h"

// Lenses on CUDA: all passes between one map and one unmap.
namespace satdof::on_cuda {

using CudaTextures = std::vector<CudaCrossing<cudaArray*>::Shared>;

// Images of one frame: colour and blurred RGBA16F, depth R32F.
struct CudaImages {
  cudaArray* colour = nullptr;
  cudaArray* depth = nullptr;
  cudaArray* blurred = nullptr;
};

// The passes of a lens on CUDA.
class CudaBlur {
 public:
  virtual ~CudaBlur() = default;
  // Makes work for images of `size` and gives it to `crossing`. Throws std::runtime_error when memory runs out.
  virtual void resize(glm::ivec2 size, CudaCrossing<cudaArray*>& crossing) = 0;
  // As Lens::prepareBlended(), after resize().
  virtual void prepareBlended(CudaCrossing<cudaArray*>&) {}
  // Whether enqueue() will blur blended surfaces in layers of their own, over the image without them.
  virtual bool separatesBlended(const LensInputs&) const { return false; }
  // Prepares enqueue() for a frame. Adds the textures to `shared` that it needs besides CudaImages. Returns whether
  // enqueue() will do other work than in the last frame.
  virtual bool plan(const LensInputs& inputs, CudaTextures& shared) = 0;
  // Places of colour and depth of the second layer, among the textures that plan() added; none: no second layer.
  virtual std::optional<std::pair<size_t, size_t>> secondLayer() const { return {}; }
  // Likewise of colour and depth of the blended surfaces on one side of the focus plane.
  virtual std::optional<std::pair<size_t, size_t>> panes(bool /*front*/) const { return {}; }
  // `others`: the textures that plan() added.
  virtual void enqueue(const CudaImages& images, std::span<cudaArray* const> others, CUstream_st* stream) = 0;
  // The last table of the frame. Only if LensInputs::wantsTable.
  virtual Table table() const { return {}; }
};

// The blurs. Throw std::runtime_error if the device is not available.
// technique.lens.on selects how the box is computed: from a table, or by convolution without one.
std::unique_ptr<CudaBlur> makeBoxBlur(const Technique& technique, const BlurRule& rule);
std::unique_ptr<CudaBlur> makeTentBlur(const Technique& technique);
std::unique_ptr<CudaBlur> makeLayeredBlur(const Technique& technique);

}  // namespace satdof::on_cuda
