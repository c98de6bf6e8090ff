#include "app/device/device.h"

#include "app/device/cpu/cpu_scatter.h"
#include "tests/device/near_scatter_reference.h"
#include "tests/support/lens_fixture.h"

namespace satdof::test {
namespace {

const std::vector<ScatterCase> kCases =
    scatterCases({{97, 61, 1.0f},
                  {97, 61, 2.0f, 0.5f, 0.0f, 1.7f},
                  {40, 30, 60.0f, 1.3f},
                  {97, 61, 2.0f, 1.0f, 0.0f, 1.0f, {4.0f, 0.25f}},
                  {97, 61, 2.0f, 1.0f, 0.0f, 1.0f, {0.0625f, 2.2857143f, 4.0f, 0.25f}}});

class NearScatterTest : public GlTest, public testing::WithParamInterface<ScatterCase> {
 protected:
  static ScatterRule rule(int steps) { return GetParam().rule(steps); }
  static glm::ivec2 size() { return {GetParam().width, GetParam().height}; }
};

TEST_P(NearScatterTest, AnyNumberOfThreadsGivesTheSameBits) {
  const ScatterImage source = randomScatterImage(GetParam());
  std::vector<glm::vec4> colour;
  for (const auto& pixel : source.colour) colour.emplace_back(pixel[0], pixel[1], pixel[2], pixel[3]);
  for (const int threads : {1, 3}) {
    CpuScatter scatter(threads);
    scatter.resize(size());
    for (const int steps : {1, 2, 3, 5}) {
      std::vector<uint32_t> words(4 * source.depth.size(), 0xcdcdcdcdu);
      scatter.run(colour.data(), source.depth.data(), rule(steps), words.data());
      ASSERT_EQ(words, scatterReference(source, rule(steps))) << steps << " steps, " << threads << " threads";
    }
  }
}

// Sums over [0, x] x [0, y] of four words a pixel.
std::vector<uint32_t> tableOf(std::vector<uint32_t> words, glm::ivec2 size) {
  const auto pitch = static_cast<std::size_t>(4 * size.x);
  for (std::size_t i = 4; i < words.size(); ++i)
    if (i % pitch >= 4) words[i] += words[i - 4];
  for (std::size_t i = pitch; i < words.size(); ++i) words[i] += words[i - pitch];
  return words;
}

TEST_P(NearScatterTest, EveryDeviceAndEveryRunGivesTheSameBits) {
  const ScatterImage source = randomScatterImage(GetParam());
  const auto index = [](int x, int y) { return std::size_t(y) * std::size_t(GetParam().width) + std::size_t(x); };
  const Image scene(
      size(),
      [&](int x, int y) {
        const auto& c = source.colour[index(x, y)];
        return glm::vec4(c[0], c[1], c[2], c[3]);
      },
      [&](int x, int y) { return source.depth[index(x, y)]; });
  Timings timings;
  for (const DeviceId device :
       {DeviceId::cuda, DeviceId::glCompute, DeviceId::glFragment, DeviceId::cpu, DeviceId::cpuSequential}) {
    if (!availability(device).available) continue;
    const auto scatter = deviceOf(device).makeNearScatter({});
    scatter->resize(size());
    for (const int steps : {1, 2, 3, 5, 3}) {
      const Table table = scatter->scatter(scene.frame, rule(steps), timings);
      ASSERT_FALSE(table.transposed);
      std::vector<uint32_t> words(4 * source.depth.size());
      glGetTextureImage(table.texture->name(), 0, GL_RGBA_INTEGER, GL_UNSIGNED_INT,
                        static_cast<GLsizei>(4 * words.size()), words.data());
      ASSERT_EQ(words, tableOf(scatterReference(source, rule(steps)), size())) << steps << " steps on " << name(device);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, NearScatterTest, testing::ValuesIn(kCases), [](const auto& test) {
  return std::to_string(test.index) + "_" + std::to_string(test.param.width) + "x" + std::to_string(test.param.height);
});

class NearScatterLimits : public GlTest {};

TEST_F(NearScatterLimits, ImagesBeyondTheStorageOfShadersAreRefused) {
  GLint64 mostBytes = 0;
  glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &mostBytes);
  constexpr int kWidth = 16384, kWordBytes = 4;
  const auto scatter = availableDevice(DeviceId::glCompute).makeNearScatter({});
  EXPECT_THROW(scatter->resize({kWidth, static_cast<int>(mostBytes / kWordBytes / kWidth) + 1}), std::runtime_error);
}

}  // namespace
}  // namespace satdof::test
