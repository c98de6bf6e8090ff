#include "app/device/cpu/collect_bokeh.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <random>
#include <span>
#include <utility>

#include "app/device/device.h"
#include "tests/device/bokeh_reference.h"
#include "tests/support/lens_fixture.h"

namespace satdof {

namespace {

// R = 8 - 16 d: in focus at d = 1/2. Rows from the bottom.
const BokehRule kRule{.lens = {.alpha = -16.0f, .beta = 8.0f}, .threshold = 2.0f, .minRadiusPx = 2.0f};

std::vector<BokehSprite> collect(const std::vector<glm::vec4>& colour, const std::vector<float>& depth, glm::ivec2 size,
                                 const BokehRule& rule = kRule, std::size_t capacity = 1000) {
  std::vector<BokehSprite> sprites(3);
  CpuBokehSprites(1, kSequentialCpuCompaction, kSequentialCpuSort)
      .collect(colour, depth, size, rule, capacity, sprites);
  return sprites;
}

glm::vec4 grey(float luminance) { return {luminance, luminance, luminance, 1.0f}; }

TEST(BokehSprites, AreBrightAndOutOfFocus) {
  const std::vector<glm::vec4> colour{grey(8), grey(8), grey(1.9f), grey(8), grey(4), grey(8)};
  const std::vector<float> depth{0.5f, 0.0f, 0.0f, 1.0f, 0.25f, 0.375f};
  const auto sprites = collect(colour, depth, {3, 2});
  ASSERT_EQ(sprites.size(), 3u);

  EXPECT_FLOAT_EQ(sprites[0].xPx, 1.5f);
  EXPECT_FLOAT_EQ(sprites[0].yPx, 0.5f);
  EXPECT_FLOAT_EQ(sprites[0].radiusPx, 8.0f);
  EXPECT_EQ(sprites[0].pixels, 1.0f);
  EXPECT_EQ(sprites[0].varianceX, 0.0f);
  EXPECT_NEAR(sprites[0].g, 8.0f, 1e-5);

  EXPECT_FLOAT_EQ(sprites[1].xPx, 1.5f);
  EXPECT_FLOAT_EQ(sprites[1].yPx, 1.5f);
  EXPECT_FLOAT_EQ(sprites[1].radiusPx, 4.0f);
  EXPECT_NEAR(sprites[1].g, 4.0f, 1e-5);

  EXPECT_FLOAT_EQ(sprites[2].xPx, 0.5f);
  EXPECT_FLOAT_EQ(sprites[2].yPx, 1.5f);
  EXPECT_FLOAT_EQ(sprites[2].radiusPx, -8.0f);
}

TEST(BokehSprites, GrowFromNothingAtBothLimits) {
  const auto part = [](float luminance, float depth) {
    const auto sprites = collect({grey(luminance)}, {depth}, {1, 1});
    return sprites.empty() ? 0.0f : sprites[0].g / luminance;
  };
  EXPECT_EQ(part(100.0f, 0.375f), 0.0f);           // R = 2
  EXPECT_NEAR(part(100.0f, 0.3125f), 0.5f, 1e-5);  // R = 3: half
  EXPECT_NEAR(part(100.0f, 0.25f), 1.0f, 1e-5);    // R = 4
  EXPECT_NEAR(part(100.0f, 0.6875f), 0.5f, 1e-5);  // R = -3
  EXPECT_NEAR(part(3.0f, 0.25f), 0.5f, 1e-5);      // between the threshold, 2, and twice that
  EXPECT_LT(part(2.001f, 0.0f), 0.001f);
  EXPECT_GT(part(2.001f, 0.0f), 0.0f);
}

// {kind: part of the highlight}. All kinds with cells of one pixel count as kind 0.
std::map<std::uint32_t, float> kindParts(float radiusPx) {
  std::map<std::uint32_t, float> parts;
  for (const std::uint32_t parity : {0u, 1u})
    if (const std::uint32_t kind = glsl::highlightKind(radiusPx, parity); kind != 0)
      parts[glsl::cellLevel(kind) == 0 ? 0 : kind] += glsl::kindPart(radiusPx, parity);
  return parts;
}

TEST(BokehSprites, KindsFadeIntoEachOther) {
  constexpr float kStep = 1.0f / 1024;
  for (const float side : {-1.0f, 1.0f}) {
    auto last = kindParts(side);
    std::size_t most = 0;
    for (int i = 1024; i < 130 * 1024; ++i) {
      const float radiusPx = static_cast<float>(i) * kStep;
      auto parts = kindParts(side * radiusPx);
      float sum = 0.0f;
      for (const auto& [kind, part] : parts) {
        EXPECT_GT(part, 0.0f) << radiusPx;
        EXPECT_LE(std::abs(part - last[kind]), 4.0f * kStep) << radiusPx;
        sum += part;
      }
      for (const auto& [kind, part] : last) {
        EXPECT_LE(std::abs(part - parts[kind]), 4.0f * kStep) << radiusPx;
      }
      EXPECT_EQ(sum, 1.0f) << radiusPx;
      most = std::max(most, kindParts(side * radiusPx).size());
      last = std::move(parts);
    }
    EXPECT_EQ(most, 2u);
  }
  EXPECT_EQ(kindParts(0.0f).size(), 0u);
  EXPECT_FLOAT_EQ(kindParts(3.875f)[0], 0.5f) << "cells of 2 pixels begin at 4";
  EXPECT_FLOAT_EQ(kindParts(4.875f)[glsl::radiusKind(4.875f)], 0.5f);
}

TEST(BokehSprites, OfTwoKindsShareTheLight) {
  const std::vector<glm::vec4> colour(4, grey(8));
  const auto sprites = collect(colour, std::vector<float>(4, 4.125f / 16), {2, 2});  // R = 3.875
  ASSERT_EQ(sprites.size(), 5u) << "one of the cell, four of its pixels";
  float light = 0.0f, ofCell = 0.0f;
  for (const BokehSprite& sprite : sprites) {
    EXPECT_FLOAT_EQ(sprite.radiusPx, 3.875f);
    light += sprite.g;
    if (sprite.pixels == 4.0f) ofCell = sprite.g;
  }
  EXPECT_NEAR(light, 4 * 8 * 0.9375f, 1e-4f);
  EXPECT_NEAR(ofCell, 0.5f * light, 1e-4f);
}

TEST(BokehSprites, ScaleNearAndFarSeparately) {
  BokehRule rule = kRule;
  rule.lens.nearScale = 0.0f;
  rule.lens.farScale = 2.0f;
  const auto sprites = collect({grey(9), grey(9)}, {1.0f, 0.0f}, {2, 1}, rule);
  ASSERT_EQ(sprites.size(), 1u);
  EXPECT_FLOAT_EQ(sprites[0].radiusPx, 16.0f);
}

TEST(BokehSprites, OfAFullCellAreOneSprite) {
  std::vector<glm::vec4> colour(8 * 8, grey(0));
  std::vector<float> depth(8 * 8, 0.0f);  // R = 8: cells of 4 x 4
  for (const int y : {4, 5, 6, 7})
    for (const int x : {0, 1, 2, 3}) colour[static_cast<std::size_t>(8 * y + x)] = grey(4);
  depth[8 * 5 + 1] = 0.01f;  // R = 7.84: another kind
  const auto sprites = collect(colour, depth, {8, 8});
  ASSERT_EQ(sprites.size(), 2u);
  EXPECT_EQ(sprites[1].pixels, 1.0f);
  depth[8 * 5 + 1] = 0.0f;
  const auto whole = collect(colour, depth, {8, 8});
  ASSERT_EQ(whole.size(), 1u);
  EXPECT_FLOAT_EQ(whole[0].xPx, 2.0f);
  EXPECT_FLOAT_EQ(whole[0].yPx, 6.0f);
  EXPECT_FLOAT_EQ(whole[0].radiusPx, 8.0f);
  EXPECT_EQ(whole[0].pixels, 16.0f);
  EXPECT_FLOAT_EQ(whole[0].varianceX, 15.0f / 12);
  EXPECT_FLOAT_EQ(whole[0].covariance, 0.0f);
  EXPECT_FLOAT_EQ(whole[0].varianceY, 15.0f / 12);
  EXPECT_FLOAT_EQ(whole[0].g, 16 * 4.0f);
}

// Few distinct depths, so the order at equal depth matters.
std::vector<HighlightPixel> randomPixels(glm::ivec2 size, unsigned seed, unsigned oneIn) {
  std::mt19937 random(seed);
  std::vector<HighlightPixel> pixels;
  for (int i = 0; i < size.x * size.y; ++i) {
    const auto channel = [&] { return static_cast<float>(random() % 9); };
    HighlightPixel p{channel(), channel(), channel(), static_cast<float>(random() % 33) / 32};
    if (random() % oneIn != 0) p.r = p.g = p.b = 0;
    pixels.push_back(p);
  }
  return pixels;
}

void split(const std::vector<HighlightPixel>& pixels, std::vector<glm::vec4>& colour, std::vector<float>& depth) {
  colour.clear();
  depth.clear();
  for (const HighlightPixel& p : pixels) {
    colour.emplace_back(p.r, p.g, p.b, 1);
    depth.push_back(p.depth);
  }
}

// R = 50 (1 - 2 d). No R is at the limit of a kind, and no luminance equals the threshold.
const BokehRule kWideRule{
    .lens = {.alpha = -99.93f, .beta = 49.97f, .nearScale = 0.75f}, .threshold = 2.00005f, .minRadiusPx = 2.0f};

TEST(BokehSprites, MatchTheDefinitionFarToNearThenByRow) {
  std::vector<glm::vec4> colour;
  std::vector<float> depth;
  for (const glm::ivec2 size : {glm::ivec2(1, 1), {1, 67}, {65, 1}, {61, 37}, {64, 48}})
    for (const unsigned oneIn : {1u, 12u})
      for (const std::size_t capacity : {std::size_t{10000}, std::size_t{77}}) {
        const auto pixels = randomPixels(size, 5, oneIn);
        split(pixels, colour, depth);
        const auto expected = referenceSprites(pixels, size.x, kWideRule, capacity);
        const auto got = collect(colour, depth, size, kWideRule, capacity);
        ASSERT_EQ(got.size(), expected.size()) << size.x << "x" << size.y;
        for (std::size_t i = 0; i < got.size(); ++i)
          ASSERT_TRUE(sameSprite(expected[i], got[i])) << size.x << "x" << size.y << " " << i;
      }
}

TEST(BokehSprites, AreTheSameWithEveryCompactionAndSort) {
  std::vector<glm::vec4> colour;
  std::vector<float> depth;
  for (const int threads : {1, 3})
    for (const CpuCompactionInfo& compaction : kCpuCompactions)
      for (const CpuSortInfo& sort : kCpuSorts) {
        CpuBokehSprites collector(threads, compaction, sort);
        for (const glm::ivec2 size : {glm::ivec2(641, 479), {61, 37}}) {
          split(randomPixels(size, 6, 30), colour, depth);
          std::vector<BokehSprite> got;
          collector.collect(colour, depth, size, kWideRule, 5000, got);
          const auto expected = collect(colour, depth, size, kWideRule, 5000);
          EXPECT_TRUE(std::ranges::equal(std::as_bytes(std::span(got)), std::as_bytes(std::span(expected))))
              << compaction.name << ", " << sort.name;
        }
      }
}

TEST(BokehSprites, AreNoneBeyondTheCapacity) {
  const std::vector<glm::vec4> colour(6, grey(5));
  const std::vector<float> depth = {0.3f, 0.3f, 0.3f, 0.7f, 0.3f, 0.3f};
  EXPECT_EQ(collect(colour, depth, {2, 3}, kRule, 6).size(), 6u);
  EXPECT_TRUE(collect(colour, depth, {2, 3}, kRule, 5).empty());
}

TEST(BokehSprites, MayBeNone) { EXPECT_TRUE(collect({grey(1)}, {0.0f}, {1, 1}).empty()); }

TEST(BokehSprites, AnImageOfAnotherSizeThrows) {
  EXPECT_THROW(collect({grey(1)}, {0.0f, 0.0f}, {1, 1}), std::runtime_error);
  EXPECT_THROW(collect({grey(1)}, {0.0f}, {2, 1}), std::runtime_error);
}

class BokehCollectorTest : public GlTest {};

bool isProcessor(DeviceId device) { return device == DeviceId::cpu || device == DeviceId::cpuSequential; }

TEST_F(BokehCollectorTest, OpenGlReceivesTheSpritesOfTheCpu) {
  for (const glm::ivec2 size : {glm::ivec2(1, 1), {61, 37}, {641, 479}}) {
    const auto pixels = randomPixels(size, 8, size.x < 100 ? 2 : 300);
    std::vector<glm::vec4> colour;
    std::vector<float> depth;
    split(pixels, colour, depth);
    const test::Image scene(
        size, [&, i = std::size_t{0}]() mutable { return colour[i++]; },
        [&, i = std::size_t{0}]() mutable { return depth[i++]; });
    Timings timings;
    timings.beginFrame();

    for (const DeviceId device : {DeviceId::cpu, DeviceId::cpuSequential, DeviceId::glCompute, DeviceId::glFragment})
      for (const unsigned capacity : {3000u, 33u}) {
        const auto source = deviceOf(device).makeBokehCollector({}, {}, capacity);
        source->resize(size);
        for (const float threshold : {kWideRule.threshold, 4.00005f, 100.0f}) {
          BokehRule rule = kWideRule;
          rule.threshold = threshold;
          const BokehDraw draw = source->collect(scene.frame, rule, timings);
          const auto expected = collect(colour, depth, size, rule, capacity);
          const auto drawn = expected.size();
          GLuint command[4] = {};
          glGetNamedBufferSubData(draw.command, 0, sizeof(command), command);
          ASSERT_THAT(command, testing::ElementsAre(kSpriteVertices, drawn, 0, 0)) << size.x << " " << name(device);
          std::vector<BokehSprite> got(std::size_t{spriteRows(capacity)} * kSpritesPerRow);
          glGetTextureImage(draw.sprites, 0, GL_RGBA, GL_FLOAT, static_cast<GLsizei>(got.size() * sizeof(BokehSprite)),
                            got.data());
          got.resize(drawn);
          std::vector<bool> taken(expected.size());
          for (std::size_t i = 0; i < drawn; ++i) {
            std::size_t match = 0;
            while (match < expected.size() && (taken[match] || !sameSprite(expected[match], got[i]))) ++match;
            ASSERT_LT(match, expected.size()) << size.x << " " << name(device) << " sprite " << i;
            taken[match] = true;
            if (isProcessor(device)) {
              ASSERT_EQ(match, i);
            }
          }
        }
      }
  }
}

// Luminance thresholds equal to a pixel's value or to the next float below. Radii are below 3.75, so every pixel is a
// cell.
TEST_F(BokehCollectorTest, EveryDeviceDecidesAlikeAtTheLimits) {
  const glm::ivec2 size{29, 23};
  std::mt19937 random(9);
  std::vector<glm::vec4> colour;
  std::vector<float> depth;
  for (int i = 0; i < size.x * size.y; ++i) {
    const auto channel = [&] { return static_cast<float>(random() % 2048) / 512; };
    colour.emplace_back(channel(), channel(), channel(), 1);
    depth.push_back(static_cast<float>(random() % 100003) / 100003);
  }
  const test::Image scene(
      size, [&, i = std::size_t{0}]() mutable { return colour[i++]; },
      [&, i = std::size_t{0}]() mutable { return depth[i++]; });
  Timings timings;
  timings.beginFrame();

  BokehRule rule{.lens = {.alpha = -7.3f, .beta = 3.6f, .nearScale = 0.83f, .farScale = 1.04f}};
  const auto luminanceAt = [&](std::size_t i) {
    const glm::vec4& c = colour[i];
    return 0.2126f * c.r + 0.7152f * c.g + 0.0722f * c.b;
  };
  const auto radiusAt = [&](std::size_t i) {
    const float radius = rule.lens.alpha * depth[i] + rule.lens.beta;
    return std::abs(radius * (radius < 0 ? rule.lens.nearScale : rule.lens.farScale));
  };
  for (const auto& device : entries(DeviceId{})) {
    if (!availability(device.value).available) continue;
    const auto source = deviceOf(device.value).makeBokehCollector({}, {}, kBokehCapacity);
    source->resize(size);
    for (std::size_t limit = 0; limit < colour.size(); limit += 29)
      for (const bool below : {false, true}) {
        const auto limitOf = [&](float v) { return below ? std::nextafter(v, 0.0f) : v; };
        rule.threshold = limitOf(luminanceAt(limit));
        rule.minRadiusPx = limitOf(radiusAt(limit));
        GLuint expected = 0;
        for (std::size_t i = 0; i < colour.size(); ++i)
          expected += luminanceAt(i) > rule.threshold && radiusAt(i) > rule.minRadiusPx;
        GLuint command[4] = {};
        glGetNamedBufferSubData(source->collect(scene.frame, rule, timings).command, 0, sizeof command, command);
        ASSERT_EQ(command[1], expected) << device.name << ", limits of pixel " << limit << ", " << below;
      }
  }
}

// Each pixel is alone in its cell. Its radius lies at an end of the transition between two kinds.
TEST_F(BokehCollectorTest, EveryDeviceFadesKindsAlikeAtTheLimits) {
  std::vector<float> radii;
  GLuint expected = 0;
  for (const float limit : {4.0f, 5.0f, 8.0f})
    for (const float begin : {limit == 5.0f ? 4.75f : 0.9375f * limit, limit})
      for (const float radius : {begin, begin == limit ? begin - 0x1p-20f : begin + 0x1p-20f}) {
        radii.push_back(radius);
        expected += radius != begin ? 2 : 1;  // 2 between both ends
      }
  const int cell = 4, width = cell * static_cast<int>(radii.size());
  const test::Image scene(
      {width, 1}, [](int x, int) { return grey(x % cell == 0 ? 8.0f : 0.0f); },
      [&](int x, int) { return (8.0f - radii[static_cast<std::size_t>(x / cell)]) / 16; });
  Timings timings;
  timings.beginFrame();
  for (const auto& device : entries(DeviceId{})) {
    if (!availability(device.value).available) continue;
    const auto source = deviceOf(device.value).makeBokehCollector({}, {}, kBokehCapacity);
    source->resize({width, 1});
    GLuint command[4] = {};
    glGetNamedBufferSubData(source->collect(scene.frame, kRule, timings).command, 0, sizeof command, command);
    EXPECT_EQ(command[1], expected) << device.name;
  }
}

}  // namespace

}  // namespace satdof
