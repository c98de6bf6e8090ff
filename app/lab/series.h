#pragma once
#include <initializer_list>
#include <string_view>
#include <vector>

#include "app/lab/cuda.h"
#include "app/lab/experiment.h"

// The series of each kind of work: processor, OpenGL, then CUDA.
namespace satdof::lab {

// The fragment shaders add integers, also beside scans of floats.
inline constexpr const char* kFragmentScan = "gl-fragment, integers";
// x: elements of an array, scanned exclusively.
std::vector<Series> scanSeries(Element element);
// x: elements; the chapter's best scan on CUDA with all, some and none of its optimisations. Empty without CUDA.
std::vector<Series> ablationSeries();
// x: elements of a row. `total` elements in all.
std::vector<Series> rowScanSeries(std::uint32_t total);
// x: elements, of which `percent` are kept.
std::vector<Series> compactionBySize(double percent);
// x: percent of `count` elements that are kept.
std::vector<Series> compactionByDensity(std::uint32_t count);
// x: 32-bit keys, with 32-bit values or without.
std::vector<Series> sortSeries(bool withValues);
// x: side of a square image; uint32 tables of four channels.
std::vector<Series> tableSeries();
// Of images of RGBA16F. Needs a current context.
std::unique_ptr<Measurement> measureGlTable(DeviceId device, TableFormat format, glm::ivec2 size);
// A copy by a compute shader that reads and writes as many bytes: the limit of a table's speed.
std::unique_ptr<Measurement> measureGlCopy(glm::ivec2 size);

// x: side of a square image; the stages of a float32 table of three planes (GPU Gems 3, 39.3.2).
std::vector<Series> pipelineSeries();

// x: side of the mask; integers in one dimension.
std::vector<Series> convolutionByMask(int count);
// x: elements.
std::vector<Series> convolutionBySize(int mask);
// x: side of a square mask; an image of four half floats, convolved whole or by factors.
std::vector<Series> imageConvolutionByMask(int side);

// x: bodies; `steps` steps by every solver.
std::vector<Series> bodySeries(int steps);

// first, first * factor, ... up to last.
std::vector<double> geometric(double first, double last, double factor);
// The series with these names, in this order. Leaves out names that are unknown.
std::vector<Series> only(const std::vector<Series>& series, std::initializer_list<std::string_view> names);

// Of the processor, and of OpenGL, which are always here.
Series cpuSeries(const char* name, decltype(Series::prepare) prepare, std::string summary);
Series glSeries(const char* name, decltype(Series::prepare) prepare, std::string summary);
// "cuda NAME".
Series cudaSeries(const std::string& name, decltype(Series::prepare) prepare, std::string summary);
// A series for each variant on CUDA. `prepare`: of a variant and x.
template <class Variant, class Prepare>
void addCuda(std::vector<Series>& series, const Prepare& prepare) {
  for (const auto& info : entries(Variant{}))
    series.push_back(cudaSeries(
        info.name, [prepare, variant = info.value](double x) { return prepare(variant, x); }, info.summary));
}

// The experiments that repeat a published table or figure, with its numbers: figures.cpp.
std::vector<Experiment> publishedFigures();

}  // namespace satdof::lab
