#include "app/lens/bokeh/plan.h"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "tests/device/bokeh_reference.h"
#include "tests/support/lens_fixture.h"

namespace satdof::test {
namespace {

// A pixel of radius 0: the image as it is.
PassStep copied(ImageId colour, ImageId depth, ImageId to) {
  return {BoxRule{.radius = {.lens = {.alpha = 0.0f, .beta = 0.0f}}}, {colour, depth, kNoImage}, {to}};
}

// Lenses without blur, with sprites: their image is the light that the sprites leave. With a second layer,
// LensImage::fill is the light left in that layer.
std::unique_ptr<Lens> untouched(NearField nearField, DeviceId device = DeviceId::cpu) {
  const auto plan = [](const LensFacts& facts) {
    LensGraph graph;
    if (facts.secondLayer && facts.lens.layers == 2) {
      const bool shown = facts.show == glsl::kShowFill;
      graph.steps.emplace_back(
          copied(kBehindColour, kBehindDepth, shown ? kOutput : graph.add(GraphImage::Texels::half4)));
      if (shown) return graph;
    }
    graph.steps.emplace_back(copied(kColour, kDepth, kOutput));
    return graph;
  };
  GlLensParts parts = glLensParts({.device = device});
  parts.stage = gl::PixelStage::compute;
  return makeGlLens(plan, nearField == NearField::scattered, nearField, parts);
}

constexpr float kLight = 4000.0f;

class BokehLensTest : public GlTest {
 protected:
  std::vector<glm::vec4> draw(const Image& image, const LensSettings& lens, LensImage shown = LensImage::blurred,
                              NearField nearField = NearField::gathered, DeviceId device = DeviceId::cpu) {
    const auto sprites = untouched(nearField, device);
    sprites->resize(image.size);
    const gl::Target output(image.size);
    poison(output.framebuffer);
    Timings timings;
    sprites->draw({.scene = image.frame, .lens = lens, .image = shown}, output, timings);
    return download(output.texture);
  }

  // A black image at one depth with a lamp in the middle.
  static Image lampAtDepth(float depth, glm::ivec2 size = {97, 83}, float alpha = 1.0f) {
    return Image(
        size, [&](int x, int y) { return glm::vec4(glm::vec3(glm::ivec2(x, y) == size / 2 ? kLight : 0.0f), alpha); },
        [&] { return depth; });
  }
  // Draws with blended surfaces.
  static std::vector<glm::vec4> drawBlended(const SceneFrame& frame, const LensSettings& lens,
                                            const std::function<BlendedLayer(bool front)>& panes) {
    const auto sprites = untouched(NearField::scattered);
    sprites->resize(frame.size);
    sprites->prepareBlended();
    const gl::Target output(frame.size);
    const SceneRedraw redraw{0.0, [&](const ViewOffset&, const gl::Texture*) { return frame; },
                             [&](bool front) { return panes(front); }};
    Timings timings;
    sprites->draw({.scene = frame, .lens = lens, .image = LensImage::sprites, .redraw = &redraw}, output, timings);
    return download(output.texture);
  }

