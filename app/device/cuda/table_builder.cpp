#include "app/device/cuda/table_builder.h"

#include <tuple>

#include "app/device/devices.h"
#include "cuda/runtime/device.h"
#include "cuda/runtime/frame_graph.h"
#include "cuda/runtime/interop.h"
#include "cuda/sat/table_builder.h"

namespace satdof {

namespace {

class CudaTableBuilder : public TableBuilder {
 public:
  explicit CudaTableBuilder(const Technique& technique) : technique_(technique) {}

  void resize(glm::ivec2 size) override {
    size_ = size;
    graph_.forget();
    builder_.reset();
    interop_.reset();
    const auto type =
        technique_.format == TableFormat::uint32 ? cuda::ElementType::uint32 : cuda::ElementType::float32;
    builder_ = cuda::makeTableBuilder({size.x, size.y, technique_.scan, type, technique_.blockSize});
    table_ = gl::Texture(tableFormat(technique_.format),
                         builder_->transposed() ? glm::ivec2(size.y, size.x) : size);
  }

  Table build(const TableSource& source, Timings& timings) override {
    const bool fixed = source.texture->format() == GL_RGBA32UI;
    if (interop_ == nullptr || registered_ != source.texture->name()) registerTextures(*source.texture);
    std::span<cudaArray* const> arrays;
    {
      const auto scope = timings.cpu("map");
      arrays = interop_->map(stream_);
    }
    cuda::Quantisation quantisation{source.scale, source.ceiling};
    if (technique_.format == TableFormat::float32Mean)
      for (int i = 0; i < 4; ++i) quantisation.mean[i] = source.mean[i];
    const auto format = fixed ? cuda::ImageFormat::uint4 : cuda::ImageFormat::half4;
    graph_.run({arrays[0], arrays[1], format, quantisation}, stream_,
               [&] { builder_->build(arrays[0], format, quantisation, arrays[1], stream_); });
    {
      const auto scope = timings.cpu("unmap");
      interop_->unmap(stream_);
    }
    for (const auto& [stage, timeUs] : builder_->stageTimes()) timings.report(stage, Clock::gpu, timeUs);
    Table view = describeTable(table_, technique_.format, source);
    view.size = size_;
    view.transposed = builder_->transposed();
    return view;
  }

  std::string state() const override {
    if (interop_ == nullptr) return {};
    return std::string("interop: ") + (interop_->direct() ? "direct" : "staged") +
           (graph_.replaying() ? ", graph" : "");
  }

 private:
  void registerTextures(const gl::Texture& image) {
    graph_.forget();
    builder_->forgetArrays();
    interop_.reset();
    const auto shared = [](const gl::Texture& texture, cuda::Access access) {
      const auto format = texture.format() == GL_RGBA16F    ? cuda::TexelFormat::rgba16f
                          : texture.format() == GL_RGBA32UI ? cuda::TexelFormat::rgba32ui
                                                            : cuda::TexelFormat::rgba32f;
      return cuda::SharedTexture{texture.name(), format, texture.size().x, texture.size().y, access};
    };
    interop_ = cuda::makeInterop({shared(image, cuda::Access::read), shared(table_, cuda::Access::write)});
    registered_ = image.name();
  }

  Technique technique_;
  CUstream_st* stream_ = cuda::frameStream();
  glm::ivec2 size_{0};
  gl::Texture table_;
  GLuint registered_ = 0;
  std::unique_ptr<cuda::Interop> interop_;  // outlives who uses its arrays
  std::unique_ptr<cuda::TableBuilder> builder_;
  cuda::FrameGraph<std::tuple<cudaArray*, cudaArray*, cuda::ImageFormat, cuda::Quantisation>> graph_;
};

}  // namespace

Availability cudaAvailability() {
  const cuda::Device& device = cuda::device();
  return {device.available, device.available ? device.name : device.reason};
}

std::unique_ptr<TableBuilder> makeCudaTableBuilder(const Technique& technique) {
  return std::make_unique<CudaTableBuilder>(technique);
}

}  // namespace satdof
