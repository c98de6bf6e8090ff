#include <cmath>
#include <map>
#include <numbers>

#include "app/render/renderer.h"
#include "shaders/lens/aperture/staircase.h"
#include "shaders/lens/layered/background.h"
#include "shaders/lens/layered/hidden.h"
#include "tests/support/lens_fixture.h"
#include "tests/support/same_bits.h"
#include "tests/support/uniform.h"

namespace satdof::test {
namespace {

// The pixels of disc n, as the added minus the subtracted rectangles, around the middle of a square.
std::vector<int> rasterised(int steps, int n, float anamorphicRatio, int side) {
  std::vector<int> covered(std::size_t(side) * std::size_t(side));
  for (int i = 0; i < glsl::stairRectangles(steps); ++i) {
    const int w = glsl::stairHalfWidthX(steps, i, n, anamorphicRatio), h = glsl::stairHalfWidthY(steps, i, n);
    for (int y = side / 2 - h; y <= side / 2 + h; ++y)
      for (int x = side / 2 - w; x <= side / 2 + w; ++x)
        covered[std::size_t(y) * std::size_t(side) + std::size_t(x)] += glsl::stairSign(steps, i);
  }
  return covered;
}

TEST(Staircase, ApproximatesADiscWithTheStatedError) {
  constexpr int kRadius = 400, kSide = 2 * kRadius + 101;
  const double disc = std::numbers::pi * kRadius * kRadius;
  const double expected[] = {0.42, 0.32, 0.265, 0.23, 0.205};
  for (int steps = 1; steps <= 5; ++steps) {
    const auto covered = rasterised(steps, kRadius, 1.0f, kSide);
    double wrong = 0, area = 0;
    for (int y = 0; y < kSide; ++y)
      for (int x = 0; x < kSide; ++x) {
        const int c = covered[std::size_t(y) * kSide + std::size_t(x)];
        ASSERT_TRUE(c == 0 || c == 1) << c << " at " << x << ", " << y;
        area += c;
        wrong += c != int(std::hypot(x - kSide / 2, y - kSide / 2) <= kRadius);
      }
    EXPECT_NEAR(std::sqrt(wrong / disc), expected[steps - 1], 0.008) << steps << " steps";
    EXPECT_NEAR(area / disc, 1.0, 0.03) << steps << " steps";
  }
}

TEST(Staircase, AnamorphicRatioWidensTheDisc) {
  for (const float anamorphicRatio : {0.5f, 2.0f}) {
    const int side = 301;
    const auto covered = rasterised(3, 50, anamorphicRatio, side);
    int width = 0, height = 0;
    for (int i = 0; i < side; ++i) {
      width += covered[std::size_t(side / 2) * std::size_t(side) + std::size_t(i)];
      height += covered[std::size_t(i) * std::size_t(side) + std::size_t(side / 2)];
    }
    EXPECT_NEAR(float(width) / float(height), anamorphicRatio, 0.03f);
  }
}

TEST(Staircase, GrowsWithTheRadiusWithoutJumps) {
  EXPECT_EQ(glsl::discBlend(0.0f), 0.0f);
  float last = 0.0f;
  for (float radius = 0.0f; radius < 20.0f; radius += 0.01f) {
    const float blend = glsl::discBlend(radius), size = float(glsl::discIndex(radius)) + blend;
    EXPECT_TRUE(blend >= 0.0f && blend <= 1.0f) << radius;
    EXPECT_NEAR(size, last, 0.03f) << radius;
    EXPECT_GE(size, last - 1e-5f) << radius;
    if (radius > 1.5f) {
      EXPECT_NEAR(size, radius - 0.5f, 0.13f);
    }
    last = size;
  }
}

class Layered : public GlTest {
 protected:
  Uniform uniform{20091102};
  glm::vec4 randomColour() { return {uniform(0, 1), uniform(0, 1), uniform(0, 1), 1.0f}; }

  LensSettings settings{.focusDistanceM = 2.0f, .fNumber = 0.1f};  // K = 17 px at a height of 64

  float depthAt(float radiusPx, int heightPx) const {
    const ThinLens coc = thinLens(settings, heightPx, 0.1f);
    return (radiusPx - coc.beta) / coc.alpha;
  }
  float randomDepth(int heightPx) {
    const float bias = uniform(0, 1);
    return std::max(depthAt(bias < 0.5f ? uniform(-9, 9) : uniform(-1.5f, 1.5f), heightPx), 0.0f);
  }
  // Colour and radius from a function of x and y.
  Image image(glm::ivec2 size, const std::function<glm::vec4(int x, int y)>& colourRadius) {
    return Image(
        size, [&](int x, int y) { return glm::vec4(glm::vec3(colourRadius(x, y)), 1.0f); },
        [&](int x, int y) { return depthAt(colourRadius(x, y).w, size.y); });
  }
  // `behind`: the second layer; null: there is none.
  std::vector<glm::vec4> draw(const Image& scene, DeviceId device = DeviceId::cpuSequential,
                              const Image* behind = nullptr) {
    auto& [lens, size] = lenses_[device];
    if (!lens) lens = makeLayeredLens({.device = device, .table = {.format = TableFormat::float32}});
    if (size != scene.size) lens->resize(size = scene.size);
    if (behind == nullptr) return blur(*lens, scene.frame, settings);
    LensSettings twoLayers = settings;
    twoLayers.layers = 2;
    const SceneRedraw redraw{0.0, [&](const ViewOffset&, const gl::Texture*) { return behind->frame; }};
    return blur(*lens, scene.frame, twoLayers, glm::vec4(0.0f), &redraw);
  }
  void expectSameOnAllDevices(const std::vector<glm::vec4>& first, const Image& scene, const Image* behind = nullptr) {
    for (const DeviceId device : {DeviceId::cuda, DeviceId::cpu, DeviceId::glCompute, DeviceId::glFragment})
      if (availability(device).available) {
        EXPECT_TRUE(sameBits(first, draw(scene, device, behind))) << name(device);
      }
  }