  static double total(const std::vector<glm::vec4>& colour) {
    double sum = 0;
    for (const glm::vec4& c : colour) sum += c.g;
    return sum;
  }
};

TEST_F(BokehLensTest, ConservesTheLightOfALamp) {
  for (const float depth : {0.0f, 0.19f})
    for (const int blades : {0, 5, 6, 8})
      for (const float radiusPx : {6.0f, 7.3f, 12.5f, 25.0f})
        for (const float anamorphicRatio : {1.0f, 0.7f}) {
          const Image image = lampAtDepth(depth);
          LensSettings lens = lensOfRadius(radiusPx, image.size.y);
          lens.blades = blades;
          lens.bladeRotationDegrees = 17.0f;
          lens.anamorphicRatio = anamorphicRatio;
          EXPECT_NEAR(total(draw(image, lens)), kLight, 0.01 * kLight)
              << "depth " << depth << " blades " << blades << " radius " << radiusPx << " x " << anamorphicRatio;
        }
}

// Compares with the definition: the convex hull of the corners R (cos, sin)(turn + 2 pi k / n) around the
// lamp.
TEST_F(BokehLensTest, SpriteIsTheImageOfTheAperture) {
  for (const float depth : {0.0f, 0.2f})
    for (const int blades : {3, 5, 6, 8}) {
      const Image image = lampAtDepth(depth);
      LensSettings lens = lensOfRadius(20.0f, image.size.y);
      lens.blades = blades;
      lens.bladeRotationDegrees = 25.0f;
      lens.anamorphicRatio = 1.3f;
      const auto colour = draw(image, lens, LensImage::sprites);
      const double radiusPx = depth == 0.0f ? 20.0 : -20.0;
      const auto corner = [&](int k) {
        const double angle = (25.0 / 180 + 2.0 * k / blades) * std::numbers::pi;
        return radiusPx * glm::dvec2(1.3 * std::cos(angle), std::sin(angle));
      };
      const double areaPx = 1.3 * 400 * blades / 2 * std::sin(2 * std::numbers::pi / blades);
      for (int y = 0; y < image.size.y; ++y)
        for (int x = 0; x < image.size.x; ++x) {
          const glm::dvec2 p(x - image.size.x / 2, y - image.size.y / 2);
          double inside = 1e9;
          for (int k = 0; k < blades; ++k) {
            const glm::dvec2 a = corner(k), along = corner(k + 1) - a;
            inside = std::min(inside, (along.x * (p.y - a.y) - along.y * (p.x - a.x)) / std::hypot(along.x, along.y));
          }
          const float got = colour[std::size_t(y) * std::size_t(image.size.x) + std::size_t(x)].g;
          if (inside > 1.5) {
            ASSERT_NEAR(got, kLight / areaPx, 0.01 * kLight / areaPx) << x << " " << y << " of " << blades;
          } else if (inside < -1.5) {
            ASSERT_EQ(got, 0.0f) << x << " " << y << " of " << blades;
          }
        }
    }
}

// A lamp of 9 x 6 pixels, in cells of 8 x 8, against one disc for each pixel.
TEST_F(BokehLensTest, SpriteOfACellApproximatesSpritesOfPixels) {
  constexpr glm::ivec2 kSize{97, 83};
  const auto ofLamp = [](int x, int y) { return x >= 41 && x < 50 && y >= 37 && y < 43; };
  int at = 0;
  const Image image(
      kSize,
      [&] {
        const bool lit = ofLamp(at % kSize.x, at / kSize.x);
        ++at;
        return glm::vec4(glm::vec3(lit ? 80.0f : 0.0f), 1.0f);
      },
      [] { return 0.0f; });
  const auto drawn = draw(image, lensOfRadius(20.0f, kSize.y), LensImage::sprites);
  const double light = 80 / (std::numbers::pi * (400 + 1.0 / 12)), plateau = 54 * light;
  double largest = 0, sum = 0;
  for (int y = 0; y < kSize.y; ++y)
    for (int x = 0; x < kSize.x; ++x) {
      double expected = 0;
      for (int fromY = 37; fromY < 43; ++fromY)
        for (int fromX = 41; fromX < 50; ++fromX)
          expected += light * std::clamp(20.5 - std::hypot(x - fromX, y - fromY), 0.0, 1.0);
      const double wrong = std::abs(drawn[std::size_t(y * kSize.x + x)].g - expected);
      largest = std::max(largest, wrong / plateau);
      sum += wrong / plateau;
    }
  EXPECT_LT(largest, 0.06);
  EXPECT_LT(sum / (std::numbers::pi * 400), 0.012);
}

TEST_F(BokehLensTest, LensBlursTheRemainingLight) {
  std::mt19937 random(3);
  const glm::ivec2 size{61, 37};
  const Image image(
      size,
      [&] {
        const glm::vec4 bright(random() % 9, random() % 9, random() % 9, 1);
        return random() % 40 == 0 ? bright : 0.05f * bright;
      },
      [&] { return static_cast<float>(random() % 64) / 320; });
  const LensSettings lens = lensOfRadius(9.0f, size.y);
  const ThinLens coc = thinLens(lens, size.y, image.frame.nearM);
  const BokehRule rule{.lens = coc, .threshold = lens.highlightThreshold};
  auto expected = image.colour;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const glm::vec4 c = expected[i];
    expected[i] *= 1 - float(highlightPartOf({c.r, c.g, c.b, image.depth[i]}, rule));
  }
  const auto all = draw(image, lens), alone = draw(image, lens, LensImage::sprites);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (int c = 0; c < 3; ++c) ASSERT_NEAR(all[i][c] - alone[i][c], expected[i][c], 0.002f * (all[i][c] + 1)) << i;
}

TEST_F(BokehLensTest, NoSpritesBelowTheThresholdOrInFocus) {
  std::mt19937 random(4);
  for (const bool bright : {false, true}) {
    const Image image(
        {40, 30}, [&] { return glm::vec4(glm::vec3(bright ? 50.0f : 0.5f + float(random() % 16) / 64), 1.0f); },
        [&] { return bright ? 0.1f : float(random() % 64) / 320; });
    const LensSettings lens = lensOfRadius(12.0f, 30);
    const auto drawn = draw(image, lens);
    for (std::size_t i = 0; i < drawn.size(); ++i) ASSERT_EQ(drawn[i], image.colour[i]) << i;
    EXPECT_EQ(total(draw(image, lens, LensImage::sprites)), 0.0);
  }
}

TEST_F(BokehLensTest, NoSpritesThatCoverTheImage) {
  const Image image(
      {40, 30}, [] { return glm::vec4(50.0f); }, [] { return 0.0f; });
  EXPECT_GT(total(draw(image, lensOfRadius(60.0f, 30), LensImage::sprites)), 0.0);
  EXPECT_EQ(total(draw(image, lensOfRadius(81.0f, 30), LensImage::sprites)), 0.0);
}

// A lamp far behind the edge of a surface in focus, which covers the left half of the image.
TEST_F(BokehLensTest, SurfacesInFocusHideSprites) {
  const glm::ivec2 size{80, 60}, lamp{44, 30};
  const Image image(
      size, [&](int x, int y) { return glm::vec4(glm::vec3(glm::ivec2(x, y) == lamp ? kLight : 0.0f), 1.0f); },
      [](int x, int) { return x < 40 ? 0.1f : 0.0f; });
  for (const auto nearField : {NearField::gathered, NearField::scattered}) {
    const auto colour = draw(image, lensOfRadius(15.0f, 60), LensImage::sprites, nearField);
    for (int y = 0; y < 60; ++y)
      for (int x = 0; x < 80; ++x) {
        const float got = colour[std::size_t(y * 80 + x)].g;
        const double fromLamp = std::hypot(x - lamp.x, y - lamp.y);
        if (x < 40 || fromLamp > 16) {
          ASSERT_EQ(got, 0.0f) << x << " " << y;
        } else if (fromLamp < 14) {
          ASSERT_NEAR(got, kLight / (std::numbers::pi * 225), 0.01 * kLight / 700) << x << " " << y;
        }
      }
  }
}

// A half-plane with blur radius r, left of x = edge, hides aperture points whose ray crosses it. The ray to pixel p of
// a light at s with radius R_s crosses the half-plane at s + (p - s) (1 - r / R_s).
TEST_F(BokehLensTest, BlurredSurfacesCutSprites) {
  const glm::ivec2 size{100, 60}, lamp{50, 30};
  constexpr float kFarPx = 20.0f, kInFocus = 0.1f;
  const auto depthOf = [](float r) { return kInFocus * (1.0f - r / kFarPx); };
  struct Case {
    float radius, occluder;
    int edge;
  };
  for (const Case& c : {Case{20.0f, -10.0f, 40}, {20.0f, -18.0f, 48}, {20.0f, 8.0f, 45}, {-8.0f, -16.0f, 50}}) {
    const float radius = c.radius, occluder = c.occluder;
    const int edge = c.edge;
    const Image image(
        size, [&](int x, int y) { return glm::vec4(glm::vec3(glm::ivec2(x, y) == lamp ? kLight : 0.0f), 1.0f); },
        [&](int x, int) { return depthOf(x < edge ? occluder : radius); });
    const auto colour = draw(image, lensOfRadius(kFarPx, size.y), LensImage::sprites, NearField::scattered);
    const float full = kLight / (std::numbers::pi_v<float> * radius * radius);
    int cut = 0;
    for (int y = 0; y < size.y; ++y)
      for (int x = 0; x < size.x; ++x) {
        if (std::hypot(x - lamp.x, y - lamp.y) > std::abs(radius) - 1.5) continue;
        const float passes =
            (static_cast<float>(x - lamp.x)) * (1.0f - occluder / radius) + static_cast<float>(lamp.x) + 0.5f;
        const float got = colour[static_cast<std::size_t>(y * size.x + x)].g;
        if (passes < static_cast<float>(edge) - 2.0f) {
          ++cut;
          ASSERT_NEAR(got, 0.0f, 1e-5f * full) << x << " " << y << " of " << occluder;
        } else if (passes > static_cast<float>(edge) + 2.0f) {
          ASSERT_NEAR(got, full, 0.02f * full) << x << " " << y << " of " << occluder;
        }
      }
    EXPECT_GT(cut, 10) << occluder;
  }
}

TEST_F(BokehLensTest, LightsOfTheSecondLayerBecomeSprites) {
  const glm::ivec2 size{100, 60}, lamp{38, 30};
  constexpr float kFarPx = 20.0f, kNearPx = -10.0f;
  constexpr int kEdge = 40;
  const Image front(
      size, [] { return glm::vec4(glm::vec3(0.0f), 1.0f); },
      [](int x, int) { return x < kEdge ? 0.1f * (1.0f - kNearPx / kFarPx) : 0.0f; });
  const Image hidden(
      size, [&](int x, int y) { return glm::vec4(glm::vec3(glm::ivec2(x, y) == lamp ? kLight : 0.0f), 1.0f); },
      [] { return 0.0f; });
  const auto lens = untouched(NearField::scattered);
  lens->resize(size);
  const gl::Target output(size);
  const SceneRedraw redraw{0.0, [&](const ViewOffset&, const gl::Texture*) { return hidden.frame; }};
  LensSettings settings = lensOfRadius(kFarPx, size.y);
  settings.layers = 2;
  const auto drawn = [&](LensImage image) {
    Timings timings;
    lens->draw({.scene = front.frame, .lens = settings, .image = image, .redraw = &redraw}, output, timings);
    return download(output.texture);
  };
  EXPECT_LT(total(drawn(LensImage::fill)), 1.0) << "left of the second layer";
  const auto colour = drawn(LensImage::sprites);
  const float full = kLight / (std::numbers::pi_v<float> * kFarPx * kFarPx);
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x) {
      if (std::hypot(x - lamp.x, y - lamp.y) > kFarPx - 1.5f) continue;
      const float passes =
          static_cast<float>(x - lamp.x) * (1.0f - kNearPx / kFarPx) + static_cast<float>(lamp.x) + 0.5f;
      const float got = colour[static_cast<std::size_t>(y * size.x + x)].g;
      if (passes < static_cast<float>(kEdge) - 2.0f) {
        ASSERT_EQ(got, 0.0f) << x << " " << y;
      } else if (passes > static_cast<float>(kEdge) + 2.0f) {
        ASSERT_NEAR(got, full, 0.02f * full) << x << " " << y;
      }
    }
}

