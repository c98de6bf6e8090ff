#include <utility>
#include <vector>

#include "app/core/pixels.h"
#include "app/core/system/thread_pool.h"
#include "app/device/cpu/cpu_table.h"
#include "app/gl/frame_stats.h"
#include "app/gl/program.h"
#include "app/lab/measurements.h"
#include "app/lab/series.h"

namespace satdof::lab {

namespace {

// A cache line, for the alignment of the table.
struct Line {
  alignas(64) std::uint32_t words[16];
};

// Times the table of a square image. `threads`: 0 for the sequential reference.
std::unique_ptr<Measurement> measureCpuTable(int side, int threads) {
  struct Parts {
    std::vector<std::uint16_t> image;
    std::vector<Line> table;
    std::unique_ptr<CpuTableBuilder> builder;
  };
  const auto pixels = static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
  auto parts = std::make_shared<Parts>();
  parts->image = randomHalves(4 * pixels);
  parts->table.resize((pixels + 3) / 4);
  if (threads > 0) {
    parts->builder = std::make_unique<CpuTableBuilder>(threads);
    parts->builder->resize({side, side});
  }
  return measureOnProcessor([parts, side] {
    const CpuImage image{parts->image.data(), {side, side}};
    const ElementRule rule{.format = TableFormat::uint32, .quantisation = {.scale = 256.0f}};
    if (parts->builder)
      parts->builder->build(image, rule, parts->table.data());
    else
      sumTable(image, rule, parts->table.data());
  });
}

// Reads an image and writes as many bytes as its table; see measureGlCopy().
class TableCopy : public TableBuilder {
 public:
  void resize(glm::ivec2 size) override { table_ = gl::Texture(GL_RGBA32UI, size); }
  Table build(const TableSource& source, Timings&) override {
    constexpr int kGroup = 16;  // as in shaders/sat/copy.comp
    const glm::ivec2 groups = (table_.size() + kGroup - 1) / kGroup;
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

std::unique_ptr<Measurement> measureGlBuilder(std::unique_ptr<TableBuilder> builder, glm::ivec2 size) {
  struct Parts {
    gl::Texture image;
    std::unique_ptr<TableBuilder> builder;
    Timings timings;
    std::vector<std::uint16_t> hostImage;
    std::vector<std::uint32_t> hostTable;
    Table table;
  };
  auto parts = std::make_shared<Parts>();
  parts->hostImage = randomHalves(4 * pixelCount(size));
  parts->hostTable.resize(parts->hostImage.size());
  parts->image = gl::Texture(GL_RGBA16F, size);
  parts->builder = std::move(builder);
  parts->builder->resize(size);
  return measureOnGl({.upload =
                          [parts, size] {
                            glTextureSubImage2D(parts->image.name(), 0, 0, 0, size.x, size.y, GL_RGBA, GL_HALF_FLOAT,
                                                parts->hostImage.data());
                          },
                      .work =
                          [parts] {
                            parts->timings.beginFrame();
                            parts->table = parts->builder->build({.texture = &parts->image}, parts->timings);
                            parts->timings.endFrame();
                          },
                      .download =
                          [parts] {
                            const gl::Texture& table = *parts->table.texture;
                            const bool floats = table.format() == GL_RGBA32F;
                            glGetTextureImage(table.name(), 0, floats ? GL_RGBA : GL_RGBA_INTEGER,
                                              floats ? GL_FLOAT : GL_UNSIGNED_INT,
                                              static_cast<GLsizei>(parts->hostTable.size() * sizeof(std::uint32_t)),
                                              parts->hostTable.data());
                          }});
}

}  // namespace

std::unique_ptr<Measurement> measureGlTable(DeviceId device, TableFormat format, glm::ivec2 size) {
  return measureGlBuilder(availableDevice(device).makeTableBuilder({.format = format}), size);
}

std::unique_ptr<Measurement> measureGlCopy(glm::ivec2 size) {
  return measureGlBuilder(std::make_unique<TableCopy>(), size);
}

std::vector<Series> tableSeries() {
  std::vector<Series> series;
  const auto add = [&](const char* name, int threads) {
    series.push_back(cpuSeries(
        name, [threads](double x) { return measureCpuTable(static_cast<int>(x), threads); },
        threads == 0 ? "one core, one addition an element" : "all cores, vectorised"));
  };
  add("cpu-sequential", 0);
  add("cpu", hardwareThreads());
  for (const auto& [id, name, summary] : entries(DeviceId{}))
    if (id != DeviceId::automatic && deviceOf(id).kind == DeviceKind::openGl)
      series.push_back(
          {name, DeviceKind::openGl, [id = id] { return availability(id); },
           [id = id](double x) { return measureGlTable(id, TableFormat::uint32, glm::ivec2(static_cast<int>(x))); },
           summary});
  series.push_back(glSeries(
      "gl-copy", [](double x) { return measureGlCopy(glm::ivec2(static_cast<int>(x))); },
      "reads an image and writes as many bytes as a table: the limit of OpenGL"));
  addCuda<Scan>(series, [](Scan scan, double x) { return cudaMeasurements().table(scan, static_cast<int>(x)); });
  return series;
}

std::vector<Series> pipelineSeries() {
  struct Row {
    const char* name;
    PipelineStage stage;
    const char* summary;
  };
  constexpr Row kRows[] = {{"de-interleave and interleave", PipelineStage::interleave, "channels to planes and back"},
                           {"transpose", PipelineStage::transpose, "rows of three planes to columns"},
                           {"6 scans", PipelineStage::scans, "rows and columns of three planes"},
                           {"total", PipelineStage::all, "all stages"}};
  std::vector<Series> series;
  for (const Row& row : kRows)
    series.push_back(cudaSeries(
        row.name, [stage = row.stage](double x) { return cudaMeasurements().pipeline(stage, static_cast<int>(x)); },
        row.summary));
  return series;
}

}  // namespace satdof::lab