 private:
  struct Sized {
    std::unique_ptr<Lens> lens;
    glm::ivec2 size{0};
  };
  std::map<DeviceId, Sized> lenses_;
};

float largestChange(const std::vector<glm::vec4>& a, const std::vector<glm::vec4>& b) {
  float largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (int c = 0; c < 3; ++c) largest = std::max(largest, std::abs(a[i][c] - b[i][c]));
  return largest;
}

TEST_F(Layered, KeepsAConstantImageAtAnyDepth) {
  const glm::vec4 colour(toHalf(0.83f), toHalf(0.31f), toHalf(0.07f), 1.0f);
  for (const glm::ivec2 size :
       {glm::ivec2(1, 1), glm::ivec2(1, 7), glm::ivec2(7, 1), glm::ivec2(17, 65), glm::ivec2(97, 61)})
    for (const int steps : {1, 3, 5}) {
      settings.kernelSteps = steps;
      const Image noise(
          size, [&] { return colour; }, [&] { return randomDepth(size.y); });
      const Image near(
          size, [&] { return colour; }, [&] { return depthAt(-7.3f, size.y); });
      for (const Image* scene : {&noise, &near})
        for (const glm::vec4& v : draw(*scene))
          for (int c = 0; c < 3; ++c) ASSERT_NEAR(v[c], colour[c], 1.0f / 255) << size.x << " x " << size.y;
    }
}

TEST_F(Layered, LeavesPixelsInFocusUnchanged) {
  const glm::ivec2 size(96, 64);
  const Image scene = image(size, [&](int x, int) {
    return glm::vec4(glm::vec3(randomColour()), x < 50 ? uniform(-0.06f, 0.06f) : x < 70 ? 9.5f : -6.0f);
  });
  const auto blurred = draw(scene);
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < 50; ++x)
      for (int c = 0; c < 3; ++c)
        ASSERT_EQ(blurred[std::size_t(y * size.x + x)][c], scene.at(x, y)[c]) << x << ", " << y;
  EXPECT_GT(largestChange(blurred, scene.colour), 0.1f);
}

TEST_F(Layered, SharpObjectsDoNotLeakIntoTheFarField) {
  const auto object = [](int x, int y) { return std::abs(x - 48) < 20 && std::abs(y - 32) < 15; };
  const Image scene =
      image({96, 64}, [&](int x, int y) { return object(x, y) ? glm::vec4(1, 1, 1, 0) : glm::vec4(0, 0, 0, 12.7f); });
  const auto blurred = draw(scene);
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 96; ++x)
      ASSERT_NEAR(blurred[std::size_t(y * 96 + x)].g, object(x, y) ? 1.0f : 0.0f, 1.0f / 255) << x << ", " << y;
}

TEST_F(Layered, FarSurfacesSpreadTheirLightOverTheirOwnDiscs) {
  const glm::ivec2 size(97, 64);
  const Image scene = image(
      size, [](int x, int) { return x < 48 ? glm::vec4(1.0f, 1.0f, 1.0f, 4.0f) : glm::vec4(0.0f, 0.0f, 0.0f, 12.0f); });
  for (const DeviceId device : {DeviceId::cpuSequential, DeviceId::cpu}) {
    const auto blurred = draw(scene, device);
    const auto at = [&](int x) { return blurred[std::size_t(32 * size.x + x)].g; };
    EXPECT_NEAR(at(47), 0.5f, 0.15f) << "the edge";
    EXPECT_NEAR(at(36), 1.0f, 1e-3f) << "inside";
    EXPECT_LT(at(52), 0.1f) << "at the end of the disc of the surface in front";
    EXPECT_LT(at(54), 0.09f);
    EXPECT_EQ(at(70), 0.0f);
  }
}

// At K = 17 px, radii of 4 px are in the first middle layer, 9 px in the second, 16 px in the far field.
TEST_F(Layered, SurfacesBehindTheFocusPlaneHideFartherSurfaces) {
  const glm::ivec2 size(97, 64);
  struct Radii {
    float front, back;
  };
  for (const Radii& radii :
       {Radii{0.0f, 4.0f}, {0.0f, 16.0f}, {1.2f, 9.0f}, {4.0f, 9.0f}, {4.0f, 16.0f}, {9.0f, 16.0f}}) {
    const glm::vec4 front(0, 0, 0, radii.front), back(1, 1, 1, radii.back);
    const Image scene = image(size, [&](int x, int) { return x < 48 ? front : back; });
    const Image behind = image(size, [&](int, int) { return back; });
    const auto blurred = draw(scene, DeviceId::cpuSequential, &behind);
    const int reach = int(radii.front) + 2;
    for (int y = 0; y < size.y; ++y) {
      const auto at = [&](int x) { return blurred[std::size_t(y * size.x + x)].g; };
      for (int x = 0; x < size.x; ++x)
        if (x < 48 - reach || x >= 48 + reach) {
          ASSERT_NEAR(at(x), x < 48 ? 0.0f : 1.0f, 1.0f / 255)
              << radii.front << " before " << radii.back << " at " << x << ", " << y;
        }
      ASSERT_NEAR(0.5f * (at(47) + at(48)), 0.5f, 0.05f) << radii.front << " before " << radii.back << ", row " << y;
      for (int x = 48 - reach; x < 47 + reach; ++x)
        ASSERT_LE(at(x), at(x + 1) + 1.0f / 255) << radii.front << " at " << x;
    }
  }
}

