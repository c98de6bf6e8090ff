#include "app/lab/files.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "app/core/files/file_names.h"
#include "app/core/files/files.h"
#include "app/core/text/foreign_text.h"
#include "app/core/text/number.h"
#include "app/core/usage_error.h"
#include "app/lab/canvases.h"

namespace satdof::lab {

namespace {

using Json = nlohmann::ordered_json;

constexpr float kPngScale = 2.0f;

// Rounds to five significant digits.
double rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return 0;
  const double unit = std::pow(10.0, 4 - std::floor(std::log10(std::abs(value))));
  // Dividing by a power of ten gives the double with the shortest text.
  return unit >= 1 ? std::round(value * unit) / unit : std::round(value);
}

struct Column {
  const char* name;
  Timed timed;
  double Spread::*value;
};
constexpr Column kColumns[] = {
    {"kernelUs", Timed::kernel, &Spread::medianUs},     {"kernelLowUs", Timed::kernel, &Spread::lowUs},
    {"kernelHighUs", Timed::kernel, &Spread::highUs},   {"endToEndUs", Timed::endToEnd, &Spread::medianUs},
    {"endToEndLowUs", Timed::endToEnd, &Spread::lowUs}, {"endToEndHighUs", Timed::endToEnd, &Spread::highUs},
};

int samplesOf(const Point& point) {
  return std::max(point.kernel ? point.kernel->samples : 0, point.endToEnd ? point.endToEnd->samples : 0);
}

// Calls use(experiment, curve, point) for every point.
template <class Use>
void forEachPoint(const Results& results, const Use& use) {
  for (const ExperimentResult& experiment : results.experiments)
    for (const Curve& curve : experiment.curves)
      for (const Point& point : curve.points) use(experiment, curve, point);
}

std::string lines(const std::vector<Json>& values) {
  std::string text;
  for (const Json& value : values) {
    if (!text.empty()) text += ",\n  ";
    text += value.dump(-1, ' ', true, Json::error_handler_t::replace);
  }
  return text;
}

std::string encodeJson(const Results& results) {
  Json context = Json::object();
  for (const auto& [key, value] : results.context) context[key] = value;
  std::vector<Json> experiments, rows;
  for (const ExperimentResult& experiment : results.experiments) {
    Json curves = Json::array();
    for (const Curve& curve : experiment.curves) {
      Json json = {{"name", curve.name}, {"device", name(curve.kind)}};
      if (curve.published) json["published"] = true;
      if (!curve.note.empty()) json["note"] = curve.note;
      if (!curve.summary.empty()) json["summary"] = curve.summary;
      if (!curve.machine.empty()) json["machine"] = curve.machine;
      curves.push_back(std::move(json));
    }
    experiments.push_back({{"id", experiment.id},
                           {"title", experiment.title},
                           {"axis", experiment.axis},
                           {"source", experiment.source},
                           {"curves", std::move(curves)}});
  }
  forEachPoint(results, [&](const auto& experiment, const Curve& curve, const Point& point) {
    Json row = {{"name", experiment.id + "/" + curve.name + "/" + numberText(point.x)}};
    for (const Column& column : kColumns) {
      const auto& time = point.time(column.timed);
      const bool spread = column.value != &Spread::medianUs;
      if (!time || (spread && time->samples == 0)) continue;
      const double value = (*time).*column.value;
      row[column.name] = curve.published ? value : rounded(value);
    }
    if (const int samples = samplesOf(point); samples > 0) row["samples"] = samples;
    rows.push_back(std::move(row));
  });
  return "{\n \"context\": " + context.dump(2, ' ', true, Json::error_handler_t::replace) +
         ",\n \"experiments\": [\n  " + lines(experiments) + "\n ],\n \"rows\": [\n  " + lines(rows) + "\n ]\n}\n";
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == text.npos) return text;
  std::string out(1, '"');
  for (const char c : text) out.append(c == '"' ? 2 : 1, c);
  out += '"';
  return out;
}

std::string encodeCsv(const Results& results) {
  std::string text = "experiment,curve,device,published,x";
  for (const Column& column : kColumns) text.append(",").append(column.name);
  text += ",samples\n";
  forEachPoint(results, [&](const auto& experiment, const Curve& curve, const Point& point) {
    text.append(quoted(experiment.id)).append(",").append(quoted(curve.name)).append(",");
    text.append(name(curve.kind)).append(curve.published ? ",1," : ",0,").append(numberText(point.x));
    for (const Column& column : kColumns) {
      const auto& time = point.time(column.timed);
      text += ',';
      if (time && (time->samples > 0 || column.value == &Spread::medianUs))
        text += numberText(rounded((*time).*column.value));
    }
    text.append(",").append(std::to_string(samplesOf(point))).append("\n");
  });
  return text;
}

DeviceKind kindOf(const std::string& text) {
  for (const DeviceKind kind : {DeviceKind::processor, DeviceKind::openGl, DeviceKind::cuda})
    if (text == name(kind)) return kind;
  throw std::runtime_error("unknown device \"" + text + "\"");
}

