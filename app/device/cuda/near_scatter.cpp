#include <array>
#include <tuple>

#include "app/device/backends.h"
#include "app/device/near_scatter.h"
#include "cuda/lens/scatter.h"
#include "cuda/runtime/array.h"
#include "cuda/runtime/frame_graph.h"
#include "cuda/runtime/interop.h"
#include "cuda/sat/table_builder.h"

namespace satdof {

namespace {

// The differences never leave CUDA: one map and one unmap for the spread and its table.
class CudaNearSpread : public NearSpread {
 public:
  explicit CudaNearSpread(const Method& method) : method_(method) {}

  void resize(glm::ivec2 size) override {
    size_ = size;
    graph_.forget();
    spreader_.reset();
    builder_.reset();
    interop_.reset();
    spreader_ = cuda::makeSpreader(size.x, size.y);
    builder_ =
        cuda::makeTableBuilder({size.x, size.y, method_.scan, cuda::ElementType::uint32, method_.blockSize});
    differences_ = cuda::Array(cuda::TexelFormat::rgba32ui, size.x, size.y);
    table_ = gl::Texture(GL_RGBA32UI, builder_->transposed() ? glm::ivec2(size.y, size.x) : size);
  }

  SatView spread(const SceneFrame& scene, const SpreadRule& rule, Timings& timings) override {
    share(*scene.colour, *scene.depth);
    std::span<cudaArray* const> arrays;
    {
      const auto scope = timings.cpu("map");
      arrays = interop_->map(stream_);
    }
    graph_.run({{arrays[0], arrays[1], arrays[2]}, rule}, stream_, [&] {
      spreader_->run(arrays[0], arrays[1], rule, differences_.get(), stream_);
      builder_->build(differences_.get(), cuda::PictureFormat::uint4, {}, arrays[2], stream_);
    });
    {
      const auto scope = timings.cpu("unmap");
      interop_->unmap(stream_);
    }
    for (const auto& times : {spreader_->stageTimes(), builder_->stageTimes()})
      for (const auto& [stage, timeUs] : times) timings.report(stage, Clock::gpu, timeUs);
    SatView view = describeTable(table_, SatFormat::uint32, {});
    view.size = size_;
    view.transposed = builder_->transposed();
    return view;
  }

 private:
  void share(const gl::Texture& colour, const gl::Texture& depth) {
    const std::array names = {colour.name(), depth.name()};
    if (interop_ != nullptr && shared_ == names) return;
    graph_.forget();
    spreader_->forgetArrays();
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

  Method method_;
  CUstream_st* stream_ = cuda::frameStream();
  glm::ivec2 size_{0};
  gl::Texture table_;
  std::array<GLuint, 2> shared_{};
  cuda::Array differences_;
  std::unique_ptr<cuda::Interop> interop_;  // these two outlive who uses their arrays
  std::unique_ptr<cuda::Spreader> spreader_;
  std::unique_ptr<cuda::TableBuilder> builder_;
  cuda::FrameGraph<std::tuple<std::array<cudaArray*, 3>, SpreadRule>> graph_;
};

}  // namespace

std::unique_ptr<NearSpread> makeCudaNearSpread(const Method& method) {
  return std::make_unique<CudaNearSpread>(method);
}

}  // namespace satdof
