#pragma once
#include <functional>
#include <memory>
#include <span>

#include "app/lens/run/graph_lens.h"

namespace satdof {

// The pixels of a depth layer in main memory: rows without padding, row 0 at the bottom.
struct CpuLayer {
  std::span<glm::vec4> colour;   // linear light; a blur may use it as scratch memory
  std::span<const float> depth;  // nearM / z
};

// A BlendedLayer in main memory.
struct CpuPanes {
  std::span<const glm::vec4> colour, depth;
};

// A frame in main memory.
struct CpuFrame : CpuLayer {
  SceneFacts facts;
  CpuLayer behind = {};  // the second layer, alpha: its part of the pixel; empty if the lens does not read it
  // The blended surfaces behind and in front of the focus plane; empty if there are none or the lens blurs them with the rest.
  CpuPanes back = {}, front = {};
  std::span<const float> aperture = {};  // ApertureImage::table(); empty: there is no image
  bool hasPanes() const { return !back.colour.empty(); }
};

// A lens that computes in main memory, on all cores.
class CpuBlur {
 public:
  virtual ~CpuBlur() = default;
  virtual void resize(glm::ivec2 size) = 0;
  // Writes linear light to `image`; alpha as Lens::draw() says.
  virtual void blur(const CpuFrame& frame, const LensInputs& inputs, std::span<glm::vec4> image,
                    Timings& timings) = 0;
};

// A lens of `blur`, with bokeh sprites if the technique enables them: one download and one upload a frame. Its graph says what the
// frame reads. Debug views and tables are drawn by the lens of makeOther(), which is made when first needed.
std::unique_ptr<Lens> makeCpuLens(std::unique_ptr<CpuBlur> blur, const Technique& technique,
                                  const LensRow& row, std::function<std::unique_ptr<Lens>()> makeOther);

}  // namespace satdof