// Panes with discs of 5 px and an opacity of 0.6 behind the focus plane, and others in front of it.
TEST_F(BokehLensTest, PanesBehindTheFocusPlaneDimFarSprites) {
  Image far = lampAtDepth(0.0f);
  far.frame.opaque = far.frame.colour;
  const auto panes = [&](float depth, float opacity) {
    return Image(
        far.size, [=] { return glm::vec4(depth * opacity, 0, 0, opacity); }, [] { return 0.0f; });
  };
  const Image back = panes(0.05f, 0.6f), front = panes(0.15f, 0.9f);
  const auto drawn = drawBlended(far.frame, lensOfRadius(10.0f, far.size.y), [&](bool inFront) {
    const gl::Texture& layer = (inFront ? front : back).colourTexture;
    return BlendedLayer{&layer, &layer};
  });
  EXPECT_NEAR(total(drawn), 0.4 * kLight, 0.02 * kLight);
}

// One bright pixel of a pane behind or in front of the focus plane, before a dark wall.
TEST_F(BokehLensTest, HighlightsOfPanesAreSprites) {
  for (const bool bright : {false, true})
    for (const bool inFront : {false, true}) {
      Image wall = lampAtDepth(0.0f);
      const glm::ivec2 size = wall.size;
      const Image dark(
          size, [] { return glm::vec4(0, 0, 0, 1); }, [] { return 0.0f; });
      wall.frame.colour = wall.frame.opaque = &dark.colourTexture;
      const Image colour(
          size,
          [&](int x, int y) {
            const bool lamp = glm::ivec2(x, y) == size / 2;
            return glm::vec4(glm::vec3(lamp && bright ? kLight : 0.0f), 0.5f);
          },
          [] { return 0.0f; });
      const float paneDepth = inFront ? 0.15f : 0.05f;
      const Image depth(
          size, [=] { return glm::vec4(0.5f * paneDepth, 0, 0, 0.5f); }, [] { return 0.0f; });
      const Image none(
          size, [] { return glm::vec4(0.0f); }, [] { return 0.0f; });
      const auto drawn = drawBlended(wall.frame, lensOfRadius(10.0f, size.y), [&](bool front) {
        return front == inFront ? BlendedLayer{&colour.colourTexture, &depth.colourTexture}
                                : BlendedLayer{&none.colourTexture, &none.colourTexture};
      });
      EXPECT_NEAR(total(drawn), bright ? kLight : 0.0f, 0.03f * kLight) << inFront;
    }
}

