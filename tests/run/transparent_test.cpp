#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "app/core/files/files.h"
#include "app/io/formats/exr.h"
#include "app/io/formats/png.h"
#include "app/io/image_file.h"
#include "app/render/renderer.h"
#include "app/run/capture.h"
#include "tests/support/gl_fixture.h"
#include "tests/support/temporary_folder.h"

namespace satdof {
namespace {

namespace fs = std::filesystem;

constexpr float kSky = 0.5f;

// The model of the assets before a sky that is the same everywhere.
class TransparentTest : public GlTest {
 protected:
  void SetUp() override {
    GlTest::SetUp();
    const glm::ivec2 sky{8, 4};
    const std::vector<float> light(static_cast<std::size_t>(3 * sky.x * sky.y), kSky);
    settings_.size = {96, 64};
    settings_.scene.kind = SceneKind::model;
    settings_.scene.model.environment.text = folder_.write("sky.hdr", encodeHdr(light, sky));
    settings_.scene.background = Background::transparent;
    settings_.scene.samples = 1;
    settings_.scene.animate = false;
    settings_.technique.bokeh.enabled = false;
    settings_.lens.focusDistanceM = 1.2f;
    settings_.lens.lensSamples = 64;
    settings_.lens.layers = 2;  // a filled hole leaves lamps out
  }

  // A capture of the settings, as a file.
  std::string captured(const Settings& settings, const char* name, const CaptureOptions& options = {}) {
    Timings timings;
    Settings drawn = settings;
    FrameResult result;
    do {
      result = renderer_.render(drawn, {}, timings);
      applyResult(drawn, result);
    } while (result.progress < 1.0f);
    exposure_ = std::exp2(drawn.present.exposureStops);
    return readWholeFile(capture(renderer_, drawn, 0.0f, folder_.path() / name, options), 1 << 24);
  }
  ExrImage exr(const Settings& settings) { return decodeExr(captured(settings, "a.exr", {.bitDepth = 32}), "a.exr"); }

  const test::TemporaryFolder folder_;
  Settings settings_;
  Renderer renderer_;
  float exposure_ = 1.0f;  // of the last capture
};

const std::vector<float>& channel(const ExrImage& image, const char* name) { return image.channel(name)->values; }

TEST_F(TransparentTest, OverTheSkyItIsTheImageBeforeTheSky) {
  std::vector<float> reference;
  for (const LensKind lens : {LensKind::reference, LensKind::box, LensKind::tent, LensKind::gems, LensKind::layered}) {
    settings_.technique.lens.kind = lens;
    Settings whole = settings_;
    whole.scene.background = Background::scene;
    const ExrImage expected = exr(whole), image = exr(settings_);
    const std::vector<float>& alpha = channel(image, "A");
    EXPECT_THAT(channel(expected, "A"), testing::Each(1.0f));
    double worst = 0.0;
    for (const char* const name : {"R", "G", "B"})
      for (std::size_t i = 0; i < alpha.size(); ++i) {
        const float over = channel(image, name)[i] + (1.0f - alpha[i]) * kSky;
        worst = std::max(worst, static_cast<double>(std::abs(over - channel(expected, name)[i])));
      }
    EXPECT_LT(worst, 3.0 / 1024) << name(lens);  // half floats
    EXPECT_GT(std::ranges::count_if(alpha, [](float a) { return a < 0.05f; }), 50) << name(lens);
    EXPECT_GT(std::ranges::count_if(alpha, [](float a) { return a > 0.99f; }), 100) << name(lens);
    EXPECT_GT(std::ranges::count_if(alpha, [](float a) { return a > 0.1f && a < 0.9f; }), 50)
        << "soft edges: " << name(lens);
    if (lens == LensKind::reference) {
      reference = alpha;
      continue;
    }
    double squares = 0.0;
    for (std::size_t i = 0; i < alpha.size(); ++i) squares += std::pow(alpha[i] - reference[i], 2);
    const double error = std::sqrt(squares / static_cast<double>(alpha.size()));
    EXPECT_LT(error, lens == LensKind::layered ? 0.05 : 0.2) << "beside the reference: " << name(lens);
  }
}

TEST_F(TransparentTest, APngHoldsColoursThatAreNotBlendedWithBlack) {
  settings_.technique.lens.kind = LensKind::layered;
  const ExrImage linear = exr(settings_);
  for (const int bits : {8, 16}) {
    const PngImage png = decodePng(captured(settings_, "a.png", {.bitDepth = bits}));
    ASSERT_EQ(png.channels, 4);
    ASSERT_EQ(png.bitDepth, bits);
    const std::vector<float>& alpha = channel(linear, "A");
    const auto most = static_cast<float>((1 << bits) - 1);
    const auto value = [&](std::size_t i) {
      return bits == 8 ? static_cast<float>(png.rows[i])
                       : static_cast<float>(reinterpret_cast<const std::uint16_t*>(png.rows.data())[i]);
    };
    double soft = 0.0, solid = 0.0;
    long softPixels = 0, solidPixels = 0;
    for (std::size_t i = 0; i < alpha.size(); ++i) {
      float covered = alpha[i];
      for (const char* const name : {"R", "G", "B"})
        covered = std::max(covered, std::min(exposure_ * channel(linear, name)[i], 1.0f));
      EXPECT_NEAR(value(4 * i + 3) / most, covered, 1.0 / most + 1e-3);
      const double green = value(4 * i + 1) / most;
      if (alpha[i] > 0.2f && alpha[i] < 0.8f) soft += green, ++softPixels;
      if (alpha[i] > 0.99f) solid += green, ++solidPixels;
    }
    ASSERT_GT(softPixels, 20);
    EXPECT_GT(soft / static_cast<double>(softPixels), 0.7 * solid / static_cast<double>(solidPixels)) << "no dark rim";
  }
}

TEST_F(TransparentTest, OtherImagesAreOpaque) {
  EXPECT_EQ(decodePng(captured(settings_, "a.png")).channels, 4);
  Settings other = settings_;
  other.split.enabled = true;
  EXPECT_EQ(decodePng(captured(other, "b.png")).channels, 3);
  other = settings_;
  other.technique.view = View::depth;
  EXPECT_EQ(decodePng(captured(other, "c.png")).channels, 3);
  other = settings_;
  other.scene.kind = SceneKind::bodies;
  other.scene.bodies.count = 100;
  EXPECT_EQ(decodePng(captured(other, "d.png")).channels, 3);
}

}  // namespace
}  // namespace satdof
