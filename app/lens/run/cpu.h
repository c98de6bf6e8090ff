#pragma once
#include <functional>
#include <memory>

#include "app/lens/run/cpu_graph.h"
#include "app/lens/run/graph_lens.h"

namespace satdof {

// Makes a lens in main memory, with bokeh sprites if the technique enables them. A frame costs one download of the
// inputs that its graph uses and one upload. Debug views, tables and edited shaders are drawn by the lens of
// makeFallback(), which is called when first needed.
std::unique_ptr<Lens> makeCpuLens(const Technique& technique, const LensRow& row,
                                  std::function<std::unique_ptr<Lens>()> makeFallback);

}  // namespace satdof
