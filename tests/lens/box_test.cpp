#include <array>
#include <cstring>

#include "tests/lens/fixture.h"

namespace satdof::test {
namespace {

const std::array kSizes = {glm::ivec2(1, 1), glm::ivec2(1, 7),   glm::ivec2(7, 1),
                           glm::ivec2(3, 5), glm::ivec2(17, 65), glm::ivec2(97, 61)};

constexpr float kBrightest = 100.0f;

class LensBox : public GlTest {
 protected:
  std::mt19937 random{20070812};
  float uniform(float low, float high) { return std::uniform_real_distribution(low, high)(random); }
  // A lens wide enough that radii exceed every picture here.
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

bool sameBits(const glm::vec4& a, const glm::vec4& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

// The mean by definition: every pixel of the picture counts 1 within n, `outer` at n + 1 and 0 beyond, where
// distance is the larger of |dx| / stretch and |dy|, and the whole weight of an unclamped box is (2h)^2.
glm::dvec4 bruteForceMean(const Picture& picture, glm::ivec2 pixel, double h, double ceiling,
                          double stretch) {
  const int n = int(std::floor(h - 0.5));
  const double outer = (4 * h * h - (2.0 * n + 1) * (2.0 * n + 1)) / (8.0 * (n + 1));
  glm::dvec4 sum(0.0);
  double area = 0;
  const auto wide = [&](int rows) { return int((rows + 0.5) * stretch); };
  for (int y = std::max(pixel.y - n - 1, 0); y <= std::min(pixel.y + n + 1, picture.size.y - 1); ++y)
    for (int x = std::max(pixel.x - wide(n + 1), 0); x <= std::min(pixel.x + wide(n + 1), picture.size.x - 1);
         ++x) {
      const bool within = std::abs(y - pixel.y) <= n && std::abs(x - pixel.x) <= wide(n);
      const double weight = within ? 1.0 : outer;
      sum += weight * glm::min(glm::dvec4(picture.at(x, y)), glm::dvec4(ceiling));
      area += weight;
    }
  return sum / area;
}

struct Expected {
  glm::dvec4 colour;
  bool untouched;
};

Expected expectedPixel(const Picture& picture, glm::ivec2 pixel, double radius, double ceiling,
                       double stretch) {
  const glm::dvec4 sharp(picture.at(pixel.x, pixel.y));
  const double weight = std::clamp((std::abs(radius) - 1.0 / 16) * 16 / 15, 0.0, 1.0);
  const double h = std::sqrt(M_PI) / 2 * std::max(std::abs(radius), 1.0);
  return {glm::mix(sharp, bruteForceMean(picture, pixel, h, ceiling, stretch), weight),
          std::abs(radius) < 0.0624};
}

// Largest error of an output value: half a unit of fixed point, conversion to half (OpenGL leaves the
// direction of rounding open), the rounding of the radius (the mean changes by at most 2/h of the range) and,
// for floats, that of four table elements.
double tolerance(double value, double unitError, double meanError, double tableError) {
  return unitError + std::abs(value) * (0x1p-10 + 0x1p-20) + 0x1p-24 + meanError + tableError;
}

void compareEveryPixel(const Picture& picture, const std::vector<glm::vec4>& got, const SatSource& source,
                       SatFormat format, const std::function<double(float)>& radiusAt, double radiusError,
                       double stretch = 1) {
  const bool fixed = format == SatFormat::uint32;
  const double ceiling = fixed ? source.ceiling : 1e30;
  double total = 0;
  for (const auto& c : picture.colour) total += std::max(std::max(c.r, c.g), std::max(c.b, c.a));
  for (int y = 0; y < picture.size.y; ++y)
    for (int x = 0; x < picture.size.x; ++x) {
      const size_t i = size_t(y) * size_t(picture.size.x) + size_t(x);
      const double radius = radiusAt(picture.depth[i]);
      const auto expected = expectedPixel(picture, {x, y}, radius, ceiling, stretch);
      if (expected.untouched) {
        ASSERT_TRUE(sameBits(got[i], picture.colour[i])) << x << " " << y << " radius " << radius;
      }
      const double meanError = 2.3 * kBrightest * radiusError / std::max(std::abs(radius), 1.0);
      for (int c = 0; c < 4; ++c)
        ASSERT_NEAR(got[i][c], expected.colour[c],
                    tolerance(expected.colour[c], fixed ? 0.5 / source.scale : 0.0, meanError,
                              fixed ? 0.0 : 8 * 0x1p-24 * total))
            << x << " " << y << " channel " << c << " radius " << radius;
    }
}

TEST_F(LensBox, IsTheBoxMeanOfEveryPixelByBruteForce) {
  const LensSettings settings = wideLens();
  for (const glm::ivec2 size : kSizes) {
    const auto coc = circleOfConfusion(settings, size.y, 0.1f);
    const Picture picture(
        size, [&] { return randomColour(); },
        [&] {
          static constexpr std::array kReach = {0.05f, 1.5f, 12.0f, 400.0f};
          const float reach = kReach[random() % kReach.size()];
          return (uniform(-reach, std::min(reach, coc.beta)) - coc.beta) / coc.alpha;
        });
    const float largestDepth = *std::max_element(picture.depth.begin(), picture.depth.end());
    const double radiusError = 0x1p-22 * (std::abs(coc.alpha) * largestDepth + coc.beta);
    for (const SatFormat format : {SatFormat::uint32, SatFormat::float32, SatFormat::float32Mean})
      for (const bool transposed : {false, true}) {
        SCOPED_TRACE(testing::Message()
                     << size.x << "x" << size.y << " " << name(format) << (transposed ? " transposed" : ""));
        auto backend = std::make_unique<PlainBackend>(format, transposed);
        const PlainBackend& plain = *backend;
        SingleTableLens lens(std::move(backend), format, kThinLensRule);
        lens.resize(size);
        const auto got = blur(lens, picture.frame, settings, glm::vec4(0.5f, 0.25f, 2.0f, 0.5f));
        compareEveryPixel(
            picture, got, plain.last, format, [&](float d) { return coc.radiusPx(d); }, radiusError);
      }
  }
}

TEST_F(LensBox, StretchesWithTheAperture) {
  LensSettings settings = wideLens();
  const glm::ivec2 size(97, 61);
  const auto coc = circleOfConfusion(settings, size.y, 0.1f);
  for (const float stretch : {0.25f, 0.7f, 1.5f, 4.0f}) {
    settings.stretch = stretch;
    const Picture picture(
        size, [&] { return randomColour(); },
        [&] { return (uniform(-30.0f, 12.0f) - coc.beta) / coc.alpha; });
    auto backend = std::make_unique<PlainBackend>(SatFormat::uint32, false);
    const PlainBackend& plain = *backend;
    SingleTableLens lens(std::move(backend), SatFormat::uint32, kThinLensRule);
    lens.resize(size);
    const auto got = blur(lens, picture.frame, settings);
    compareEveryPixel(
        picture, got, plain.last, SatFormat::uint32, [&](float d) { return coc.radiusPx(d); }, 1e-4,
        double(stretch));
  }
}

TEST_F(LensBox, GemsFollowsTheLinearFactor) {
  LensSettings settings;
  settings.focusDistanceM = 3.0f;
  settings.gemsFocusRangeM = 1.5f;
  settings.gemsMaxRadiusPx = 180.0f;
  const glm::ivec2 size(97, 61);
  const Picture picture(
      size, [&] { return randomColour(); },
      [&] { return random() % 10 == 0 ? 0.0f : 0.1f / uniform(0.5f, 6.0f); });
  auto backend = std::make_unique<PlainBackend>(SatFormat::uint32, false);
  const PlainBackend& plain = *backend;
  SingleTableLens lens(std::move(backend), SatFormat::uint32, kLinearRule);
  lens.resize(size);
  const auto got = blur(lens, picture.frame, settings);
  const double fullRadius = 180.0 * 61 / 1080 / (std::sqrt(M_PI) / 2);
  compareEveryPixel(
      picture, got, plain.last, SatFormat::uint32,
      [&](float d) {
        const double distanceM = 0.1 / std::max(double(d), 1e-30);
        return std::clamp((distanceM - 3.0) / 1.5, -1.0, 1.0) * fullRadius;
      },
      1e-5);
}

TEST_F(LensBox, ConstantPictureStaysConstantToTheCorner) {
  const LensSettings settings = wideLens();
  for (const float value : {0.02f, 0.3f, 1.0f, 5.7f, 63.0f}) {
    const Picture picture(
        {33, 31}, [&] { return glm::vec4(value); }, [&] { return uniform(0.0f, 0.2f); });
    for (const SatFormat format : {SatFormat::uint32, SatFormat::float32, SatFormat::float32Mean}) {
      SingleTableLens lens(std::make_unique<PlainBackend>(format, false), format, kThinLensRule);
      lens.resize(picture.size);
      for (const auto& got : blur(lens, picture.frame, settings, glm::vec4(0.25f)))
        ASSERT_NEAR(got.r, toHalf(value), toHalf(value) * 0x1p-10f) << name(format);
    }
  }
}

// Between neighbouring radii the mean may change by 2/R of the range a pixel, and by no more than 2 below 1.
TEST_F(LensBox, ChangesSmoothlyWithTheRadius) {
  const LensSettings settings = wideLens();
  const glm::ivec2 size(31, 31);
  const auto coc = circleOfConfusion(settings, size.y, 0.1f);
  const auto colour = [&] { return glm::vec4(random() % 2 ? 1.0f : 0.0f); };
  std::vector<glm::vec4> before;
  float largest = 0.0f;
  for (float radius = 0.0f; radius < 6.0f; radius += 1.0f / 64) {
    random.seed(7);
    const Picture picture(size, colour, [&] { return (radius - coc.beta) / coc.alpha; });
    SingleTableLens lens(std::make_unique<PlainBackend>(SatFormat::uint32, false), SatFormat::uint32,
                         kThinLensRule);
    lens.resize(size);
    const auto now = blur(lens, picture.frame, settings);
    for (size_t i = 0; i < before.size(); ++i) {
      const float change = std::abs(now[i].r - before[i].r);
      largest = std::max(largest, change);
      ASSERT_LE(change, 2.0f / std::max(radius, 1.0f) / 64 + 0x1p-10f) << radius;
    }
    before = now;
  }
  EXPECT_GT(largest, 0.0f);
}

TEST_F(LensBox, BackendsAgreeBitForBitOnFixedPoint) {
  LensSettings settings;
  settings.focusDistanceM = 2.0f;
  for (const glm::ivec2 size : kSizes) {
    const Picture picture(
        size, [&] { return randomColour(); }, [&] { return uniform(0.0f, 0.2f); });
    SingleTableLens plain(std::make_unique<PlainBackend>(SatFormat::uint32, true), SatFormat::uint32,
                          kThinLensRule);
    plain.resize(size);
    const auto expected = blur(plain, picture.frame, settings);
    for (const auto& entry : entries(Backend{})) {
      if (!availability(entry.value).available) continue;
      Method method;
      method.backend = entry.value;
      method.lens = LensKind::box;
      method.highlights = false;
      const auto lens = makeLens(method);
      lens->resize(size);
      const auto got = blur(*lens, picture.frame, settings);
      for (size_t i = 0; i < got.size(); ++i)
        ASSERT_TRUE(sameBits(got[i], expected[i])) << entry.name << " pixel " << i;
    }
  }
}

}  // namespace
}  // namespace satdof::test
