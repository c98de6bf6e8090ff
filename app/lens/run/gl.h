#pragma once
#include <memory>

#include "app/device/bokeh_collector.h"
#include "app/device/near_scatter.h"
#include "app/gl/pixel_pass.h"
#include "app/lens/run/graph_lens.h"

namespace satdof {

// The parts of a device that a lens in OpenGL uses.
struct GlLensParts {
  std::function<std::unique_ptr<TableBuilder>(TableFormat format)> makeTable;
  std::function<std::unique_ptr<NearScatter>()> makeScatter;       // null: the lens scatters no near field
  std::function<std::unique_ptr<BokehCollector>()> makeCollector;  // null: there are no bokeh sprites
  gl::PixelStage stage = gl::PixelStage::fragment;                 // for passes with shaders for both stages
};

// Makes a lens that runs its graphs in OpenGL, with tables, near scatter and bokeh collector of a device. Parameters as
// GraphLens.
std::unique_ptr<Lens> makeGlLens(LensPlanner plan, bool separates, std::optional<NearField> sprites, GlLensParts parts);

// The parts of the technique's device. Throws std::runtime_error if it is not available.
GlLensParts glLensParts(const Technique& technique);

}  // namespace satdof
