#include "app/lens/bokeh/sprites.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <vector>

#include "app/gl/transfer.h"
#include "app/lens/aperture/aperture.h"
#include "app/lens/aperture/image.h"
#include "app/lens/bokeh/plan.h"
#include "shaders/bokeh/bins.h"
#include "shaders/bokeh/sprite.h"
#include "tests/support/lens_fixture.h"
#include "tests/support/uniform.h"

namespace satdof::test {
namespace {

constexpr float kFarPx = 24.0f;

struct DepthImage {
  const Image& image;
  float depthAt(glm::ivec2 p) const {
    return image.depth[std::size_t(p.y) * std::size_t(image.size.x) + std::size_t(p.x)];
  }
  glm::vec4 depthsAt(glm::ivec2 p) const {
    const auto clamped = [&](int dx, int dy) {
      return depthAt(glm::clamp(p + glm::ivec2(dx, dy), glm::ivec2(0), image.size - 1));
    };
    return {clamped(0, 0), clamped(1, 0), clamped(0, 1), clamped(1, 1)};
  }
  const Image* panes = nullptr;  // BlendedLayer::depth; alpha of the colour is the same
  glm::vec2 blendedAt(glm::ivec2 p) const {
    p = glm::clamp(p, glm::ivec2(0), image.size - 1);
    const glm::vec4 depths = panes->at(p.x, p.y);
    return {depths.a, depths.x / std::max(depths.a, 1e-4f)};
  }
};

// Sprites as a collector leaves them in OpenGL.
class Sprites {
 public:
  explicit Sprites(std::vector<BokehSprite> list)
      : list_(std::move(list)),
        texture_(GL_RGBA32F, glm::ivec2(kSpritesPerRow * kSpriteTexels, spriteRows(kBokehCapacity))) {
    const GLuint command[] = {kSpriteVertices, GLuint(list_.size()), 0, 0};
    command_ = gl::Buffer(sizeof command, command);
    std::vector<BokehSprite> rows = list_;
    rows.resize(std::size_t{spriteRows(command[1])} * kSpritesPerRow);
    if (!rows.empty())
      glTextureSubImage2D(texture_.name(), 0, 0, 0, texture_.size().x, GLsizei(spriteRows(command[1])), GL_RGBA,
                          GL_FLOAT, rows.data());
  }
  const std::vector<BokehSprite>& list() const { return list_; }
  BokehDraw draw() const { return {texture_.name(), command_.name()}; }

 private:
  std::vector<BokehSprite> list_;
  gl::Texture texture_;
  gl::Buffer command_;
};

class SpriteTest : public GlTest {
 protected:
  // Blocks of 24 x 24 pixels at random depths.
  Image blocks(glm::ivec2 size) {
    std::vector<float> depths(1024);
    for (float& depth : depths) depth = uniform(0.0f, 0.2f);
    return Image(
        size, [&] { return glm::vec4(uniform(0, 1), uniform(0, 1), uniform(0, 1), uniform(0, 1)); },
        [&](int x, int y) { return depths[std::size_t(y / 24 * 32 + x / 24) % depths.size()]; });
  }

  Sprites sprites(glm::ivec2 size, int count, float widestPx) {
    std::vector<BokehSprite> list(static_cast<std::size_t>(count));
    for (BokehSprite& sprite : list) {
      sprite.xPx = uniform(-20.0f, float(size.x) + 20.0f);
      sprite.yPx = uniform(-20.0f, float(size.y) + 20.0f);
      sprite.radiusPx = (uniform.bits() % 3 == 0 ? -1.0f : 1.0f) * uniform(0.6f, widestPx);
      const float light = sprite.radiusPx * sprite.radiusPx * uniform(0.2f, 1.0f);
      sprite.r = light;
      sprite.g = 0.5f * light;
      sprite.b = 0.25f * light;
      sprite.varianceX = uniform(0.0f, 3.0f);
      sprite.varianceY = uniform(0.0f, 3.0f);
      sprite.covariance = 0.5f * std::min(sprite.varianceX, sprite.varianceY);
    }
    return Sprites(std::move(list));
  }