TEST(MiddleLayers, PartsOfASurfaceSumToOne) {
  const MiddleRule rule{{5.1f, 7.6f}, {10.2f, 14.4f}};
  for (const MiddleRule& of : {rule, MiddleRule{}})
    for (float r = -3.0f; r < 20.0f; r += 0.01f) {
      float sum = 1.0f - glsl::farPart(r);
      for (int i = 0; i < glsl::kMiddleLayers; ++i) {
        const float part = glsl::middlePart(of, i, r);
        ASSERT_GE(part, 0.0f) << r;
        if (of == MiddleRule{}) {
          ASSERT_EQ(part, 0.0f) << r;
        }
        sum += part;
      }
      ASSERT_NEAR(sum + glsl::beyondPart(of, glsl::kMiddleLayers, r), 1.0f, 1e-6f) << r;
    }
}

TEST(MiddleLayers, ShownPartsSumToTheRestOfTheFocusLayer) {
  std::mt19937 random(20260801);
  std::uniform_real_distribution<float> part(0.0f, 1.3f);
  for (int i = 0; i < 1000; ++i) {
    const float focus = part(random), first = part(random), second = part(random), far = part(random) - 0.3f;
    const glm::vec3 shown = glsl::shownParts(focus, first, second, std::max(far, 0.0f));
    for (int k = 0; k < 3; ++k) ASSERT_GE(shown[k], 0.0f);
    ASSERT_NEAR(shown.x + shown.y + shown.z, 1.0f - std::min(focus, 1.0f), 1e-5f);
    if (far >= glsl::kFewFar) {
      ASSERT_LE(shown.x, first + 1e-6f);
    }
  }
  EXPECT_EQ(glsl::shownParts(0.0f, 0.95f, 0.0f, 0.0f), glm::vec3(1, 0, 0)) << "inside a surface whose radii vary";
  EXPECT_EQ(glsl::shownParts(0.25f, 0.25f, 0.25f, 1.0f), glm::vec3(0.25f)) << "at edges";
}

TEST(FarRadius, IsTheSmallestOfTwoAndTheOwnWhereRadiiGrowEvenly) {
  const auto sums = [](std::initializer_list<float> radii) {
    glm::vec3 sum(0.0f);
    for (const float r : radii) sum += glsl::farCellOfPixel(r) * (1.0f / float(radii.size()));
    return glm::vec4(sum, 0.0f);
  };
  EXPECT_NEAR(glsl::shrunkRadius(sums({4, 4, 4, 12}), 12.0f), 4.0f, 1e-4f);
  EXPECT_EQ(glsl::shrunkRadius(sums({4, 4, 12, 12}), 4.0f), 4.0f) << "what is behind does not count";
  EXPECT_EQ(glsl::shrunkRadius(sums({12, 12, 12, 12}), 12.0f), 12.0f);
  EXPECT_EQ(glsl::shrunkRadius(sums({8, 10, 12, 14, 16}), 12.0f), 12.0f);
  EXPECT_EQ(glsl::shrunkRadius(sums({0, -3, 12, 12}), 12.0f), 12.0f) << "other layers do not count";
  EXPECT_EQ(glsl::shrunkRadius(glm::vec4(0.0f), 12.0f), 12.0f);
  EXPECT_NEAR(glsl::shrunkRadius(sums({11.8f, 12, 12, 12}), 12.0f), 12.0f, 1e-3f) << "nearly alike";
  float last = 12.0f;
  for (float part = 0.0f; part < 0.6f; part += 0.01f) {
    const glm::vec3 both = part * glsl::farCellOfPixel(4.0f) + (1.0f - part) * glsl::farCellOfPixel(12.0f);
    const float radius = glsl::shrunkRadius(glm::vec4(both, 0.0f), 12.0f);
    EXPECT_LE(radius, last + 1e-4f) << part;
    EXPECT_GT(radius, last - 0.5f) << part;
    last = radius;
  }
}

TEST_F(Layered, EdgesOfTheFocusLayerAreAsSoftAsItsDiscs) {
  for (const float radius : {0.8f, 1.2f, 1.7f}) {
    const Image scene =
        image({64, 48}, [&](int x, int) { return x < 32 ? glm::vec4(1, 1, 1, radius) : glm::vec4(0, 0, 0, 12.7f); });
    const auto blurred = draw(scene);
    for (int y = 0; y < 48; ++y) {
      const auto at = [&](int x) { return blurred[std::size_t(y * 64 + x)].g; };
      ASSERT_NEAR(0.5f * (at(31) + at(32)), 0.5f, 0.02f) << "radius " << radius << ", row " << y;
      ASSERT_GT(at(32), 0.03f) << "radius " << radius << ", row " << y;
      for (int x = 0; x < 64; ++x)
        if (x < 29 || x > 34) {
          ASSERT_NEAR(at(x), x < 32 ? 1.0f : 0.0f, 1.0f / 255) << "radius " << radius << " at " << x;
        }
    }
  }
}

TEST_F(Layered, CoverageIsHalfAtAStraightNearEdge) {
  for (const bool upright : {true, false})
    for (const float radius : {1.5f, 2.6f, 8.0f, 13.3f}) {
      const glm::ivec2 size = upright ? glm::ivec2(64, 48) : glm::ivec2(48, 64);
      const Image scene = image(size, [&](int x, int y) {
        return (upright ? x : y) < 32 ? glm::vec4(1, 1, 1, -radius) : glm::vec4(0, 0, 0, 0);
      });
      const auto blurred = draw(scene);
      for (int along = 0; along < 48; ++along) {
        const auto at = [&](int across) {
          const glm::ivec2 p = upright ? glm::ivec2(across, along) : glm::ivec2(along, across);
          return blurred[std::size_t(p.y * size.x + p.x)].g;
        };
        ASSERT_NEAR(0.5f * (at(31) + at(32)), 0.5f, 0.05f) << "radius " << radius << " at " << along;
        ASSERT_NEAR(at(0), 1.0f, 1.0f / 255) << "radius " << radius << " at " << along;
      }
    }
}

