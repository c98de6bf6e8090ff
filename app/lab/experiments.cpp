#include "app/lab/experiment.h"

#include <algorithm>
#include <sstream>

#include "app/core/usage_error.h"
#include "app/lab/series.h"

namespace satdof::lab {

namespace {

constexpr double kSmallest = 1 << 10;
constexpr std::uint32_t k4M = 1 << 22;

Experiment scan() {
  return {.id = "scan",
          .title = "Exclusive prefix sum of 32-bit integers",
          .axis = "elements",
          .kernels = "scan/",
          .xs = geometric(kSmallest, 1 << 25, 2),
          .series = scanSeries(Element::uint32)};
}

Experiment segmentedScan() {
  return {.id = "segmented-scan",
          .title = "Prefix sums of the rows of 4 M integers",
          .axis = "elements in a row",
          .kernels = "scan/",
          .growth = 0,
          .xs = geometric(1 << 5, k4M, 2),
          .series = rowScanSeries(k4M)};
}

Experiment compaction() {
  return {.id = "compaction",
          .title = "Compaction, every second element kept",
          .axis = "elements",
          .kernels = "compact/",
          .xs = geometric(kSmallest, 1 << 24, 2),
          .series = compactionBySize(50)};
}

Experiment compactionDensity() {
  return {.id = "compaction-density",
          .title = "Compaction of 4 M elements",
          .axis = "percent kept",
          .kernels = "compact/",
          .growth = 0,
          .xs = {1, 2, 5, 10, 20, 50, 80, 100},
          .series = compactionByDensity(k4M)};
}

Experiment sortKeys() {
  return {.id = "sort",
          .title = "Radix sort of 32-bit keys",
          .axis = "keys",
          .kernels = "sort/",
          .xs = geometric(kSmallest, 1 << 24, 2),
          .series = sortSeries(false)};
}

Experiment sortPairs() {
  return {.id = "sort-pairs",
          .title = "Radix sort of 32-bit keys with 32-bit values",
          .axis = "pairs",
          .xs = geometric(kSmallest, 1 << 24, 2),
          .series = sortSeries(true)};
}

Experiment convolution() {
  return {.id = "convolution",
          .title = "Convolution of integers with a mask of 7",
          .axis = "elements",
          .kernels = "convolve/",
          .xs = geometric(kSmallest, 1 << 24, 4),
          .series = convolutionBySize(7)};
}

std::vector<double> masks() { return {3, 5, 7, 11, 15, 21, 31, 45, 63}; }

Experiment convolutionMask() {
  return {.id = "convolution-mask",
          .title = "Convolution of 1 M integers",
          .axis = "elements of the mask",
          .kernels = "convolve/",
          .xs = masks(),
          .series = convolutionByMask(1 << 20)};
}

Experiment imageConvolution() {
  return {.id = "image-convolution",
          .title = "Convolution of an image of 1024 x 1024",
          .axis = "elements on a side of the mask",
          .growth = 2,
          .xs = masks(),
          .series = imageConvolutionByMask(1024)};
}

Experiment bodies() {
  return {.id = "bodies",
          .title = "Gravity of bodies, one step",
          .axis = "bodies",
          .growth = 2,
          .xs = geometric(64, 1 << 20, 4),
          .series = bodySeries(1)};
}

Experiment tables() {
  return {.id = "tables",
          .title = "Summed-area table of a square image, four channels",
          .axis = "pixels on a side",
          .growth = 2,
          .xs = geometric(128, 4096, 2),
          .series = tableSeries()};
}

constexpr Experiment (*kExperiments[])() = {
    scan,   segmentedScan, compaction,      compactionDensity, sortKeys, sortPairs,
    bodies, convolution,   convolutionMask, imageConvolution,  tables};

}  // namespace

#if !SATDOF_HAS_CUDA
const CudaMeasurements& cudaMeasurements() {
  static const CudaMeasurements none;
  return none;
}
#endif

std::vector<double> geometric(double first, double last, double factor) {
  std::vector<double> values;
  for (double value = first; value <= last; value *= factor) values.push_back(value);
  return values;
}

std::vector<Series> only(const std::vector<Series>& series, std::initializer_list<std::string_view> names) {
  std::vector<Series> chosen;
  for (const std::string_view wanted : names)
    for (const Series& each : series)
      if (each.name == wanted) chosen.push_back(each);
  return chosen;
}

std::function<Availability()> always() {
  return [] { return Availability{true, ""}; };
}

std::vector<Experiment> experiments() {
  std::vector<Experiment> all;
  for (const auto& make : kExperiments) all.push_back(make());
  for (Experiment& figure : publishedFigures()) all.push_back(std::move(figure));
  return all;
}

std::vector<Experiment> shortExperiments() {
  auto chosen = selectExperiments("curves");
  for (Experiment& each : chosen) {
    const std::size_t count = each.xs.size();
    if (count > 3) each.xs = {each.xs[count / 3], each.xs[2 * count / 3], each.xs[count - 1]};
  }
  return chosen;
}

std::vector<Experiment> selectExperiments(const std::string& list) {
  auto all = experiments();
  if (list.empty()) return all;
  std::vector<std::string> wanted;
  std::istringstream parts(list);
  for (std::string part; std::getline(parts, part, ',');) wanted.push_back(part);
  const auto matches = [](const Experiment& experiment, const std::string& word) {
    return word == experiment.id || word == (experiment.source.empty() ? "curves" : "figures");
  };
  for (const std::string& word : wanted)
    if (word != "curves" && word != "figures" &&
        std::ranges::none_of(all, [&](const Experiment& each) { return matches(each, word); })) {
      std::string known = "curves, figures";
      for (const Experiment& each : all) known.append(", ").append(each.id);
      throw UsageError("unknown experiment \"" + word + "\"; choose from " + known);
    }
  std::erase_if(all, [&](const Experiment& each) {
    return std::ranges::none_of(wanted, [&](const std::string& word) { return matches(each, word); });
  });
  return all;
}

}  // namespace satdof::lab