  // Adds sprites one by one to `colour`, at every pixel.
  static void add(const Sprites& sprites, const Image& image, const LensSettings& settings, NearField nearField,
                  float margin, std::vector<glm::dvec4>& colour, const Image* panes = nullptr) {
    const ThinLens lens = thinLens(settings, image.size.y, image.frame.nearM);
    const Aperture aperture = apertureOf(settings, image.frame);
    const float nearest = glsl::signedRadius(lens, image.frame.nearM / image.frame.nearestM);
    const DepthImage scene{image, panes};
    for (int y = 0; y < image.size.y; ++y)
      for (int x = 0; x < image.size.x; ++x) {
        const glm::vec2 p(float(x) + 0.5f, float(y) + 0.5f);
        const float surface = glsl::signedRadius(lens, scene.depthAt({x, y}));
        glm::dvec4& pixel = colour[std::size_t(y) * std::size_t(image.size.x) + std::size_t(x)];
        for (const BokehSprite& sprite : sprites.list()) {
          const glm::vec2 centre(sprite.xPx, sprite.yPx);
          const glm::vec3 variance(sprite.varianceX, sprite.covariance, sprite.varianceY);
          if (glm::distance(p, centre) >
              glsl::apertureReach(aperture, sprite.radiusPx, variance) * std::max(lens.anamorphicRatio, 1.0f))
            continue;
          double part = glsl::apertureCoverage(aperture, p - centre, sprite.radiusPx, variance) /
                        glsl::apertureArea(aperture, sprite.radiusPx, variance);
          if (part == 0) continue;
          part *= nearField == NearField::gathered
                      ? glsl::visiblePart(scene, lens, image.size, p, surface, centre, sprite.radiusPx)
                      : glsl::reachingPart(scene, lens, p, centre, variance, sprite.radiusPx, nearest, margin);
          if (nearField == NearField::scattered && image.frame.opaque != nullptr && sprite.radiusPx >= 0)
            part *= pixel.a;
          if (panes != nullptr && sprite.radiusPx >= 0)
            part *= glsl::passingBlended(scene, lens, p, centre, sprite.radiusPx);
          pixel += part * glm::dvec4(sprite.r, sprite.g, sprite.b, 0);
        }
      }
  }

  // Draws over the colours of the image.
  static std::vector<glm::vec4> draw(SpritePass& pass, const Image& image, const LensInputs& inputs,
                                     NearField nearField, const std::vector<BokehDraw>& found,
                                     const BlendedLayer& panes = {}) {
    const gl::Target output(image.size);
    gl::copyColumns(image.colourTexture, output.texture);
    std::vector<SpriteLayer> layers;
    for (const BokehDraw& of : found) {
      SpriteRule rule = spriteRule(inputs.lens, image.frame, nearField, !layers.empty(), image.frame.opaque != nullptr);
      rule.alone = layers.empty() && inputs.image == LensImage::sprites;
      layers.push_back({of, rule});
    }
    Timings timings;
    pass.draw(layers, image.depthTexture, panes, output, timings);
    return download(output.texture);
  }

  // Half floats may be rounded towards zero: once for each list of sprites in compute shaders, for each sprite in
  // fragment shaders. Where a ray just passes between two blocks, rounding decides whether it is hidden: two values in
  // a thousand may differ by more.
  static void expectNear(const std::vector<glm::vec4>& got, const std::vector<glm::dvec4>& expected,
                         gl::PixelStage stage) {
    const double part = stage == gl::PixelStage::compute ? 0x1p-8 : 0x1p-4;
    ASSERT_EQ(got.size(), expected.size());
    std::size_t far = 0, last = 0;
    for (std::size_t i = 0; i < got.size(); ++i)
      for (int c = 0; c < 4; ++c) {
        if (std::abs(got[i][c] - expected[i][c]) <= part * std::max(expected[i][c], 0.25)) continue;
        ++far;
        last = i;
      }
    EXPECT_LE(far, 8 * got.size() / 1000)
        << "pixel " << last << ": " << got[last].g << " instead of " << expected[last].g;
  }

