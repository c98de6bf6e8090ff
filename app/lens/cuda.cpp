#include "app/lens/cuda.h"

#include <array>
#include <glm/trigonometric.hpp>
#include <utility>

#include "app/lens/bokeh/pane_depth.h"
#include "app/lens/bokeh/sprites.h"
#include "app/lens/on_cuda.h"
#include "cuda/lens/bokeh.h"
#include "cuda/lens/sprites.h"
#include "cuda/runtime/array.h"

namespace satdof::on_cuda {

namespace {

// The bokeh sprites of a lens.
class Bokeh {
 public:
  Bokeh(const Technique& technique, NearField nearField)
      : spec_(technique.bokeh),
        scan_(technique.table.scan),
        scattered_(nearField == NearField::scattered),
        sprites_(cuda::TexelFormat::rgba32f, kSpritesPerRow * kSpriteTexels, spriteRows(kBokehCapacity)),
        command_(cuda::TexelFormat::rgba32ui, 1, 1) {}

  void resize(glm::ivec2 size, CudaCrossing<cudaArray*>& crossing) {
    collector_ = &crossing.own(
        cuda::makeBokehCollector({size.x, size.y, kBokehCapacity, spec_.compaction, spec_.sort, scan_}));
    pass_ = &crossing.own(cuda::makeSprites(size.x, size.y, kBokehCapacity));
    reduced_ = cuda::Array(cuda::TexelFormat::rgba16f, size.x, size.y);
    planned_.reset();
  }

  // `added`: of the second layer, to the sprites of the image. Returns whether collect() or draw() will do other
  // work than in the last frame.
  bool plan(const LensInputs& inputs, bool added = false) {
    const BokehRule rule = bokehRule(inputs);
    const Plan now{
        .collect = rule,
        .draw = {.lens = rule.lens,
                 .blades = inputs.lens.blades,
                 .turn = glm::radians(inputs.lens.bladeRotationDegrees),
                 .scattered = scattered_,
                 .blended = inputs.scene.opaque != nullptr,
                 .nearest = glsl::signedRadius(rule.lens, inputs.scene.nearM / inputs.scene.nearestM),
                 .margin = added ? 0.0f : kOwnSurfacePx,
                 .alone = inputs.image == LensImage::sprites && !added},
        .drawn = inputs.image == LensImage::blurred || inputs.image == LensImage::sprites};
    return std::exchange(planned_, now) != planned_;
  }

  // Returns the image without the light of the sprites.
  cudaArray* collect(cudaArray* colour, cudaArray* depth, CUstream_st* stream) {
    collector_->collect({colour, depth, sprites_.get(), command_.get(), reduced_.get()}, planned_->collect,
                        stream);
    return reduced_.get();
  }

  struct Panes {
    cudaArray* colour = nullptr;
    cudaArray* depth = nullptr;
  };
  void draw(const CudaImages& images, const Panes& panes, CUstream_st* stream) {
    if (planned_->drawn)
      pass_->draw({sprites_.get(), command_.get(), images.depth, images.blurred, panes.colour, panes.depth},
                  planned_->draw, stream);
  }

 private:
  struct Plan {
    BokehRule collect;
    cuda::SpriteRule draw;
    bool drawn;
    bool operator==(const Plan&) const = default;
  };

  BokehSpec spec_;
  Scan scan_;
  bool scattered_;
  cuda::Array sprites_, command_, reduced_;
  cuda::BokehCollector* collector_ = nullptr;
  cuda::Sprites* pass_ = nullptr;
  std::optional<Plan> planned_;
};

class CudaLens final : public Lens {
 public:
  CudaLens(std::unique_ptr<CudaBlur> blur, const Technique& technique, std::optional<NearField> bokeh)
      : blur_(std::move(blur)),
        technique_(technique),
        nearField_(technique.bokeh.enabled ? bokeh : std::nullopt) {}

  void resize(glm::ivec2 size) override {
    crossing_.reset();
    size_ = size;
    blur_->resize(size, crossing_);
    hidden_.reset();
    bokeh_.reset();
    panes_ = {};
    if (nearField_) makeBokeh(bokeh_);
  }
  void prepareBlended() override {
    blur_->prepareBlended(crossing_);
    if (nearField_ != NearField::scattered) return;
    if (!paneDepth_) paneDepth_ = PaneDepth::makeProgram();
    for (Pane& side : panes_) {
      side.depth.emplace(size_);
      makeBokeh(side.bokeh);
    }
  }

