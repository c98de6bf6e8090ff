#include <array>
#include <cstring>

#include "tests/support/lens_fixture.h"
#include "tests/support/uniform.h"

namespace satdof::test {
namespace {

const std::array kSizes = {glm::ivec2(1, 1), glm::ivec2(1, 7),   glm::ivec2(7, 1),
                           glm::ivec2(3, 5), glm::ivec2(17, 65), glm::ivec2(97, 61)};

constexpr float kBrightest = 100.0f;

class LensBox : public GlTest {
 protected:
  Uniform uniform{20070812};
  // An aperture so wide that radii exceed every image here.
  LensSettings wideLens() {
    LensSettings lens;
    lens.focusDistanceM = 2.0f;
    lens.focalLengthMm = 400.0f;
    lens.fNumber = 1.0f;
    return lens;
  }
  float randomHdr() {
    const float v = uniform(0.0f, 1.0f);
    return v < 0.1f ? uniform(1.0f, kBrightest) : v < 0.4f ? v * 0.01f : v;
  }
  glm::vec4 randomColour() { return {randomHdr(), randomHdr(), randomHdr(), uniform(0, 1)}; }
};

bool sameTexel(const glm::vec4& a, const glm::vec4& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

// The mean by definition. Pixels of the image at a distance up to n count 1, at n + 1 they count `outer`,
// beyond they count 0. The distance is the larger of |dx| / anamorphicRatio and |dy|. The total weight of an
// unclamped box is (2h)^2.
glm::dvec4 bruteForceMean(const Image& image, glm::ivec2 pixel, double h, double ceiling, double anamorphicRatio) {
  const int n = int(std::floor(h - 0.5));
  const double outer = (4 * h * h - (2.0 * n + 1) * (2.0 * n + 1)) / (8.0 * (n + 1));
  glm::dvec4 sum(0.0);
  double area = 0;
  const auto wide = [&](int rows) { return int((rows + 0.5) * anamorphicRatio); };
  for (int y = std::max(pixel.y - n - 1, 0); y <= std::min(pixel.y + n + 1, image.size.y - 1); ++y)
    for (int x = std::max(pixel.x - wide(n + 1), 0); x <= std::min(pixel.x + wide(n + 1), image.size.x - 1); ++x) {
      const bool within = std::abs(y - pixel.y) <= n && std::abs(x - pixel.x) <= wide(n);
      const double weight = within ? 1.0 : outer;
      sum += weight * glm::min(glm::dvec4(image.at(x, y)), glm::dvec4(ceiling));
      area += weight;
    }
  return sum / area;
}

struct Expected {
  glm::dvec4 colour;
  bool untouched;
};

Expected expectedPixel(const Image& image, glm::ivec2 pixel, double radius, double ceiling, double anamorphicRatio) {
  const glm::dvec4 sharp(image.at(pixel.x, pixel.y));
  const double weight = std::clamp((std::abs(radius) - 1.0 / 16) * 16 / 15, 0.0, 1.0);
  const double h = std::sqrt(M_PI) / 2 * std::max(std::abs(radius), 1.0);
  return {glm::mix(sharp, bruteForceMean(image, pixel, h, ceiling, anamorphicRatio), weight),
          std::abs(radius) < 0.0624};
}

// Largest error of an output value: half a fixed-point unit, the conversion to half (OpenGL does not define
// its rounding), the rounding of the radius (the mean changes by at most 2/h of the range) and, for floats,
// the rounding of four table elements.
double tolerance(double value, double unitError, double meanError, double tableError) {
  return unitError + std::abs(value) * (0x1p-10 + 0x1p-20) + 0x1p-24 + meanError + tableError;
}

void compareEveryPixel(const Image& image, const std::vector<glm::vec4>& got, const TableSource& source,
                       TableFormat format, const std::function<double(float)>& radiusAt, double radiusError,
                       double anamorphicRatio = 1) {
  const bool fixed = format == TableFormat::uint32;
  const double ceiling = fixed ? source.quantisation.ceiling : 1e30;
  double total = 0;
  for (const auto& c : image.colour) total += std::max(std::max(c.r, c.g), std::max(c.b, c.a));
  for (int y = 0; y < image.size.y; ++y)
    for (int x = 0; x < image.size.x; ++x) {
      const std::size_t i = std::size_t(y) * std::size_t(image.size.x) + std::size_t(x);
      const double radius = radiusAt(image.depth[i]);
      const auto expected = expectedPixel(image, {x, y}, radius, ceiling, anamorphicRatio);
      if (expected.untouched) {
        ASSERT_TRUE(sameTexel(got[i], image.colour[i])) << x << " " << y << " radius " << radius;
      }
      const double meanError = 2.3 * kBrightest * radiusError / std::max(std::abs(radius), 1.0);
      for (int c = 0; c < 4; ++c)
        ASSERT_NEAR(got[i][c], expected.colour[c],
                    tolerance(expected.colour[c], fixed ? 0.5 / source.quantisation.scale : 0.0, meanError,
                              fixed ? 0.0 : 8 * 0x1p-24 * total))
            << x << " " << y << " channel " << c << " radius " << radius;
    }
}

TEST_F(LensBox, EqualsBruteForceBoxMeans) {
  const LensSettings settings = wideLens();
  for (const glm::ivec2 size : kSizes) {
    const auto coc = thinLens(settings, size.y, 0.1f);
    const Image image(
        size, [&] { return randomColour(); },
        [&] {
          static constexpr std::array kReach = {0.05f, 1.5f, 12.0f, 400.0f};
          const float reach = kReach[uniform.bits() % kReach.size()];
          return (uniform(-reach, std::min(reach, coc.beta)) - coc.beta) / coc.alpha;
        });
    const float largestDepth = *std::max_element(image.depth.begin(), image.depth.end());
    const double radiusError = 0x1p-22 * (std::abs(coc.alpha) * largestDepth + coc.beta);
    for (const TableFormat format : {TableFormat::uint32, TableFormat::float32, TableFormat::float32Mean})
      for (const bool transposed : {false, true})
        for (const auto stage : {gl::PixelStage::fragment, gl::PixelStage::compute}) {
          SCOPED_TRACE(testing::Message()
                       << size.x << "x" << size.y << " " << name(format) << (transposed ? " transposed" : "")
                       << (stage == gl::PixelStage::compute ? " compute" : ""));
          auto device = std::make_unique<PlainTableBuilder>(format, transposed);
          const PlainTableBuilder& plain = *device;
          const auto lens = makeBoxLens(std::move(device), format, kThinLensRule, stage);
          lens->resize(size);
          const auto got = blur(*lens, image.frame, settings, glm::vec4(0.5f, 0.25f, 2.0f, 0.5f));
          compareEveryPixel(
              image, got, plain.last, format, [&](float d) { return radiusPx(coc, d); }, radiusError);
        }
  }
}

TEST_F(LensBox, AnamorphicRatioWidensTheBox) {
  LensSettings settings = wideLens();
  const glm::ivec2 size(97, 61);
  const auto coc = thinLens(settings, size.y, 0.1f);
  for (const float anamorphicRatio : {0.25f, 0.7f, 1.5f, 4.0f}) {
    settings.anamorphicRatio = anamorphicRatio;
    const Image image(
        size, [&] { return randomColour(); }, [&] { return (uniform(-30.0f, 12.0f) - coc.beta) / coc.alpha; });
    auto device = std::make_unique<PlainTableBuilder>(TableFormat::uint32, false);
    const PlainTableBuilder& plain = *device;
    const auto lens = makeBoxLens(std::move(device), TableFormat::uint32, kThinLensRule);
    lens->resize(size);
    const auto got = blur(*lens, image.frame, settings);
    compareEveryPixel(
        image, got, plain.last, TableFormat::uint32, [&](float d) { return radiusPx(coc, d); }, 1e-4,
        double(anamorphicRatio));
  }
}

TEST_F(LensBox, GemsRadiusIsLinearInDistance) {
  LensSettings settings;
  settings.focusDistanceM = 3.0f;
  settings.gemsFocusRangeM = 1.5f;
  settings.gemsMaxRadiusPx = 180.0f;
  const glm::ivec2 size(97, 61);
  const Image image(
      size, [&] { return randomColour(); },
      [&] { return uniform.bits() % 10 == 0 ? 0.0f : 0.1f / uniform(0.5f, 6.0f); });
  auto device = std::make_unique<PlainTableBuilder>(TableFormat::uint32, false);
  const PlainTableBuilder& plain = *device;
  const auto lens = makeBoxLens(std::move(device), TableFormat::uint32, kLinearRule);
  lens->resize(size);
  const auto got = blur(*lens, image.frame, settings);
  const double fullRadius = 180.0 * 61 / 1080 / (std::sqrt(M_PI) / 2);
  compareEveryPixel(
      image, got, plain.last, TableFormat::uint32,
      [&](float d) {
        const double distanceM = 0.1 / std::max(double(d), 1e-30);
        return std::clamp((distanceM - 3.0) / 1.5, -1.0, 1.0) * fullRadius;
      },
      1e-5);
}

TEST_F(LensBox, ConstantImageStaysConstant) {
  const LensSettings settings = wideLens();
  for (const float value : {0.02f, 0.3f, 1.0f, 5.7f, 63.0f}) {
    const Image image(
        {33, 31}, [&] { return glm::vec4(value); }, [&] { return uniform(0.0f, 0.2f); });
    for (const TableFormat format : {TableFormat::uint32, TableFormat::float32, TableFormat::float32Mean}) {
      const auto lens = makeBoxLens(std::make_unique<PlainTableBuilder>(format, false), format, kThinLensRule);
      lens->resize(image.size);
      for (const auto& got : blur(*lens, image.frame, settings, glm::vec4(0.25f)))
        ASSERT_NEAR(got.r, toHalf(value), toHalf(value) * 0x1p-10f) << name(format);
    }
  }
}

// The mean may change by 2/R of the range for each pixel of radius, and by at most 2 below R = 1.
TEST_F(LensBox, ChangesSmoothlyWithTheRadius) {
  const LensSettings settings = wideLens();
  const glm::ivec2 size(31, 31);
  const auto coc = thinLens(settings, size.y, 0.1f);
  const auto colour = [&] { return glm::vec4(uniform.bits() % 2 ? 1.0f : 0.0f); };
  std::vector<glm::vec4> before;
  float largest = 0.0f;
  for (float radius = 0.0f; radius < 6.0f; radius += 1.0f / 64) {
    uniform.bits.seed(7);
    const Image image(size, colour, [&] { return (radius - coc.beta) / coc.alpha; });
    const auto lens = makeBoxLens(std::make_unique<PlainTableBuilder>(TableFormat::uint32, false), TableFormat::uint32,
                                  kThinLensRule);
    lens->resize(size);
    const auto now = blur(*lens, image.frame, settings);
    for (std::size_t i = 0; i < before.size(); ++i) {
      const float change = std::abs(now[i].r - before[i].r);
      largest = std::max(largest, change);
      ASSERT_LE(change, 2.0f / std::max(radius, 1.0f) / 64 + 0x1p-10f) << radius;
    }
    before = now;
  }
  EXPECT_GT(largest, 0.0f);
}

TEST_F(LensBox, EveryDeviceGivesTheSameBitsInFixedPoint) {
  LensSettings settings;
  settings.focusDistanceM = 2.0f;
  for (const glm::ivec2 size : kSizes) {
    const Image image(
        size, [&] { return randomColour(); }, [&] { return uniform(0.0f, 0.2f); });
    const auto plain =
        makeBoxLens(std::make_unique<PlainTableBuilder>(TableFormat::uint32, true), TableFormat::uint32, kThinLensRule);
    plain->resize(size);
    const auto expected = blur(*plain, image.frame, settings);
    for (const auto& entry : entries(DeviceId{})) {
      if (!availability(entry.value).available) continue;
      Technique technique;
      technique.device = entry.value;
      technique.lens = {LensKind::box, LensOn::openGl};
      technique.bokeh.enabled = false;
      const auto lens = makeLens(technique);
      lens->resize(size);
      const auto got = blur(*lens, image.frame, settings);
      for (std::size_t i = 0; i < got.size(); ++i)
        ASSERT_TRUE(sameTexel(got[i], expected[i])) << entry.name << " pixel " << i;
    }
  }
}

}  // namespace
}  // namespace satdof::test
