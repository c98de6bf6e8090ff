#include "app/lens/reference/reference.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <functional>
#include <glm/geometric.hpp>
#include <numbers>

#include "app/core/pixels.h"
#include "app/lens/aperture/aperture.h"
#include "app/lens/lens_space.h"
#include "app/lens/thin_lens.h"
#include "app/quality/metrics.h"
#include "app/render/renderer.h"
#include "app/scene/camera.h"
#include "tests/support/lens_fixture.h"

namespace satdof::test {
namespace {

constexpr int kPoints = 4096;

std::vector<glm::vec2> points(int blades, float rotationDegrees, int seed = 0) {
  std::vector<glm::vec2> all;
  for (int i = 0; i < kPoints; ++i) all.push_back(aperturePoint(i, seed, blades, rotationDegrees));
  return all;
}

// The wedge of a polygon that contains a point (a disc has very many sides), and the relative distance of the
// point: 0 at the centre, 1 on the boundary.
struct Place {
  double wedge, out;
};
Place placeIn(glm::vec2 point, int blades, float rotationDegrees) {
  const double turns = std::atan2(point.y, point.x) / (2 * std::numbers::pi) - double(rotationDegrees) / 360 + 2;
  const double around = turns - std::floor(turns);
  const double radius = glm::length(point);
  if (blades < 3) return {around, radius};
  const double half = std::numbers::pi / blades;
  const double fromMiddle = (around * blades - std::floor(around * blades) - 0.5) * 2 * half;
  return {around, radius * std::cos(fromMiddle) / std::cos(half)};
}

struct Blades {
  int blades;
  float rotationDegrees;
};
constexpr std::array kApertures = {Blades{0, 0.0f},  Blades{3, 0.0f},   Blades{3, 90.0f},
                                   Blades{5, 17.0f}, Blades{6, -40.0f}, Blades{16, 3.0f}};

TEST(AperturePoint, LiesInsideAndReachesTheBoundary) {
  for (const auto& [blades, rotation] : kApertures) {
    double farthest = 0;
    for (const glm::vec2 point : points(blades, rotation))
      farthest = std::max(farthest, placeIn(point, blades, rotation).out);
    EXPECT_LE(farthest, 1 + 1e-6) << blades;
    EXPECT_GT(farthest, 0.995) << blades;
  }
}

TEST(AperturePoint, MeanIsTheCentre) {
  for (const auto& [blades, rotation] : kApertures) {
    glm::dvec2 sum(0.0);
    for (const glm::vec2 point : points(blades, rotation)) sum += glm::dvec2(point);
    EXPECT_LT(glm::length(sum) / kPoints, 2e-3) << blades;
  }
}

// Chi-square over cells of equal area: wedges by squared distance. Random points have a mean of 95 and a
// standard deviation of 14; a low-discrepancy sequence is far below.
TEST(AperturePoint, DensityIsUniform) {
  for (const auto& [blades, rotation] : kApertures) {
    const int wedges = blades < 3 ? 12 : blades, rings = 96 / wedges;
    std::vector<int> count(std::size_t(wedges * rings));
    for (const glm::vec2 point : points(blades, rotation)) {
      const Place place = placeIn(point, blades, rotation);
      const int wedge = std::min(int(place.wedge * wedges), wedges - 1);
      const int ring = std::min(int(place.out * place.out * rings), rings - 1);
      ++count[std::size_t(wedge * rings + ring)];
    }
    double chiSquare = 0;
    const double expected = double(kPoints) / double(count.size());
    for (const int n : count) chiSquare += (n - expected) * (n - expected) / expected;
    EXPECT_LT(chiSquare, 40) << blades;
  }
}

// Of a polygon of arcs, against points of a square.
TEST(AperturePoint, FillsArcs) {
  for (const int blades : {3, 5, 9})
    for (const float curvature : {0.05f, 0.5f, 0.95f}) {
      const double half = std::numbers::pi / blades, r = 1.0 / double(curvature);
      const double centre = std::cos(half) - std::sqrt(r * r - std::pow(std::sin(half), 2));
      const auto isInside = [&](glm::dvec2 p, double by) {
        for (int side = 0; side < blades; ++side) {
          const double angle = (2 * side + 1) * half;
          if (glm::length(p - centre * glm::dvec2(std::cos(angle), std::sin(angle))) > r + by) return false;
        }
        return true;
      };
      double square = 0, fourth = 0, expectedSquare = 0, expectedFourth = 0;
      for (int i = 0; i < kPoints; ++i) {
        const glm::dvec2 p(aperturePoint(i, 0, blades, 0.0f, curvature));
        EXPECT_TRUE(isInside(p, 1e-4)) << blades << " " << curvature;
        square += glm::dot(p, p) / kPoints;
        fourth += glm::dot(p, p) * glm::dot(p, p) / kPoints;
      }
      int inside = 0;
      constexpr int kSide = 500;
      for (int i = 0; i < kSide * kSide; ++i) {
        const glm::dvec2 p = glm::dvec2(i % kSide + 0.5, i / kSide + 0.5) * (2.0 / kSide) - 1.0;
        if (!isInside(p, 0)) continue;
        ++inside;
        expectedSquare += glm::dot(p, p);
        expectedFourth += glm::dot(p, p) * glm::dot(p, p);
      }
      EXPECT_NEAR(square, expectedSquare / inside, 3e-3) << blades << " " << curvature;
      EXPECT_NEAR(fourth, expectedFourth / inside, 3e-3) << blades << " " << curvature;
    }
  EXPECT_EQ(aperturePoint(7, 3, 5, 20.0f, 1.0f), aperturePoint(7, 3, 0, 0.0f)) << "a disc";
}

TEST(AperturePoint, IsDeterministicAndFollowsTheSeed) {
  EXPECT_EQ(points(0, 0.0f, 3), points(0, 0.0f, 3));
  EXPECT_NE(points(0, 0.0f, 3), points(0, 0.0f, 4));
  EXPECT_NE(points(5, 0.0f), points(5, 10.0f));
}

// The reference lens on a scene of one bright texel: a point on the axis of the camera, projected through the
// pinhole at the point of the aperture.
class PointLight : public GlTest {
 protected:
  static constexpr glm::ivec2 kSize{81, 81};
  static constexpr float kNearM = 0.1f;