// Inside a convex body radii vary, and the discs of near pixels alone do not add up to 1: the rest would show the black
// background.
TEST_F(Layered, CoverageInsideAnOpaqueBodyIsOne) {
  for (const float frontPx : {8.0f, 14.0f}) {
    const auto fromEdge = [](int x, int y) { return 44.0f - float(std::hypot(x - 64, y - 48)); };
    const Image scene = image({128, 96}, [&](int x, int y) {
      const float inside = fromEdge(x, y), across = 1.0f - inside / 44.0f;
      if (inside < 0) return glm::vec4(0, 0, 0, 10);
      return glm::vec4(1, 1, 1, -frontPx * (1.0f - 0.5f * across * across));
    });
    const auto blurred = draw(scene);
    for (int y = 0; y < 96; ++y)
      for (int x = 0; x < 128; ++x)
        if (fromEdge(x, y) > 1.3f * frontPx) {
          ASSERT_NEAR(blurred[std::size_t(y * 128 + x)].g, 1.0f, 1.5f / 255) << x << ", " << y << ", " << frontPx;
        }
  }
}

// A floor in front of the focus plane and a bar far in front of it: the blur of the bar covers as much of the floor as
// of a surface in focus.
TEST_F(Layered, TheForemostLayerCoversTheRestOfTheNearField) {
  const glm::ivec2 size(256, 64);
  settings.fNumber = 0.26f;  // K = 6.5 px
  const auto bar = [&](glm::vec4 behind) {
    return draw(
        image(size, [&](int x, int) { return x >= 98 && x < 158 ? glm::vec4(0.0f, 1.0f, 0.0f, -40.0f) : behind; }));
  };
  const auto overFloor = bar({1.0f, 0.0f, 0.0f, -3.0f}), overFocus = bar({0.0f, 0.0f, 0.0f, 0.0f});
  for (int x = 8; x < 248; ++x) {
    if (x >= 94 && x < 162) continue;  // the floor ends behind the bar
    const std::size_t pixel = std::size_t(32 * size.x + x);
    EXPECT_NEAR(overFloor[pixel].g, overFocus[pixel].g, 0.01f) << x;
    EXPECT_NEAR(overFloor[pixel].r, 1.0f - overFocus[pixel].g, 0.01f) << x;
  }
  EXPECT_GT(overFocus[std::size_t(32 * size.x + 162)].g, 0.2f);
}

// A plate whose radius falls along x. From the point a of the aperture, the pixel x0 of the plate is seen at x0 + a
// R(x0).
TEST_F(Layered, TiltedSurfacesCoverWhatTheApertureSees) {
  constexpr float kHalfPx = 24.0f, kSlope = 0.5f, kMiddlePx = 22.0f;
  const Image scene = image({160, 96}, [&](int x, int) {
    const float from = float(x) + 0.5f - 80.0f;
    return std::abs(from) < kHalfPx ? glm::vec4(1, 1, 1, kSlope * from - kMiddlePx) : glm::vec4(0, 0, 0, 0);
  });
  const auto blurred = draw(scene, DeviceId::glCompute);
  for (int x = 0; x < 160; ++x) {
    double covered = 0, all = 0;
    for (double a = -0.999; a < 1; a += 0.002) {
      const double chord = std::sqrt(1 - a * a), from = x + 0.5 - 80;
      const double seen = (from - a * kMiddlePx) / (1 - a * kSlope);
      covered += std::abs(seen) < kHalfPx ? chord : 0;
      all += chord;
    }
    EXPECT_NEAR(blurred[std::size_t(48 * 160 + x)].g, covered / all, 0.09) << x;
  }
}

TEST_F(Layered, NearDiscsWiderThanTheImageAverageIt) {
  for (const float frontPx : {250.0f, 600.0f, 3000.0f}) {
    const Image scene = image({96, 64}, [&](int x, int) { return glm::vec4(glm::vec3(x < 48 ? 1 : 0), -frontPx); });
    for (const DeviceId device : {DeviceId::cpuSequential, DeviceId::glCompute})
      for (const glm::vec4& texel : draw(scene, device))
        ASSERT_NEAR(texel.g, 0.5f, 0.05f) << frontPx << " px, " << name(device);
  }
}

// A bar of radius -6 in front of a green background in focus. The corner of radius -30 must not let the bar fill the
// hole behind itself.
TEST_F(Layered, HolesTakeOnlySurfacesBehindTheSurfaceThatMakesThem) {
  const Image scene = image({128, 96}, [&](int x, int y) {
    if (x > 110 && y > 80) return glm::vec4(0.2f, 0.2f, 0.2f, -30);
    return x >= 30 && x < 60 ? glm::vec4(1, 0, 0, -6) : glm::vec4(0, 1, 0, 0);
  });
  const auto blurred = draw(scene);
  for (int y = 20; y < 40; ++y) {
    const auto at = [&](int x) { return blurred[std::size_t(y * 128 + x)]; };
    for (const int edge : {30, 60}) {
      ASSERT_NEAR(0.5f * (at(edge - 1).r + at(edge).r), 0.5f, 0.05f) << edge << " row " << y;
      ASSERT_NEAR(0.5f * (at(edge - 1).g + at(edge).g), 0.5f, 0.05f) << edge << " row " << y;
    }
    ASSERT_NEAR(at(45).r, 1.0f, 1.5f / 255) << "row " << y;
  }
}

TEST_F(Layered, BlurScalesWithTheResolution) {
  std::vector<glm::vec4> images[2];
  for (const int scale : {1, 2}) {
    const Image scene = image({64 * scale, 48 * scale}, [&](int x, int) {
      const float radius = float(scale) * (x < 32 * scale ? -6.0f : 5.0f);
      return glm::vec4(glm::vec3(x < 32 * scale ? 0.9f : 0.1f), radius);
    });
    images[scale - 1] = draw(scene);
  }
  for (int y = 0; y < 48; ++y)
    for (int x = 0; x < 64; ++x) {
      float mean = 0;
      for (int i = 0; i < 4; ++i) mean += 0.25f * images[1][std::size_t((2 * y + i / 2) * 128 + 2 * x + i % 2)].g;
      ASSERT_NEAR(images[0][std::size_t(y * 64 + x)].g, mean, 0.04f) << x << ", " << y;
    }
}

