#include <tuple>

#include "app/device/cuda/conversions.h"
#include "app/device/cuda/table_store.h"
#include "app/lens/box/box.h"
#include "app/lens/box/plan.h"
#include "app/lens/cuda.h"
#include "cuda/lens/gather.h"
#include "cuda/sat/table_builder.h"

namespace satdof::on_cuda {

namespace {

cuda::RadiusRule radiusRule(const BlurRule& rule, const BlurValues& values) {
  return {.kind = rule.linear ? cuda::RadiusRule::Kind::linear : cuda::RadiusRule::Kind::thinLens,
          .lens = values.lens,
          .nearM = values.nearM,
          .focusM = values.focusM,
          .rangeM = values.rangeM,
          .fullRadiusPx = values.fullRadiusPx};
}

class CudaBoxBlur final : public CudaBlur {
 public:
  CudaBoxBlur(const Technique& technique, const BlurRule& rule)
      : spec_(technique.table), on_(technique.lens.on), rule_(rule) {}

  void resize(glm::ivec2 size, CudaCrossing<cudaArray*>& crossing) override {
    if (on_ == LensOn::cuda) {
      builder_ = &crossing.own(cuda::makeTableBuilder(tableOptions(spec_, size)));
      table_.resize(spec_.format, size, builder_->transposed());
    }
    gather_ = &crossing.own(cuda::makeGather(size.x, size.y));
    planned_.reset();
  }

  bool plan(const LensInputs& inputs, CudaTextures& shared) override {
    const BoxPlan plan = boxPlan(rule_, inputs.lens, inputs.scene);
    source_ = {inputs.scene.colour, {plan.scale, plan.ceiling, inputs.mean}};
    if (on_ == LensOn::cuda) table_.plan(inputs.wantsTable, shared);
    const Plan now{radiusRule(rule_, plan.blur), quantisationFor(spec_.format, source_.quantisation)};
    return std::exchange(planned_, now) != planned_;
  }

  void enqueue(const CudaImages& images, std::span<cudaArray* const> others, CUstream_st* stream) override {
    const auto& [rule, quantisation] = *planned_;
    const cuda::GatherImages gathered{images.colour, images.depth, images.blurred};
    if (on_ != LensOn::cuda) {
      const auto how = on_ == LensOn::cudaDirect ? cuda::Convolution::direct : cuda::Convolution::separable;
      gather_->convolve(gathered, how, rule, stream);
      return;
    }
    builder_->build(images.colour, cuda::ImageFormat::half4, quantisation, table_.rows(), stream);
    table_.copy(others, stream);
    gather_->gather(gathered, gatherTable(quantisation), rule, stream);
  }

  Table table() const override { return on_ == LensOn::cuda ? table_.table(source_) : Table{}; }

 private:
  using Plan = std::tuple<cuda::RadiusRule, Quantisation>;

  cuda::GatherTable gatherTable(const Quantisation& quantisation) const {
    cuda::GatherTable table{table_.rows(), builder_->transposed(), elementType(spec_.format)};
    if (spec_.format == TableFormat::uint32) table.unit = 1.0f / quantisation.scale;
    for (int i = 0; i < 4; ++i) table.offset[i] = quantisation.mean[i];
    return table;
  }

  TableSpec spec_;
  LensOn on_;
  const BlurRule& rule_;
  CudaTableStore table_;
  TableSource source_;
  std::optional<Plan> planned_;
  cuda::TableBuilder* builder_ = nullptr;
  cuda::Gather* gather_ = nullptr;
};

}  // namespace

std::unique_ptr<CudaBlur> makeBoxBlur(const Technique& technique, const BlurRule& rule) {
  return std::make_unique<CudaBoxBlur>(technique, rule);
}

}  // namespace satdof::on_cuda
