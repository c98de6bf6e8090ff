#pragma once
#include <array>
#include <memory>

#include "cuda/runtime/texels.h"
#include "cuda/runtime/work.h"
#include "shaders/lens/layered/focus.h"
#include "shaders/lens/layered/middle.h"

// The layered lens on CUDA, beside its near scatter and its tables: the functions of shaders/lens/layered/ in
// kernels.
namespace satdof::cuda {

// Parameters of one frame: LayeredPlan in app/lens/layered/plan.h.
struct LayeredRule {
  ThinLens lens;
  int steps = 3;
  bool anyNear = false;
  float nearPx = 0.0f;
  float farCeiling = 1.0f, farScale = 1.0f;
  MiddleRule middle;
  bool anyMiddle = false, anyHidden = false;
  FocusDiscs focus;
  int show = 0;  // kShowImage and others of shaders/lens/layered/compose.glsl
  bool operator==(const LayeredRule&) const = default;
};

// Arrays of the image's size for surface load and store: colours RGBA16F, depths R32F.
struct LayeredImages {
  cudaArray* colour = nullptr;
  cudaArray* depth = nullptr;
  cudaArray* behindColour = nullptr;  // the second layer; null: none
  cudaArray* behindDepth = nullptr;
  cudaArray* paneColour = nullptr;  // the blended surfaces behind the focus plane (RGBA16F); null: none
  cudaArray* paneDepth = nullptr;
};

// A layer of blended surfaces: BlendedLayer in app/device/scene_frame.h (RGBA16F), and the table of its scatter.
struct BlendedArrays {
  cudaArray* colour = nullptr;
  cudaArray* depth = nullptr;
  const Texel* table = nullptr;
};

// Summed-area tables of uint32.
struct LayeredTables {
  bool transposed = false;              // all of them
  const Texel* far = nullptr;           // of the far image
  const Texel* near = nullptr;          // of the near scatter; not read if nothing is near
  const Texel* foremost = nullptr;      // of the scatter of the foremost layer; null: there is none
  BlendedArrays back = {}, front = {};  // of the focus plane; null: none
  std::array<const Texel*, glsl::kMiddleLayers> middle{};  // of the scatters of the middle layers; null: none
  const Texel* hidden = nullptr;  // of the scatter of the hidden near field; null: there is none
};

// Draws images of one size in two steps; the table of the far image is built between them. Owns its scratch
// memory: one object serves one stream at a time. Does not allocate or wait, except for new arrays.
class Layered : public Work {  // stages "fill", "background", "lens"
 public:
  // Allocates panes().
  virtual void prepareBlended() = 0;
  // The blended surfaces behind the focus plane without what the far image has of them, RGBA16F premultiplied:
  // drawBackground() writes them. Null before prepareBlended().
  virtual cudaArray* panes() const = 0;
  // Allocates middle() and hidden().
  virtual void prepareSecondLayer() = 0;
  // The pixels of a layer, for Scattered::layer: drawBackground() writes those that the rule has.
  struct LayerArrays {
    cudaArray* light = nullptr;
    cudaArray* depth = nullptr;
  };
  virtual LayerArrays middle(int layer) const = 0;
  virtual LayerArrays hidden() const = 0;
  // Fills holes and draws the background, which stays in this object, and the far image. Cost: one pass, and a pyramid
  // of 4/3 of a pass at half the resolution; two if anything is near, three with a hidden near field.
  virtual void drawBackground(const LayeredImages& images, const LayeredRule& rule, Texel* farImage,
                              CUstream_st* stream) = 0;
  // Composes the layers into `blurred` (RGBA16F). Cost: 4 (2 steps - 1) look-ups a pixel in the far field, twice
  // for fractional radii.
  virtual void compose(const LayeredTables& tables, const LayeredRule& rule, cudaArray* blurred,
                       CUstream_st* stream) = 0;
};

// Throws std::runtime_error if memory runs out.
std::unique_ptr<Layered> makeLayered(int width, int height);

}  // namespace satdof::cuda