TEST_F(Layered, ScalesEachSideOfTheFocusPlane) {
  const Image scene = image({64, 48}, [&](int x, int y) {
    return glm::vec4(glm::vec3((x / 4 + y / 4) % 2 == 0 ? 1.0f : 0.0f), x < 32 ? -4.0f : 4.0f);
  });
  for (const bool near : {true, false}) {
    settings.nearScale = near ? 0.0f : 1.0f;
    settings.farScale = near ? 1.0f : 0.0f;
    const auto blurred = draw(scene);
    for (int x : {4, 60}) {
      const bool sharp = near == (x < 32);
      const float change = std::abs(blurred[std::size_t(24 * 64 + x)].g - scene.at(x, 24).g);
      EXPECT_EQ(change < 1.0f / 255, sharp) << x << ": " << change;
    }
  }
}

TEST_F(Layered, SmallRadiusChangesChangeTheImageLittle) {
  const glm::ivec2 size(61, 47);
  const auto nudged = [&] {
    const ThinLens before = thinLens(settings, size.y, 0.1f);
    LensSettings lens = settings;
    const float nearest = depthAt(-9.0f, size.y);
    for (float step = 1.0f / 64;; step *= 0.5f) {
      lens.focusDistanceM = settings.focusDistanceM + step;
      const ThinLens after = thinLens(lens, size.y, 0.1f);
      if (std::max(std::abs(radiusPx(after, nearest) - radiusPx(before, nearest)),
                   std::abs(after.beta - before.beta)) <= 1.0f / 64)
        return lens.focusDistanceM;
    }
  };
  const Image scene(
      size, [&] { return randomColour(); }, [&] { return randomDepth(size.y); });
  const float focusM = settings.focusDistanceM, step = nudged() - focusM;
  for (int i = 0; i < 6; ++i) {
    settings.focusDistanceM = focusM + float(5 * i) * step;
    const auto before = draw(scene);
    settings.focusDistanceM += step;
    EXPECT_LE(largestChange(before, draw(scene)), 4.0f / 255) << "focus at " << settings.focusDistanceM;
  }
}

// A body with near discs of 60 px hides surfaces with near discs of 20 px, and K is 4 px: sums over the hidden surfaces
// need more bits than sums over the far field.
TEST_F(Layered, AWideNearFieldDoesNotOverflowTheFarTable) {
  const glm::vec3 light(60, 30, 2);
  settings.fNumber = 0.5f;
  const glm::ivec2 size(160, 90);
  const Image scene = image(size, [&](int x, int y) {
    const bool body = x > 40 && x < 110 && y > 20;
    return glm::vec4(light, body ? -60.0f : y < 60 ? -20.0f : 1.0f);
  });
  for (const glm::vec4& texel : draw(scene))
    for (int channel = 0; channel < 3; ++channel) ASSERT_NEAR(texel[channel], light[channel], 0.02f * light[channel]);
}

// A small surface behind the focus plane, with a disc of 6 px, before a sky with discs of 17 px.
TEST_F(Layered, SparseSurfacesGiveTheSkyNoLightBeyondTheirDisc) {
  const glm::ivec2 size(96, 64), centre(48, 32);
  const float sky = toHalf(0.002f);
  Image scene = image(size, [&](int x, int y) {
    const bool body = std::abs(x - centre.x) <= 1 && std::abs(y - centre.y) <= 1;
    return glm::vec4(glm::vec3(body ? 0.7f : sky), body ? 6.0f : 1000.0f);  // 1000: depth 0
  });
  for (float& depth : scene.depth) depth = std::max(depth, 0.0f);
  glTextureSubImage2D(scene.depthTexture.name(), 0, 0, 0, size.x, size.y, GL_RED, GL_FLOAT, scene.depth.data());
  scene.frame.sparse = true;
  const auto blurred = draw(scene);
  double light = 0;
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x) {
      const float value = blurred[std::size_t(y * size.x + x)].g,
                  fromCentre = std::hypot(float(x - centre.x), float(y - centre.y));
      light += double(value - sky);
      if (fromCentre > 9.0f) {
        ASSERT_NEAR(value, sky, 1e-4f) << x << ", " << y;
      } else if (fromCentre < 4.0f) {
        ASSERT_GT(value, 0.03f) << x << ", " << y;
      }
    }
  EXPECT_NEAR(light, 9 * (0.7 - 0.002), 0.1);
}

// backgroundOf() a hole: all pixels around it have this light and discs of 17 px behind the focus plane.
struct UniformPyramid {
  glm::vec4 cell;
};
glm::vec4 cellAt(const UniformPyramid& pyramid, glm::ivec2, int) { return pyramid.cell; }
glm::ivec2 sizeOf(const UniformPyramid&, int level) { return glm::ivec2(64) >> level; }

glsl::Background backgroundAround(float light, const glsl::BackgroundRule& rule, glm::vec3 colour, float radius,
                                  const glm::vec4& layer = glm::vec4(0.0f), float layerRadius = 0.0f,
                                  const glm::vec4& pane = glm::vec4(0.0f), float paneRadius = 0.0f) {
  const glsl::FillCell cell = glsl::cellOfPixel(glm::vec3(light), 17.0f, glm::vec4(0.0f), 0.0f, 64.0f);
  return glsl::backgroundOf(UniformPyramid{cell.behind}, UniformPyramid{cell.radii},
                            UniformPyramid{glm::vec4(glsl::farCellOfPixel(17), 0.0f)}, rule, {20, 40},
                            {colour, radius, layer, layerRadius, pane, paneRadius});
}

