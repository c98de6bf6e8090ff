#include "app/lens/cpu.h"

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
#include "app/lens/bokeh/cpu.h"
#include "app/lens/bokeh/sprites.h"

namespace satdof {

namespace {

class CpuLens final : public Lens {
 public:
  CpuLens(std::unique_ptr<CpuBlur> blur, const Technique& technique, const LensRow& row,
          std::function<std::unique_ptr<Lens>()> makeOther)
      : blur_(std::move(blur)), makeOther_(std::move(makeOther)), layers_(row.layers) {
    if (technique.bokeh.enabled && row.bokeh) bokeh_ = std::make_unique<CpuBokeh>(*row.bokeh, false);
  }

  void resize(glm::ivec2 size) override try {
    size_ = size;
    blended_ = deferred_ = false;
    const auto pixels = static_cast<size_t>(size.x) * static_cast<size_t>(size.y);
    image_.resize(pixels);
    scene_.resize(pixels);
    freeBehind();
    for (Panes& panes : panes_) panes = {};
    blur_->resize(size);
    if (bokeh_) bokeh_->resize(size);
    if (other_) other_->resize(size);
  } catch (const std::bad_alloc&) {
    throw std::runtime_error("cannot make images of " + std::to_string(size.x) + " x " +
                             std::to_string(size.y) +
                             " for the lens in main memory: out of memory; choose a smaller --size");
  }

  void prepareBlended() override {
    blended_ = true;
    if (layers_)
      for (Panes& panes : panes_) {
        panes.resize(scene_.depth.size());
        if (bokeh_) panes.bokeh = makeHidden();
      }
    if (other_) other_->prepareBlended();
  }

  LensResult draw(const LensInputs& inputs, const gl::Target& output, Timings& timings) override {
    deferred_ = false;
    usedOther_ = gl::shadersEdited() || inputs.image != LensImage::blurred || inputs.wantsTable ||
                 !blur_->draws(inputs);
    const bool anyPanes = layers_ && blended_ && inputs.scene.opaque != nullptr;
    if (usedOther_) return other().draw(inputs, output, timings);
    const std::optional<SceneFrame> behind = blur_->secondLayer(inputs);
    usedBehind_ = behind.has_value();
    if (behind) prepareBehind();
    std::array<BlendedLayer, 2> panes;
    if (anyPanes)
      for (const bool front : {false, true}) panes[front ? 1 : 0] = inputs.redraw->blended(front);
    SceneFrame scene = inputs.scene;
    if (anyPanes) scene.colour = scene.opaque;
    {
      const auto stage = timings.cpu("wait");
      glFinish();
    }
    CpuFrame frame{download(scene, scene_, timings), scene};
    if (behind) frame.behind = download(*behind, behind_, timings);
    if (anyPanes) {
      frame.back = download(panes[0], panes_[0], timings);
      frame.front = download(panes[1], panes_[1], timings);
      for (Panes& side : panes_)
        if (side.bokeh) side.bokeh->extract({{side.colour, side.meanDepth}, scene}, inputs, timings);
    }
    if (bokeh_) bokeh_->extract(frame, inputs, timings);
    if (behind && hidden_) hidden_->extract({frame.behind, *behind}, inputs, timings);
    blur_->blur(frame, inputs, image_, timings);
    if (bokeh_) bokeh_->draw(frame, inputs, image_, timings);
    if (behind && hidden_) hidden_->draw(frame, inputs, image_, timings);
    for (const Panes& side : panes_)
      if (anyPanes && side.bokeh) side.bokeh->draw(frame, inputs, image_, timings);
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
    if (!usedOther_) other_.reset();
    if (!usedOther_ && !usedBehind_) freeBehind();
  }

  std::string state() const override {
    return std::to_string(hardwareThreads()) + " threads" + (hasFastCpuTable() ? ", AVX2" : "");
  }

 private:
  struct Pixels {
    std::vector<glm::vec4> colour;
    std::vector<float> depth;
    void resize(size_t pixels) {
      reallocate(colour, pixels);
      reallocate(depth, pixels);
    }
  };

  struct Panes {
    std::vector<glm::vec4> colour, depth;
    std::vector<float> meanDepth;
    std::unique_ptr<CpuBokeh> bokeh;  // none without bokeh sprites
    void resize(size_t pixels) {
      reallocate(colour, pixels);
      reallocate(depth, pixels);
      reallocate(meanDepth, pixels);
    }
  };

  void upload(const gl::Target& output) const {
    gl::upload(output.texture.name(), size_, gl::kRgbaFloat, image_.data());
  }

  static CpuLayer download(const SceneFrame& scene, Pixels& pixels, Timings& timings) {
    const auto stage = timings.cpu("download");
    gl::download(*scene.colour, gl::kRgbaFloat, pixels.colour.data());
    gl::download(*scene.depth, gl::kRedFloat, pixels.depth.data());
    return {pixels.colour, pixels.depth};
  }

  static CpuPanes download(const BlendedLayer& layer, Panes& panes, Timings& timings) {
    const auto stage = timings.cpu("download");
    gl::download(*layer.colour, gl::kRgbaFloat, panes.colour.data());
    gl::download(*layer.depth, gl::kRgbaFloat, panes.depth.data());
    std::ranges::transform(panes.depth, panes.meanDepth.begin(),
                           [](const glm::vec4& sums) { return sums.x / std::max(sums.w, 1e-4f); });
    return {panes.colour, panes.depth};
  }

  void prepareBehind() {
    behind_.resize(scene_.depth.size());
    if (!bokeh_ || hidden_) return;
    hidden_ = makeHidden();
  }

  // Of lights that surfaces of the image may hide wherever these are.
  std::unique_ptr<CpuBokeh> makeHidden() const {
    auto bokeh = std::make_unique<CpuBokeh>(NearField::scattered, true);
    bokeh->resize(size_);
    return bokeh;
  }

  void freeBehind() {
    behind_.resize(0);
    hidden_.reset();
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
  std::unique_ptr<CpuBokeh> bokeh_, hidden_;  // of the image, and of the second layer behind it
  glm::ivec2 size_{0};
  bool layers_ = false;  // LensRow::layers
  bool blended_ = false, deferred_ = false;
  bool usedOther_ = false, usedBehind_ = false;  // by the last draw()
  std::vector<glm::vec4> image_;
  Pixels scene_, behind_;       // behind_: empty until a blur draws a second layer
  std::array<Panes, 2> panes_;  // behind, in front of the focus plane; empty before prepareBlended()
};

}  // namespace

std::unique_ptr<Lens> makeCpuLens(std::unique_ptr<CpuBlur> blur, const Technique& technique,
                                  const LensRow& row, std::function<std::unique_ptr<Lens>()> makeOther) {
  return std::make_unique<CpuLens>(std::move(blur), technique, row, std::move(makeOther));
}

}  // namespace satdof