TEST_F(BokehLensTest, BlendedSurfacesDimFarSprites) {
  for (const auto& [depth, part] : {std::pair{0.0f, 0.25}, {0.2f, 1.0}}) {
    Image image = lampAtDepth(depth, {97, 83}, 0.25f);
    image.frame.opaque = image.frame.colour;
    const Image none(
        image.size, [] { return glm::vec4(0.0f); }, [] { return 0.0f; });
    const auto drawn = drawBlended(image.frame, lensOfRadius(10.0f, image.size.y), [&](bool) {
      return BlendedLayer{&none.colourTexture, &none.colourTexture};
    });
    EXPECT_NEAR(total(drawn), part * kLight, 0.01 * kLight) << depth;
  }
}

TEST_F(BokehLensTest, SmallFocusChangesChangeTheImageLittle) {
  std::mt19937 random(6);
  const Image image(
      {64, 48}, [&] { return glm::vec4(glm::vec3(random() % 50 == 0 ? 20.0f : 0.2f), 1.0f); },
      [&] { return static_cast<float>(random() % 4) / 80; });
  LensSettings lens = lensOfRadius(6.0f, 48);
  auto before = draw(image, lens);
  for (int step = 0; step < 40; ++step) {
    lens.focusDistanceM += 0.002f;
    const auto after = draw(image, lens);
    for (std::size_t i = 0; i < after.size(); ++i) ASSERT_NEAR(after[i].g, before[i].g, 0.25f) << step << " " << i;
    before = after;
  }
}