  Uniform uniform{20261122};
};

class SpritePassTest : public SpriteTest, public testing::WithParamInterface<gl::PixelStage> {
 protected:
  static std::unique_ptr<SpritePass> makePass() {
    return GetParam() == gl::PixelStage::compute ? makeComputeSpritePass() : makeFragmentSpritePass();
  }
};

TEST_P(SpritePassTest, EqualsAPlainSum) {
  struct Case {
    glm::ivec2 size;
    int count;
    float widestPx;
  };
  const auto pass = makePass();
  for (const Case& c : {Case{{1, 1}, 3, 40},
                        {{7, 5}, 40, 300},
                        {{333, 217}, 400, 30},
                        {{217, 19}, 0, 9},
                        {{19, 217}, 1, 900},
                        {{64, 64}, 1500, 5}})
    for (const NearField nearField : {NearField::gathered, NearField::scattered})
      for (const int blades : {0, 6}) {
        SCOPED_TRACE(testing::Message() << c.size.x << " x " << c.size.y << ", " << c.count << ", blades " << blades
                                        << (nearField == NearField::scattered ? ", scattered" : ""));
        const Image image = blocks(c.size);
        const Sprites first = sprites(c.size, c.count, c.widestPx);
        LensSettings lens = lensOfRadius(kFarPx, c.size.y);
        lens.blades = blades;
        lens.bladeRotationDegrees = 13.0f;
        lens.anamorphicRatio = blades == 0 ? 1.0f : 1.4f;
        std::vector<glm::dvec4> expected(image.colour.begin(), image.colour.end());
        add(first, image, lens, nearField, kOwnSurfacePx, expected);
        const auto got = draw(*pass, image, {.scene = image.frame, .lens = lens}, nearField, {first.draw()});
        expectNear(got, expected, GetParam());
        if (GetParam() == gl::PixelStage::compute) {
          EXPECT_EQ(got, draw(*pass, image, {.scene = image.frame, .lens = lens}, nearField, {first.draw()}));
        }
      }
}

TEST_P(SpritePassTest, AlphaDimsSpritesBehindTheFocusPlane) {
  for (const bool blended : {false, true})
    for (const NearField nearField : {NearField::gathered, NearField::scattered}) {
      Image image = blocks({97, 61});
      if (blended) image.frame.opaque = image.frame.colour;
      const Sprites some = sprites(image.size, 90, 20.0f);
      const LensSettings lens = lensOfRadius(kFarPx, image.size.y);
      std::vector<glm::dvec4> expected(image.colour.begin(), image.colour.end());
      add(some, image, lens, nearField, kOwnSurfacePx, expected);
      const Image clear(
          image.size, [] { return glm::vec4(0.0f); }, [] { return 0.0f; });
      const auto pass = makePass();
      expectNear(draw(*pass, image, {.scene = image.frame, .lens = lens}, nearField, {some.draw()},
                      {&clear.colourTexture, &clear.colourTexture}),
                 expected, GetParam());
    }
}

TEST_P(SpritePassTest, PanesDimSpritesBehindThem) {
  Image image = blocks({97, 61});
  image.frame.opaque = image.frame.colour;
  const auto pane = [&] {
    const float opacity = uniform.bits() % 4 == 0 ? 0.0f : uniform(0.2f, 0.8f);
    return glm::vec4(uniform(0.0f, 0.1f) * opacity, 0, 0, opacity);
  };
  const Image panes(image.size, pane, [] { return 0.0f; });
  const Sprites some = sprites(image.size, 90, 20.0f);
  const LensSettings lens = lensOfRadius(kFarPx, image.size.y);
  std::vector<glm::dvec4> expected(image.colour.begin(), image.colour.end());
  add(some, image, lens, NearField::scattered, kOwnSurfacePx, expected, &panes);
  const auto pass = makePass();
  const LensInputs inputs{.scene = image.frame, .lens = lens};
  expectNear(
      draw(*pass, image, inputs, NearField::scattered, {some.draw()}, {&panes.colourTexture, &panes.colourTexture}),
      expected, GetParam());
}

TEST_P(SpritePassTest, BothLayersAloneAreOnBlack) {
  const Image image = blocks({97, 61});
  const Sprites shown = sprites(image.size, 50, 20.0f), hidden = sprites(image.size, 300, 12.0f),
                none = sprites(image.size, 0, 1.0f);
  const LensSettings lens = lensOfRadius(kFarPx, image.size.y);
  const auto pass = makePass();
  for (const Sprites* first : {&shown, &none}) {
    std::vector<glm::dvec4> expected;
    for (const glm::vec4& c : image.colour) expected.emplace_back(0, 0, 0, c.a);
    add(*first, image, lens, NearField::scattered, kOwnSurfacePx, expected);
    add(hidden, image, lens, NearField::scattered, 0.0f, expected);
    const LensInputs inputs{.scene = image.frame, .lens = lens, .image = LensImage::sprites};
    expectNear(draw(*pass, image, inputs, NearField::scattered, {first->draw(), hidden.draw()}), expected, GetParam());
  }
}

TEST_P(SpritePassTest, DrawsImagesOfAperturesAndSphericalAberration) {
  const Image image(
      {97, 61}, [] { return glm::vec4(0, 0, 0, 1); }, [] { return 0.0f; });
  const Sprites some = sprites(image.size, 60, 20.0f);
  std::vector<float> half(32 * 32);
  for (std::size_t i = 0; i < half.size(); ++i) half[i] = i % 32 < 20 ? 1.0f : 0.2f;
  const ApertureImage aperture(32, half);
  const gl::Texture table(GL_R32F, glm::ivec2(glsl::kApertureCells + 1));
  gl::upload(table, gl::kRedFloat, aperture.table().data());
  struct : ApertureTable {
    static float tileDepthAt(glm::ivec2) { return 0.0f; }
  } scene;
  scene.sums = aperture.table();
  const LensSettings lens = lensOfRadius(kFarPx, image.size.y);
  const auto pass = makePass();
  for (const int of : {0, 1})
    for (const float spherical : {-3.0f, 0.0f, 4.0f}) {
      SpriteRule rule = spriteRule(lens, image.frame, NearField::gathered, false, false);
      rule.aperture.image = of;
      rule.aperture.scale = of == 0 ? 1.0f : 0.8f;
      rule.aperture.spherical = spherical;
      rule.aperture.turn = 0.3f;
      std::vector<glm::dvec4> expected(image.colour.begin(), image.colour.end());
      for (const BokehSprite& sprite : some.list()) {
        const auto prepared = glsl::preparedSprite(
            scene, rule, {}, {sprite.xPx, sprite.yPx, sprite.radiusPx, sprite.depth}, {sprite.r, sprite.g, sprite.b, 1},
            {sprite.varianceX, sprite.covariance, sprite.varianceY, 1});
        for (int i = 0; i < image.size.x * image.size.y; ++i) {
          const glm::vec2 p(float(i % image.size.x) + 0.5f, float(i / image.size.x) + 0.5f);
          expected[std::size_t(i)] +=
              glm::dvec4(glm::vec3(prepared.light) * glsl::spriteCoverage(scene, rule, prepared, p), 0);
        }
      }
      const gl::Target output(image.size);
      gl::copyColumns(image.colourTexture, output.texture);
      Timings timings;
      const std::array layers = {SpriteLayer{some.draw(), rule, &table}};
      pass->draw(layers, image.depthTexture, {}, output, timings);
      SCOPED_TRACE(testing::Message() << "image " << of << ", spherical " << spherical);
      expectNear(download(output.texture), expected, GetParam());
    }
}

INSTANTIATE_TEST_SUITE_P(Stages, SpritePassTest, testing::Values(gl::PixelStage::fragment, gl::PixelStage::compute),
                         [](const auto& stage) {
                           return stage.param == gl::PixelStage::compute ? "compute" : "fragment";
                         });

TEST_F(SpriteTest, BinsWithMoreSpritesThanTheirListsAddAll) {
  const Image image = blocks({333, 217});
  const Sprites some = sprites(image.size, 300, 20.0f);
  const LensSettings lens = lensOfRadius(kFarPx, image.size.y);
  const LensInputs inputs{.scene = image.frame, .lens = lens};
  std::vector<glm::dvec4> expected(image.colour.begin(), image.colour.end());
  add(some, image, lens, NearField::gathered, kOwnSurfacePx, expected);
  for (const unsigned indices : {6u, 1000u}) {
    const auto pass = makeComputeSpritePass(indices);
    expectNear(draw(*pass, image, inputs, NearField::gathered, {some.draw()}), expected, gl::PixelStage::compute);
  }
}

TEST(SpriteShapes, ReachEveryPixelThatTheyCoverAndAreSolidWithin) {
  Uniform uniform(20261122);
  int left = 0, solids = 0;
  for (int i = 0; i < 100000; ++i) {
    const Aperture aperture{.anamorphicRatio = uniform(0.5f, 2),
                            .blades = i % 3 == 0 ? 0 : i % 3 + 4,
                            .turn = uniform(-3, 3),
                            .curvature = i % 4 < 2 ? 0.0f : uniform(0.01f, 0.99f)};
    const float radius = (i % 2 == 0 ? 1.0f : -1.0f) * uniform(0.5f, 30);
    const float x = uniform(0, 4), y = uniform(0, 4);
    const glm::vec3 variance(x, uniform(-0.5f, 0.5f) * std::min(x, y), y);
    const glm::vec2 centre(uniform(-40, 48), uniform(-40, 48));
    const glm::ivec2 pixel(uniform(0, kSpriteTilePx), uniform(0, kSpriteTilePx));
    const glm::vec2 from = glm::vec2(pixel) + 0.5f - centre;
    const float coverage = glsl::apertureCoverage(aperture, from, radius, variance);
    const float reach = glsl::apertureReach(aperture, radius, variance);
    const bool reached = glsl::reaches(centre, reach, aperture.anamorphicRatio, pixel, pixel + 1);
    EXPECT_TRUE(reached || coverage == 0.0f) << i;
    const bool solid =
        glm::length(from / glm::vec2(aperture.anamorphicRatio, 1.0f)) <= glsl::apertureSolid(aperture, radius, reach);
    if (solid) {
      EXPECT_NEAR(coverage, 1.0f, 1e-6f) << i;
    }
    left += reached ? 0 : 1;
    solids += solid ? 1 : 0;
  }
  EXPECT_GT(left, 10000);
  EXPECT_GT(solids, 2000);
}

// The coverage of all pixels has the area that sprites are divided by.
TEST(SpriteShapes, HaveTheAreaOfTheirCoverage) {
  Uniform uniform(20261127);
  for (int i = 0; i < 60; ++i) {
    const Aperture aperture{.anamorphicRatio = uniform(0.5f, 2),
                            .blades = i % 5 == 0 ? 0 : i % 5 + 4,
                            .turn = uniform(-3, 3),
                            .curvature = i % 4 == 0 ? 0.0f : uniform(0.02f, 0.98f)};
    const float radius = uniform(4, 24);
    const glm::vec2 centre(uniform(-1, 1), uniform(-1, 1));
    double sum = 0.0;
    for (int y = -40; y < 40; ++y)
      for (int x = -70; x < 70; ++x)
        sum += double(glsl::apertureCoverage(aperture, glm::vec2(x, y) - centre, radius, glm::vec3(0.0f)));
    const double area = double(glsl::apertureArea(aperture, radius, glm::vec3(0.0f)));
    EXPECT_NEAR(sum / area, 1.0, 0.005) << aperture.blades << " " << aperture.curvature << " " << radius;
  }
}

// The part of the unit disc within a second one, against points of a grid.
TEST(SpriteShapes, AreCutByASecondStop) {
  for (const float apart : {0.0f, 0.2f, 0.9f, 1.7f}) {
    int inside = 0, uncut = 0;
    constexpr int kSide = 400;
    for (int i = 0; i < kSide * kSide; ++i) {
      const glm::vec2 a = glm::vec2(i % kSide, i / kSide) * (2.0f / kSide) + 1.0f / kSide - 1.0f;
      if (glm::length(a) > 1) continue;
      ++inside;
      if (glm::length(a + glm::vec2(apart, 0)) <= 1) ++uncut;
    }
    EXPECT_NEAR(glsl::uncutPart(apart), double(uncut) / inside, 2e-3) << apart;
  }
  SpriteRule rule;
  rule.aperture.catEye = 0.01f;
  rule.aperture.axisPx = {50, 40};
  for (const float radius : {12.0f, -12.0f}) {
    const glsl::PreparedSprite sprite{{130, 40, radius, 13}, {1, 1, 1, 0}, {0, 0, 0, 11}};
    for (int y = 20; y < 60; ++y)
      for (int x = 110; x < 150; ++x) {
        const glm::vec2 p(float(x) + 0.5f, float(y) + 0.5f), a = (p - glm::vec2(130, 40)) / radius;
        const glm::vec2 apart = glsl::secondStop(rule.aperture, p);
        const float out = std::max(glm::length(a), glm::length(a + apart)) - 1;
        const float coverage = glsl::spriteCoverage(ApertureTable(), rule, sprite, p);
        if (out > 0.1f) {
          EXPECT_EQ(coverage, 0.0f) << x << " " << y;
        } else if (out < -0.1f) {
          EXPECT_NEAR(coverage, 1 / glsl::uncutPart(glm::length(apart)), 1e-5f) << x << " " << y;
        }
      }
  }
}

// A pane of opacity 0.6 with discs of 8 px covers the pixels from x = 10 on. A wire with near discs covers columns 20
// and 21.
struct WireBeforePane {
  ThinLens lens;