// Limits of sizes and times: logarithmic axes need positive numbers, and quotients within these limits are finite.
constexpr double kMinNumber = 1e-9, kMaxNumber = 1e15;

double sizeOf(const std::string& row, std::string_view text) {
  const auto x = numberInText<double>(text);
  if (!x || !(*x >= kMinNumber && *x <= kMaxNumber))
    throw std::runtime_error("the row \"" + row + "\" must end with a size from 1e-9 to 1e15");
  return *x;
}

double timeOf(const Json& row, const char* column) {
  const double value = row.at(column);
  if (value != 0 && !(value >= kMinNumber && value <= kMaxNumber))
    throw std::runtime_error(std::string(column) + " must be 0 or from 1e-9 to 1e15");
  return value;
}

int samplesIn(const Json& row) {
  if (!row.contains("samples")) return 0;
  const Json& value = row["samples"];
  if (!value.is_number_unsigned() || value > std::numeric_limits<int>::max())
    throw std::runtime_error("samples must be a whole number from 0 to 2147483647");
  return value;
}

Results decode(const Json& json) {
  Results results;
  for (const auto& [key, value] : json.at("context").items())
    results.context.emplace_back(key, value.template get<std::string>());
  // Indices of experiment and curve, by "experiment/curve".
  std::map<std::string, std::pair<std::size_t, std::size_t>> places;
  for (const Json& from : json.at("experiments")) {
    ExperimentResult experiment{from.at("id"), from.at("title"), from.at("axis"), from.at("source")};
    for (const Json& curve : from.at("curves")) {
      places[experiment.id + "/" + curve.at("name").get<std::string>()] = {results.experiments.size(),
                                                                           experiment.curves.size()};
      experiment.curves.push_back({.name = curve.at("name"),
                                   .kind = kindOf(curve.at("device")),
                                   .published = curve.value("published", false),
                                   .note = curve.value("note", ""),
                                   .summary = curve.value("summary", ""),
                                   .machine = curve.value("machine", "")});
    }
    results.experiments.push_back(std::move(experiment));
  }
  for (const Json& row : json.at("rows")) {
    const auto full = row.at("name").get<std::string>();
    const auto slash = full.rfind('/');
    const auto place = places.find(full.substr(0, slash));
    if (slash == full.npos || place == places.end())
      throw std::runtime_error("the row \"" + full + "\" belongs to no curve");
    Point point{.x = sizeOf(full, std::string_view(full).substr(slash + 1))};
    for (const Timed timed : {Timed::kernel, Timed::endToEnd}) {
      auto& time = timed == Timed::kernel ? point.kernel : point.endToEnd;
      for (const Column& column : kColumns) {
        if (column.timed != timed || !row.contains(column.name)) continue;
        const double value = timeOf(row, column.name);
        if (!time) time = Spread{value, value, value, samplesIn(row)};
        (*time).*column.value = value;
      }
    }
    results.experiments[place->second.first].curves[place->second.second].points.push_back(point);
  }
  return results;
}

}  // namespace

FileFormat fileFormat(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  if (extension == ".json") return FileFormat::json;
  if (extension == ".csv") return FileFormat::csv;
  if (extension == ".svg") return FileFormat::svg;
  if (extension == ".png") return FileFormat::png;
  throw UsageError("cannot write " + pathText(path) + ": the extension must be .json, .csv, .svg or .png");
}

std::string encode(FileFormat format, const Results& results, PlotOptions options) {
  if (format == FileFormat::json) return encodeJson(results);
  if (format == FileFormat::csv) return encodeCsv(results);
  options.machine = machineText(results.context);
  const glm::ivec2 size = plotsSize(plotCount(results.experiments, options));
  if (format == FileFormat::svg) {
    SvgCanvas canvas(size);
    drawPlots(canvas, results.experiments, options);
    return canvas.document();
  }
  RasterCanvas canvas(size, kPngScale);
  drawPlots(canvas, results.experiments, options);
  return canvas.png();
}

Results decodeJson(std::string_view text, const std::string& name) try {
  return decode(Json::parse(text));
} catch (const std::exception& error) {
  constexpr std::size_t kMaxBytes = 300;
  throw std::runtime_error("cannot read the results " + pathText(name) + ": " + excerpt(error.what(), kMaxBytes) +
                           "; expected a file of --lab FILE.json");
}

Results readResults(const std::filesystem::path& path) {
  constexpr std::size_t kMaxBytes = std::size_t{64} << 20;
  std::string text;
  try {
    text = readWholeFile(path, kMaxBytes);
  } catch (const std::runtime_error& error) {
    throw UsageError("cannot read the results " + pathText(path) + ": " + readingReason(path, error.what()));
  }
  try {
    return decodeJson(text, path.string());
  } catch (const std::runtime_error& error) {
    throw UsageError(error.what());
  }
}

}  // namespace satdof::lab