  PointLight() : reference(makeReferenceLens()) {
    reference->resize(kSize);
    lens.focusDistanceM = 2.0f;
    lens.fNumber = 0.35f;
    lens.lensSamples = 1024;
    focalPx = makePinhole(camera, kSize, kNearM, {}).focalPx(kSize.y);
  }

  SceneFrame drawPoint(const ViewOffset& offset) {
    ++draws;
    const Pinhole pinhole = makePinhole(camera, kSize, kNearM, offset);
    const CameraFrame centre = cameraFrame(camera);
    const glm::vec4 clip = pinhole.worldToClip() * glm::vec4(centre.eye + distanceM * centre.forward, 1.0f);
    const glm::ivec2 at(glm::floor((glm::vec2(clip) / clip.w + 1.0f) * 0.5f * glm::vec2(kSize)));
    const glm::vec4 black(0.0f), light(1.0f);
    glClearTexImage(colour.name(), 0, GL_RGBA, GL_FLOAT, &black);
    glTextureSubImage2D(colour.name(), 0, at.x, at.y, 1, 1, GL_RGBA, GL_FLOAT, &light);
    return {{kSize, focalPx, kNearM, kNearM}, &colour, &depth};
  }

  void step(double timeS = 0.0, bool restart = false, const std::function<bool()>& yields = nullptr) {
    const SceneFrame frame{{kSize, focalPx, kNearM, kNearM}, &colour, &depth};
    const SceneRedraw redraw{timeS, [&](const ViewOffset& offset, const gl::Texture*) { return drawPoint(offset); },
                             nullptr, yields};
    result = reference->draw({.scene = frame, .lens = lens, .redraw = &redraw, .restart = restart}, output, timings);
  }
  std::vector<glm::vec4> finished() {
    do step();
    while (result.progress < 1.0f);
    return download(output.texture);
  }
  float radiusPx() const { return satdof::radiusPx(thinLens(lens, kSize.y, kNearM), kNearM / distanceM); }

