#include "app/lens/run/cpu.h"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "app/core/system/thread_pool.h"
#include "app/device/cpu/cpu_table.h"
#include "app/gl/program.h"
#include "app/gl/transfer.h"

namespace satdof {

namespace {

// CpuTimings that report to the timings of a frame.
class FrameTimings final : public CpuTimings {
 public:
  explicit FrameTimings(Timings& timings) : timings_(timings) {}
  std::shared_ptr<void> cpu(const char* stage) override {
    struct Running {
      Running(Timings& timings, const char* stage) : scope(timings.cpu(stage)) {}
      Timings::Scope scope;
    };
    return std::make_shared<Running>(timings_, stage);
  }

 private:
  Timings& timings_;
};

class CpuLens final : public GraphLens {
 public:
  CpuLens(const Technique& technique, const LensRow& row, std::function<std::unique_ptr<Lens>()> makeFallback)
      : GraphLens(technique, row),
        graph_(row.makeCpu(technique, hardwareThreads()), hardwareThreads()),
        makeFallback_(std::move(makeFallback)) {}

  void resize(glm::ivec2 size) override try {
    GraphLens::resize(size);
    if (fallback_) fallback_->resize(size);
  } catch (const std::bad_alloc&) {
    throw std::runtime_error("cannot make images of " + std::to_string(size.x) + " x " + std::to_string(size.y) +
                             " for the lens in main memory: out of memory; choose a smaller --size");
  }

  void prepareBlended() override {
    GraphLens::prepareBlended();
    if (fallback_) fallback_->prepareBlended();
  }

  LensResult draw(const LensInputs& inputs, const gl::Target& output, Timings& timings) override {
    deferred_ = false;
    usedFallback_ = gl::shadersEdited() || inputs.image != LensImage::blurred || inputs.wantsTable ||
                    (separates() && inputs.scene.opaque != nullptr && inputs.redraw == nullptr);
    if (usedFallback_) return fallback().draw(inputs, output, timings);
    const Frame drawn = frameOf(inputs, output.texture);
    usedBehind_ = drawn.textures[kBehindColour] != nullptr;
    graph_.prepare(drawn.graph);
    {
      const auto stage = timings.cpu("wait");
      glFinish();
    }
    {
      const auto stage = timings.cpu("download");
      for (ImageId id = kColour; id < kOutput; id += 2)
        if (const auto* colour = drawn.textures[static_cast<std::size_t>(id)]; colour != nullptr)
          download(*colour, *drawn.textures[static_cast<std::size_t>(id) + 1], graph_.input(id));
    }
    FrameTimings stages(timings);
    graph_.draw(drawn.graph, inputs.scene, inputs.lens, inputs.mean, stages);
    deferred_ = inputs.mayDefer;
    if (!deferred_) {
      const auto stage = timings.cpu("upload");
      upload(output);
    }
    return {.pixels = graph_.image()};
  }

  void store(const gl::Target& output) override {
    if (std::exchange(deferred_, false)) upload(output);
  }

  void freeUnused() override {
    if (usedFallback_) return;
    fallback_.reset();
    if (!usedBehind_) graph_.input(kBehindColour) = {};
  }

  std::string state() const override {
    return std::to_string(hardwareThreads()) + " threads" + (hasFastCpuTable() ? ", AVX2" : "");
  }

 private:
  void reset(glm::ivec2 size) override {
    deferred_ = false;
    graph_.resize(size);
  }
  void allocate(const LensGraph& graph) override { graph_.prepare(graph); }

  // Downloads an input of the graph.
  static void download(const gl::Texture& colour, const gl::Texture& depth, CpuInput& to) {
    gl::download(colour, gl::kRgbaFloat, to.colour.data());
    if (to.sums.empty()) {
      gl::download(depth, gl::kRedFloat, to.depth.data());
      return;
    }
    gl::download(depth, gl::kRgbaFloat, to.sums.data());
    std::ranges::transform(to.sums, to.depth.begin(), glsl::meanDepth);
  }

  void upload(const gl::Target& output) const {
    gl::upload(output.texture.name(), size(), gl::kRgbaFloat, graph_.image().data());
  }

  Lens& fallback() {
    if (!fallback_) {
      fallback_ = makeFallback_();
      fallback_->resize(size());
      if (blended()) fallback_->prepareBlended();
    }
    return *fallback_;
  }

  CpuGraph graph_;
  std::function<std::unique_ptr<Lens>()> makeFallback_;
  std::unique_ptr<Lens> fallback_;
  bool deferred_ = false;
  bool usedFallback_ = false, usedBehind_ = false;  // in the last draw()
};

}  // namespace

std::unique_ptr<Lens> makeCpuLens(const Technique& technique, const LensRow& row,
                                  std::function<std::unique_ptr<Lens>()> makeFallback) {
  return std::make_unique<CpuLens>(technique, row, std::move(makeFallback));
}

}  // namespace satdof
