#include "cuda/lens/scatter.h"

#include "tests/cuda/gpu_test.h"
#include "tests/cuda/image.h"
#include "tests/device/near_scatter_reference.h"

namespace satdof::cuda {

namespace {

const std::vector<test::ScatterCase> kCases = test::scatterCases(
    {{97, 61}, {40, 30, 60.0f}, {200, 300, 4.0f, 0.5f}, {300, 200, 12.0f, 1.3f}, {641, 479, 3.0f}, {1920, 1080, 2.5f}});

class ScatterTest : public GpuTest<testing::TestWithParam<test::ScatterCase>> {};

TEST_P(ScatterTest, MatchesTheDefinitionInEveryRun) {
  const int width = GetParam().width, height = GetParam().height;
  const test::ScatterImage image = test::randomScatterImage(GetParam());
  std::vector<Half4> colour;
  for (const auto& c : image.colour)
    colour.push_back({{__float2half(c[0]), __float2half(c[1]), __float2half(c[2]), __float2half(c[3])}});
  ArrayOf<Half4> colourArray(width, height);
  ArrayOf<float> depthArray(width, height);
  colourArray.write(colour);
  depthArray.write(image.depth);
  const auto scatter = makeScatter(width, height);
  EXPECT_TRUE(scatter->stageTimes().empty());
  const bool large = width * height > 100000;
  for (const int steps : large ? std::vector{3} : std::vector{1, 2, 3, 5}) {
    ScatterRule rule = GetParam().rule(steps);
    const std::vector<std::uint32_t> expected = test::scatterReference(image, rule);
    for (const float widestPx : {0.0f, 10.0f * GetParam().largestDepth}) {
      rule.widestPx = widestPx;
      const PoisonedArray<uint4> differences(static_cast<std::size_t>(width * height));
      scatter->run(Scattered::nearPixels, colourArray.get(), depthArray.get(), rule,
                   reinterpret_cast<Texel*>(differences.data()), nullptr);
      SATDOF_CUDA(cudaDeviceSynchronize());
      const std::vector<uint4> words = differences.read();
      for (std::size_t i = 0; i < words.size(); ++i) {
        const uint4& w = words[i];
        const std::uint32_t got[] = {w.x, w.y, w.z, w.w};
        for (std::size_t c = 0; c < 4; ++c)
          ASSERT_EQ(got[c], expected[4 * i + c])
              << "(" << i % static_cast<std::size_t>(width) << ", " << i / static_cast<std::size_t>(width)
              << "), channel " << c << ", " << steps << " steps, widest " << widestPx;
      }
    }
  }
  const auto stages = scatter->stageTimes();
  ASSERT_EQ(stages.size(), 2u);
  for (const StageTime& stage : stages)
    RecordProperty(std::string(stage.name) == "scatter" ? "scatterUs" : "differencesUs", std::to_string(stage.timeUs));
}

TEST_P(ScatterTest, LeavesAnImageBehindTheFocusPlaneEmpty) {
  const int width = GetParam().width, height = GetParam().height;
  ArrayOf<Half4> colour(width, height);
  ArrayOf<float> depth(width, height);
  const PoisonedArray<uint4> differences(static_cast<std::size_t>(width * height));
  colour.poison();
  depth.write(std::vector<float>(std::size_t{1} * static_cast<std::size_t>(width * height), 0.25f));
  makeScatter(width, height)
      ->run(Scattered::nearPixels, colour.get(), depth.get(), {.lens = {.alpha = -10.0f, .beta = 5.0f}},
            reinterpret_cast<Texel*>(differences.data()), nullptr);
  SATDOF_CUDA(cudaDeviceSynchronize());
  for (const uint4& w : differences.read()) ASSERT_EQ(w.x | w.y | w.z | w.w, 0u);
}

INSTANTIATE_TEST_SUITE_P(Sizes, ScatterTest, testing::ValuesIn(affordable(kCases)), [](const auto& test) {
  return std::to_string(test.index) + "_" + std::to_string(test.param.width) + "x" + std::to_string(test.param.height);
});

}  // namespace

}  // namespace satdof::cuda
