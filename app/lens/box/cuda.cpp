#include <array>
#include <tuple>

#include "app/lens/box/box.h"
#include "cuda/lens/gather.h"
#include "cuda/runtime/frame_graph.h"
#include "cuda/runtime/interop.h"
#include "cuda/sat/table_builder.h"

namespace satdof {

namespace {

// Table and blur between one map and one unmap; OpenGL only copies the finished image.
class CudaSingleTableLens : public Lens {
 public:
  CudaSingleTableLens(const Technique& technique, const BlurRule& rule)
      : technique_(technique), rule_(rule) {}

  void resize(glm::ivec2 size) override {
    graph_.forget();
    builder_.reset();
    gather_.reset();
    interop_.reset();
    size_ = size;
    builder_ = cuda::makeTableBuilder({size.x, size.y, technique_.scan, elementType(), technique_.blockSize});
    gather_ = cuda::makeGather(size.x, size.y);
    const GLenum format = technique_.format == TableFormat::uint32 ? GL_RGBA32UI : GL_RGBA32F;
    table_ = gl::Texture(format, builder_->transposed() ? glm::ivec2(size.y, size.x) : size);
    blurred_ = gl::Texture(GL_RGBA16F, size);
    blurredFramebuffer_ = gl::Framebuffer(blurred_);
  }

  void process(const LensInputs& inputs, const gl::Framebuffer& output, Timings& timings) override {
    const SceneFrame& scene = inputs.scene;
    share(*scene.colour, *scene.depth);
    std::span<cudaArray* const> arrays;
    {
      const auto scope = timings.cpu("map");
      arrays = interop_->map(stream_);
    }
    const cuda::GatherImages images{arrays[0], arrays[1], arrays[3]};
    const cuda::RadiusRule rule = radiusRule(inputs);
    if (technique_.lensOn == LensOn::cuda) {
      const TableSource source = tableSource(rule_, inputs);
      cuda::Quantisation quantisation{source.scale, source.ceiling};
      cuda::GatherTable table{arrays[2], builder_->transposed(), elementType()};
      if (technique_.format == TableFormat::uint32) table.unit = 1.0f / source.scale;
      if (technique_.format == TableFormat::float32Mean)
        for (int i = 0; i < 4; ++i) table.offset[i] = quantisation.mean[i] = source.mean[i];
      graph_.run({images, table, rule, quantisation}, stream_, [&] {
        builder_->build(arrays[0], cuda::ImageFormat::half4, quantisation, arrays[2], stream_);
        gather_->gather(images, table, rule, stream_);
      });
      view_ = {table_.name(),     size_,      builder_->transposed(), technique_.format,
               1.0f / table.unit, source.mean};
    } else {
      gather_->convolve(
          images,
          technique_.lensOn == LensOn::cudaDirect ? cuda::Convolution::direct : cuda::Convolution::separable,
          rule, stream_);
      view_ = {};
    }
    {
      const auto scope = timings.cpu("unmap");
      interop_->unmap(stream_);
    }
    for (const auto& stages : {builder_->stageTimes(), gather_->stageTimes()})
      for (const auto& [stage, timeUs] : stages) timings.report(stage, Clock::gpu, timeUs);
    glBlitNamedFramebuffer(blurredFramebuffer_.name(), output.name(), 0, 0, size_.x, size_.y, 0, 0, size_.x,
                           size_.y, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  }

  Table table() const override { return view_; }
  std::string state() const override {
    if (interop_ == nullptr) return {};
    return std::string("interop: ") + (interop_->direct() ? "direct" : "staged") +
           (graph_.replaying() ? ", graph" : "");
  }

 private:
  cuda::ElementType elementType() const {
    return technique_.format == TableFormat::uint32 ? cuda::ElementType::uint32 : cuda::ElementType::float32;
  }

  cuda::RadiusRule radiusRule(const LensInputs& inputs) const {
    const BlurValues v = rule_.values(inputs.lens, inputs.scene);
    return {.kind = rule_.linear ? cuda::RadiusRule::Kind::linear : cuda::RadiusRule::Kind::thinLens,
            .lens = v.lens,
            .nearM = v.nearM,
            .focusM = v.focusM,
            .rangeM = v.rangeM,
            .fullRadiusPx = v.fullRadiusPx};
  }

  void share(const gl::Texture& colour, const gl::Texture& depth) {
    const std::array names = {colour.name(), depth.name()};
    if (interop_ != nullptr && shared_ == names) return;
    graph_.forget();
    builder_->forgetArrays();
    gather_->forgetArrays();
    interop_.reset();
    const auto tableFormat =
        technique_.format == TableFormat::uint32 ? cuda::TexelFormat::rgba32ui : cuda::TexelFormat::rgba32f;
    interop_ = cuda::makeInterop(
        {{colour.name(), cuda::TexelFormat::rgba16f, size_.x, size_.y, cuda::Access::read},
         {depth.name(), cuda::TexelFormat::r32f, size_.x, size_.y, cuda::Access::read},
         {table_.name(), tableFormat, table_.size().x, table_.size().y, cuda::Access::write},
         {blurred_.name(), cuda::TexelFormat::rgba16f, size_.x, size_.y, cuda::Access::write}});
    shared_ = names;
  }

  Technique technique_;
  const BlurRule& rule_;
  CUstream_st* stream_ = cuda::frameStream();
  glm::ivec2 size_{0};
  gl::Texture table_, blurred_;
  gl::Framebuffer blurredFramebuffer_;
  std::array<GLuint, 2> shared_{};
  std::unique_ptr<cuda::Interop> interop_;  // outlives who uses its arrays
  std::unique_ptr<cuda::TableBuilder> builder_;
  std::unique_ptr<cuda::Gather> gather_;
  cuda::FrameGraph<std::tuple<cuda::GatherImages, cuda::GatherTable, cuda::RadiusRule, cuda::Quantisation>>
      graph_;
  Table view_;
};

}  // namespace

std::unique_ptr<Lens> makeCudaSingleTableLens(const Technique& technique, const BlurRule& rule) {
  return std::make_unique<CudaSingleTableLens>(technique, rule);
}

}  // namespace satdof
