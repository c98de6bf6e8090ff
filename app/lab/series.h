#pragma once
#include <initializer_list>
#include <string_view>
#include <vector>

#include "app/lab/cuda.h"
#include "app/lab/experiment.h"

// The series of each kind of work, ordered CPU, OpenGL, CUDA. Each comment states the quantity x.
namespace satdof::lab {

// The fragment shaders scan integers, also in experiments with floats.
inline constexpr const char* kFragmentScan = "gl-fragment, integers";
// Exclusive scan of an array. x: elements.
std::vector<Series> scanSeries(Element element);
// The fastest scan of GPU Gems 3 with all, some and none of its optimisations. x: elements. Empty without CUDA.
std::vector<Series> ablationSeries();
// Scans of the rows of `total` elements. x: elements of a row.
std::vector<Series> rowScanSeries(std::uint32_t total);
// Compaction that keeps `percent` of the elements. x: elements.
std::vector<Series> compactionBySize(double percent);
// Compaction of `count` elements. x: percent kept.
std::vector<Series> compactionByDensity(std::uint32_t count);
// Radix sort of 32-bit keys, with or without 32-bit values. x: keys.
std::vector<Series> sortSeries(bool withValues);
// uint32 summed-area table of four channels. x: side of a square image.
std::vector<Series> tableSeries();
// Times the table of an RGBA16F image. Needs a current context.
std::unique_ptr<Measurement> measureGlTable(DeviceId device, TableFormat format, glm::ivec2 size);
// Times a compute shader that reads an image and writes as many bytes as its table: the bandwidth limit of a table.
std::unique_ptr<Measurement> measureGlCopy(glm::ivec2 size);

// The stages of a float32 table of three planes (GPU Gems 3, 39.3.2). x: side of a square image.
std::vector<Series> pipelineSeries();

// Convolution of `count` integers. x: elements of the mask.
std::vector<Series> convolutionByMask(int count);
// Convolution of integers by a mask of `mask` elements. x: elements.
std::vector<Series> convolutionBySize(int mask);
// Direct and separable convolution of a square RGBA16F image of `side` pixels. x: side of a square mask.
std::vector<Series> imageConvolutionByMask(int side);

// `steps` steps by every solver. x: bodies.
std::vector<Series> bodySeries(int steps);

// Returns first, first * factor, ... up to last.
std::vector<double> geometric(double first, double last, double factor);
// Returns the series with these names, in this order. Skips unknown names.
std::vector<Series> selectSeries(const std::vector<Series>& series, std::initializer_list<std::string_view> names);

// Return series on the CPU and in OpenGL, which are always available.
Series cpuSeries(const char* name, decltype(Series::prepare) prepare, std::string summary);
Series glSeries(const char* name, decltype(Series::prepare) prepare, std::string summary);
// Returns the series "cuda NAME".
Series cudaSeries(const std::string& name, decltype(Series::prepare) prepare, std::string summary);
// Adds a series for each CUDA variant. prepare(variant, x): see Series::prepare.
template <class Variant, class Prepare>
void addCuda(std::vector<Series>& series, const Prepare& prepare) {
  for (const auto& info : entries(Variant{}))
    series.push_back(cudaSeries(
        info.name, [prepare, variant = info.value](double x) { return prepare(variant, x); }, info.summary));
}

// Returns the experiments that reproduce a published table or figure, with its numbers (figures.cpp).
std::vector<Experiment> publishedFigures();

}  // namespace satdof::lab
