#include "app/scene/model/environment.h"

#include <gmock/gmock.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>
#include <set>

#include "app/io/formats/exr.h"
#include "app/io/image_file.h"
#include "tests/support/reason.h"
#include "tests/support/temporary_folder.h"

namespace satdof {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;

SkyImage constantSky(glm::ivec2 size, const glm::vec3& radiance) {
  return {size, std::vector<glm::vec3>(static_cast<std::size_t>(size.x * size.y), radiance)};
}

TEST(Environment, DirectionsHaveTheirCoordinates) {
  for (const glm::ivec2 size : {glm::ivec2(1, 1), glm::ivec2(31, 33), glm::ivec2(64, 32)})
    for (int y = 0; y < size.y; ++y)
      for (int x = 0; x < size.x; ++x) {
        const glm::vec2 uv = (glm::vec2(x, y) + 0.5f) / glm::vec2(size);
        EXPECT_NEAR(glm::distance(skyCoordinates(skyDirection(uv)), uv), 0.0f, 1e-4f);
      }
  EXPECT_NEAR(glm::distance(skyDirection({0.5f, 0.5f}), glm::vec3(0, 0, -1)), 0.0f, 1e-6f);
}

TEST(Environment, EvenLightStaysEven) {
  LoadProgress progress;
  const glm::vec3 light(0.5f, 1.0f, 2.0f);
  const Environment environment = makeEnvironment(constantSky({33, 17}, light), progress);
  for (const glm::vec3 n : {glm::vec3(0, 1, 0), glm::vec3(0, -1, 0), glm::normalize(glm::vec3(1, 2, -3))})
    EXPECT_NEAR(glm::distance(irradianceOverPi(environment.irradiance, n), light), 0.0f, 0.01f);
  ASSERT_EQ(environment.prefiltered.size(), static_cast<std::size_t>(kPrefilteredLevels));
  for (const SkyImage& level : environment.prefiltered)
    for (const glm::vec3& texel : level.radiance) ASSERT_NEAR(glm::distance(texel, light), 0.0f, 1e-4f);
}

// Against the sum over all texels of radiance, cosine and solid angle.
TEST(Environment, IrradianceOfALampIsNearTheSum) {
  SkyImage sky = constantSky({64, 32}, glm::vec3(0.1f));
  for (int y = 4; y < 10; ++y)
    for (int x = 20; x < 30; ++x) sky.radiance[static_cast<std::size_t>(y * 64 + x)] = {9, 5, 1};
  LoadProgress progress;
  const Environment environment = makeEnvironment(sky, progress);
  float largest = 0.0f, error = 0.0f;
  for (int i = 0; i < 200; ++i) {
    const glm::vec3 n =
        skyDirection({std::fmod(0.618034f * static_cast<float>(i), 1.0f), (static_cast<float>(i) + 0.5f) / 200});
    glm::vec3 sum(0.0f);
    for (int y = 0; y < 32; ++y)
      for (int x = 0; x < 64; ++x) {
        const glm::vec3 d = skyDirection((glm::vec2(x, y) + 0.5f) / glm::vec2(sky.size));
        const float angle =
            2 * kPi / 64 *
            (std::cos(kPi * static_cast<float>(y) / 32) - std::cos(kPi * static_cast<float>(y + 1) / 32));
        sum += sky.at(x, y) * std::max(glm::dot(n, d), 0.0f) * angle / kPi;
      }
    largest = std::max(largest, sum.x);
    error = std::max(error, std::abs(irradianceOverPi(environment.irradiance, n).x - sum.x));
  }
  EXPECT_LT(error, 0.1f * largest) << "nine coefficients hold irradiance within a few percent";
}

TEST(Environment, ReadsHdrAndExrAlike) {
  const test::TemporaryFolder folder;
  const glm::ivec2 size(33, 16);
  std::vector<float> rgb;
  for (int y = 0; y < size.y; ++y)  // bottom row first
    for (int x = 0; x < size.x; ++x) rgb.insert(rgb.end(), {static_cast<float>(y + 1), 0.5f, x == 3 ? 100.0f : 0.25f});
  const std::string hdr = folder.write("sky.hdr", encodeHdr(rgb, size));
  ExrImage exr;
  exr.size = size;
  for (std::size_t c = 0; c < 3; ++c) {
    ExrChannel channel;
    channel.name = "RGB"[c];
    for (std::size_t i = c; i < rgb.size(); i += 3) channel.values.push_back(rgb[i]);
    exr.channels.push_back(channel);
  }
  LoadProgress progress;
  for (const std::string& path : {hdr, folder.write("sky.exr", encodeExr(exr))}) {
    const auto environment = loadEnvironment(path, progress);
    ASSERT_EQ(environment->sky.size, size) << path;
    EXPECT_NEAR(environment->sky.at(5, 0).x, 16.0f, 0.2f) << "the last row is up: " << path;
    EXPECT_NEAR(environment->sky.at(3, 7).z, 100.0f, 1.0f) << path;
    EXPECT_EQ(environment->notes, Notes());
  }
}

TEST(Environment, OfAnotherAspectIsNoted) {
  const test::TemporaryFolder folder;
  const std::string path = folder.write("cube.hdr", encodeHdr(std::vector<float>(48, 1.0f), {4, 4}));
  LoadProgress progress;
  EXPECT_THAT(loadEnvironment(path, progress)->notes,
              testing::ElementsAre(testing::StartsWith(path + ": taken for a panorama")));
}

TEST(Environment, TakesSkiesOfAnySize) {
  for (const glm::ivec2 size :
       {glm::ivec2(1, 1), glm::ivec2(1, 7), glm::ivec2(5, 1), glm::ivec2(3, 2), glm::ivec2(4, 2), glm::ivec2(8, 4),
        glm::ivec2(32, 16), glm::ivec2(31, 100), glm::ivec2(4096, 1), glm::ivec2(1025, 20), glm::ivec2(1, 300)}) {
    LoadProgress progress;
    const Environment environment = makeEnvironment(constantSky(size, glm::vec3(2.0f)), progress);
    EXPECT_EQ(environment.sky.size, size);
    for (const SkyImage& level : environment.prefiltered)
      for (const glm::vec3& radiance : level.radiance) ASSERT_NEAR(radiance.y, 2.0f, 1e-3f) << size.x;
    for (const glm::vec3 n : {glm::vec3(0, 1, 0), glm::vec3(0, -1, 0), glm::vec3(1, 0, 0), glm::vec3(0, 0, 1),
                              glm::normalize(glm::vec3(-1, 2, 3))})
      EXPECT_NEAR(irradianceOverPi(environment.irradiance, n).y, 2.0f, 0.02f) << size.x << "x" << size.y;
  }
}

TEST(Environment, ASkyOfTwoTexelsLightsFromTheBrighterOne) {
  LoadProgress progress;
  const Environment environment = makeEnvironment({{1, 2}, {glm::vec3(2.0f), glm::vec3(0.0f)}}, progress);
  EXPECT_GT(irradianceOverPi(environment.irradiance, {0, 1, 0}).x, 1.4f);
  EXPECT_LT(irradianceOverPi(environment.irradiance, {0, -1, 0}).x, 0.6f);
  EXPECT_NEAR(irradianceOverPi(environment.irradiance, {1, 0, 0}).x, 1.0f, 0.02f);
}

TEST(Environment, BadFilesAreRefusedWithTheirName) {
  const test::TemporaryFolder folder;
  LoadProgress progress;
  for (const std::string& path : {folder.write("a.hdr", "#?RADIANCE\n\n-Y 0 +X 5\n"), folder.write("b.hdr", ""),
                                  folder.write("c.exr", "nothing"), folder.write("d.png", "nothing"),
                                  folder.write("e.hdr", "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 99999 +X 99999\n"),
                                  (folder.path() / "missing.hdr").string()})
    EXPECT_THAT(test::reasonOf([&] { loadEnvironment(path, progress); }), testing::HasSubstr(path));
}

TEST(Environment, BuiltInRowsHaveNamesAndLight) {
  std::set<std::string> names;
  for (const EnvironmentRow& row : environmentRows()) {
    EXPECT_TRUE(names.insert(row.name).second);
    for (const glm::vec3 d : {glm::vec3(0, 1, 0), glm::vec3(0, 0, -1), glm::vec3(1, 0, 0), glm::vec3(0, -1, 0)}) {
      const glm::vec3 light = row.radiance(d);
      EXPECT_TRUE(std::min({light.x, light.y, light.z}) > 0.0f && std::isfinite(light.x + light.y + light.z));
    }
  }
}

}  // namespace
}  // namespace satdof