TEST(LayeredBackground, APaneDimsTheBackgroundByItsWholeOpacity) {
  const glsl::BackgroundRule rule{{.alpha = -34.0f, .beta = 17.0f}, {}, 8.0f, 1.0f, glsl::kFillLevels, 0, 0, 0, 1};
  for (float paneRadius = 0.0f; paneRadius < 17.0f; paneRadius += 0.5f) {
    const auto drawn =
        backgroundAround(0.0f, rule, glm::vec3(0.5f), 17.0f, glm::vec4(0), 0.0f, glm::vec4(0, 0, 0, 0.6f), paneRadius);
    EXPECT_NEAR(drawn.colour.r * (1.0f - drawn.blended.w), 0.5f * 0.4f, 1e-3f) << paneRadius;
  }
}

TEST(LayeredBackground, NearSurfacesOfTheSecondLayerAreHoles) {
  const auto drawn = [&](float layerRadius, bool anyHidden) {
    const glsl::BackgroundRule rule{
        {.alpha = -34.0f, .beta = 17.0f}, {}, 8.0f, 1.0f, glsl::kFillLevels, 1, anyHidden, 0, 0};
    return backgroundAround(0.0f, rule, glm::vec3(0.5f), -20.0f, glm::vec4(1.0f), layerRadius);
  };
  EXPECT_EQ(drawn(-12.0f, true).colour.r, 0.0f);
  EXPECT_FLOAT_EQ(drawn(-12.0f, true).radius, 7.2f) << "0.6 times 12";
  EXPECT_EQ(drawn(-12.0f, false).colour.r, 1.0f);
  EXPECT_EQ(drawn(-0.5f, true).colour.r, 1.0f);
  EXPECT_EQ(drawn(12.0f, true).colour.r, 1.0f);
}

// Three pixels of light 0.1 and a lamp, at the same distance: their mean, and the mean of four pixels of a lamp.
TEST(LayeredBackground, ALampHardlyFillsTheHoleBesideIt) {
  const auto filledBy = [](const std::array<float, 4>& lights) {
    glsl::FillCell cells[4];
    for (std::size_t i = 0; i < 4; ++i)
      cells[i] = glsl::cellOfPixel(glm::vec3(lights[i]), 3.0f, glm::vec4(0.0f), 0.0f, 64.0f);
    const glsl::FillCell cell = glsl::mergedCell(cells);
    EXPECT_NEAR(cell.radii.x / cell.behind.w, 3.0f, 1e-3f);
    return cell.behind.x / cell.behind.w;
  };
  EXPECT_NEAR(filledBy({0.1f, 0.1f, 0.1f, 0.2f}), 0.125f, 2e-3f);
  EXPECT_LT(filledBy({0.1f, 0.1f, 0.1f, 40.0f}), 0.2f);
  EXPECT_NEAR(filledBy({40.0f, 40.0f, 40.0f, 40.0f}), 40.0f, 1e-2f);
}

TEST(LayeredBackground, BrightSurroundingsFillAHoleInFull) {
  const glsl::BackgroundRule rule{{.alpha = -34.0f, .beta = 17.0f}, {}, 64.0f, 1.0f, glsl::kFillLevels, 0, 0, 0, 0};
  for (const float light : {0.1f, 1.0f, 8.0f, 40.0f}) {
    const auto drawn = backgroundAround(light, rule, glm::vec3(0.01f), -20.0f);
    EXPECT_NEAR(drawn.colour.r, light, 1e-3f * light);
  }
}

// As a source for hole filling, a near pixel counts with the second layer behind it, by that layer's coverage.
TEST(LayeredBackground, TheSecondLayerFillsHoles) {
  const auto cell = [](float r, float cover) {
    return glsl::cellOfPixel(glm::vec3(0.25f), r, glm::vec4(0.5f, 0.5f, 0.5f, cover), 4.0f, 64.0f);
  };
  const auto colour = [](const glsl::FillCell& of) { return of.behind.x / of.behind.w; };
  EXPECT_FLOAT_EQ(colour(cell(-8.0f, 1.0f)), 0.5f);
  EXPECT_FLOAT_EQ(cell(-8.0f, 1.0f).radii.x / cell(-8.0f, 1.0f).behind.w, 4.0f);
  EXPECT_FLOAT_EQ(colour(cell(-8.0f, 0.0f)), 0.25f);
  EXPECT_FLOAT_EQ(colour(cell(2.0f, 1.0f)), 0.25f) << "not near";
  EXPECT_FLOAT_EQ(cell(-8.0f, 1.0f).radii.z, 8.0f) << "near coverage is of the surface in front";
}

// Around a pixel of a surface with near discs of 40 px, in front of one with discs of 10 px: a part of the pixels shows
// the one in front, the rest the other.
struct InFront {
  float part;
};
glm::vec4 atLevel(const InFront& pyramid, glm::vec2, float level) {
  EXPECT_NEAR(level, std::log2(glsl::kTentReach * 30.0f) - 1.0f, 1e-5f) << "the discs are 30 px apart";
  return {0.0f, 1.0f, 40.0f * pyramid.part + 10.0f * (1.0f - pyramid.part), 0.0f};
}

TEST(HiddenNearField, IsVisibleWhereOtherSurfacesAreInFront) {
  const ThinLens lens{.alpha = -34.0f, .beta = 17.0f};
  for (const float part : {0.0f, 0.25f, 0.5f, 1.0f}) {
    const auto pixel = glsl::hiddenNear(InFront{part}, lens, glm::vec2(20.5f), -40.0f, glm::vec4(0.5f),
                                        (-10.0f - lens.beta) / lens.alpha);
    EXPECT_NEAR(pixel.light.w, 0.5f * (1.0f - part), 1e-4f);
    EXPECT_NEAR(pixel.light.x, 0.5f * pixel.light.w, 1e-4f);
    EXPECT_NEAR(pixel.sums.x, pixel.light.w, 1e-6f);
    EXPECT_NEAR(pixel.sums.y, 10.0f * pixel.light.w, 1e-3f);
    EXPECT_NEAR(pixel.sums.z, 0.5f * (1.0f - part), 1e-4f) << "the other half shows the background";
  }
}

