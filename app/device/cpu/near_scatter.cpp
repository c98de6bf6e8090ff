#include <vector>

#include "app/core/pixels.h"
#include "app/core/system/reallocate.h"
#include "app/device/cpu/cpu.h"
#include "app/device/cpu/cpu_scatter.h"
#include "app/gl/transfer.h"

namespace satdof {

namespace {

class CpuNearScatter : public NearScatter {
 public:
  CpuNearScatter(std::unique_ptr<TableBuilder> table, int threads) : scatter_(threads), table_(std::move(table)) {}

  void resize(glm::ivec2 size) override {
    const auto pixels = pixelCount(size);
    reallocate(colour_, pixels);
    reallocate(depth_, pixels);
    reallocate(words_, 4 * pixels);
    differences_ = gl::Texture(GL_RGBA32UI, size);
    scatter_.resize(size);
    table_->resize(size);
  }

  Table scatter(const SceneFrame& scene, const ScatterRule& rule, Timings& timings) override {
    {
      const auto scope = timings.cpu("download");
      gl::download(*scene.colour, gl::kRgbaFloat, colour_.data());
      gl::download(*scene.depth, gl::kRedFloat, depth_.data());
    }
    {
      const auto scope = timings.cpu("scatter");
      scatter_.run(colour_.data(), depth_.data(), rule, words_.data());
    }
    {
      const auto scope = timings.cpu("upload");
      gl::upload(differences_, gl::kRgbaWords, words_.data());
    }
    return table_->build({.texture = &differences_}, timings);
  }

 private:
  CpuScatter scatter_;
  std::vector<glm::vec4> colour_;
  std::vector<float> depth_;
  std::vector<uint32_t> words_;
  gl::Texture differences_;
  std::unique_ptr<TableBuilder> table_;
};

}  // namespace

std::unique_ptr<NearScatter> makeCpuNearScatter(const TableSpec& spec) {
  return std::make_unique<CpuNearScatter>(makeCpuTableBuilder(spec), hardwareThreads());
}

std::unique_ptr<NearScatter> makeCpuSequentialNearScatter(const TableSpec& spec) {
  return std::make_unique<CpuNearScatter>(makeCpuSequentialTableBuilder(spec), 1);
}

}  // namespace satdof
