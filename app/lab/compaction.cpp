#include <vector>

#include "app/core/pixels.h"
#include "app/core/thread_pool.h"
#include "app/device/cpu/compact.h"
#include "app/device/gl/compact.h"
#include "app/gl/transfer.h"
#include "app/lab/measurements.h"
#include "app/lab/series.h"

namespace satdof::lab {

namespace {

struct Case {
  std::uint32_t count;
  double percent;
};

constexpr int kFoldWidth = 4096;
constexpr gl::TexelLayout kWords{GL_RED_INTEGER, GL_UNSIGNED_INT, 4};

// Flags and indices are folded into textures of kFoldWidth columns.
std::unique_ptr<Measurement> onFragments(const Case& of) {
  struct Parts {
    explicit Parts(const Case& of)
        : width(std::min<int>(kFoldWidth, static_cast<int>(of.count))),
          size(foldedSize(width, of.count)),
          host(randomFlags(pixelCount(size), of.percent)),
          flags(GL_R32UI, size),
          compactor(width, of.count, width, of.count) {}
    int width;
    glm::ivec2 size;
    std::vector<std::uint32_t> host;
    gl::Texture flags;
    GlFragmentCompactor compactor;
    const gl::Texture* indices = nullptr;
  };
  auto parts = std::make_shared<Parts>(of);
  return measureOnGl({.upload = [parts] { gl::upload(parts->flags, kWords, parts->host.data()); },
                      .work = [parts] { parts->indices = parts->compactor.run(parts->flags).indices; },
                      .download =
                          [parts] {
                            std::vector<std::uint32_t> indices(parts->host.size());
                            gl::download(*parts->indices, kWords, indices.data());
                          }});
}

template <class CaseOf>
std::vector<Series> compactionSeries(const CaseOf& caseOf) {
  std::vector<Series> series;
  series.reserve(std::size(kCpuCompactions));
  for (const CpuCompactionInfo& info : kCpuCompactions)
    series.push_back(cpuSeries(
        info.name,
        [run = info.run, caseOf](double x) {
          const Case of = caseOf(x);
          return measureOnProcessor([run, pool = std::make_shared<ThreadPool>(hardwareThreads()),
                                     flags = randomFlags(of.count, of.percent),
                                     indices = std::make_shared<std::vector<std::uint32_t>>(of.count)] {
            run(*pool, flags, *indices);
          });
        },
        info.summary));
  series.push_back(glSeries(
      "gl-fragment", [caseOf](double x) { return onFragments(caseOf(x)); },
      "OpenGL fragment shaders: scan of the flags, then a search for each element"));
  addCuda<Compaction>(series, [caseOf](Compaction compaction, double x) {
    const Case of = caseOf(x);
    return cudaMeasurements().compact(compaction, of.count, of.percent);
  });
  return series;
}

}  // namespace

std::vector<Series> compactionBySize(double percent) {
  return compactionSeries([percent](double x) { return Case{static_cast<std::uint32_t>(x), percent}; });
}

std::vector<Series> compactionByDensity(std::uint32_t count) {
  return compactionSeries([count](double x) { return Case{count, x}; });
}

}  // namespace satdof::lab
