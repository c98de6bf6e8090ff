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

// Scatters the near pixels in a compute shader. `table` builds the table of the differences, and must build uint32
// tables.
std::unique_ptr<NearScatter> makeGlNearScatter(std::unique_ptr<TableBuilder> table);
template <MakeTableBuilder makeTable>
std::unique_ptr<NearScatter> makeGlNearScatter(const TableSpec& spec) {
  return makeGlNearScatter(makeTable(spec));
}

// Scratch memory that scatters of one size share. 32 bytes a pixel.
struct GlScatterScratch;
std::shared_ptr<GlScatterScratch> makeGlScatterScratch();

// Scatters every pixel of a layer, by the absolute value of its radius, with alpha as coverage. SceneFrame::colour is
// the premultiplied layer; SceneFrame::depth is R32F, or BlendedLayer::depth.
std::unique_ptr<NearScatter> makeGlLayerScatter(std::unique_ptr<TableBuilder> table,
                                                std::shared_ptr<GlScatterScratch> scratch);

// Collects sprites in compute shaders, tile by tile. The sprites are not sorted.
std::unique_ptr<BokehCollector> makeGlBokehCollector(const BokehSpec& spec, Scan scan, unsigned capacity);
// Collects sprites in fragment shaders. The sprites are sorted by row, then column of their first pixels.
std::unique_ptr<BokehCollector> makeGlFragmentBokehCollector(const BokehSpec& spec, Scan scan, unsigned capacity);

}  // namespace satdof
