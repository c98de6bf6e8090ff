#include "app/lab/experiment.h"

#include <algorithm>

#include "app/core/text/count_text.h"
#include "app/core/text/foreign_text.h"
#include "app/core/usage_error.h"
#include "app/lab/series.h"

namespace satdof::lab {

namespace {

constexpr double kMinCount = 1 << 10;
constexpr std::uint32_t k4M = 1 << 22;

// An experiment without a source; see Experiment.
struct Row {
  const char *id, *title, *axis, *kernels;
  double growth;
  std::vector<double> xs;
  std::vector<Series> (*series)();
  bool tables = false;
};
const std::vector<Row>& rows() {
  const std::vector<double> masks = {3, 5, 7, 11, 15, 21, 31, 45, 63};
  static const std::vector<Row> all = {
      {"scan", "Exclusive prefix sum of 32-bit integers", "elements", "scan/", 1, geometric(kMinCount, 1 << 25, 2),
       [] { return scanSeries(Element::uint32); }},
      {"segmented-scan", "Prefix sums of the rows of 4 M integers", "elements in a row", "scan/", 0,
       geometric(1 << 5, k4M, 2), [] { return rowScanSeries(k4M); }},
      {"compaction", "Compaction, every second element kept", "elements", "compact/", 1,
       geometric(kMinCount, 1 << 24, 2), [] { return compactionBySize(50); }},
      {"compaction-density",
       "Compaction of 4 M elements",
       "percent kept",
       "compact/",
       0,
       {1, 2, 5, 10, 20, 50, 80, 100},
       [] { return compactionByDensity(k4M); }},
      {"sort", "Radix sort of 32-bit keys", "keys", "sort/", 1, geometric(kMinCount, 1 << 24, 2),
       [] { return sortSeries(false); }},
      {"sort-pairs", "Radix sort of 32-bit keys with 32-bit values", "pairs", "", 1, geometric(kMinCount, 1 << 24, 2),
       [] { return sortSeries(true); }},
      {"bodies", "Gravity of bodies, one step", "bodies", "", 2, geometric(64, 1 << 20, 4),
       [] { return bodySeries(1); }},
      {"convolution", "Convolution of integers with a mask of 7", "elements", "convolve/", 1,
       geometric(kMinCount, 1 << 24, 4), [] { return convolutionBySize(7); }},
      {"convolution-mask", "Convolution of 1 M integers", "elements of the mask", "convolve/", 1, masks,
       [] { return convolutionByMask(1 << 20); }},
      {"image-convolution", "Convolution of an image of 1024 x 1024", "elements on a side of the mask", "", 2, masks,
       [] { return imageConvolutionByMask(1024); }},
      {"tables", "Summed-area table of a square image, four channels", "pixels on a side", "", 2,
       geometric(128, 4096, 2), tableSeries, true}};
  return all;
}

Availability alwaysAvailable() { return {true, ""}; }

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

std::vector<Series> selectSeries(const std::vector<Series>& series, std::initializer_list<std::string_view> names) {
  std::vector<Series> chosen;
  for (const std::string_view wanted : names)
    for (const Series& each : series)
      if (each.name == wanted) chosen.push_back(each);
  return chosen;
}

Series cpuSeries(const char* name, decltype(Series::prepare) prepare, std::string summary) {
  return {name, DeviceKind::processor, alwaysAvailable, std::move(prepare), std::move(summary)};
}

Series glSeries(const char* name, decltype(Series::prepare) prepare, std::string summary) {
  return {name, DeviceKind::openGl, alwaysAvailable, std::move(prepare), std::move(summary)};
}

Series cudaSeries(const std::string& name, decltype(Series::prepare) prepare, std::string summary) {
  return {"cuda " + name, DeviceKind::cuda, [] { return availability(DeviceKind::cuda); }, std::move(prepare),
          std::move(summary)};
}

std::vector<Experiment> experiments() {
  std::vector<Experiment> all;
  for (const Row& row : rows())
    all.push_back({.id = row.id,
                   .title = row.title,
                   .axis = row.axis,
                   .kernels = row.kernels,
                   .tables = row.tables,
                   .growth = row.growth,
                   .xs = row.xs,
                   .series = row.series()});
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
  const std::vector<std::string> wanted = splitText(list, ',');
  const auto matches = [](const Experiment& experiment, const std::string& word) {
    return word == experiment.id || word == (experiment.source.empty() ? "curves" : "figures");
  };
  for (const std::string& word : wanted)
    if (word != "curves" && word != "figures" &&
        std::ranges::none_of(all, [&](const Experiment& each) { return matches(each, word); })) {
      std::string known = "curves, figures";
      for (const Experiment& each : all) known.append(", ").append(each.id);
      throw UsageError("unknown experiment " + inQuotes(word) + "; choose from " + known);
    }
  std::erase_if(all, [&](const Experiment& each) {
    return std::ranges::none_of(wanted, [&](const std::string& word) { return matches(each, word); });
  });
  return all;
}

}  // namespace satdof::lab