  std::unique_ptr<Lens> reference;
  LensResult result;
  LensSettings lens;
  SceneSettings scene;
  CameraSettings camera;
  Timings timings;
  gl::Texture colour{GL_RGBA16F, kSize}, depth{GL_R32F, kSize};
  gl::Target output{kSize};
  float focalPx = 1.0f, distanceM = 2.0f;
  int draws = 0;
};

// The largest distance of light from the middle of the image along each axis.
struct Extent {
  float left = 0, right = 0, down = 0, up = 0, sum = 0;
};
Extent extentOf(const std::vector<glm::vec4>& image, glm::ivec2 size) {
  Extent extent;
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x) {
      const float v = image[std::size_t(y) * std::size_t(size.x) + std::size_t(x)].g;
      extent.sum += v;
      if (v == 0) continue;
      const glm::vec2 from = glm::vec2(x, y) + 0.5f - 0.5f * glm::vec2(size);
      extent.left = std::max(extent.left, -from.x);
      extent.right = std::max(extent.right, from.x);
      extent.down = std::max(extent.down, -from.y);
      extent.up = std::max(extent.up, from.y);
    }
  return extent;
}

TEST_F(PointLight, BlursToTheCircleOfConfusion) {
  for (const float distance : {1.0f, 1.4f, 1.9f, 2.6f, 4.0f, 40.0f}) {
    distanceM = distance;
    reference->resize(kSize);
    const float radius = std::abs(radiusPx());
    ASSERT_LT(radius, 40) << "the image is too small for the test";
    const Extent extent = extentOf(finished(), kSize);
    for (const float side : {extent.left, extent.right, extent.down, extent.up})
      EXPECT_NEAR(side, radius, 1.0f) << distance;
    EXPECT_NEAR(extent.sum, 1.0f, 2e-3f) << distance;
  }
}

// Red is in focus nearer than green, blue farther.
TEST_F(PointLight, AxialColourMovesTheFocusOfAChannel) {
  lens.axialColour = -0.2f;
  distanceM = 4.0f;
  const auto image = finished();
  for (int channel = 0; channel < 3; ++channel) {
    LensSettings alone = lens;
    alone.focusDistanceM = 1.0f / (1.0f / 2.0f + focusShifts(lens)[channel]);
    const float beta = thinLens(lens, kSize.y, kNearM).beta * 2.0f;
    const float radius = beta * (1.0f / alone.focusDistanceM - 1.0f / distanceM);
    float up = 0, sum = 0;
    for (int y = 0; y < kSize.y; ++y)
      for (int x = 0; x < kSize.x; ++x) {
        const float light = image[std::size_t(y) * std::size_t(kSize.x) + std::size_t(x)][channel];
        sum += light;
        if (light > 0) up = std::max(up, std::abs(float(y) + 0.5f - 0.5f * float(kSize.y)));
      }
    EXPECT_NEAR(up, radius, 1.0f) << channel;
    EXPECT_NEAR(sum, 1.0f, 2e-3f) << channel;
  }
}

TEST_F(PointLight, AnamorphicRatioNarrowsTheBlur) {
  distanceM = 6.0f;
  lens.anamorphicRatio = 0.5f;
  const Extent extent = extentOf(finished(), kSize);
  EXPECT_NEAR(extent.right, 0.5f * radiusPx(), 1.0f);
  EXPECT_NEAR(extent.up, radiusPx(), 1.0f);
}

// A triangular aperture with a corner on top: upright behind the focus plane, upside down in front of it.
TEST_F(PointLight, ShowsTheApertureUprightBehindTheFocusPlane) {
  lens.blades = 3;
  lens.bladeRotationDegrees = 90.0f;
  for (const float distance : {1.2f, 6.0f}) {
    distanceM = distance;
    reference->resize(kSize);
    const float radius = radiusPx();
    const Extent extent = extentOf(finished(), kSize);
    EXPECT_NEAR(extent.up, radius > 0 ? radius : -radius / 2, 1.0f) << distance;
    EXPECT_NEAR(extent.down, radius > 0 ? radius / 2 : -radius, 1.0f) << distance;
  }
}

TEST_F(PointLight, ImageIsTheMeanOfItsHalves) {
  distanceM = 6.0f;
  lens.lensSamples = 1;
  step();
  const gl::Texture half(GL_RGBA32F, kSize);
  const gl::Framebuffer halfFramebuffer(half);
  EXPECT_EQ(result.halves[0], nullptr);
  lens.lensSamples = 64;
  const auto whole = finished();
  std::vector<std::vector<glm::vec4>> halves;
  const MeanOfSums mean;
  for (const gl::Texture* sum : result.halves) {
    ASSERT_NE(sum, nullptr);
    mean.draw(*sum, *sum, halfFramebuffer);
    halves.push_back(download(half));
  }
  float apart = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    ASSERT_NEAR(0.5f * (halves[0][i].g + halves[1][i].g), whole[i].g, 1e-3f * whole[i].g + 1e-6f);
    apart += std::abs(halves[0][i].g - halves[1][i].g);
  }
  EXPECT_GT(apart, 0.1f);
}

