#include <array>
#include <tuple>

#include "app/device/cuda/conversions.h"
#include "app/device/cuda/cuda_pass.h"
#include "app/lens/box/box.h"
#include "app/lens/box/plan.h"
#include "cuda/lens/gather.h"

namespace satdof {

namespace {

cuda::RadiusRule radiusRule(const BlurRule& rule, const BlurValues& values) {
  return {.kind = rule.linear ? cuda::RadiusRule::Kind::linear : cuda::RadiusRule::Kind::thinLens,
          .lens = values.lens,
          .nearM = values.nearM,
          .focusM = values.focusM,
          .rangeM = values.rangeM,
          .fullRadiusPx = values.fullRadiusPx};
}

// Builds the table and blurs in one crossing. OpenGL copies the result to the output.
class CudaBoxLens final : public Lens {
 public:
  CudaBoxLens(const Technique& technique, const BlurRule& rule)
      : spec_(technique.table), on_(technique.lens.on), rule_(rule) {}

  void resize(glm::ivec2 size) override {
    size_ = size;
    pass_.reset();
    if (on_ == LensOn::cuda) {
      builder_ = &pass_.own(cuda::makeTableBuilder(tableOptions(spec_, size)));
      table_ = tableTexture(spec_.format, size, builder_->transposed());
    }
    gather_ = &pass_.own(cuda::makeGather(size.x, size.y));
    blurred_ = gl::Texture(GL_RGBA16F, size);
    blurredFramebuffer_ = gl::Framebuffer(blurred_);
  }

  LensResult draw(const LensInputs& inputs, const gl::Framebuffer& output, Timings& timings) override {
    const SceneFrame& scene = inputs.scene;
    const BoxPlan plan = boxPlan(rule_, inputs.lens, scene);
    const TableSource source{scene.colour, {plan.scale, plan.ceiling, inputs.mean}};
    const cuda::RadiusRule rule = radiusRule(rule_, plan.blur);
    const Quantisation quantisation = quantisationFor(spec_.format, source.quantisation);
    const CudaPass<Key>::Shared colour{*scene.colour, cuda::Access::read},
        depth{*scene.depth, cuda::Access::read}, blurred{blurred_, cuda::Access::write};
    LensResult result;
    if (on_ == LensOn::cuda) {
      pass_.run({colour, depth, blurred, {table_, cuda::Access::write}}, {rule, quantisation}, timings,
                [&](auto arrays, auto* stream) {
                  builder_->build(arrays[0], cuda::ImageFormat::half4, quantisation, arrays[3], stream);
                  gather_->gather({arrays[0], arrays[1], arrays[2]}, gatherTable(arrays[3], quantisation),
                                  rule, stream);
                });
      result.table = cudaTable(table_, spec_.format, source, size_, builder_->transposed());
    } else {
      const auto how = on_ == LensOn::cudaDirect ? cuda::Convolution::direct : cuda::Convolution::separable;
      pass_.run({colour, depth, blurred}, {rule, quantisation}, timings, [&](auto arrays, auto* stream) {
        gather_->convolve({arrays[0], arrays[1], arrays[2]}, how, rule, stream);
      });
    }
    glBlitNamedFramebuffer(blurredFramebuffer_.name(), output.name(), 0, 0, size_.x, size_.y, 0, 0, size_.x,
                           size_.y, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    return result;
  }

  std::string state() const override { return pass_.state(); }

 private:
  using Key = std::tuple<cuda::RadiusRule, Quantisation>;

  cuda::GatherTable gatherTable(cudaArray* array, const Quantisation& quantisation) const {
    cuda::GatherTable table{array, builder_->transposed(), elementType(spec_.format)};
    if (spec_.format == TableFormat::uint32) table.unit = 1.0f / quantisation.scale;
    for (int i = 0; i < 4; ++i) table.offset[i] = quantisation.mean[i];
    return table;
  }

  TableSpec spec_;
  LensOn on_;
  const BlurRule& rule_;
  glm::ivec2 size_{0};
  gl::Texture table_, blurred_;
  gl::Framebuffer blurredFramebuffer_;
  CudaPass<Key> pass_;
  cuda::TableBuilder* builder_ = nullptr;
  cuda::Gather* gather_ = nullptr;
};

}  // namespace

std::unique_ptr<Lens> makeCudaBoxLens(const Technique& technique, const BlurRule& rule) {
  return std::make_unique<CudaBoxLens>(technique, rule);
}

}  // namespace satdof