TEST_F(BokehLensTest, EveryDeviceGivesTheSameImage) {
  std::mt19937 random(7);
  const Image image(
      {120, 70}, [&] { return glm::vec4(random() % 40 == 0 ? 30.0f : 0.1f, 0.5f, 0.5f, 1); },
      [&] { return static_cast<float>(random() % 32) / 160; });
  const LensSettings lens = lensOfRadius(8.0f, 70);
  const auto expected = draw(image, lens);
  for (const auto& entry : entries(DeviceId{})) {
    if (!availability(entry.value).available) continue;
    const auto got = draw(image, lens, LensImage::blurred, NearField::gathered, entry.value);
    for (std::size_t i = 0; i < got.size(); ++i)
      for (int c = 0; c < 3; ++c)
        ASSERT_NEAR(got[i][c], expected[i][c], std::max(1.0f, expected[i][c]) / 255) << entry.name << " " << i;
  }
}

// 68640 highlights, each in a cell of its own: more than 65536 sprites.
TEST_F(BokehLensTest, LightOfTooManySpritesStaysInTheImage) {
  const Image image(
      {264, 260}, [] { return glm::vec4(3, 3, 3, 1); }, [] { return 0.0f; });
  const LensSettings lens = lensOfRadius(2.5f, 260);
  for (const glm::vec4& c : draw(image, lens, LensImage::sprites)) ASSERT_EQ(c.g, 0.0f);
  for (const glm::vec4& c : draw(image, lens, LensImage::blurred)) ASSERT_EQ(c.g, 3.0f);
}

}  // namespace
}  // namespace satdof::test
