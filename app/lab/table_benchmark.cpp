#include "app/lab/table_benchmark.h"

#include <algorithm>
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
constexpr int kGroup = 16;  // as in table_copy.comp
constexpr size_t kBuildsInFlight = 2;

class TableCopy : public SatBackend {
 public:
  void resize(glm::ivec2 size) override { table_ = gl::Texture(GL_RGBA32UI, size); }
  SatView build(const SatSource& source, Timings& timings) override {
    const glm::ivec2 groups = (table_.size() + kGroup - 1) / kGroup;
    const auto stage = timings.gpu("copy");
    source.texture->bind(0);
    glBindImageTexture(0, table_.name(), 0, GL_FALSE, 0, GL_WRITE_ONLY, table_.format());
    program_.use();
    glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    glDispatchCompute(static_cast<GLuint>(groups.x), static_cast<GLuint>(groups.y), 1);
    return {table_.name(), table_.size()};
  }

 private:
  gl::Program program_{{"sat/copy.comp"}};
  gl::Texture table_;
};

std::string nameOf(const Method& method) {
  const std::string backend = name(method.backend);
  return method.backend == Backend::cuda ? backend + " " + name(method.scan) : backend;
}

bool runsOnOpenGL(Backend backend) { return backend == Backend::glCompute || backend == Backend::glFragment; }

bool isAhead(const BenchmarkRow& a, const BenchmarkRow& b) {
  return std::pair(!a.error.empty(), a.timeUs) < std::pair(!b.error.empty(), b.timeUs);
}

}  // namespace

std::vector<Method> availableMethods() {
  std::vector<Method> methods;
  for (const auto& backend : entries(Backend{})) {
    if (backend.value == Backend::automatic || !availability(backend.value).available) continue;
    if (backend.value != Backend::cuda) {
      methods.push_back({.backend = backend.value});
      continue;
    }
    for (const auto& scan : entries(Scan{}))
      if (availability(scan.value).available)
        methods.push_back({.backend = Backend::cuda, .scan = scan.value});
  }
  return methods;
}

TableBenchmark::TableBenchmark(const gl::Texture& picture, std::vector<Method> methods)
    : methods_(std::move(methods)), picture_(GL_RGBA16F, picture.size()) {
  copy_.name = "copy";
  glCopyImageSubData(picture.name(), GL_TEXTURE_2D, 0, 0, 0, 0, picture_.name(), GL_TEXTURE_2D, 0, 0, 0, 0,
                     picture.size().x, picture.size().y, 1);
}

void TableBenchmark::advance() {
  if (finished()) return;
  try {
    if (backend_ == nullptr)
      start();
    else
      build();
  } catch (const std::runtime_error& error) {
    if (onCopy()) throw;
    endMethod(error.what());
  }
}

void TableBenchmark::cancel() {
  cancelled_ = true;
  backend_.reset();
}

int TableBenchmark::builds() const { return static_cast<int>(methods_.size() + 1) * kBuilds; }
int TableBenchmark::buildsDone() const { return static_cast<int>(next_) * kBuilds + built_; }

void TableBenchmark::start() {
  std::unique_ptr<SatBackend> backend;
  if (onCopy())
    backend = std::make_unique<TableCopy>();
  else
    backend = makeSatBackend(methods_[next_ - 1]);
  backend->resize(picture_.size());
  backend_ = std::move(backend);
  timings_.clear();
}

void TableBenchmark::build() {
  throttle_.pieceDone(onCopy() || runsOnOpenGL(methods_[next_ - 1].backend) ? kBuildsInFlight : 0);
  if (built_ == kWarmUpBuilds) timings_.clear();
  timings_.beginFrame();
  backend_->build({.texture = &picture_}, timings_);
  timings_.endFrame();
  if (++built_ == kBuilds) endMethod();
}

void TableBenchmark::endMethod(std::string error) {
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
    row.method = methods_[next_ - 1];
    row.name = nameOf(row.method);
    const auto place = std::ranges::upper_bound(rows_, row, isAhead);
    rows_.insert(place, std::move(row));
  }
  backend_.reset();
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
      std::snprintf(line, sizeof line, "%12.1f us  %8.2f x", static_cast<double>(row.timeUs),
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
