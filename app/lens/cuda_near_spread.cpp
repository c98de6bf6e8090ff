#include <array>
#include <tuple>

#include "app/lens/near_spread.h"
#include "cuda/frame_graph.h"
#include "cuda/interop.h"
#include "cuda/lens/spread.h"

namespace satdof {

namespace {

class CudaNearSpread : public NearSpread {
 public:
  void resize(glm::ivec2 size) override {
    graph_.forget();
    spreader_.reset();
    interop_.reset();
    spreader_ = cuda::makeSpreader(size.x, size.y);
    differences_ = gl::Texture(GL_RGBA32UI, size);
  }

  const gl::Texture& spread(const SceneFrame& scene, const SpreadRule& rule, Timings& timings) override {
    share(*scene.colour, *scene.depth);
    std::span<cudaArray* const> arrays;
    {
      const auto scope = timings.cpu("map");
      arrays = interop_->map(stream_);
    }
    graph_.run({{arrays[0], arrays[1], arrays[2]}, rule}, stream_,
               [&] { spreader_->run(arrays[0], arrays[1], rule, arrays[2], stream_); });
    {
      const auto scope = timings.cpu("unmap");
      interop_->unmap(stream_);
    }
    for (const auto& [stage, timeUs] : spreader_->stageTimes()) timings.report(stage, Clock::gpu, timeUs);
    return differences_;
  }

 private:
  void share(const gl::Texture& colour, const gl::Texture& depth) {
    const std::array names = {colour.name(), depth.name()};
    if (interop_ != nullptr && shared_ == names) return;
    graph_.forget();
    spreader_->forgetArrays();
    interop_.reset();
    const auto shared = [](const gl::Texture& texture, cuda::TexelFormat format, cuda::Access access) {
      return cuda::SharedTexture{texture.name(), format, texture.size().x, texture.size().y, access};
    };
    interop_ = cuda::makeInterop({shared(colour, cuda::TexelFormat::rgba16f, cuda::Access::read),
                                  shared(depth, cuda::TexelFormat::r32f, cuda::Access::read),
                                  shared(differences_, cuda::TexelFormat::rgba32ui, cuda::Access::write)});
    shared_ = names;
  }

  CUstream_st* stream_ = cuda::frameStream();
  gl::Texture differences_;
  std::array<GLuint, 2> shared_{};
  std::unique_ptr<cuda::Interop> interop_;  // outlives who uses its arrays
  std::unique_ptr<cuda::Spreader> spreader_;
  cuda::FrameGraph<std::tuple<std::array<cudaArray*, 3>, SpreadRule>> graph_;
};

}  // namespace

std::unique_ptr<NearSpread> makeCudaNearSpread() { return std::make_unique<CudaNearSpread>(); }

}  // namespace satdof