TEST_F(PointLight, StaysOnePixelInFocus) {
  const auto image = finished();
  for (std::size_t i = 0; i < image.size(); ++i) ASSERT_EQ(image[i].g, i == image.size() / 2 ? 1.0f : 0.0f) << i;
}

TEST_F(PointLight, MoreSamplesContinueAndRestartClears) {
  lens.lensSamples = 8;
  finished();
  EXPECT_EQ(draws, 8);
  lens.lensSamples = 20;
  finished();
  EXPECT_EQ(draws, 20);
  EXPECT_EQ(reference->state(), "20 of 20 samples");
  lens.lensSamples = 10;
  step();
  EXPECT_EQ(draws, 20);
  EXPECT_EQ(result.progress, 1.0f);
  lens.fNumber = 2.0f;
  step(0.0, true);
  finished();
  EXPECT_EQ(draws, 30);
}

TEST_F(PointLight, AFrameEndsAfterTheSampleDuringWhichInputArrives) {
  step(0.0, true, [&] { return draws == 3; });
  EXPECT_EQ(draws, 3);
  step(0.0, false, [] { return true; });
  EXPECT_EQ(draws, 4) << "at least one sample a frame";
  step();
  EXPECT_EQ(draws, 12);
}

TEST_F(PointLight, StateTellsToPauseTheAnimation) {
  step(0.0);
  EXPECT_THAT(reference->state(), testing::Not(testing::HasSubstr("pause")));
  step(0.1);
  EXPECT_THAT(reference->state(), testing::Not(testing::HasSubstr("pause"))) << "a jump, or paused since";
  EXPECT_LT(result.progress, 1.0f);
  step(0.2);
  EXPECT_THAT(reference->state(), testing::HasSubstr("pause"));
  EXPECT_LT(result.progress, 1.0f);
  step(0.2);
  EXPECT_THAT(reference->state(), testing::Not(testing::HasSubstr("pause")));
}

