#include "app/trace/files.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/core/files/files.h"
#include "app/core/files/video_formats.h"
#include "app/core/text/foreign_text.h"
#include "app/core/text/formatted.h"
#include "app/core/text/number.h"
#include "app/core/usage_error.h"
#include "app/lab/canvases.h"

namespace satdof::trace {

namespace {

using Json = nlohmann::ordered_json;

struct Column {
  const char* name;
  std::uint64_t Tally::*value;
};
constexpr Column kColumns[] = {
    {"sharedAccesses", &Tally::sharedAccesses}, {"sharedPasses", &Tally::sharedPasses},
    {"globalAccesses", &Tally::globalAccesses}, {"globalSectors", &Tally::globalSectors},
    {"leastSectors", &Tally::leastSectors},     {"atomics", &Tally::atomics},
    {"laneExchanges", &Tally::laneExchanges},   {"barriers", &Tally::barriers},
};

Json jsonOf(const Tally& tally) {
  Json json = Json::object();
  for (const Column& column : kColumns) json[column.name] = tally.*column.value;
  json["meanLanes"] = tally.meanLanes();
  return json;
}

Json jsonOf(const Extent3& extent) { return {extent.x, extent.y, extent.z}; }
std::string textOf(const Source& source) { return source.file + ":" + std::to_string(source.line); }

std::string hexOf(std::span<const std::uint8_t> bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

Json countsOf(const Counts& counts) {
  Json json = {{"total", jsonOf(counts.total)}, {"depth", counts.depth}};
  json["launches"] = Json::array();
  for (const LaunchInfo& launch : counts.launches) {
    Json one = {{"kernel", launch.kernel},
                {"grid", jsonOf(launch.grid)},
                {"block", jsonOf(launch.block)},
                {"sharedBytes", launch.sharedBytes},
                {"depth", launch.depth}};
    one.update(jsonOf(launch.tally));
    json["launches"].push_back(std::move(one));
  }
  json["lines"] = Json::array();
  for (const LineTally& line : counts.lines) {
    Json one = {{"source", textOf(line.source)}};
    one.update(jsonOf(line.tally));
    json["lines"].push_back(std::move(one));
  }
  json["fault"] = counts.fault;
  return json;
}

Json stepsOf(const Trace& trace) {
  Json steps = Json::array();
  for (const Step& step : trace.steps) {
    Json one = {{"what", name(step.kind)}, {"launch", step.launch}, {"block", step.block}};
    if (step.kind != StepKind::barrier) one["warp"] = step.warp;
    one["source"] = step.source;
    if (step.laneCount > 0) {
      one["buffer"] = step.buffer;
      one["bytes"] = step.bytes;
      if (trace.buffers[step.buffer].space == Space::shared)
        one["passes"] = step.passes;
      else
        one["sectors"] = step.sectors;
      Json lanes = Json::array();
      for (const Lane& lane : std::span(trace.lanes).subspan(step.firstLane, step.laneCount)) {
        Json each = {lane.lane, lane.offset};
        for (unsigned word = 0; word < std::max(1u, step.bytes / 4u); ++word) each.push_back(lane.words[word]);
        lanes.push_back(std::move(each));
      }
      one["lanes"] = std::move(lanes);
    }
    steps.push_back(std::move(one));
  }
  return steps;
}

std::string encodeJson(const Trace& trace) {
  const Counts& counts = trace.counts;
  const Kernel& kernel = kernelNamed(counts.request.kernel);
  Json json;
  json["request"] = {{"kernel", kernel.name},
                     {"elements", counts.request.elements},
                     {"blockSize", kernel.hasBlockSize ? Json(counts.request.blockSize) : Json()},
                     {"data", name(counts.request.data)},
                     {"residentBlocks", counts.request.residentBlocks}};
  if (kernel.theory.additionsOf != nullptr)
    json["theory"] = {{"additions", kernel.theory.additionsOf(counts.request.elements)},
                      {"additionsFormula", kernel.theory.additions},
                      {"steps", kernel.theory.stepsOf(counts.request.elements)},
                      {"stepsFormula", kernel.theory.steps}};
  json["counts"] = countsOf(counts);
  if (counts.without)
    json["whatIf"] = {
        {"name", rowOf(counts.request.whatIf).name}, {"without", jsonOf(*counts.without)}, {"wrong", counts.wrong}};
  json["result"] = counts.result;
  if (!trace.steps.empty()) {
    json["buffers"] = Json::array();
    for (std::size_t i = 0; i < trace.buffers.size(); ++i) {
      const Buffer& buffer = trace.buffers[i];
      Json contents = Json::array();  // by launch
      for (const LaunchInfo& launch : counts.launches)
        contents.push_back(i < launch.contents.size() ? hexOf(launch.contents[i]) : "");
      json["buffers"].push_back({{"name", buffer.name},
                                 {"space", buffer.space == Space::shared ? "shared" : "global"},
                                 {"bytes", buffer.bytes},
                                 {"elementBytes", buffer.elementBytes},
                                 {"contents", std::move(contents)}});
    }
    json["sources"] = Json::array();
    for (const Source& source : trace.sources) json["sources"].push_back(textOf(source));
    json["steps"] = stepsOf(trace);
  }
  return json.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
}

std::string csvRow(const std::string& scope, const std::string& name, const Tally& tally, const std::string& depth) {
  std::string row = scope;
  row.append(",\"").append(name).append("\"");
  for (const Column& column : kColumns) row.append(",").append(std::to_string(tally.*column.value));
  return row + formatted(",%.3f,", tally.meanLanes()) + depth + "\n";
}

std::string encodeCsv(const Counts& counts) {
  std::string text = "scope,name";
  for (const Column& column : kColumns) text.append(",").append(column.name);
  text += ",meanLanes,depth\n";
  text += csvRow("total", counts.request.kernel, counts.total, std::to_string(counts.depth));
  for (const LaunchInfo& launch : counts.launches)
    text += csvRow("launch", launch.kernel, launch.tally, std::to_string(launch.depth));
  for (const LineTally& line : counts.lines) text += csvRow("line", textOf(line.source), line.tally, "");
  return text;
}

// Draws a row for each step of the first block that accesses its most used buffer, shared memory before global memory,
// and a line for each barrier. A row has a dot for each lane at its element: filled for writes, red for bank conflicts.
std::string encodeSvg(const Trace& trace) {
  constexpr std::size_t kMaxRows = 256;
  constexpr float kMargin = 20.0f, kLeft = 330.0f, kTop = 60.0f, kRow = 16.0f, kFont = 12.0f, kWidth = 720.0f;
  constexpr lab::Colour kInk{40, 40, 40}, kFree{31, 119, 180}, kConflict{214, 39, 40}, kGrid{210, 210, 210};
  std::vector<std::size_t> uses(trace.buffers.size());
  for (const Step& step : trace.steps)
    if (step.launch == 0 && step.block == 0 && step.laneCount > 0)
      uses[step.buffer] += trace.buffers[step.buffer].space == Space::shared ? 1000000 : 1;
  const auto shown = static_cast<std::uint32_t>(std::ranges::max_element(uses) - uses.begin());
  std::vector<const Step*> rows;
  std::uint32_t end = 4;  // bytes
  for (const Step& step : trace.steps) {
    if (step.launch != 0 || step.block != 0 || rows.size() == kMaxRows) continue;
    if (step.kind == StepKind::barrier || (step.laneCount > 0 && step.buffer == shown)) rows.push_back(&step);
    if (step.laneCount > 0 && step.buffer == shown)
      for (const Lane& lane : std::span(trace.lanes).subspan(step.firstLane, step.laneCount))
        end = std::max(end, lane.offset + step.bytes);
  }
  const glm::ivec2 size{static_cast<int>(kLeft + kWidth + kMargin),
                        static_cast<int>(kTop + kRow * static_cast<float>(rows.size() + 1) + kMargin)};
  lab::SvgCanvas canvas(size);
  canvas.rectangle({0, 0}, {size.x, size.y}, {255, 255, 255});
  const Request& request = trace.counts.request;
  canvas.text({kMargin, 24}, request.kernel + ", " + std::to_string(request.elements) + " elements, block 0", 16,
              lab::Anchor::left, kInk);
  if (!trace.buffers.empty())
    canvas.text({kMargin, 44},
                std::string("Accesses to \"").append(trace.buffers[shown].name) +
                    "\", first element on the left: ring = read, disc = write, red = more than one pass",
                kFont, lab::Anchor::left, kInk);
  float y = kTop;
  for (const Step* const step : rows) {
    y += kRow;
    if (step->kind == StepKind::barrier) {
      const glm::vec2 line[] = {{kLeft, y - 4}, {kLeft + kWidth, y - 4}};
      canvas.lines(line, kGrid, 2, false);
      continue;
    }
    const std::string passes =
        step->passes > 0 ? std::string(", ").append(std::to_string(step->passes)).append(" passes") : "";
    canvas.text({kMargin, y}, textOf(trace.sources[step->source]) + " warp " + std::to_string(step->warp) + passes,
                kFont, lab::Anchor::left, kInk);
    for (const Lane& lane : std::span(trace.lanes).subspan(step->firstLane, step->laneCount)) {
      const float x = kLeft + (static_cast<float>(lane.offset) + 0.5f * static_cast<float>(step->bytes)) /
                                  static_cast<float>(end) * kWidth;
      canvas.circle({x, y - 4}, 3.5f, step->passes > 1 ? kConflict : kFree, step->kind == StepKind::read ? 1.5f : 0.0f);
    }
  }
  return canvas.document();
}

}  // namespace

FileFormat fileFormat(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  if (extension == ".json") return FileFormat::json;
  if (extension == ".csv") return FileFormat::csv;
  if (extension == ".svg") return FileFormat::svg;
  if (isVideoOutput(extension)) return FileFormat::film;
  throw UsageError("--trace " + pathText(path) + ": expected a file name that ends in .json, .csv or .svg, or in " +
                   videoOutputNames());
}

void useData(Request& request, const std::string& text) {
  for (const Data data : kMadeData)
    if (text == name(data)) {
      request.data = data;
      return;
    }
  std::string numbers;
  try {
    numbers = readWholeFile(text, std::size_t{64} << 20);
  } catch (const std::runtime_error& error) {
    throw UsageError(std::string("--data: expected ones, ramp, random or a file of numbers: ") + error.what());
  }
  request.data = Data::file;
  request.fileValues.clear();
  std::string_view rest = numbers;
  for (;;) {
    rest.remove_prefix(std::min(rest.find_first_not_of(", \n\r\t"), rest.size()));
    if (rest.empty()) return;
    const auto value = takeNumber<std::uint32_t>(rest);
    if (!value)
      throw UsageError("--data " + excerpt(text) + ": number " + std::to_string(request.fileValues.size() + 1) +
                       " is not an integer from 0 to 4294967295");
    request.fileValues.push_back(*value);
  }
}

std::string encode(FileFormat format, const Trace& trace) {
  if (format == FileFormat::csv) return encodeCsv(trace.counts);
  return format == FileFormat::json ? encodeJson(trace) : encodeSvg(trace);
}

}  // namespace satdof::trace
