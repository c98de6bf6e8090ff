#include "cuda/runtime/frame_graph.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "cuda/runtime/stage_timer.h"
#include "cuda/sat/table_builder.h"
#include "tests/cuda/gpu_test.h"
#include "tests/cuda/image.h"
#include "tests/support/same_bits.h"

namespace satdof::cuda {

namespace {

#ifdef SATDOF_EMULATED
constexpr Scan kScansTried[] = {Scan::fused, Scan::blellochVectorized, Scan::decoupledLookback};
#else
constexpr Scan kScansTried[] = {Scan::fused, Scan::blellochVectorized, Scan::decoupledLookback, Scan::cub};
#endif
constexpr int kRunsUntilGraph = 16;  // more than the direct runs before the first graph

struct Size {
  int width, height;
};
constexpr Size kSizes[] = {{3, 5}, {641, 479}, {17, 65}};

using Key = std::tuple<cudaArray*, cudaArray*, Quantisation>;

// An image that changes in every run, and its tables by a frame graph and by direct launches.
class Frames {
 public:
  Frames(Scan scan, Size size)
      : size_(size),
        builder_(makeTableBuilder({size.width, size.height, scan, ElementType::uint32})),
        direct_(makeTableBuilder({size.width, size.height, scan, ElementType::uint32})),
        image_(size.width, size.height) {
    useAnotherTable();
    expected_.emplace(tableWidth(), tableHeight());
  }

  void useAnotherTable() {
    graph_.emplace();
    key_.reset();
    builder_->forgetArrays();
    table_.emplace(tableWidth(), tableHeight());
  }

  // Runs once. Returns whether a graph was launched.
  bool run(const Quantisation& quantisation) {
    image_.write(randomHalves(static_cast<std::size_t>(size_.width) * static_cast<std::size_t>(size_.height), seed_++));
    table_->poison();
    const Key key{image_.get(), table_->get(), quantisation};
    const bool changed = key_ != key;
    key_ = key;
    graph_->run(
        changed, [&] { builder_->build(image_.get(), ImageFormat::half4, quantisation, table_->get(), frameStream()); },
        frameStream());
    direct_->build(image_.get(), ImageFormat::half4, quantisation, expected_->get(), nullptr);
    SATDOF_CUDA(cudaDeviceSynchronize());
    const auto table = table_->read(), expected = expected_->read();
    EXPECT_TRUE(test::sameBits(table, expected))
        << "run " << seed_ - 1 << ", " << (graph_->replaying() ? "graph" : "direct") << ", " << size_.width << "x"
        << size_.height;
    return graph_->replaying();
  }
  bool runOften(const Quantisation& quantisation) {
    bool replayed = false;
    for (int i = 0; i < kRunsUntilGraph; ++i) replayed = run(quantisation);
    return replayed;
  }
  std::vector<StageTime> stageTimes() const { return builder_->stageTimes(); }

 private:
  int tableWidth() const { return builder_->transposed() ? size_.height : size_.width; }
  int tableHeight() const { return builder_->transposed() ? size_.width : size_.height; }

  Size size_;
  std::unique_ptr<TableBuilder> builder_, direct_;
  ArrayOf<Half4> image_;
  std::optional<ArrayOf<uint4>> table_, expected_;
  std::optional<FrameGraph> graph_;
  std::optional<Key> key_;
  unsigned seed_ = 0;
};

class FrameGraphTest : public GpuTest<> {
  Unchecked asInTestsOfTables_;
};

TEST_F(FrameGraphTest, ReplaysTheTableOfDirectLaunches) {
  for (const Scan scan : kScansTried)
    for (const Size size : affordable(kSizes)) {
      Frames frames(scan, size);
      EXPECT_FALSE(frames.run({4096.0f, 2.0f, {}})) << "the first run of a key is direct";
      EXPECT_TRUE(frames.runOften({4096.0f, 2.0f, {}}));
      EXPECT_FALSE(frames.run({256.0f, 1.0f, {}})) << "a changed key is direct again";
      EXPECT_TRUE(frames.runOften({256.0f, 1.0f, {}}));
      frames.useAnotherTable();
      EXPECT_TRUE(frames.runOften({256.0f, 1.0f, {}}));
    }
}

TEST_F(FrameGraphTest, NeverCapturesWorkThatChangesEveryRun) {
  Frames frames(Scan::fused, {17, 65});
  for (int i = 0; i < 2 * kRunsUntilGraph; ++i)
    EXPECT_FALSE(frames.run({4096.0f, 1.0f + static_cast<float>(i % 2), {}}));
}

TEST_F(FrameGraphTest, TimesEveryReplay) {
  Frames frames(Scan::blelloch, {65, 47});
  EXPECT_TRUE(frames.runOften({256.0f, 1.0f, {}}));
  std::vector<std::vector<float>> seen;
  for (int i = 0; i < 2 * kRunsUntilGraph; ++i) {
    EXPECT_TRUE(frames.run({256.0f, 1.0f, {}}));
    const auto stages = frames.stageTimes();
    ASSERT_EQ(stages.size(), 5u);
    std::vector<float> times;
    for (const StageTime& stage : stages) {
      EXPECT_GT(stage.timeUs, 0.0f) << stage.name;
      EXPECT_LT(stage.timeUs, 1e6f) << stage.name;
      times.push_back(stage.timeUs);
    }
    if (std::find(seen.begin(), seen.end(), times) == seen.end()) seen.push_back(times);
  }
  EXPECT_GT(seen.size(), std::size_t{StageTimer::kRing}) << "the times do not change from launch to launch";
}

TEST_F(FrameGraphTest, LaunchesDirectlyIfCaptureFails) {
  const DeviceArray<unsigned> counter(1);
  SATDOF_CUDA(cudaMemset(counter.data(), 0, counter.bytes()));
  FrameGraph graph;
  for (unsigned run = 1; run <= kRunsUntilGraph; ++run) {
    graph.run(
        run == 1,
        [&] {
          SATDOF_CUDA(cudaStreamSynchronize(frameStream()));
          SATDOF_CUDA(cudaMemcpyAsync(counter.data(), &run, sizeof run, cudaMemcpyHostToDevice, frameStream()));
        },
        frameStream());
    unsigned last = 0;
    SATDOF_CUDA(cudaMemcpy(&last, counter.data(), sizeof last, cudaMemcpyDeviceToHost));
    EXPECT_EQ(last, run);
    EXPECT_FALSE(graph.replaying());
  }
}

}  // namespace

}  // namespace satdof::cuda
