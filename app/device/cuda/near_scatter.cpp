#include "app/core/pixels.h"
#include "app/device/cuda/conversions.h"
#include "app/device/cuda/cuda.h"
#include "app/device/cuda/cuda_pass.h"
#include "cuda/lens/scatter.h"
#include "cuda/runtime/device_array.h"

namespace satdof::on_cuda {

namespace {

class CudaNearScatter final : public NearScatter {
 public:
  explicit CudaNearScatter(const TableSpec& spec) : spec_(spec) { spec_.format = TableFormat::uint32; }

  void resize(glm::ivec2 size) override {
    size_ = size;
    pass_.reset();
    scatter_ = &pass_.own(cuda::makeScatter(size.x, size.y));
    builder_ = &pass_.own(cuda::makeTableBuilder(tableOptions(spec_, size)));
    differences_ = cuda::DeviceArray<cuda::Texel>(pixelCount(size));
    texture_ = tableTexture(spec_.format, size, builder_->transposed());
  }

  Table scatter(const SceneFrame& scene, const ScatterRule& rule, Timings& timings) override {
    pass_.run(
        {{*scene.colour, cuda::Access::read}, {*scene.depth, cuda::Access::read}, {texture_, cuda::Access::write}},
        rule, timings, [&](auto arrays, auto* stream) {
          scatter_->run(Scattered::nearPixels, arrays[0], arrays[1], rule, differences_.data(), stream);
          builder_->build(differences_.data(), cuda::ImageFormat::uint4, {}, arrays[2], stream);
        });
    return cudaTable(texture_, spec_.format, {}, size_, builder_->transposed());
  }

 private:
  TableSpec spec_;
  glm::ivec2 size_{0};
  gl::Texture texture_;
  cuda::DeviceArray<cuda::Texel> differences_;  // outlives pass_, whose work refers to it
  CudaPass<ScatterRule> pass_;
  cuda::Scatter* scatter_ = nullptr;
  cuda::TableBuilder* builder_ = nullptr;
};

}  // namespace

std::unique_ptr<NearScatter> makeNearScatter(const TableSpec& spec) { return std::make_unique<CudaNearScatter>(spec); }

}  // namespace satdof::on_cuda