// A bar far in front of the focus plane, before a near surface that ends behind the bar and a background in focus. A
// ray from the point a of the aperture, |a| <= 1, to pixel x shows the bar, or the surface, if x - a R is in it, for
// its own R.
TEST_F(Layered, NearSurfacesBehindABarEndAsSoftlyAsBesideIt) {
  const glm::ivec2 size(129, 64);
  constexpr float kBar = -30.0f, kSurface = -10.0f;
  const auto isBar = [](float x) { return x >= 48.0f && x < 72.0f; };
  for (const float end : {54.0f, 60.0f, 66.0f}) {
    const Image scene = image(size, [&](int x, int) {
      const bool surface = float(x) < end;
      return glm::vec4(glm::vec3(!isBar(float(x)) && surface ? 1.0f : 0.0f), isBar(float(x)) ? kBar
                                                                             : surface       ? kSurface
                                                                                             : 0.0f);
    });
    const Image behind = image(size, [&](int x, int) {
      const bool surface = float(x) < end;
      return glm::vec4(glm::vec3(surface ? 1.0f : 0.0f), surface ? kSurface : 0.0f);
    });
    const auto expected = [&](int x) {
      double seen = 0, all = 0;
      for (float a = -0.999f; a < 1.0f; a += 0.002f) {
        const float chord = std::sqrt(1.0f - a * a), at = float(x) + 0.5f;
        all += double(chord);
        if (!isBar(at - a * kBar) && at - a * kSurface < end) seen += double(chord);
      }
      return float(seen / all);
    };
    for (const DeviceId device : {DeviceId::cpuSequential, DeviceId::cpu, DeviceId::cuda}) {
      if (!availability(device).available) continue;
      const auto blurred = draw(scene, device, &behind);
      for (int x = 20; x < 110; ++x) {
        const auto at = [&](int column) { return blurred[std::size_t(32 * size.x + column)].g; };
        EXPECT_NEAR(at(x), expected(x), 0.21f) << x << ", end at " << end << ", " << name(device);
        EXPECT_LT(std::abs(at(x + 1) - at(x)), 0.12f) << x << ", end at " << end << ", " << name(device);
      }
    }
  }
}

TEST_F(Layered, EveryDeviceAndEveryRunGivesTheSameBits) {
  const glm::ivec2 size(97, 61);
  Image scene(
      size, [&] { return randomColour(); }, [&] { return randomDepth(size.y); });
  for (const bool sparse : {false, true}) {
    SCOPED_TRACE(sparse);
    scene.frame.sparse = sparse;
    const auto first = draw(scene);
    EXPECT_TRUE(sameBits(first, draw(scene)));
    expectSameOnAllDevices(first, scene);
  }
}

TEST_F(Layered, EveryDeviceDrawsTheSameSecondLayer) {
  const glm::ivec2 size(97, 61);
  const auto farther = [&] { return std::max(depthAt(uniform(-4, 17), size.y), 0.0f); };
  const Image scene(
      size, [&] { return randomColour(); }, [&] { return std::max(depthAt(uniform(-9, 17), size.y), 0.0f); });
  const Image behind(
      size, [&] { return uniform(0, 1) < 0.8f ? randomColour() : glm::vec4(0.0f); }, farther);
  const auto first = draw(scene, DeviceId::cpuSequential, &behind);
  EXPECT_GT(largestChange(first, draw(scene)), 0.1f);
  expectSameOnAllDevices(first, scene, &behind);
}

TEST_F(Layered, ANearFieldInBothLayersNeedsNoBlurBehindTheFocusPlane) {
  const glm::ivec2 size(97, 61);
  const auto near = [&](float least, float most) {
    const float depth = depthAt(uniform(least, most), size.y);
    return [depth] { return depth; };
  };
  const Image scene(
      size, [&] { return randomColour(); }, near(-9, -8));
  const Image behind(
      size, [&] { return randomColour(); }, near(-5, -4));
  settings.farScale = 0.0f;
  const auto first = draw(scene, DeviceId::cpuSequential, &behind);
  for (const glm::vec4& texel : first)
    for (int c = 0; c < 3; ++c) ASSERT_TRUE(texel[c] >= 0.0f && texel[c] <= 1.01f) << texel[c];
  expectSameOnAllDevices(first, scene, &behind);
}

// Tiles without surfaces that spread to other pixels take a path of their own, and each device has other tiles.
TEST_F(Layered, SurfacesInFocusStaySharpBesideSoftOnes) {
  for (const float ratio : {0.3f, 1.0f, 2.2f, 4.0f}) {
    SCOPED_TRACE(ratio);
    settings.anamorphicRatio = ratio;
    const Image scene =
        image({97, 61}, [&](int x, int) { return glm::vec4(glm::vec3(randomColour()), x < 40 ? 0.0f : 1.2f); });
    const auto first = draw(scene);
    for (int y = 0; y < 61; ++y)
      for (int x = 0; x < 30; ++x)
        ASSERT_EQ(first[std::size_t(y * 97 + x)].g, scene.at(x, y).g) << x << ", " << y << ", " << ratio;
    expectSameOnAllDevices(first, scene);
  }
}

