#pragma once
#include "app/device/bokeh_collector.h"
#include "app/device/near_scatter.h"
#include "app/device/table.h"

// The OpenGL devices: OpenGL 4.5, any vendor.
namespace satdof {

// Builds tables in one dispatch of a compute shader; compute_table.h tunes it.
std::unique_ptr<TableBuilder> makeGlComputeTableBuilder(const TableSpec& spec);

// Builds tables in fragment shaders: spec.reducePasses reduce passes, then recursive doubling.
std::unique_ptr<TableBuilder> makeGlFragmentTableBuilder(const TableSpec& spec);

// Scatters in a compute shader. `table` sums the differences and must build uint32 tables.
std::unique_ptr<NearScatter> makeGlNearScatter(std::unique_ptr<TableBuilder> table);
template <MakeTableBuilder makeTable>
std::unique_ptr<NearScatter> makeGlNearScatter(const TableSpec& spec) {
  return makeGlNearScatter(makeTable(spec));
}

// Scatters a BlendedLayer, given as colour and depth of a SceneFrame: every pixel, by the absolute value of its radius,
// with the premultiplied colour and the alpha of the layer.
std::unique_ptr<NearScatter> makeGlLayerScatter(std::unique_ptr<TableBuilder> table);

// Collects sprites in compute shaders, tile by tile. The sprites are not sorted.
std::unique_ptr<BokehCollector> makeGlBokehCollector(const BokehSpec& spec, Scan scan, unsigned capacity);
// Collects sprites in fragment shaders, by row, then column of their first pixels.
std::unique_ptr<BokehCollector> makeGlFragmentBokehCollector(const BokehSpec& spec, Scan scan,
                                                             unsigned capacity);

}  // namespace satdof
