#include "app/scene/image/depth_brush.h"

#include <gmock/gmock.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/packing.hpp>
#include <random>

#include "app/scene/image/depth_correction.h"

namespace satdof::test {
namespace {

constexpr glm::ivec2 kPainted{150, 90};
constexpr BrushKind kBrushKinds[] = {BrushKind::same, BrushKind::nearer, BrushKind::farther, BrushKind::smooth,
                                     BrushKind::fill};

std::size_t paintedPixel(int x, int y) { return static_cast<std::size_t>(y * kPainted.x + x); }

// A dark wall left of column 70 and a light one right of it; random depths.
class DepthBrushTest : public testing::Test {
 protected:
  DepthBrushTest() {
    std::mt19937 random(7);
    for (int i = 0; i < kPainted.x * kPainted.y; ++i) {
      const float light = i % kPainted.x < 70 ? 0.1f : 0.6f;
      for (const float v : {light, light, light, 1.0f}) picture.rgba.push_back(glm::packHalf1x16(v));
      depth.push_back(0.2f + 0.6f * static_cast<float>(random() % 1000) / 1000.0f);
    }
  }
  std::vector<float> touched(const Dab& dab) const {
    std::vector<float> changed = depth;
    applyDab(dab, picture, changed);
    return changed;
  }

  Picture picture{kPainted, {}, true, {}};
  std::vector<float> depth;
};

TEST_F(DepthBrushTest, ChangesNothingOutsideItsRadius) {
  for (const BrushKind kind : kBrushKinds) {
    if (kind == BrushKind::same) continue;
    for (const glm::vec2 at : {glm::vec2(40.5f, 45.5f), glm::vec2(-3.0f, 2.0f), glm::vec2(149.9f, 89.9f)}) {
      const Dab dab{.kind = kind, .at = at, .radiusPx = 12.25f, .edge = 1.0f, .depth = 0.9f};
      const auto changed = touched(dab);
      const PixelRectangle reach = reachOf(dab, kPainted);
      int count = 0;
      for (int y = 0; y < kPainted.y; ++y)
        for (int x = 0; x < kPainted.x; ++x) {
          if (changed[paintedPixel(x, y)] == depth[paintedPixel(x, y)]) continue;
          ++count;
          EXPECT_LE(glm::distance(glm::vec2(x, y) + 0.5f, at), dab.radiusPx);
          EXPECT_TRUE(x >= reach.from.x && y >= reach.from.y && x < reach.to().x && y < reach.to().y);
        }
      EXPECT_GT(count, 60) << static_cast<int>(kind);
    }
  }
}

TEST_F(DepthBrushTest, StopsAtAnEdgeOfTheColour) {
  for (const BrushKind kind : kBrushKinds) {
    Dab dab{.kind = kind, .at = {66.5f, 45.5f}, .radiusPx = 30.0f, .edge = 0.15f, .depth = 0.9f};
    const auto changed = touched(dab);
    int left = 0, right = 0;
    for (int y = 0; y < kPainted.y; ++y)
      for (int x = 0; x < kPainted.x; ++x)
        if (changed[paintedPixel(x, y)] != depth[paintedPixel(x, y)]) ++(x < 70 ? left : right);
    EXPECT_GT(left, 1000);
    EXPECT_EQ(right, 0);
    dab.edge = 1.0f;
    EXPECT_NE(touched(dab)[paintedPixel(75, 45)], depth[paintedPixel(75, 45)]) << static_cast<int>(kind);
  }
}

TEST_F(DepthBrushTest, ALikeColourBehindAnEdgeIsNotReached) {
  for (int y = 0; y < kPainted.y; ++y)  // a light line, one pixel wide
    for (int c = 0; c < 3; ++c)
      picture.rgba[4 * paintedPixel(40, y) + static_cast<std::size_t>(c)] = glm::packHalf1x16(0.9f);
  const auto changed = touched({.kind = BrushKind::same, .at = {20.0f, 20.0f}});
  for (int y = 0; y < kPainted.y; ++y) {
    EXPECT_EQ(changed[paintedPixel(39, y)], depth[paintedPixel(20, 20)]);
    EXPECT_EQ(changed[paintedPixel(40, y)], depth[paintedPixel(40, y)]);
    EXPECT_EQ(changed[paintedPixel(41, y)], depth[paintedPixel(41, y)]);
  }
}

TEST(DepthBrush, SameDepthFillsSpecksOfNoise) {
  constexpr glm::ivec2 kSize{400, 200};  // a speck has at most four pixels
  Picture picture{kSize, {}, true, {}};
  for (int i = 0; i < 400 * 200; ++i)
    for (int c = 0; c < 4; ++c) picture.rgba.push_back(glm::packHalf1x16(0.1f));
  const auto index = [](int x, int y) { return static_cast<std::size_t>(y * 400 + x); };
  const auto lighten = [&](int fromX, int fromY, int side) {
    for (int y = fromY; y < fromY + side; ++y)
      for (int x = fromX; x < fromX + side; ++x)
        for (std::size_t c = 0; c < 3; ++c) picture.rgba[4 * index(x, y) + c] = glm::packHalf1x16(0.9f);
  };
  lighten(100, 50, 2);
  lighten(200, 50, 3);
  std::vector<float> depth(400 * 200, 0.5f);
  depth[index(20, 20)] = 0.25f;
  applyDab({.kind = BrushKind::same, .at = {20.5f, 20.5f}, .edge = 0.1f}, picture, depth);
  EXPECT_EQ(depth[index(99, 50)], 0.25f);
  EXPECT_EQ(depth[index(100, 51)], 0.25f) << "four pixels";
  EXPECT_EQ(depth[index(201, 51)], 0.5f) << "nine pixels";
}

TEST_F(DepthBrushTest, EachKindHasItsEffect) {
  const glm::vec2 at(30.5f, 30.5f);
  const std::size_t middle = paintedPixel(30, 30);
  const auto with = [&](BrushKind kind) {
    return touched({.kind = kind, .at = at, .radiusPx = 10.0f, .strength = 1.0f, .depth = 0.95f, .depthRange = 0.8f});
  };
  EXPECT_FLOAT_EQ(with(BrushKind::nearer)[middle], depth[middle] + 0.05f * 0.8f);
  EXPECT_FLOAT_EQ(with(BrushKind::farther)[middle], depth[middle] - 0.05f * 0.8f);
  EXPECT_EQ(with(BrushKind::fill)[middle], 0.95f);
  const auto smoothed = with(BrushKind::smooth);
  double mean = 0;  // of 5 x 5, a fourth of the radius
  for (int y = 28; y <= 32; ++y)
    for (int x = 28; x <= 32; ++x) mean += static_cast<double>(depth[paintedPixel(x, y)]) / 25;
  EXPECT_NEAR(smoothed[middle], mean, 1e-6);
  for (float& v : depth) v = 1.0f;
  EXPECT_EQ(with(BrushKind::nearer), depth);
  for (float& v : depth) v = 0.0f;
  EXPECT_EQ(with(BrushKind::farther), depth);
}

class DepthCorrectionTest : public DepthBrushTest {
 protected:
  DepthCorrectionTest() {
    editable->map = {kPainted, depth, 1.0f, {}, 0};
    correction = std::make_unique<DepthCorrection>(std::make_shared<const Picture>(picture), editable);
  }
  void stroke(BrushKind kind, glm::vec2 from, glm::vec2 to) {
    correction->begin({.kind = kind, .at = from, .radiusPx = 9.0f});
    EXPECT_FALSE(correction->undo()) << "while it lasts";
    correction->moveTo(to);
    correction->end();
  }
  const std::vector<float>& now() const { return editable->map.depth; }

