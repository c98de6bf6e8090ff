#include "app/lens/run/cpu.h"

#include <algorithm>
#include <array>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "app/core/reallocate.h"
#include "app/device/cpu/cpu_table.h"
#include "app/gl/program.h"
#include "app/gl/transfer.h"
#include "app/lens/aperture/image.h"
#include "app/lens/bokeh/cpu.h"

namespace satdof {

namespace {

class CpuLens final : public GraphLens {
 public:
  CpuLens(LensPlanner plan, std::unique_ptr<CpuBlur> blur, const Technique& technique, const LensRow& row,
          std::function<std::unique_ptr<Lens>()> makeOther)
      : GraphLens(std::move(plan), row.layers, technique.bokeh.enabled ? row.bokeh : std::nullopt),
        blur_(std::move(blur)),
        makeOther_(std::move(makeOther)),
        layers_(row.layers) {}

  void resize(glm::ivec2 size) override try {
    GraphLens::resize(size);
    size_ = size;
    blended_ = deferred_ = false;
    image_.resize(pixels());
    for (size_t i = 1; i < inputs_.size(); ++i) inputs_[i] = {};
    prepare(commonGraph(size));
    blur_->resize(size);
    if (other_) other_->resize(size);
  } catch (const std::bad_alloc&) {
    throw std::runtime_error("cannot make images of " + std::to_string(size.x) + " x " +
                             std::to_string(size.y) +
                             " for the lens in main memory: out of memory; choose a smaller --size");
  }

  void prepareBlended() override {
    GraphLens::prepareBlended();
    blended_ = true;
    prepare(commonGraph(size_));
    if (other_) other_->prepareBlended();
  }

  LensResult draw(const LensInputs& inputs, const gl::Target& output, Timings& timings) override {
    deferred_ = false;
    usedOther_ = gl::shadersEdited() || inputs.image != LensImage::blurred || inputs.wantsTable ||
                 (layers_ && inputs.scene.opaque != nullptr && inputs.redraw == nullptr);
    if (usedOther_) return other().draw(inputs, output, timings);
    const Frame drawn = frameOf(inputs, output.texture);
    usedBehind_ = drawn.textures[kBehindColour] != nullptr;
    prepare(drawn.graph);
    {
      const auto stage = timings.cpu("wait");
      glFinish();
    }
    {
      const auto stage = timings.cpu("download");
      for (size_t i = 0; i < inputs_.size(); ++i)
        if (drawn.textures[2 * i] != nullptr)
          inputs_[i].download(*drawn.textures[2 * i], *drawn.textures[2 * i + 1]);
    }
    auto& [nearest, behind, back, front] = inputs_;
    CpuFrame frame{{nearest.colour, nearest.depth}, inputs.scene};
    if (usedBehind_) frame.behind = {behind.colour, behind.depth};
    if (drawn.blended) {
      frame.back = {back.colour, back.sums};
      frame.front = {front.colour, front.sums};
    }
    if (const ApertureImage* aperture = apertureImage(inputs.lens)) frame.aperture = aperture->table();
    std::vector<CpuBokeh*> collected;
    const SpritesStep* sprites = nullptr;
    for (const LensStep& step : drawn.graph.steps)
      if (const auto* collect = std::get_if<CollectStep>(&step)) {
        Input& from = inputs_[inputOf(*collect)];
        collected.push_back(&*from.bokeh);
        from.bokeh->extract({from.colour, from.depth}, size_, collect->rule, timings);
      } else if (const auto* adding = std::get_if<SpritesStep>(&step)) {
        sprites = adding;
      }
    blur_->blur(frame, inputs, image_, timings);
    for (size_t i = 0; sprites != nullptr && i < collected.size(); ++i)
      collected[i]->draw(frame, sprites->rules[i], image_, timings);
    deferred_ = inputs.mayDefer;
    if (!deferred_) {
      const auto stage = timings.cpu("upload");
      upload(output);
    }
    return {.pixels = image_};
  }

  void store(const gl::Target& output) override {
    if (std::exchange(deferred_, false)) upload(output);
  }

  void freeUnused() override {
    if (usedOther_) return;
    other_.reset();
    if (!usedBehind_) inputs_[kBehindColour / 2] = {};
  }

  std::string state() const override {
    return std::to_string(hardwareThreads()) + " threads" + (hasFastCpuTable() ? ", AVX2" : "");
  }

 private:
  // A pair of inputs of the graph, colour and depth.
  struct Input {
    std::vector<glm::vec4> colour, sums;  // sums: BlendedLayer::depth
    std::vector<float> depth;             // of blended surfaces, their mean
    std::unique_ptr<CpuBokeh> bokeh;      // none without bokeh sprites

    void download(const gl::Texture& ofColour, const gl::Texture& ofDepth) {
      gl::download(ofColour, gl::kRgbaFloat, colour.data());
      if (sums.empty()) {
        gl::download(ofDepth, gl::kRedFloat, depth.data());
        return;
      }
      gl::download(ofDepth, gl::kRgbaFloat, sums.data());
      std::ranges::transform(sums, depth.begin(), glsl::meanDepth);
    }
  };

  size_t pixels() const { return static_cast<size_t>(size_.x) * static_cast<size_t>(size_.y); }
  static size_t inputOf(const CollectStep& step) { return static_cast<size_t>(step.colour) / 2; }

  // Allocates what a graph reads.
  void prepare(const LensGraph& graph) {
    for (ImageId id = kColour; id < kOutput; id += 2) {
      if (!graph.reads(id)) continue;
      Input& input = inputs_[static_cast<size_t>(id) / 2];
      reallocate(input.colour, pixels());
      reallocate(input.depth, pixels());
      if (id >= kBackColour) reallocate(input.sums, pixels());
    }
    for (const LensStep& step : graph.steps)
      if (const auto* collect = std::get_if<CollectStep>(&step)) {
        auto& bokeh = inputs_[inputOf(*collect)].bokeh;
        if (!bokeh) bokeh = std::make_unique<CpuBokeh>();
        bokeh->resize(size_);
      }
  }

  void upload(const gl::Target& output) const {
    gl::upload(output.texture.name(), size_, gl::kRgbaFloat, image_.data());
  }

  Lens& other() {
    if (!other_) {
      other_ = makeOther_();
      other_->resize(size_);
      if (blended_) other_->prepareBlended();
    }
    return *other_;
  }

  std::unique_ptr<CpuBlur> blur_;
  std::function<std::unique_ptr<Lens>()> makeOther_;
  std::unique_ptr<Lens> other_;
  glm::ivec2 size_{0};
  bool layers_;  // LensRow::layers
  bool blended_ = false, deferred_ = false;
  bool usedOther_ = false, usedBehind_ = false;  // by the last draw()
  std::vector<glm::vec4> image_;
  std::array<Input, kOutput / 2> inputs_;
};

}  // namespace

std::unique_ptr<Lens> makeCpuLens(std::unique_ptr<CpuBlur> blur, const Technique& technique,
                                  const LensRow& row, std::function<std::unique_ptr<Lens>()> makeOther) {
  const auto plan = [technique, &row](const LensFacts& facts) { return row.plan(technique, facts); };
  return std::make_unique<CpuLens>(plan, std::move(blur), technique, row, std::move(makeOther));
}

}  // namespace satdof