class ReferenceScene : public GlTest {
 protected:
  ReferenceScene() {
    settings.lens.overscan = Overscan::off;  // its margin depends on the lens
    settings.size = {96, 54};
    settings.scene.samples = 1;
    settings.technique.lens.kind = LensKind::reference;
  }
  std::vector<float> draw(View view = View::final) {
    settings.technique.view = view;
    while (renderer.render(settings, {}, timings).progress < 1.0f) {
    }
    std::vector<float> rgb;
    for (const glm::vec4& texel : download(renderer.image()))
      for (int c = 0; c < 3; ++c) rgb.push_back(std::min(texel[c], 1.0f));
    return rgb;
  }
  Settings settings;
  Renderer renderer;
  Timings timings;
};

TEST_F(ReferenceScene, WithoutApertureIsTheSharpImage) {
  settings.lens.fNumber = 128.0f;
  settings.lens.focalLengthMm = 1.0f;
  settings.lens.lensSamples = 5;
  const auto reference = draw();
  const auto sharp = draw(View::sharp);
  EXPECT_GT(psnr(reference, sharp, settings.size), 60.0);
}

// Equal scales take one draw. Scales that differ in the last bit take two, which must meet at the focus
// plane.
TEST_F(ReferenceScene, ScalesEitherSideOfTheFocusPlane) {
  settings.lens.lensSamples = 32;
  settings.lens.fNumber = 0.8f;
  const auto drawScaled = [&](float near, float far, float focusM) {
    settings.lens.nearScale = near;
    settings.lens.farScale = far;
    settings.lens.focusDistanceM = focusM;
    return draw();
  };
  const auto sharp = draw(View::sharp);
  const auto whole = drawScaled(1, 1, 1.7f);
  EXPECT_GT(psnr(whole, drawScaled(1, std::nextafter(1.0f, 2.0f), 1.7f), settings.size), 50.0);
  EXPECT_LT(psnr(whole, drawScaled(1, 0, 1.7f), settings.size), 30.0);
  EXPECT_GT(psnr(sharp, drawScaled(0, 0, 1.7f), settings.size), 60.0);
  EXPECT_GT(psnr(sharp, drawScaled(1, 0, 0.2f), settings.size), 60.0);
  EXPECT_GT(psnr(drawScaled(1, 0.5f, 0.2f), drawScaled(0.5f, 0.5f, 0.2f), settings.size), 60.0);
  EXPECT_GT(psnr(drawScaled(2, 1, 100.0f), drawScaled(2, 2, 100.0f), settings.size), 50.0);
}

TEST_F(ReferenceScene, JitteredViewsAreTheMeanOverEachPixel) {
  constexpr int kTimes = 8;
  settings.lens.fNumber = 128.0f;
  settings.lens.focalLengthMm = 1.0f;
  settings.scene.teapots.lamps = false;
  const auto plain = draw(View::sharp);
  settings.lens.jitter = true;
  const auto jittered = draw();
  settings.lens.jitter = false;
  const glm::ivec2 size = settings.size;
  settings.size = size * kTimes;
  const auto large = draw(View::sharp);
  std::vector<float> mean(plain.size());
  for (int y = 0; y < settings.size.y; ++y)
    for (int x = 0; x < settings.size.x; ++x)
      for (std::size_t c = 0; c < 3; ++c)
        mean[3 * pixelIndex(size, glm::ivec2(x, y) / kTimes) + c] +=
            large[3 * pixelIndex(settings.size, {x, y}) + c] / (kTimes * kTimes);
  EXPECT_GT(psnr(jittered, mean, size), psnr(plain, mean, size) + 6.0);
  EXPECT_GT(psnr(jittered, mean, size), 36.0);
}

TEST_F(ReferenceScene, MoreSamplesReduceTheDifferenceOfSeeds) {
  std::vector<double> agreement;
  for (const int samples : {4, 64}) {
    settings.lens.lensSamples = samples;
    settings.lens.lensSeed = 0;
    const auto first = draw();
    settings.lens.lensSeed = 1;
    agreement.push_back(psnr(first, draw(), settings.size));
  }
  EXPECT_LT(agreement[0], 45.0);
  EXPECT_GT(agreement[1], agreement[0] + 8.0);
}

}  // namespace
}  // namespace satdof::test
