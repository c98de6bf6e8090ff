#include <array>
#include <tuple>
#include <utility>

#include "app/device/cuda/conversions.h"
#include "app/device/cuda/table_store.h"
#include "app/lens/cuda.h"
#include "app/lens/layered/layered.h"
#include "app/lens/layered/plan.h"
#include "cuda/lens/layered.h"
#include "cuda/lens/scatter.h"
#include "cuda/sat/table_builder.h"

namespace satdof::on_cuda {

namespace {

class CudaLayeredBlur final : public CudaBlur {
 public:
  explicit CudaLayeredBlur(const Technique& technique) : spec_(technique.table) {
    spec_.format = TableFormat::uint32;
  }

  void resize(glm::ivec2 size, CudaCrossing<cudaArray*>& crossing) override {
    size_ = size;
    blended_ = {};
    near_ = makeScattered(crossing);
    foremost_ = {};
    middle_ = {};
    hidden_ = {};
    crossing_ = &crossing;
    layered_ = &crossing.own(cuda::makeLayered(size.x, size.y));
    farBuilder_ = &crossing.own(cuda::makeTableBuilder(tableOptions(spec_, size)));
    farImage_ = texels();
    farTable_.resize(spec_.format, size, farBuilder_->transposed());
    planned_.reset();
  }

  void prepareBlended(CudaCrossing<cudaArray*>& crossing) override {
    if (blended_[0].scattered.scatter != nullptr) return;
    for (Blended& side : blended_) side.scattered = makeScattered(crossing);
    layered_->prepareBlended();
  }

  bool separatesBlended(const LensInputs& inputs) const override {
    return inputs.scene.opaque != nullptr && inputs.redraw != nullptr &&
           blended_[0].scattered.scatter != nullptr;
  }

  bool plan(const LensInputs& inputs, CudaTextures& shared) override {
    const LayeredPlan plan = layeredPlan(inputs.lens, inputs.scene, inputs.redraw != nullptr);
    const bool anyBlended = separatesBlended(inputs);
    if (plan.secondLayer && middle_[0].scatter == nullptr) {
      for (WithTable& layer : middle_) layer = makeScattered(*crossing_);
      hidden_ = makeScattered(*crossing_);
      layered_->prepareSecondLayer();
    }
    if (plan.anyForemost && foremost_.scatter == nullptr) foremost_ = makeScattered(*crossing_);
    const auto share = [&](const gl::Texture& texture) {
      shared.push_back({texture, cuda::Access::read});
      return shared.size() - 1;
    };
    if (plan.secondLayer) {
      const SceneFrame behind = inputs.redraw->draw({}, inputs.scene.depth);
      behind_ = {share(*behind.colour), share(*behind.depth)};
    }
    for (const bool front : {false, true}) {
      if (!anyBlended) break;
      Blended& side = blended_[front ? 1 : 0];
      const BlendedLayer layer = inputs.redraw->blended(front, inputs.lens.focusDistanceM);
      side.place = {share(*layer.colour), share(*layer.depth)};
    }
    farTable_.plan(inputs.wantsTable, shared);
    const Plan now{.layered = {.lens = plan.lens,
                               .steps = plan.scatter.steps,
                               .anyNear = plan.anyNear,
                               .nearPx = plan.nearPx,
                               .farCeiling = plan.farCeiling,
                               .farScale = plan.farScale,
                               .middle = plan.middle,
                               .anyMiddle = plan.anyMiddle,
                               .anyHidden = plan.anyHidden,
                               .focus = plan.focus,
                               .show = shownLayer(inputs.image)},
                   .scatter = plan.scatter,
                   .foremost = plan.foremost,
                   .others = plan.others,
                   .middle = {plan.middleScatter[0], plan.middleScatter[1]},
                   .secondLayer = plan.secondLayer,
                   .anyForemost = plan.anyForemost,
                   .anyBlended = anyBlended};
    return std::exchange(planned_, now) != planned_;
  }

  std::optional<std::pair<size_t, size_t>> secondLayer() const override {
    if (!planned_->secondLayer) return std::nullopt;
    return std::pair(behind_.colour, behind_.depth);
  }

  std::optional<std::pair<size_t, size_t>> panes(bool front) const override {
    if (!planned_->anyBlended) return std::nullopt;
    const Places place = blended_[front ? 1 : 0].place;
    return std::pair(place.colour, place.depth);
  }

