#pragma once
#include <functional>
#include <memory>

#include "app/lens/run/cpu_graph.h"
#include "app/lens/run/graph_lens.h"

namespace satdof {

// A lens in main memory, with bokeh sprites if the technique enables them: one download and one upload a frame. Its graph says what the
// frame reads. Debug views and tables are drawn by the lens of makeOther(), which is made when first needed.
std::unique_ptr<Lens> makeCpuLens(const Technique& technique, const LensRow& row,
                                  std::function<std::unique_ptr<Lens>()> makeOther);

}  // namespace satdof
