#include "app/render/overscan.h"

#include <gtest/gtest.h>

#include <vector>

#include "app/quality/metrics.h"
#include "app/render/renderer.h"
#include "app/scene/camera.h"
#include "tests/support/lens_fixture.h"

namespace satdof::test {
namespace {

constexpr int kLongestSide = 16384;

Settings blurred() {
  Settings settings;
  settings.size = {160, 96};
  settings.lens.overscan = Overscan::on;
  settings.lens.fNumber = 0.4f;
  settings.scene.samples = 1;
  settings.scene.teapots.count = 3;
  settings.technique.device = DeviceId::cpuSequential;
  settings.technique.lens.kind = LensKind::layered;
  settings.technique.bokeh.enabled = false;
  return settings;
}

using OverscanPart = GlTest;

int partOf(const Settings& settings, float nearestM = 1.0f) {
  return overscanDivisor(ResolvedSettings(settings), [&](int) { return nearestM; });
}

TEST_F(OverscanPart, GrowsWithTheBlurUpToAQuarterOfTheHeight) {
  Settings settings = blurred();
  settings.size = {1280, 720};
  settings.lens.gemsMaxRadiusPx = 0;
  const auto at = [&](float fNumber, float nearestM) {
    settings.lens.fNumber = fNumber;
    return partOf(settings, nearestM);
  };
  EXPECT_EQ(at(128, 1.0f), 0);
  EXPECT_EQ(at(16, 1.0f), 32);
  EXPECT_EQ(at(0.6f, 1.0f), 16);
  EXPECT_EQ(at(0.1f, 1.0f), 4);
  EXPECT_EQ(at(0.6f, 0.5f), 4) << "near surfaces";
  EXPECT_EQ(at(16, kNearM), 16);
}

// A surface outside the image counts if its disc is wider than its distance from the image.
TEST_F(OverscanPart, DependsOnWhereTheNearestSurfaceIs) {
  Settings settings = blurred();
  settings.size = {1280, 720};
  settings.lens.gemsMaxRadiusPx = 0;
  settings.lens.fNumber = 1.5f;
  std::vector<int> asked;
  const auto nearFrom = [&](int marginPx, float nearestM) {
    return overscanDivisor(ResolvedSettings(settings), [&, nearestM](int px) {
      asked.push_back(px);
      return px >= marginPx ? nearestM : 1.7f;
    });
  };
  EXPECT_EQ(nearFrom(721, 0.6f), 32);
  EXPECT_EQ(asked, (std::vector{22, 45, 90, 180}));
  EXPECT_EQ(nearFrom(90, 0.6f), 32) << "discs of 30 pixels, 45 outside";
  EXPECT_EQ(nearFrom(45, 0.6f), 16);
  EXPECT_EQ(nearFrom(180, 0.1f), 4);
}

TEST_F(OverscanPart, DependsOnTheSceneAndTheSwitchButOnNoTechnique) {
  Settings settings = blurred();
  const int part = partOf(settings);
  ASSERT_GT(part, 0);
  settings.technique.lens.kind = LensKind::reference;
  settings.technique.view = View::sharp;
  settings.split.enabled = true;
  EXPECT_EQ(partOf(settings), part);
  settings.lens.overscan = Overscan::off;
  EXPECT_EQ(partOf(settings), 0);
  settings = blurred();
  settings.scene.kind = SceneKind::image;
  EXPECT_EQ(partOf(settings), 0);
}

TEST(OverscanPx, KeepsWithinTheLongestSide) {
  const glm::ivec2 size = blurred().size;
  EXPECT_EQ(overscanPx(size, 8, kLongestSide), 12);
  EXPECT_EQ(overscanPx(size, 8, 164), 2);
  EXPECT_EQ(overscanPx(size, 8, 160), 0);
  EXPECT_EQ(overscanPx(size, 8, 64), 0);
  EXPECT_EQ(overscanPx(size, 0, kLongestSide), 0);
  EXPECT_EQ(overscanPx({540, 8640}, 4, kLongestSide), 2160);
  const glm::dvec2 narrow = glm::dvec2(1, 16384) + 2.0 * overscanPx({1, 16384}, 4, 1 << 20);
  EXPECT_LT(narrow.x * narrow.y, 1 << 23);
}

TEST_F(OverscanPart, DependsOnNoFocusThatAutofocusFinds) {
  Settings settings = blurred();
  settings.lens.autofocus = true;
  settings.lens.fNumber = 16;
  for (const float focusM : {0.5f, 5.0f, 500.0f}) {
    settings.lens.focusDistanceM = focusM;
    EXPECT_EQ(partOf(settings), 8);
  }
}

class OverscanTest : public GlTest {
 protected:
  std::vector<float> draw(const Settings& settings) {
    Renderer renderer;
    Timings timings;
    while (renderer.render(settings, {}, timings).progress < 1.0f) {
    }
    EXPECT_EQ(renderer.image().size(), settings.size);
    EXPECT_EQ(renderer.scene().size, settings.size);
    std::vector<float> rgb;
    for (const glm::vec4& texel : download(renderer.image())) rgb.insert(rgb.end(), {texel.r, texel.g, texel.b});
    return rgb;
  }
};

// PSNR of a strip at the lower border.
double borderPsnr(const std::vector<float>& a, const std::vector<float>& b, glm::ivec2 size) {
  const glm::ivec2 strip(size.x, 8);
  const auto floats = static_cast<std::size_t>(3 * strip.x * strip.y);
  return psnr(std::span(a).first(floats), std::span(b).first(floats), strip);
}

TEST_F(OverscanTest, BringsTheBorderNearerToTheReference) {
  Settings settings = blurred();
  settings.lens.lensSamples = 256;
  const auto with = draw(settings);
  settings.lens.overscan = Overscan::off;
  const auto without = draw(settings);
  settings.technique.lens.kind = LensKind::reference;
  const auto reference = draw(settings);
  EXPECT_GT(borderPsnr(with, reference, settings.size), borderPsnr(without, reference, settings.size) + 3.0);
}

// A lamp near the camera below the lower border, whose disc reaches far into the image.
TEST_F(OverscanTest, IsAsWideAsTheDiscsOfTheNearestSurfaces) {
  Settings settings = blurred();
  settings.camera = {.yawDegrees = 12, .pitchDegrees = 7, .distanceM = 0.9f};
  settings.lens.focusDistanceM = 6;
  settings.lens.fNumber = 0.6f;
  settings.lens.lensSamples = 256;
  settings.scene.timeS = 12;
  settings.scene.teapots.lamps = true;
  settings.technique.bokeh.enabled = true;
  const auto brightest = [&] {
    const auto rgb = draw(settings);
    const std::size_t row = 4, width = static_cast<std::size_t>(settings.size.x);
    return *std::max_element(rgb.begin() + static_cast<std::ptrdiff_t>(3 * row * width),
                             rgb.begin() + static_cast<std::ptrdiff_t>(3 * (row + 1) * width));
  };
  const float with = brightest();
  settings.technique.lens.kind = LensKind::reference;
  const float reference = brightest();
  EXPECT_GT(reference, 0.5f);
  EXPECT_NEAR(with, reference, 0.25f * reference);
}

TEST_F(OverscanTest, KeepsTheSceneInPlace) {
  Settings settings = blurred();
  settings.camera.shiftX = settings.camera.shiftY = 0.1f;
  const auto depthOf = [&] {
    Renderer renderer;
    Timings timings;
    renderer.render(settings, {}, timings);
    const SceneFrame scene = renderer.scene();
    std::vector<float> depth(static_cast<std::size_t>(settings.size.x) * static_cast<std::size_t>(settings.size.y));
    glGetTextureImage(scene.depth->name(), 0, GL_RED, GL_FLOAT, static_cast<GLsizei>(depth.size() * sizeof(float)),
                      depth.data());
    return depth;
  };
  const auto with = depthOf();
  settings.lens.overscan = Overscan::off;
  const auto without = depthOf();
  std::size_t different = 0;
  for (std::size_t i = 0; i < with.size(); ++i)
    different += std::abs(with[i] - without[i]) > 1e-3f * without[i] ? 1 : 0;
  EXPECT_LT(different, with.size() / 200);  // the rounding of edges
}

TEST_F(OverscanTest, PicksAndMeasuresDistancesInTheImage) {
  Settings settings = blurred();
  const glm::vec2 at(0.3f, 0.12f);
  const auto distances = [&] {
    Renderer renderer;
    Timings timings;
    FrameResult result = renderer.render(settings, {.focusAt = at}, timings);
    while (!result.focus.focusDistanceM) result = renderer.render(settings, {}, timings);
    std::optional<float> distanceM;
    while (!(distanceM = renderer.distanceAt(at))) glFinish();
    return glm::vec2(*result.focus.focusDistanceM, *distanceM);
  };
  const glm::vec2 with = distances();
  settings.lens.overscan = Overscan::off;
  const glm::vec2 without = distances();
  EXPECT_NEAR(with.x, without.x, 0.01f * without.x);
  EXPECT_NEAR(with.y, without.y, 0.01f * without.y);
}

TEST_F(OverscanTest, SplitsTheImageAtTheSplitPosition) {
  Settings settings = blurred();
  settings.technique.lens.kind = LensKind::box;
  const auto a = draw(settings);
  settings.split = {.enabled = true, .position = 0.25f, .b = settings.technique};
  settings.split.b.lens.kind = LensKind::tent;
  const auto both = draw(settings);
  settings.technique = settings.split.b;
  settings.split.enabled = false;
  const auto b = draw(settings);
  for (std::size_t i = 0; i < both.size(); ++i) {
    const auto column = static_cast<int>(i / 3 % static_cast<std::size_t>(settings.size.x));
    ASSERT_EQ(both[i], column < 40 ? a[i] : b[i]) << i;
  }
}

}  // namespace
}  // namespace satdof::test
