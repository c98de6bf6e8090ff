#include <array>
#include <tuple>

#include "app/device/devices.h"
#include "app/device/near_scatter.h"
#include "cuda/lens/scatter.h"
#include "cuda/runtime/array.h"
#include "cuda/runtime/frame_graph.h"
#include "cuda/runtime/interop.h"
#include "cuda/sat/table_builder.h"

namespace satdof {

namespace {

// The differences never leave CUDA: one map and one unmap for the scatter and its table.
class CudaNearScatter : public NearScatter {
 public:
  explicit CudaNearScatter(const Technique& technique) : technique_(technique) {}

  void resize(glm::ivec2 size) override {
    size_ = size;
    graph_.forget();
    scatter_.reset();
    builder_.reset();
    interop_.reset();
    scatter_ = cuda::makeScatter(size.x, size.y);
    builder_ = cuda::makeTableBuilder(
        {size.x, size.y, technique_.scan, cuda::ElementType::uint32, technique_.blockSize});
    differences_ = cuda::Array(cuda::TexelFormat::rgba32ui, size.x, size.y);
    table_ = gl::Texture(GL_RGBA32UI, builder_->transposed() ? glm::ivec2(size.y, size.x) : size);
  }

  Table scatter(const SceneFrame& scene, const ScatterRule& rule, Timings& timings) override {
    share(*scene.colour, *scene.depth);
    std::span<cudaArray* const> arrays;
    {
      const auto scope = timings.cpu("map");
      arrays = interop_->map(stream_);
    }
    graph_.run({{arrays[0], arrays[1], arrays[2]}, rule}, stream_, [&] {
      scatter_->run(arrays[0], arrays[1], rule, differences_.get(), stream_);
      builder_->build(differences_.get(), cuda::ImageFormat::uint4, {}, arrays[2], stream_);
    });
    {
      const auto scope = timings.cpu("unmap");
      interop_->unmap(stream_);
    }
    for (const auto& times : {scatter_->stageTimes(), builder_->stageTimes()})
      for (const auto& [stage, timeUs] : times) timings.report(stage, Clock::gpu, timeUs);
    Table view = describeTable(table_, TableFormat::uint32, {});
    view.size = size_;
    view.transposed = builder_->transposed();
    return view;
  }

 private:
  void share(const gl::Texture& colour, const gl::Texture& depth) {
    const std::array names = {colour.name(), depth.name()};
    if (interop_ != nullptr && shared_ == names) return;
    graph_.forget();
    scatter_->forgetArrays();
    builder_->forgetArrays();
    interop_.reset();
    const auto shared = [](const gl::Texture& texture, cuda::TexelFormat format, cuda::Access access) {
      return cuda::SharedTexture{texture.name(), format, texture.size().x, texture.size().y, access};
    };
    interop_ = cuda::makeInterop({shared(colour, cuda::TexelFormat::rgba16f, cuda::Access::read),
                                  shared(depth, cuda::TexelFormat::r32f, cuda::Access::read),
                                  shared(table_, cuda::TexelFormat::rgba32ui, cuda::Access::write)});
    shared_ = names;
  }

  Technique technique_;
  CUstream_st* stream_ = cuda::frameStream();
  glm::ivec2 size_{0};
  gl::Texture table_;
  std::array<GLuint, 2> shared_{};
  cuda::Array differences_;
  std::unique_ptr<cuda::Interop> interop_;  // these two outlive who uses their arrays
  std::unique_ptr<cuda::Scatter> scatter_;
  std::unique_ptr<cuda::TableBuilder> builder_;
  cuda::FrameGraph<std::tuple<std::array<cudaArray*, 3>, ScatterRule>> graph_;
};

}  // namespace

std::unique_ptr<NearScatter> makeCudaNearScatter(const Technique& technique) {
  return std::make_unique<CudaNearScatter>(technique);
}

}  // namespace satdof