  LensResult draw(const LensInputs& inputs, const gl::Target& output, Timings& timings) override {
    const SceneFrame& scene = inputs.scene;
    const bool layers = blur_->separatesBlended(inputs);
    CudaTextures own, shared{{layers ? *scene.opaque : *scene.colour, cuda::Access::read},
                             {*scene.depth, cuda::Access::read},
                             {output.texture, cuda::Access::write}};
    const size_t images = shared.size();
    SceneRedraw redraw;
    LensInputs below = inputs;
    if (inputs.redraw != nullptr) {
      redraw = *inputs.redraw;
      below.redraw = &redraw;
      redraw.blended = [&](bool front, float atM) {
        const BlendedLayer layer = inputs.redraw->blended(front, atM);
        if (const Pane& side = panes_[front ? 1 : 0]; side.depth) side.depth->draw(layer, *paneDepth_);
        return layer;
      };
    }
    bool changed = blur_->plan(below, own);
    if (bokeh_) changed |= bokeh_->plan(inputs);
    const auto second = bokeh_ ? blur_->secondLayer() : std::nullopt;
    if (second) {
      if (!hidden_) makeBokeh(hidden_);
      changed |= hidden_->plan(inputs, true);
    }
    std::array<std::optional<PanePlaces>, 2> places;
    for (const bool front : {false, true}) {
      Pane& side = panes_[front ? 1 : 0];
      const auto textures = side.bokeh ? blur_->panes(front) : std::nullopt;
      if (!textures) continue;
      places[front ? 1 : 0] = {textures->first, own.size()};
      own.push_back({side.depth->texture(), cuda::Access::read});
      changed |= side.bokeh->plan(inputs, true);
    }
    for (const auto& texture : own) shared.push_back(texture);
    crossing_.run(shared, changed, timings, [&](std::span<cudaArray* const> arrays, CUstream_st* stream) {
      const CudaImages frame{arrays[0], arrays[1], arrays[2]};
      std::vector<cudaArray*> others(arrays.begin() + static_cast<std::ptrdiff_t>(images), arrays.end());
      CudaImages blurred = frame;
      if (bokeh_) blurred.colour = bokeh_->collect(frame.colour, frame.depth, stream);
      if (second) {
        cudaArray*& colour = others[second->first];
        colour = hidden_->collect(colour, others[second->second], stream);
      }
      Bokeh::Panes panes;
      if (const auto back = blur_->panes(false)) panes = {others[back->first], others[back->second]};
      for (size_t side = 0; side < places.size(); ++side)
        if (places[side]) {
          cudaArray*& colour = others[places[side]->colour];
          colour = panes_[side].bokeh->collect(colour, others[places[side]->depth], stream);
        }
      blur_->enqueue(blurred, others, stream);
      if (bokeh_) bokeh_->draw(frame, panes, stream);
      if (second) hidden_->draw(frame, panes, stream);
      for (size_t side = 0; side < places.size(); ++side)
        if (places[side]) panes_[side].bokeh->draw(frame, panes, stream);
    });
    return {.table = blur_->table()};
  }

  std::string state() const override { return crossing_.state(); }

 private:
  // The highlights of blended surfaces; none before prepareBlended().
  struct Pane {
    std::optional<PaneDepth> depth;
    std::optional<Bokeh> bokeh;
  };
  // Of a pane's textures, among those that the blur shares.
  struct PanePlaces {
    size_t colour, depth;
  };

  void makeBokeh(std::optional<Bokeh>& made) {
    Bokeh bokeh(technique_, *nearField_);
    bokeh.resize(size_, crossing_);
    made = std::move(bokeh);
  }

  std::unique_ptr<CudaBlur> blur_;
  Technique technique_;
  std::optional<NearField> nearField_;  // none: no bokeh sprites
  glm::ivec2 size_{0};
  std::optional<Bokeh> bokeh_, hidden_;  // of the image, and of the second layer behind it
  std::array<Pane, 2> panes_;            // behind, in front of the focus plane
  std::optional<gl::Program> paneDepth_;
  CudaCrossing<cudaArray*> crossing_;  // destroyed before the arrays that its work refers to
};

}  // namespace

std::unique_ptr<Lens> makeLens(const Technique& technique, const LensRow& row) {
  auto blur = row.layers                         ? makeLayeredBlur(technique)
              : row.footprint == Footprint::tent ? makeTentBlur(technique)
                                                 : makeBoxBlur(technique, *row.rule);
  return std::make_unique<CudaLens>(std::move(blur), technique, row.bokeh);
}

}  // namespace satdof::on_cuda