  float depthOf(float radius) const { return (radius - lens.beta) / lens.alpha; }
  glm::vec4 depthsAt(glm::ivec2 p) const {
    const auto depth = [&](int x) { return depthOf(x == 20 || x == 21 ? -4.0f : 17.0f); };
    return {depth(p.x), depth(p.x + 1), depth(p.x), depth(p.x + 1)};
  }
  glm::vec2 blendedAt(glm::ivec2 p) const {
    return p.x < 10 || p.x == 20 || p.x == 21 ? glm::vec2(0.0f) : glm::vec2(0.6f, depthOf(8.0f));
  }
};

TEST(SpriteRays, PassAPaneWhereTheyPassItsDepth) {
  const WireBeforePane scene{{.alpha = -34.0f, .beta = 17.0f}};
  const auto passing = [&](float x, float s, float radius) {
    return glsl::passingBlended(scene, scene.lens, {x, 40.5f}, {s, 40.5f}, radius);
  };
  for (float x = 14.5f; x < 30.0f; ++x)
    EXPECT_NEAR(passing(x, 24.5f, 16.0f), 0.4f, 1e-3f) << x << ", past the wire, too";
  EXPECT_NEAR(passing(5.5f, 11.5f, 16.0f), 1.0f, 1e-3f) << "half way it is beside the pane";
  EXPECT_NEAR(passing(11.5f, 5.5f, 16.0f), 1.0f, 1e-3f);
  EXPECT_NEAR(passing(13.5f, 8.5f, 16.0f), 0.4f, 1e-3f) << "half way it is behind the pane";
  EXPECT_EQ(passing(20.5f, 24.5f, 8.0f), 1.0f) << "the light is in front of the pane";
  EXPECT_EQ(passing(4.5f, 5.5f, 16.0f), 1.0f) << "no pane";
}

TEST(SpriteRays, PassTheApertureOnly) {
  ThinLens lens;
  const glm::vec2 s(10.5f, 20.5f);
  for (const float ratio : {1.0f, 1.8f}) {
    lens.anamorphicRatio = ratio;
    for (const float radius : {-3.0f, 0.6f, 5.0f})
      for (const glm::vec2 direction : {glm::vec2(1, 0), glm::vec2(0, -1), glm::vec2(-0.6f, 0.8f)}) {
        const glm::vec2 edge = direction * glm::vec2(ratio, 1.0f) * std::abs(radius);
        EXPECT_EQ(glsl::withinDisc(lens, s, s, radius), s);
        EXPECT_EQ(glsl::withinDisc(lens, s + 0.5f * edge, s, radius), s + 0.5f * edge);
        for (const float beyond : {1.5f, 4.0f})
          EXPECT_LT(glm::distance(glsl::withinDisc(lens, s + beyond * edge, s, radius), s + edge), 1e-5f)
              << radius << ' ' << beyond;
      }
  }
}

TEST(SpriteBins, CoverEveryImage) {
  for (const glsl::ivec2 size : {glsl::ivec2(1, 1), {129, 127}, {1920, 1080}, {6000, 4000}, {16384, 16384}})
    for (const int most : {1, 256, 1024}) {
      const SpriteBins bins = spriteBins(size, most);
      EXPECT_LE(bins.count, most);
      EXPECT_EQ(bins.sidePx % kSpriteTilePx, 0);
      EXPECT_GE(bins.columns * bins.sidePx, size.x);
      EXPECT_GE(bins.count / bins.columns * bins.sidePx, size.y);
      EXPECT_EQ(bins.count % bins.columns, 0);
    }
}

}  // namespace
}  // namespace satdof::test
