#include "app/lens/highlight_source.h"
#include "cuda/interop.h"
#include "cuda/lens/highlights.h"

namespace satdof {

namespace {

constexpr CUstream_st* kStream = nullptr;

class CudaHighlightSource : public HighlightSource {
 public:
  explicit CudaHighlightSource(const HighlightSourceOptions& options)
      : options_(options),
        sprites_(GL_RGBA32F, glm::ivec2(kSpritesPerRow * kSpriteTexels, spriteRows(options.capacity))),
        commandTexel_(GL_RGBA32UI, glm::ivec2(1)),
        command_(kCommandBytes, nullptr) {}

  void resize(glm::ivec2 size) override {
    interop_.reset();
    collector_.reset();
    collector_ =
        cuda::makeHighlightCollector({size.x, size.y, options_.capacity, options_.compaction, options_.sort});
  }

  HighlightDraw collect(const SceneFrame& scene, const HighlightRule& rule, Timings& timings) override {
    if (interop_ == nullptr || scene.colour->name() != colour_ || scene.depth->name() != depth_) share(scene);
    std::span<cudaArray* const> arrays;
    {
      const auto scope = timings.cpu("map");
      arrays = interop_->map(kStream);
    }
    collector_->collect(arrays[0], arrays[1], rule, arrays[2], arrays[3], kStream);
    {
      const auto scope = timings.cpu("unmap");
      interop_->unmap(kStream);
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

  HighlightSourceOptions options_;
  gl::Texture sprites_, commandTexel_;
  gl::Buffer command_;
  std::unique_ptr<cuda::HighlightCollector> collector_;
  GLuint colour_ = 0, depth_ = 0;
  std::unique_ptr<cuda::Interop> interop_;
};

}  // namespace

std::unique_ptr<HighlightSource> makeCudaHighlightSource(const HighlightSourceOptions& options) {
  return std::make_unique<CudaHighlightSource>(options);
}

}  // namespace satdof