// A bar in focus before a pane with discs of 3 pixels, which would shine through the bar, and a far wall.
TEST_F(Layered, SurfacesInFocusHideBlendedSurfacesBehindThem) {
  const glm::ivec2 size(64, 48);
  const auto isBar = [](int x) { return x >= 30 && x < 34; };
  Image scene = image(size, [&](int x, int) {
    return isBar(x) ? glm::vec4(0.0f, 0.5f, 0.0f, 0.0f) : glm::vec4(glm::vec3(0.2f), 12.0f);
  });
  scene.frame.opaque = scene.frame.colour;
  const gl::Texture paneColour(GL_RGBA16F, size), paneDepth(GL_RGBA16F, size), none(GL_RGBA16F, size);
  std::vector<glm::vec4> colour, depth;
  for (int i = 0; i < size.x * size.y; ++i) {
    const float opacity = isBar(i % size.x) ? 0.0f : 0.5f;
    colour.push_back(opacity * glm::vec4(4.0f, 4.0f, 0.0f, 1.0f));
    depth.emplace_back(opacity * depthAt(3.0f, size.y), 0.0f, 0.0f, opacity);
  }
  const glm::vec4 nothing(0.0f);
  glClearTexImage(none.name(), 0, GL_RGBA, GL_FLOAT, &nothing);
  for (const auto& [texture, texels] : {std::pair(&paneColour, &colour), {&paneDepth, &depth}})
    glTextureSubImage2D(texture->name(), 0, 0, 0, size.x, size.y, GL_RGBA, GL_FLOAT, texels->data());
  const SceneRedraw redraw{0.0, [&](const ViewOffset&, const gl::Texture*) { return scene.frame; },
                           [&](bool front) {
                             return front ? BlendedLayer{&none, &none} : BlendedLayer{&paneColour, &paneDepth};
                           }};
  for (const DeviceId device : {DeviceId::cuda, DeviceId::cpu, DeviceId::cpuSequential, DeviceId::glCompute})
    if (availability(device).available) {
      Technique technique{.device = device, .lens = {.kind = LensKind::layered}};
      technique.bokeh.enabled = false;
      const auto lens = makeLens(resolve(technique));
      lens->resize(size);
      lens->prepareBlended();
      const auto blurred = blur(*lens, scene.frame, settings, glm::vec4(0.0f), &redraw);
      for (const int x : {31, 32}) {
        const glm::vec4& bar = blurred[std::size_t(24 * size.x + x)];
        EXPECT_NEAR(bar.r, 0.0f, 0.01f) << name(device) << ", " << x;
        EXPECT_NEAR(bar.g, 0.5f, 0.01f) << name(device) << ", " << x;
      }
      EXPECT_GT(blurred[std::size_t(24 * size.x + 20)].r, 1.0f) << name(device) << ": the pane shows";
    }
}

TEST_F(Layered, BlendedSurfacesAllocateNothingInAFrame) {
  const Image scene(
      {32, 24}, [&] { return randomColour(); }, [&] { return depthAt(uniform(-2, 9), 24); });
  SceneFrame frame = scene.frame;
  frame.opaque = &scene.colourTexture;
  const gl::Texture depth(GL_RGBA16F, scene.size);
  const gl::Target output(scene.size);
  const SceneRedraw redraw{0.0, [&](const ViewOffset&, const gl::Texture*) { return frame; },
                           [&](bool) {
                             return BlendedLayer{&scene.colourTexture, &depth};
                           }};
  const auto lens = makeLayeredLens({.device = DeviceId::cpuSequential});
  lens->resize(scene.size);
  lens->prepareBlended();
  const auto made = [] { return gl::Texture(GL_R8, {1, 1}).generation() + gl::Buffer(4, nullptr).generation(); };
  const auto before = made();
  Timings timings;
  lens->draw({.scene = frame, .lens = settings, .redraw = &redraw}, output, timings);
  EXPECT_EQ(made(), before + 2) << "a texture and a buffer by made() itself";
}

TEST_F(Layered, SmallFocusChangesChangeTheSceneLittle) {
  struct Focus {
    glm::ivec2 size;
    float distanceM, fNumber;
    bool lamps = false;
    float largestChange = 4.0f / 255;
  };
  Settings scene;
  scene.scene.animate = false;
  scene.technique = {.device = DeviceId::cpu, .lens = {.kind = LensKind::layered}};
  scene.lens.overscan = Overscan::off;  // its margin has steps
  Renderer renderer;
  Timings timings;
  for (const Focus& focus :
       {Focus{{160, 90}, 1.7f, 1.2f}, Focus{{480, 270}, 1.55f, 5.6f}, Focus{{480, 270}, 1.7f, 0.9f},
        Focus{{480, 270}, 2.6f, 5.6f}, Focus{{960, 540}, 1.7f, 2.0f}, Focus{{960, 540}, 2.6f, 1.2f},
        Focus{{480, 270}, 1.4f, 2.0f, true, 6.5f / 255}, Focus{{480, 270}, 1.4f, 1.2f, true},
        Focus{{480, 270}, 1.4f, 0.7f, true, 10.5f / 255}}) {
    scene.size = focus.size;
    scene.scene.teapots.lamps = focus.lamps;
    scene.lens.fNumber = focus.fNumber;
    const gl::Texture target(GL_RGBA32F, scene.size);
    const gl::Framebuffer framebuffer(target);
    const auto image = [&](float distanceM) {
      scene.lens.focusDistanceM = distanceM;
      renderer.render(scene, {}, timings);
      renderer.present(framebuffer.name(), scene.size, scene, timings);
      return download(target);
    };
    std::vector<glm::vec4> last;
    for (const int layers : {1, 2}) {
      scene.lens.layers = layers;
      const auto before = image(focus.distanceM);
      const ThinLens coc = thinLens(scene.lens, scene.size.y, 0.1f);
      // K = A / (S - f), and K S is nearly constant: every radius changes by dK = -K dS / (S - f).
      const float step = (focus.distanceM - scene.lens.focalLengthMm * 1e-3f) / (64.0f * coc.beta);
      EXPECT_LE(largestChange(before, image(focus.distanceM + step)), focus.largestChange)
          << layers << " layers at " << focus.distanceM << " m, f/" << focus.fNumber << ", " << scene.size.x << " x "
          << scene.size.y;
      EXPECT_TRUE(sameBits(before, image(focus.distanceM)));
      if (layers == 2) {
        EXPECT_GT(largestChange(before, last), 2.0f / 255);
      }
      last = before;
    }
  }
}

}  // namespace
}  // namespace satdof::test
