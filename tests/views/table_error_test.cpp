
#include "app/views/table_error.h"
#include "app/render/renderer.h"
#include "tests/support/lens_fixture.h"
#include "tests/support/same_bits.h"
#include "tests/support/uniform.h"

namespace satdof::test {
namespace {

using Texels = std::vector<glm::vec4>;

class TableError : public GlTest {
 protected:
  // The view for an image with depths around the focus plane.
  Texels draw(glm::ivec2 size, const Technique& asked, const std::function<glm::vec4()>& makeColour) {
    lens.focusDistanceM = 2.0f;
    lens.focalLengthMm = 80.0f;
    lens.fNumber = 1.4f;
    Image image(size, makeColour, [&] { return 0.1f / uniform(1.5f, 4.0f); });
    image.frame.look = look;
    const auto view = makeTableErrorLens(resolve(asked));
    view->resize(size);
    return blur(*view, image.frame, lens, mean);
  }

  Uniform uniform{39};
  LensSettings lens;
  glm::vec4 mean{0.5f};
  SceneLook look;
};

// Mean brightness of the heat map in the right half, over the rows from `from` up.
double noise(const Texels& view, glm::ivec2 size, int from, int to) {
  double sum = 0;
  for (int y = from; y < to; ++y)
    for (int x = size.x / 2; x < size.x; ++x) {
      const glm::vec4 texel = view[std::size_t(y) * std::size_t(size.x) + std::size_t(x)];
      sum += texel.r + texel.g + texel.b;
    }
  return sum / ((to - from) * (size.x - size.x / 2));
}

std::vector<Technique> floatTechniques() {
  std::vector<Technique> techniques;
  for (const auto& device : entries(DeviceId{}))
    for (const TableFormat format : {TableFormat::uint32, TableFormat::float32Mean})
      if (availability(device.value).available) {
        techniques.push_back({.device = device.value, .table = {.format = format}, .lens = {.kind = LensKind::box}});
      }
  return techniques;
}

// Multiples of 1/16 over few pixels: every sum is exact in single precision and in fixed point.
TEST_F(TableError, IsBlackWhereSinglePrecisionIsExact) {
  const glm::ivec2 size(15, 9);
  const auto sixteenths = [&] {
    const auto any = [&] { return float(uniform.bits() % 17) / 16.0f; };
    return glm::vec4(any(), any(), any(), 1.0f);
  };
  for (const Technique& technique : floatTechniques()) {
    SCOPED_TRACE(testing::Message() << name(technique.device) << " " << name(technique.table.format));
    const Texels view = draw(size, technique, sixteenths);
    double brightest = 0;
    for (int y = 0; y < size.y; ++y)
      for (int x = 0; x < size.x; ++x) {
        const glm::vec4 texel = view[std::size_t(y) * std::size_t(size.x) + std::size_t(x)];
        ASSERT_TRUE(texel.r >= 0 && texel.g >= 0 && texel.b >= 0 && texel.a == 1) << x << " " << y;
        if (x < size.x / 2)
          brightest = std::max(brightest, double(texel.r));
        else
          ASSERT_LT(texel.r + texel.g + texel.b, 1e-3f) << x << " " << y;
      }
    EXPECT_GT(brightest, 0.3) << "the exact image on the left";
  }
}

TEST_F(TableError, ShowsThePhotographWithTheToneCurveOfItsCamera) {
  look.photograph = true;
  const Technique technique{.device = DeviceId::glFragment, .lens = {.kind = LensKind::box}};
  const Texels view = draw({16, 8}, technique, [] { return glm::vec4(0.5f, 0.5f, 0.5f, 1.0f); });
  EXPECT_NEAR(view[0].r, 0.5f, 1e-3f);
}

TEST_F(TableError, ShowsNoiseFarFromTheOriginOnEveryDevice) {
  const glm::ivec2 size(301, 1200);
  const auto bright = [&] { return glm::vec4(uniform(0.2f, 0.9f), uniform(0.2f, 0.9f), 0.4f, 1.0f); };
  for (Technique technique : floatTechniques()) {
    if (technique.table.format != TableFormat::uint32) continue;
    SCOPED_TRACE(name(technique.device));
    const Texels single = draw(size, technique, bright);
    const double far = noise(single, size, 900, 1200);
    EXPECT_GT(far, 0.004);
    EXPECT_GT(far, 8 * noise(single, size, 0, 100));
    technique.table.format = TableFormat::float32Mean;
    EXPECT_LT(noise(draw(size, technique, bright), size, 900, 1200), far / 2);
  }
}

// The view in images of the teapots.
class TableErrorOfAScene : public GlTest {
 protected:
  void SetUp() override {
    GlTest::SetUp();
    settings.size = {64, 36};
    settings.scene.teapots.count = 2;
    settings.scene.samples = 1;
    settings.technique = {.device = DeviceId::cpu, .lens = {.kind = LensKind::box}};
  }
  Texels image(float centreX = 0.5f) {
    result = renderer.render(settings, {.focusAt = {}, .centre = {centreX, 0.5f}}, timings);
    return download(renderer.image());
  }

  Settings settings;
  FrameResult result;
  Timings timings;
  Renderer renderer;
};

// The view has a lens of its own.
TEST_F(TableErrorOfAScene, RendererMakesAndDropsTheLensOfTheView) {
  const Texels before = image();
  settings.technique.view = View::tableError;
  const Texels error = image();
  EXPECT_FALSE(sameBits(before, error));
  settings.present.exposureStops = -3.0f;
  EXPECT_FALSE(sameBits(image(), error)) << "as displayed";
  settings.technique.view = View::final;
  EXPECT_TRUE(sameBits(image(), before));
}

TEST_F(TableErrorOfAScene, TheLastImageStaysWhereItsLensCannotBeMade) {
  if (availability(DeviceId::cuda).available) GTEST_SKIP() << "every lens can be made";
  const Texels before = image();
  settings.technique.device = DeviceId::cuda;
  settings.technique.view = View::tableError;
  EXPECT_TRUE(sameBits(image(), before));
  EXPECT_NE(result.message, "");
  settings.technique.view = View::final;
  EXPECT_TRUE(sameBits(image(), before));
}

TEST_F(TableErrorOfAScene, ItsHalvesMeetInTheMiddleOfTheVisibleImage) {
  settings.technique.view = View::tableError;
  const Texels half = image(0.5f), moved = image(0.75f);
  for (std::size_t x = 0; x < 64; ++x) {
    bool same = true;
    for (std::size_t y = 0; y < 36; ++y) same = same && half[64 * y + x] == moved[64 * y + x];
    EXPECT_EQ(same, x < 32 || x >= 48) << x;
  }
}

}  // namespace
}  // namespace satdof::test
