#pragma once
#include "app/device/bokeh_collector.h"
#include "app/device/near_scatter.h"
#include "app/device/table.h"

// OpenGL 4.5, any vendor.
namespace satdof {

// Compute shaders: tiles in shared memory.
std::unique_ptr<TableBuilder> makeGlComputeTableBuilder(const TableSpec& spec);

// Fragment shaders: spec.reducePasses reduce passes, then recursive doubling.
std::unique_ptr<TableBuilder> makeGlFragmentTableBuilder(const TableSpec& spec);

// Scatters in a compute shader and sums with `table`, which builds uint32 tables.
std::unique_ptr<NearScatter> makeGlNearScatter(std::unique_ptr<TableBuilder> table);
template <MakeTableBuilder makeTable>
std::unique_ptr<NearScatter> makeGlNearScatter(const TableSpec& spec) {
  return makeGlNearScatter(makeTable(spec));
}

// In compute shaders, tile by tile: the sprites are not sorted.
std::unique_ptr<BokehCollector> makeGlBokehCollector(const BokehSpec& spec, unsigned capacity);

}  // namespace satdof
