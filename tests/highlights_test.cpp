#include "app/lens/highlights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <tuple>

#include "app/lens/highlight_source.h"
#include "tests/gl_test.h"

namespace satdof {

namespace {

// R = 8 - 16 d: in focus at d = 1/2. Rows from the bottom.
constexpr HighlightRule kRule{.alpha = -16.0f, .beta = 8.0f, .threshold = 2.0f, .minRadiusPx = 2.0f};

std::vector<HighlightSprite> collect(const std::vector<glm::vec4>& colour, const std::vector<float>& depth,
                                     glm::ivec2 size, const HighlightRule& rule = kRule,
                                     std::size_t capacity = 1000) {
  std::vector<HighlightSprite> sprites(3);
  collectHighlights(colour, depth, size, rule, capacity, sprites);
  return sprites;
}

glm::vec4 grey(float luminance) { return {luminance, luminance, luminance, 1.0f}; }

TEST(Highlights, AreBrightAndOutOfFocus) {
  const std::vector<glm::vec4> colour{grey(8), grey(8), grey(1.9f), grey(8), grey(4), grey(8)};
  const std::vector<float> depth{0.5f, 0.0f, 0.0f, 1.0f, 0.25f, 0.375f};
  const auto sprites = collect(colour, depth, {3, 2});
  ASSERT_EQ(sprites.size(), 3u);

  EXPECT_FLOAT_EQ(sprites[0].xPx, 1.5f);
  EXPECT_FLOAT_EQ(sprites[0].yPx, 0.5f);
  EXPECT_FLOAT_EQ(sprites[0].radiusPx, 8.0f);
  EXPECT_NEAR(sprites[0].part, 0.75f, 1e-6);
  EXPECT_NEAR(sprites[0].g, 6.0f, 1e-5);

  EXPECT_FLOAT_EQ(sprites[1].xPx, 1.5f);
  EXPECT_FLOAT_EQ(sprites[1].yPx, 1.5f);
  EXPECT_FLOAT_EQ(sprites[1].radiusPx, 4.0f);
  EXPECT_NEAR(sprites[1].part, 0.5f, 1e-6);

  EXPECT_FLOAT_EQ(sprites[2].xPx, 0.5f);
  EXPECT_FLOAT_EQ(sprites[2].yPx, 1.5f);
  EXPECT_FLOAT_EQ(sprites[2].radiusPx, -8.0f);
}

TEST(Highlights, GrowFromNothingAtBothLimits) {
  const auto part = [](float luminance, float depth) {
    const auto sprites = collect({grey(luminance)}, {depth}, {1, 1});
    return sprites.empty() ? 0.0f : sprites[0].part;
  };
  EXPECT_EQ(part(100.0f, 0.375f), 0.0f);            // R = 2
  EXPECT_NEAR(part(100.0f, 0.3125f), 0.49f, 1e-5);  // R = 3: half of 98 %
  EXPECT_NEAR(part(100.0f, 0.25f), 0.98f, 1e-5);    // R = 4
  EXPECT_NEAR(part(100.0f, 0.6875f), 0.49f, 1e-5);  // R = -3
  EXPECT_LT(part(2.001f, 0.0f), 0.001f);
  EXPECT_GT(part(2.001f, 0.0f), 0.0f);
}

TEST(Highlights, ScaleNearAndFarApart) {
  HighlightRule rule = kRule;
  rule.nearScale = 0.0f;
  rule.farScale = 2.0f;
  const auto sprites = collect({grey(9), grey(9)}, {1.0f, 0.0f}, {2, 1}, rule);
  ASSERT_EQ(sprites.size(), 1u);
  EXPECT_FLOAT_EQ(sprites[0].radiusPx, 16.0f);
}

TEST(Highlights, ComeFarToNearThenByRow) {
  std::mt19937 random(5);
  const glm::ivec2 size{61, 37};
  std::vector<glm::vec4> colour;
  std::vector<float> depth;
  for (int i = 0; i < size.x * size.y; ++i) {
    colour.push_back(glm::vec4(random() % 9, random() % 9, random() % 9, 1));
    depth.push_back(static_cast<float>(random() % 5) / 4);
  }
  HighlightRule rule = kRule;
  rule.threshold = 2.00005f;  // no sum of the weights' multiples
  const auto sprites = collect(colour, depth, size, rule, 10000);

  std::size_t expected = 0;
  for (std::size_t i = 0; i < colour.size(); ++i)
    expected +=
        depth[i] != 0.5f && 0.2126 * colour[i].r + 0.7152 * colour[i].g + 0.0722 * colour[i].b > 2.00005;
  ASSERT_EQ(sprites.size(), expected);
  for (std::size_t i = 1; i < sprites.size(); ++i) {
    const auto place = [](const HighlightSprite& s) { return std::tuple(s.depth, s.yPx, s.xPx); };
    EXPECT_LT(place(sprites[i - 1]), place(sprites[i]));
  }
  for (const HighlightSprite& sprite : sprites) {
    const auto pixel = static_cast<std::size_t>(sprite.yPx) * 61 + static_cast<std::size_t>(sprite.xPx);
    EXPECT_EQ(sprite.depth, depth[pixel]);
    EXPECT_FLOAT_EQ(sprite.r, colour[pixel].r * sprite.part);
  }
}

TEST(Highlights, LeaveOutTheTopBeyondTheCapacity) {
  const auto sprites = collect(std::vector<glm::vec4>(6, grey(5)), {0, 0, 0, 1, 0, 0}, {2, 3}, kRule, 4);
  ASSERT_EQ(sprites.size(), 4u);
  EXPECT_EQ(sprites.back().depth, 1.0f);
  for (const HighlightSprite& sprite : sprites) EXPECT_LT(sprite.yPx, 2.0f);
}

TEST(Highlights, MayBeNone) { EXPECT_TRUE(collect({grey(1)}, {0.0f}, {1, 1}).empty()); }

TEST(Highlights, RefuseAPictureOfAnotherSize) {
  EXPECT_THROW(collect({grey(1)}, {0.0f, 0.0f}, {1, 1}), std::runtime_error);
  EXPECT_THROW(collect({grey(1)}, {0.0f}, {2, 1}), std::runtime_error);
}

class HighlightSourceTest : public GlTest {};

TEST_F(HighlightSourceTest, GivesOpenGlWhatTheProcessorFinds) {
  const glm::ivec2 size{61, 37};
  std::mt19937 random(8);
  std::vector<glm::vec4> colour;
  std::vector<float> depth;
  for (int i = 0; i < size.x * size.y; ++i) {
    colour.emplace_back(random() % 9, random() % 9, random() % 9, 1);
    depth.push_back(static_cast<float>(random() % 64) / 64);
  }
  const gl::Texture colourTexture(GL_RGBA16F, size), depthTexture(GL_R32F, size);
  glTextureSubImage2D(colourTexture.name(), 0, 0, 0, size.x, size.y, GL_RGBA, GL_FLOAT, colour.data());
  glTextureSubImage2D(depthTexture.name(), 0, 0, 0, size.x, size.y, GL_RED, GL_FLOAT, depth.data());
  SceneFrame scene;
  scene.colour = &colourTexture;
  scene.depth = &depthTexture;
  scene.size = size;
  Timings timings;
  timings.beginFrame();

  constexpr unsigned kCapacity = 1200;
  const auto source = makeHighlightSource(Backend::cpu, {.capacity = kCapacity});
  source->resize(size);
  for (const float threshold : {1.0f, 4.0f, 100.0f}) {
    HighlightRule rule = kRule;
    rule.threshold = threshold;
    const auto expected = collect(colour, depth, size, rule, kCapacity);
    const HighlightDraw draw = source->collect(scene, rule, timings);
    GLuint command[4] = {};
    glGetNamedBufferSubData(draw.command, 0, sizeof(command), command);
    EXPECT_THAT(command, testing::ElementsAre(4, expected.size(), 0, 0));
    std::vector<float> texels(std::size_t{spriteRows(kCapacity)} * kSpritesPerRow * 8);
    glGetTextureImage(draw.sprites, 0, GL_RGBA, GL_FLOAT, static_cast<GLsizei>(texels.size() * sizeof(float)),
                      texels.data());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const HighlightSprite& s = expected[i];
      ASSERT_THAT(std::span(texels).subspan(8 * i, 8),
                  testing::ElementsAre(s.xPx, s.yPx, s.radiusPx, s.depth, s.r, s.g, s.b, s.part));
    }
  }
}

}  // namespace

}  // namespace satdof
