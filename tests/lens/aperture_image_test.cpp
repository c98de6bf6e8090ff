// The image of an aperture, and spherical aberration: sprites have the moments of the points of the reference.
#include "app/lens/aperture/image.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <string>
#include <vector>

#include "app/lens/aperture/aperture.h"
#include "app/lens/aperture/diffraction.h"
#include "app/lens/reference/reference.h"
#include "app/lens/thin_lens.h"
#include "app/scene/camera.h"
#include "shaders/bokeh/sprite.h"
#include "tests/support/temporary_folder.h"

namespace satdof::test {
namespace {

// A file of grey values.
template <class Value>
std::string greyImage(glm::ivec2 size, const Value& value) {
  std::string bytes = "P5\n" + std::to_string(size.x) + ' ' + std::to_string(size.y) + "\n255\n";
  for (int y = size.y - 1; y >= 0; --y)
    for (int x = 0; x < size.x; ++x) bytes += static_cast<char>(value(x, y));
  return bytes;
}

// The right half of a disc, but for a hole above.
int halfWithHole(int x, int y) { return x >= 20 && !(x > 24 && x < 34 && y > 26) ? 255 : 0; }

struct ApertureScene : ApertureTable {
  static float tileDepthAt(glm::ivec2) { return 0.0f; }
};

// Moments of light about a centre.
struct LightMoments {
  double sum = 0;
  glm::dvec2 first{0}, third{0};  // x, y; x^3, y^3
  glm::dvec3 second{0};           // x^2, x y, y^2
  void add(double light, glm::dvec2 p) {
    sum += light;
    first += light * p;
    second += light * glm::dvec3(p.x * p.x, p.x * p.y, p.y * p.y);
    third += light * p * p * p;
  }
};

SceneFacts apertureFacts() {
  return {.size = {640, 360}, .focalPx = 750.0f, .nearM = 0.1f, .nearestM = 0.1f, .axisPx = {320, 180}};
}

TEST(ApertureImages, SpritesHaveTheMomentsOfTheReference) {
  const TemporaryFolder folder;
  const std::string file = folder.write("moments.pgm", greyImage({41, 33}, halfWithHole));
  struct Case {
    const char* name;
    bool image;
    float spherical, ratio;
    int blades;
  };
  for (const Case& c :
       {Case{"image", true, 0, 1, 0}, Case{"wide image", true, 0, 1.6f, 0}, Case{"bubble", false, -3, 1, 0},
        Case{"soft", false, 3, 1, 0}, Case{"caustic", false, -12, 1, 0}, Case{"wide bubble", false, -3, 0.6f, 0},
        Case{"soft image", true, 2, 1, 0}, Case{"soft blades", false, 2, 1, 5}}) {
    LensSettings lens;
    if (c.image) lens.apertureImage.text = file;
    lens.bladeRotationDegrees = c.image ? 30.0f : 0.0f;
    lens.anamorphicRatio = c.ratio;
    lens.blades = c.blades;
    SpriteRule rule;
    rule.aperture = apertureOf(lens, apertureFacts());
    rule.aperture.spherical = c.spherical;
    ASSERT_EQ(rule.aperture.image, c.image ? 1 : 0) << apertureFailure(lens);
    ApertureScene scene;
    if (c.image) scene.sums = apertureImage(lens)->table();
    for (const float radius : {12.0f, -21.0f, 70.0f}) {
      LightMoments exact, found;
      constexpr int kPoints = 20000;
      for (int i = 0; i < kPoints; ++i) {
        const glm::vec2 a = aperturePoint(lens, i);
        exact.add(1.0 / kPoints,
                  glm::dvec2(a * glm::vec2(c.ratio, 1) * (radius + c.spherical * (glm::dot(a, a) - 2.0f / 3.0f))));
      }
      const glm::vec2 at(150.3f, 149.6f);
      const auto sprite = glsl::preparedSprite(scene, rule, {}, glm::vec4(at.x, at.y, radius / rule.aperture.scale, 0),
                                               glm::vec4(1), glm::vec4(0));
      for (int y = 0; y < 300; ++y)
        for (int x = 0; x < 300; ++x) {
          const glm::vec2 p(float(x) + 0.5f, float(y) + 0.5f);
          found.add(double(sprite.light.x * glsl::spriteCoverage(scene, rule, sprite, p)), glm::dvec2(p - at));
        }
      const double size = std::abs(double(radius)) * std::max(double(c.ratio), 1.0);
      const auto where = testing::Message() << c.name << ", radius " << radius;
      EXPECT_NEAR(found.sum, 1, 0.015) << where;
      EXPECT_LT(glm::length(found.first - exact.first), 0.015 * size) << where;
      const double trace = exact.second.x + exact.second.z;
      EXPECT_LT(glm::length(found.second - exact.second - glm::dvec3(1, 0, 1) / 12.0), 0.03 * trace) << where;
      EXPECT_LT(glm::length(found.third - exact.third), 0.03 * size * trace) << where;
    }
  }
}

// A point at a distance is seen where its light lands.
TEST(SphericalAberration, MovesTheViewsOfTheReference) {
  LensSettings lens;
  lens.spherical = -0.2f;
  const SceneFacts scene = apertureFacts();
  const ThinLens thin = thinLens(lens, scene.sensorPx(), scene.nearM);
  const float px = apertureOf(lens, scene).spherical;
  EXPECT_LT(px, -1.0f);
  for (int i = 0; i < 50; ++i) {
    const glm::vec2 a = aperturePoint(lens, i);
    const ViewOffset offset = viewOffset(lens, scene, i);
    const float z = 3.0f, ofPx = scene.focalPx * (1 / offset.focusDistanceM - 1 / z);
    const float radius = glsl::signedRadius(thin, scene.nearM / z) + px * (glm::dot(a, a) - 2.0f / 3.0f);
    EXPECT_LT(glm::length(offset.apertureM * ofPx - a * radius), 1e-3f) << i;
  }
}

TEST(ApertureImages, TablesBlurByADiscOfTheSameSecondMoments) {
  std::vector<float> ring(64 * 64);
  for (int i = 0; i < 64 * 64; ++i) {
    const float r = glm::length((glm::vec2(i % 64, i / 64) + 0.5f) / 32.0f - 1.0f);
    ring[static_cast<std::size_t>(i)] = r > 0.5f ? 2.0f : 0.0f;
  }
  EXPECT_NEAR(ApertureImage(64, ring).spread(), std::sqrt(1.25f), 0.01f);
  EXPECT_NEAR(ApertureImage(64, std::vector<float>(64 * 64, 0.3f)).spread(), 1.0f, 0.01f);
}

TEST(ApertureImages, RefuseOpaqueImages) {
  const TemporaryFolder folder;
  const auto expectRefused = [](const std::string& path, const char* part) {
    LensSettings lens;
    lens.apertureImage.text = path;
    EXPECT_EQ(apertureImage(lens), nullptr) << path;
    EXPECT_NE(apertureFailure(lens).find(part), std::string::npos) << apertureFailure(lens);
    EXPECT_EQ(apertureFailure(lens).find('\n'), std::string::npos);
  };
  const auto refusesImage = [&](const char* name, const std::string& bytes, const char* part) {
    expectRefused(folder.write(name, bytes), part);
  };
  const auto all = [](int value) { return [value](int, int) { return value; }; };
  refusesImage("black.pgm", greyImage({32, 32}, all(0)), "black within its circle");
  const auto corner = [](int x, int y) { return x + y == 0 ? 255 : 0; };
  refusesImage("corners.pgm", greyImage({32, 32}, corner), "black within its circle");
  refusesImage("one.pgm", greyImage({1, 1}, all(255)), "it has 1 x 1 pixels, not 16 to 1024 a side");
  refusesImage("wide.pgm", greyImage({10000, 16}, all(255)), "it has 10000 x 16 pixels");
  refusesImage("empty.pgm", "", "cannot read");
  expectRefused("/nowhere/aperture.png", "/nowhere/aperture.png");
  for (const float value : {-1.0f, NAN, INFINITY}) {
    const std::vector<float> values(256, value);
    const std::string pixels(reinterpret_cast<const char*>(values.data()), 1024);
    refusesImage((std::to_string(value) + ".pfm").c_str(), "Pf\n16 16\n-1\n" + pixels, "aperture");
  }
}

// The first dark ring of a disc is 1.22 wavelengths times the f-number from the centre (Airy 1835). A hexagon has six
// rays.
TEST(Diffraction, SpreadsLightAsAnAiryDiscOrAStar) {
  SceneFacts scene = apertureFacts();
  scene.size.y = 4320;
  LensSettings lens;
  lens.fNumber = 64;
  const int reach = diffractionPx(lens, scene.sensorPx()), side = 2 * reach + 1;
  const auto disc = diffraction(lens, scene);
  const auto at = [&](const std::vector<glm::vec4>& of, glm::dvec2 p) {
    const glm::ivec2 pixel(glm::round(p));
    return of[static_cast<std::size_t>((pixel.y + reach) * side + pixel.x + reach)];
  };
  for (int channel = 0; channel < 3; ++channel) {
    const double wavelength = std::array{611e-6, 549e-6, 464e-6}[static_cast<std::size_t>(channel)];
    const double dark = 1.22 * wavelength * 64 * 4320 / 24;
    double sum = 0;
    for (const glm::vec4& pixel : disc) sum += double(pixel[channel]);
    EXPECT_NEAR(sum, 1, 1e-4);
    EXPECT_LT(at(disc, {dark, 0})[channel], 0.01f * at(disc, {0, 0})[channel]) << channel;
    EXPECT_NEAR(at(disc, {0, dark / 2})[channel] / at(disc, {0, 0})[channel], 0.37, 0.1) << channel;
  }
  lens.blades = 6;
  lens.fNumber = 16;
  const auto star = diffraction(lens, scene);
  const double far = 0.9 * reach;  // sides lie at 30 degrees, 90, ...
  EXPECT_GT(at(star, {0, far}).g, 5 * at(star, {far, 0}).g);
  EXPECT_EQ(static_cast<int>(star.size()), side * side);
  lens.fNumber = 2;
  EXPECT_LT(diffractionPx(lens, 1080), 4);
  scene.size.y = 1080;
  EXPECT_GT(diffraction(lens, scene)[12].g, 0.95f) << "most light stays in the pixel";
  EXPECT_EQ(diffractionPx(lens, 180), 0);
}

}  // namespace
}  // namespace satdof::test
