#include <array>
#include <tuple>

#include "app/device/bokeh_collector.h"
#include "cuda/lens/bokeh.h"
#include "cuda/runtime/frame_graph.h"
#include "cuda/runtime/interop.h"

namespace satdof {

namespace {

class CudaBokehCollector : public BokehCollector {
 public:
  explicit CudaBokehCollector(const BokehCollectorOptions& options)
      : options_(options),
        sprites_(GL_RGBA32F, glm::ivec2(kSpritesPerRow * kSpriteTexels, spriteRows(options.capacity))),
        commandTexel_(GL_RGBA32UI, glm::ivec2(1)),
        command_(kCommandBytes, nullptr) {}

  void resize(glm::ivec2 size) override {
    graph_.forget();
    collector_.reset();
    interop_.reset();
    collector_ =
        cuda::makeBokehCollector({size.x, size.y, options_.capacity, options_.compaction, options_.sort});
  }

  BokehDraw collect(const SceneFrame& scene, const BokehRule& rule, Timings& timings) override {
    if (interop_ == nullptr || scene.colour->name() != colour_ || scene.depth->name() != depth_) share(scene);
    std::span<cudaArray* const> arrays;
    {
      const auto scope = timings.cpu("map");
      arrays = interop_->map(stream_);
    }
    graph_.run({{arrays[0], arrays[1], arrays[2], arrays[3]}, rule}, stream_,
               [&] { collector_->collect(arrays[0], arrays[1], rule, arrays[2], arrays[3], stream_); });
    {
      const auto scope = timings.cpu("unmap");
      interop_->unmap(stream_);
    }
    glBindBuffer(GL_PIXEL_PACK_BUFFER, command_.name());
    glGetTextureImage(commandTexel_.name(), 0, GL_RGBA_INTEGER, GL_UNSIGNED_INT, kCommandBytes, nullptr);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    for (const auto& [stage, timeUs] : collector_->stageTimes()) timings.report(stage, Clock::gpu, timeUs);
    return {sprites_.name(), command_.name()};
  }

 private:
  static constexpr GLsizei kCommandBytes = 16;

  void share(const SceneFrame& scene) {
    graph_.forget();
    collector_->forgetArrays();
    interop_.reset();
    const auto shared = [](const gl::Texture& texture, cuda::TexelFormat format, cuda::Access access) {
      return cuda::SharedTexture{texture.name(), format, texture.size().x, texture.size().y, access};
    };
    interop_ = cuda::makeInterop({shared(*scene.colour, cuda::TexelFormat::rgba16f, cuda::Access::read),
                                  shared(*scene.depth, cuda::TexelFormat::r32f, cuda::Access::read),
                                  shared(sprites_, cuda::TexelFormat::rgba32f, cuda::Access::write),
                                  shared(commandTexel_, cuda::TexelFormat::rgba32ui, cuda::Access::write)});
    colour_ = scene.colour->name();
    depth_ = scene.depth->name();
  }

  BokehCollectorOptions options_;
  CUstream_st* stream_ = cuda::frameStream();
  gl::Texture sprites_, commandTexel_;
  gl::Buffer command_;
  GLuint colour_ = 0, depth_ = 0;
  std::unique_ptr<cuda::Interop> interop_;  // outlives who uses its arrays
  std::unique_ptr<cuda::BokehCollector> collector_;
  cuda::FrameGraph<std::tuple<std::array<cudaArray*, 4>, BokehRule>> graph_;
};

}  // namespace

std::unique_ptr<BokehCollector> makeCudaBokehCollector(const BokehCollectorOptions& options) {
  return std::make_unique<CudaBokehCollector>(options);
}

}  // namespace satdof
