#include "cuda/sat/table_builder.h"

#include <utility>

#include "app/device/cuda/conversions.h"
#include "app/device/cuda/cuda.h"
#include "app/device/cuda/cuda_pass.h"
#include "cuda/runtime/device.h"

namespace satdof::on_cuda {

namespace {

class CudaTableBuilder final : public TableBuilder {
 public:
  explicit CudaTableBuilder(const TableSpec& spec) : spec_(spec) {}

  void resize(glm::ivec2 size) override {
    size_ = size;
    pass_.reset();
    builder_ = &pass_.own(cuda::makeTableBuilder(tableOptions(spec_, size)));
    texture_ = tableTexture(spec_.format, size, builder_->transposed());
  }

  Table build(const TableSource& source, Timings& timings) override {
    const auto format = source.texture->format() == GL_RGBA32UI ? cuda::ImageFormat::uint4 : cuda::ImageFormat::half4;
    const Quantisation quantisation = quantisationFor(spec_.format, source.quantisation);
    pass_.run({{*source.texture, cuda::Access::read}, {texture_, cuda::Access::write}}, {format, quantisation}, timings,
              [&](auto arrays, auto* stream) { builder_->build(arrays[0], format, quantisation, arrays[1], stream); });
    return cudaTable(texture_, spec_.format, source, size_, builder_->transposed());
  }

  std::string state() const override { return pass_.state(); }

 private:
  TableSpec spec_;
  glm::ivec2 size_{0};
  gl::Texture texture_;
  CudaPass<std::pair<cuda::ImageFormat, Quantisation>> pass_;
  cuda::TableBuilder* builder_ = nullptr;
};

}  // namespace

Availability availability() {
  const cuda::Device& device = cuda::device();
  return {device.available, device.available ? device.name : device.reason};
}

bool lost() { return cuda::lost(); }

std::unique_ptr<TableBuilder> makeTableBuilder(const TableSpec& spec) {
  return std::make_unique<CudaTableBuilder>(spec);
}

}  // namespace satdof::on_cuda
