#include "app/lab/table_benchmark.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <utility>

#include "app/gl/program.h"

namespace satdof {

namespace {

constexpr int kWarmUpBuilds = 4;
constexpr int kTimedBuilds = 20;
constexpr int kBuilds = kWarmUpBuilds + kTimedBuilds;
constexpr int kGroup = 16;  // as in shaders/sat/copy.comp
constexpr size_t kBuildsInFlight = 2;

class TableCopy : public TableBuilder {
 public:
  void resize(glm::ivec2 size) override { table_ = gl::Texture(GL_RGBA32UI, size); }
  Table build(const TableSource& source, Timings& timings) override {
    const glm::ivec2 groups = (table_.size() + kGroup - 1) / kGroup;
    const auto stage = timings.gpu("copy");
    source.texture->bind(0);
    glBindImageTexture(0, table_.name(), 0, GL_FALSE, 0, GL_WRITE_ONLY, table_.format());
    program_.use();
    glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    glDispatchCompute(static_cast<GLuint>(groups.x), static_cast<GLuint>(groups.y), 1);
    return {.texture = &table_, .size = table_.size()};
  }

 private:
  gl::Program program_{{"sat/copy.comp"}};
  gl::Texture table_;
};

std::string nameOf(const Technique& technique) {
  const std::string device = name(technique.device);
  return deviceOf(technique.device).uses.scan ? device + " " + name(technique.table.scan) : device;
}

bool isAhead(const BenchmarkRow& a, const BenchmarkRow& b) {
  return std::pair(!a.error.empty(), a.timeUs) < std::pair(!b.error.empty(), b.timeUs);
}

}  // namespace

std::vector<Technique> availableTechniques() {
  std::vector<Technique> techniques;
  for (const auto& entry : entries(DeviceId{})) {
    if (entry.value == DeviceId::automatic || !availability(entry.value).available) continue;
    if (deviceOf(entry.value).kind == DeviceKind::emulated) continue;  // its time says nothing about CUDA
    if (!deviceOf(entry.value).uses.scan) {
      techniques.push_back({.device = entry.value});
      continue;
    }
    for (const auto& scan : entries(Scan{}))
      techniques.push_back({.device = entry.value, .table = {.scan = scan.value}});
  }
  return techniques;
}

TableBenchmark::TableBenchmark(glm::ivec2 size, std::vector<Technique> techniques)
    : techniques_(std::move(techniques)), image_(GL_RGBA16F, size) {
  copy_.name = "copy";
  constexpr std::array kGrey{0.5f, 0.5f, 0.5f, 1.0f};
  glClearTexImage(image_.name(), 0, GL_RGBA, GL_FLOAT, kGrey.data());
}

void TableBenchmark::advance() {
  if (finished()) return;
  try {
    if (builder_ == nullptr)
      start();
    else
      build();
  } catch (const std::runtime_error& error) {
    if (onCopy()) throw;
    endTechnique(error.what());
  }
}

void TableBenchmark::cancel() {
  cancelled_ = true;
  builder_.reset();
}

int TableBenchmark::builds() const { return static_cast<int>(techniques_.size() + 1) * kBuilds; }
int TableBenchmark::buildsDone() const { return static_cast<int>(next_) * kBuilds + built_; }

void TableBenchmark::start() {
  std::unique_ptr<TableBuilder> builder;
  if (onCopy()) {
    builder = std::make_unique<TableCopy>();
  } else {
    const Technique& technique = techniques_[next_ - 1];
    builder = availableDevice(technique.device).makeTableBuilder(technique.table);
  }
  builder->resize(image_.size());
  builder_ = std::move(builder);
  timings_.clear();
}

void TableBenchmark::build() {
  throttle_.pieceDone(
      onCopy() || deviceOf(techniques_[next_ - 1].device).kind == DeviceKind::openGl ? kBuildsInFlight : 0);
  if (built_ == kWarmUpBuilds) timings_.clear();
  timings_.beginFrame();
  builder_->build({.texture = &image_}, timings_);
  timings_.endFrame();
  if (++built_ == kBuilds) endTechnique();
}

void TableBenchmark::endTechnique(std::string error) {
  BenchmarkRow row;
  row.error = std::move(error);
  if (row.error.empty()) {
    timings_.finish();
    for (const auto& stage : timings_.stats().stages) {
      row.stages.push_back({stage.name, stage.clock, stage.medianUs()});
      row.timeUs += stage.medianUs();
      row.samplesUs.resize(std::max(row.samplesUs.size(), stage.samplesUs.size()));
      std::ranges::transform(row.samplesUs, stage.samplesUs, row.samplesUs.begin(), std::plus());
    }
  }
  if (onCopy()) {
    row.name = copy_.name;
    copy_ = std::move(row);
  } else {
    row.technique = techniques_[next_ - 1];
    row.name = nameOf(row.technique);
    const auto place = std::ranges::upper_bound(rows_, row, isAhead);
    rows_.insert(place, std::move(row));
  }
  builder_.reset();
  built_ = 0;
  ++next_;
}

std::string benchmarkText(const TableBenchmark& benchmark) {
  std::string text;
  const auto append = [&](const BenchmarkRow& row) {
    char line[64];
    std::snprintf(line, sizeof line, "%-24s", row.name.c_str());
    text += line;
    if (row.error.empty()) {
      std::snprintf(line, sizeof line, "%12.1f us  %8.2f times OpenGL's copy",
                    static_cast<double>(row.timeUs),
                    static_cast<double>(row.timeUs / benchmark.copy().timeUs));
      text += line;
    } else {
      text += "  " + row.error;
    }
    text += "\n";
  };
  append(benchmark.copy());
  for (const auto& row : benchmark.rows()) append(row);
  return text;
}

}  // namespace satdof
