#pragma once
#include "app/device/bokeh_collector.h"
#include "app/device/near_scatter.h"
#include "app/device/table.h"

// The devices cpu and cpu-sequential. They download images and upload results, so every call waits for OpenGL.
namespace satdof {

// All cores, vectorised.
std::unique_ptr<TableBuilder> makeCpuTableBuilder(const TableSpec& spec);
std::unique_ptr<NearScatter> makeCpuNearScatter(const TableSpec& spec);
std::unique_ptr<BokehCollector> makeCpuBokehCollector(const BokehSpec& spec, Scan scan, unsigned capacity);
// One core: the reference.
std::unique_ptr<TableBuilder> makeCpuSequentialTableBuilder(const TableSpec& spec);
std::unique_ptr<NearScatter> makeCpuSequentialNearScatter(const TableSpec& spec);
std::unique_ptr<BokehCollector> makeCpuSequentialBokehCollector(const BokehSpec& spec, Scan scan, unsigned capacity);

}  // namespace satdof