  std::shared_ptr<EditableDepth> editable = std::make_shared<EditableDepth>();
  std::unique_ptr<DepthCorrection> correction;
};

TEST_F(DepthCorrectionTest, UndoAndRedoRestoreEveryBit) {
  std::vector<std::vector<float>> states{now()};
  for (const BrushKind kind : kBrushKinds) {
    stroke(kind, {10.0f, 12.0f}, {60.0f, 80.0f});
    EXPECT_NE(now(), states.back());
    states.push_back(now());
  }
  for (std::size_t i = states.size() - 1; i-- > 0;) {
    EXPECT_TRUE(correction->undo());
    EXPECT_EQ(now(), states[i]);
  }
  EXPECT_FALSE(correction->undo());
  for (std::size_t i = 1; i < states.size(); ++i) {
    EXPECT_TRUE(correction->redo());
    EXPECT_EQ(now(), states[i]);
  }
  EXPECT_FALSE(correction->redo());
  EXPECT_TRUE(correction->undo());
  stroke(BrushKind::nearer, {100.0f, 40.0f}, {100.0f, 40.0f});
  EXPECT_EQ(correction->redoable(), 0);
}

TEST_F(DepthCorrectionTest, FillTakesTheDepthOfItsStart) {
  editable->map.depth[paintedPixel(10, 45)] = 0.5f;
  for (int times = 0; times < 30; ++times) {
    correction->begin({.kind = BrushKind::fill, .at = {10.5f, 45.5f}, .radiusPx = 8.0f, .strength = 1.0f});
    correction->moveTo({50.5f, 45.5f});
    correction->end();
  }
  EXPECT_NEAR(now()[paintedPixel(30, 45)], 0.5f, 1e-3f);
}

TEST_F(DepthCorrectionTest, ReportsTheChangedArea) {
  stroke(BrushKind::nearer, {30.0f, 40.0f}, {60.0f, 40.0f});
  const PixelRectangle changed = editable->changed;
  EXPECT_GT(editable->edits, 5);
  for (int y = 0; y < kPainted.y; ++y)
    for (int x = 0; x < kPainted.x; ++x) {
      const bool inside = x >= changed.from.x && y >= changed.from.y && x < changed.to().x && y < changed.to().y;
      EXPECT_TRUE(inside || now()[paintedPixel(x, y)] == depth[paintedPixel(x, y)]);
    }
}

}  // namespace
}  // namespace satdof::test