  void enqueue(const CudaImages& images, std::span<cudaArray* const> others, CUstream_st* stream) override {
    const Plan& plan = *planned_;
    cuda::LayeredTables tables{.transposed = farBuilder_->transposed()};
    if (plan.layered.anyNear) {
      near_.run(cuda::Scattered::nearPixels, images.colour, images.depth, plan.others, stream);
      tables.near = near_.table.data();
    }
    if (plan.anyForemost) {
      foremost_.run(cuda::Scattered::nearPixels, images.colour, images.depth, plan.foremost, stream);
      tables.foremost = foremost_.table.data();
    }
    cuda::LayeredImages scene{images.colour, images.depth};
    if (plan.secondLayer) {
      scene.behindColour = others[behind_.colour];
      scene.behindDepth = others[behind_.depth];
    }
    if (plan.anyBlended) {
      scene.paneColour = others[blended_[0].place.colour];
      scene.paneDepth = others[blended_[0].place.depth];
    }
    tables.far = farTable_.rows();
    layered_->drawBackground(scene, plan.layered, farImage_.data(), stream);
    const auto scatterLayer = [&](const WithTable& layer, const cuda::Layered::LayerArrays& pixels,
                                  const ScatterRule& rule) {
      layer.run(cuda::Scattered::layer, pixels.light, pixels.depth, rule, stream);
      return layer.table.data();
    };
    for (int i = 0; plan.layered.anyMiddle && i < glsl::kMiddleLayers; ++i) {
      const auto at = static_cast<size_t>(i);
      tables.middle[at] = scatterLayer(middle_[at], layered_->middle(i), plan.middle[at]);
    }
    if (plan.layered.anyHidden) tables.hidden = scatterLayer(hidden_, layered_->hidden(), plan.scatter);
    if (plan.anyBlended) {
      const Places front = blended_[1].place;
      tables.back = blended_[0].run(layered_->panes(), scene.paneDepth, plan.scatter, stream);
      tables.front = blended_[1].run(others[front.colour], others[front.depth], plan.scatter, stream);
    }
    farBuilder_->build(farImage_.data(), cuda::ImageFormat::uint4, {}, farTable_.rows(), stream);
    farTable_.copy(others, stream);
    layered_->compose(tables, plan.layered, images.blurred, stream);
  }

  Table table() const override {
    return farTable_.table({.quantisation = {.scale = planned_->layered.farScale}});
  }

 private:
  struct Plan {
    cuda::LayeredRule layered;
    ScatterRule scatter, foremost, others;
    std::array<ScatterRule, glsl::kMiddleLayers> middle;
    bool secondLayer, anyForemost, anyBlended;
    bool operator==(const Plan&) const = default;
  };
  using Memory = cuda::DeviceArray<cuda::Texel>;
  // Places of two textures among those that plan() shares.
  struct Places {
    size_t colour = 0, depth = 0;
  };
  // A scatter and its table.
  struct WithTable {
    Memory differences, table;
    cuda::Scatter* scatter = nullptr;
    cuda::TableBuilder* builder = nullptr;

    void run(cuda::Scattered scattered, cudaArray* colour, cudaArray* depth, const ScatterRule& rule,
             CUstream_st* stream) const {
      scatter->run(scattered, colour, depth, rule, differences.data(), stream);
      builder->build(differences.data(), cuda::ImageFormat::uint4, {}, table.data(), stream);
    }
  };
  // The blended surfaces on one side of the focus plane, blurred by their own radii.
  struct Blended {
    WithTable scattered;  // empty before prepareBlended()
    Places place;

    cuda::BlendedArrays run(cudaArray* colour, cudaArray* depth, const ScatterRule& rule,
                            CUstream_st* stream) const {
      scattered.run(cuda::Scattered::blended, colour, depth, rule, stream);
      return {colour, depth, scattered.table.data()};
    }
  };

  Memory texels() const { return Memory(static_cast<size_t>(size_.x) * static_cast<size_t>(size_.y)); }
  WithTable makeScattered(CudaCrossing<cudaArray*>& crossing) const {
    WithTable made;
    made.scatter = &crossing.own(cuda::makeScatter(size_.x, size_.y));
    made.builder = &crossing.own(cuda::makeTableBuilder(tableOptions(spec_, size_)));
    made.differences = texels();
    made.table = texels();
    return made;
  }

  TableSpec spec_;
  glm::ivec2 size_{0};
  CudaCrossing<cudaArray*>* crossing_ = nullptr;  // of resize()
  WithTable near_;
  WithTable foremost_;                                 // empty until an image has a foremost layer
  std::array<WithTable, glsl::kMiddleLayers> middle_;  // empty until an image has a second layer
  WithTable hidden_;                                   // likewise
  std::array<Blended, 2> blended_;                     // behind, in front of the focus plane
  cuda::Layered* layered_ = nullptr;
  cuda::TableBuilder* farBuilder_ = nullptr;
  Memory farImage_;
  CudaTableStore farTable_;
  std::optional<Plan> planned_;
  Places behind_;
};

}  // namespace

std::unique_ptr<CudaBlur> makeLayeredBlur(const Technique& technique) {
  return std::make_unique<CudaLayeredBlur>(technique);
}

}  // namespace satdof::on_cuda
