#include "app/scene/image/image.h"

#include <gmock/gmock.h>

#include <chrono>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vector_relational.hpp>
#include <random>
#include <thread>

#include "app/core/files/cache.h"
#include "app/core/files/files.h"
#include "app/core/pixels.h"
#include "app/core/system/loading.h"
#include "app/io/codec.h"
#include "app/io/depth_image.h"
#include "app/io/formats/png.h"
#include "app/io/image_file.h"
#include "app/render/renderer.h"
#include "app/scene/registry.h"
#include "app/ui/edit.h"
#include "shaders/common/tone.h"
#include "tests/io/photographs.h"
#include "tests/scene/drawn_scene.h"
#include "tests/support/gl_fixture.h"
#include "tests/support/lens_fixture.h"
#include "tests/support/temporary_folder.h"

namespace satdof::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

std::string floatMap(const std::vector<float>& values, glm::ivec2 size) {
  return "Pf\n" + std::to_string(size.x) + " " + std::to_string(size.y) + "\n-1\n" +
         std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
}

class ImageSceneTest : public GlTest {
 protected:
  ImageSceneTest() {
    settings.scene.kind = sceneRows().back().kind;
    for (const SceneRow& row : sceneRows())
      if (row.make == makeImageScene) settings.scene.kind = row.kind;
    settings.scene.image.edgeRadiusPx = 0;
    settings.lens.autofocus = false;
  }

  FilePath file(const std::string& name, const std::string& content) const { return {folder_.write(name, content)}; }
  // A picture of noise and a depth of 1 to 5 m.
  void useNoise(glm::ivec2 size, int bits) {
    std::mt19937 random(5);
    std::vector<float> depth;
    if (bits == 32) {
      std::vector<float> rgb;
      for (int i = 0; i < size.x * size.y * 3; ++i) rgb.push_back(static_cast<float>(random() % 1024) / 256.0f);
      settings.scene.image.file = file("noise.pfm", encodePfm(rgb, size));
      floats = rgb;
    } else {
      bytes.clear();
      for (int i = 0; i < size.x * size.y * 3; ++i) bytes.push_back(static_cast<std::uint8_t>(random()));
      settings.scene.image.file = file("noise.png", encodePng(bytes.data(), size, 8, {}));
    }
    for (int i = 0; i < size.x * size.y; ++i) depth.push_back(1.0f + static_cast<float>(random() % 1024) / 256.0f);
    distances = depth;
    settings.scene.image.depth = file("noise-depth.pfm", floatMap(depth, size));
    settings.size = size;
  }
  DrawnScene draw(glm::ivec2 size) {
    targets.resize(size, 1);
    return test::draw(*scene, targets, {settings.scene, settings.camera});
  }

  const TemporaryFolder folder_;
  std::unique_ptr<Scene> scene = makeImageScene();
  Targets targets;
  Settings settings;
  std::vector<float> floats, distances;
  std::vector<std::uint8_t> bytes;
};

// A red square 1 m away before grey noise 4 m away.
TEST_F(ImageSceneTest, AnotherViewpointMovesNearSurfaces) {
  const glm::ivec2 size{200, 100};
  std::mt19937 random(3);
  std::vector<float> rgb, depth;
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x) {
      const bool square = x >= 40 && x < 80 && y >= 30 && y < 70;
      const float grey = 0.25f + 0.25f * static_cast<float>(random() % 64) / 64.0f;
      for (const float v : {square ? 1.0f : grey, square ? 0.0f : grey, square ? 0.0f : grey}) rgb.push_back(v);
      depth.push_back(square ? 1.0f : 4.0f);
    }
  settings.scene.image.file = file("sway.pfm", encodePfm(rgb, size));
  settings.scene.image.depth = file("sway-depth.pfm", floatMap(depth, size));
  const auto drawAt = [&](float parallax, double timeS) {
    settings.scene.image.parallax = parallax;
    targets.resize(size, 1);
    return test::draw(*scene, targets, {.scene = settings.scene, .camera = settings.camera, .timeS = timeS});
  };
  const DrawnScene still = drawAt(0.0f, 1.5), centre = drawAt(0.08f, 0.0), left = drawAt(0.08f, 4.5),
                   right = drawAt(0.08f, 1.5);
  EXPECT_EQ(still.colour, centre.colour);
  EXPECT_EQ(still.depth, centre.depth);
  settings.camera.yawDegrees += 20.0f;  // the camera moves to the right
  const DrawnScene turned = drawAt(0.08f, 0.0);
  settings.camera = {};
  EXPECT_EQ(turned.depth, left.depth);
  // The background in the middle stays; a quarter of a period later the square has moved by 0.08 * 200 * (1 - 1 / 4).
  constexpr int kWay = 12;
  for (const auto& [drawn, way] : {std::pair(&right, kWay), std::pair(&left, -kWay)})
    for (int y = 0; y < size.y; ++y)
      for (int x = 0; x < size.x; ++x) {
        const auto at = static_cast<std::size_t>(y * size.x + x);
        const bool square = x >= 40 + way && x < 80 + way && y >= 30 && y < 70;
        const bool edge =
            square != (x >= 41 + way && x < 79 + way && y >= 30 && y < 70) || x == 39 + way || x == 80 + way;
        if (edge) continue;
        const bool wasSquare = x >= 40 && x < 80 && y >= 30 && y < 70;
        ASSERT_NEAR(drawn->frame.nearM / drawn->depth[at], square ? 1.0f : 4.0f, 1e-3f) << x << ", " << y;
        const glm::vec4 colour = drawn->colour[at];
        if (square) {
          ASSERT_NEAR(glm::distance(colour, glm::vec4(1, 0, 0, 1)), 0.0f, 2e-3f) << x << ", " << y;
        } else if (wasSquare) {  // the hole: grey as the background is
          ASSERT_TRUE(colour.r == colour.g && colour.r >= 0.25f && colour.r <= 0.5f) << x << ", " << y;
        } else {
          ASSERT_NEAR(glm::distance(colour, still.colour[at]), 0.0f, 2e-3f) << x << ", " << y;
        }
      }
}

TEST_F(ImageSceneTest, FloatImagesOfTheOutputsSizeAreExact) {
  useNoise({53, 31}, 32);
  const DrawnScene drawn = draw({53, 31});
  EXPECT_EQ(scene->message(), "");
  EXPECT_FALSE(drawn.frame.look.photograph);
  for (std::size_t i = 0; i < drawn.colour.size(); ++i) {
    for (int c = 0; c < 3; ++c) ASSERT_EQ(drawn.colour[i][c], floats[3 * i + static_cast<std::size_t>(c)]);
    ASSERT_NEAR(drawn.frame.nearM / drawn.depth[i], distances[i], 1e-5f * distances[i]);
  }
  EXPECT_NEAR(drawn.frame.nearestM, *std::ranges::min_element(distances), 1e-4f);
}

TEST_F(ImageSceneTest, DrawsAgainOnlyWhatChanged) {
  useNoise({53, 31}, 32);
  targets.resize({53, 31}, 1);
  Timings timings;
  const auto drawn = [&] {
    scene->draw({settings.scene, settings.camera}, targets, timings);
    return targets.imageNumber();
  };
  const std::size_t first = drawn();
  EXPECT_EQ(drawn(), first);
  settings.scene.image.highlightsFrom += 0.1f;
  const std::size_t second = drawn();
  EXPECT_NE(second, first);
  EXPECT_EQ(drawn(), second);
  targets.begin();
  targets.finish(makePinhole(settings.camera, targets.size(), 0.1f, {}), 1.0f);
  EXPECT_NE(drawn(), second + 1);
  EXPECT_EQ(draw({53, 31}).colour[7][0], floats[3 * 7]);
}

TEST_F(ImageSceneTest, APhotographInFocusIsDisplayedAsItWas) {
  useNoise({64, 40}, 8);
  settings.technique.view = View::sharp;
  for (const float highlights : {1.0f, 4.0f, 64.0f}) {
    settings.scene.image.highlights = highlights;
    Renderer renderer;
    Timings timings;
    EXPECT_EQ(renderer.render(settings, {}, timings).message, "");
    const gl::Texture target(GL_RGBA8, settings.size);
    const gl::Framebuffer framebuffer(target);
    renderer.present(framebuffer.name(), settings.size, settings, timings);
    std::vector<glm::u8vec4> shown(bytes.size() / 3);
    glGetTextureImage(target.name(), 0, GL_RGBA, GL_UNSIGNED_BYTE, static_cast<GLsizei>(4 * shown.size()),
                      shown.data());
    for (std::size_t i = 0; i < bytes.size(); ++i)
      ASSERT_NEAR(shown[i / 3][static_cast<int>(i % 3)], bytes[i], 1) << i << " " << highlights;
  }
}

TEST_F(ImageSceneTest, HighlightsBecomeBrighterThanWhite) {
  const std::vector<std::uint8_t> rgb{255, 255, 255, 255, 0, 0, 128, 128, 128};
  settings.scene.image.file = file("white.png", encodePng(rgb.data(), {3, 1}, 8, {}));
  settings.scene.image.depth = file("d.pfm", floatMap({1, 1, 1}, {3, 1}));
  settings.scene.image.highlights = 8.0f;
  const DrawnScene drawn = draw({3, 1});
  EXPECT_NEAR(drawn.colour[0].g, 8.0f, 0.01f);
  EXPECT_NEAR(drawn.colour[1].r, 8.0f, 0.01f);
  EXPECT_EQ(drawn.colour[1].g, 0.0f);
  EXPECT_NEAR(drawn.colour[2].r, 0.2158f, 1e-3f);
}

TEST_F(ImageSceneTest, OtherSizesKeepTheAspectAndMirrorBeside) {
  useNoise({40, 20}, 32);
  const DrawnScene full = draw({40, 20}), tall = draw({40, 40}), wide = draw({80, 20});
  EXPECT_EQ(tall.frame.look.shownFrom, glm::ivec2(0, 10));
  EXPECT_EQ(tall.frame.look.shownTo, glm::ivec2(40, 30));
  EXPECT_EQ(wide.frame.look.shownFrom, glm::ivec2(20, 0));
  EXPECT_EQ(wide.frame.look.shownTo, glm::ivec2(60, 20));
  for (int y = 0; y < 20; ++y)
    for (int x = 0; x < 40; ++x) {
      const auto expected = full.colour[static_cast<std::size_t>(y * 40 + x)];
      ASSERT_EQ(tall.colour[static_cast<std::size_t>((y + 10) * 40 + x)], expected);
      ASSERT_EQ(wide.colour[static_cast<std::size_t>(y * 80 + x + 20)], expected);
      ASSERT_EQ(wide.depth[static_cast<std::size_t>(y * 80 + x + 20)], full.depthAt({x, y}));
    }
  for (int x = 0; x < 20; ++x) ASSERT_EQ(wide.depthAt({19 - x, 5}), full.depthAt({x, 5}));
}

TEST_F(ImageSceneTest, AShiftedImageFillsTheAreaAroundItsMiddle) {
  useNoise({40, 20}, 32);
  const DrawnScene full = draw({40, 20});
  for (const auto& [shiftX, left] : {std::pair(0.125f, 30), std::pair(0.25f, 40), std::pair(-0.25f, 0)}) {
    settings.camera.shiftX = shiftX;
    const DrawnScene wide = draw({80, 20});
    EXPECT_EQ(wide.frame.look.shownFrom, glm::ivec2(left, 0));
    EXPECT_EQ(wide.frame.look.shownTo, glm::ivec2(left + 40, 20));
    ASSERT_EQ(wide.colour[static_cast<std::size_t>(5 * 80 + left + 7)], full.colour[5 * 40 + 7]);
  }
  settings.camera.shiftX = 0.25f;
  const DrawnScene half = draw({40, 20});
  EXPECT_EQ(half.frame.look.shownFrom, glm::ivec2(20, 5));
  EXPECT_EQ(half.frame.look.shownTo, glm::ivec2(40, 15));
  settings.camera.shiftX = 0.0f;
  settings.camera.shiftY = 0.25f;
  const DrawnScene upper = draw({40, 20});
  EXPECT_EQ(upper.frame.look.shownFrom, glm::ivec2(10, 10));
  EXPECT_EQ(upper.frame.look.shownTo, glm::ivec2(30, 20));
}

// The left quarter is at 1 m, the rest at 4 m. An output of twice the width has a mirrored half image on either side.
TEST_F(ImageSceneTest, AFocusedPlaceCountsFromTheImageWithoutBars) {
  useNoise({80, 40}, 32);
  std::vector<float> depth;
  for (int i = 0; i < 80 * 40; ++i) depth.push_back(i % 80 < 20 ? 1.0f : 4.0f);
  settings.scene.image.depth = file("quarter.pfm", floatMap(depth, {80, 40}));
  settings.scene.frame = false;
  Timings timings;
  const auto focusAt = [&](glm::ivec2 size, bool inShown) {
    settings.size = size;
    Renderer renderer;
    FrameRequest request{.focusAt = glm::vec2(0.1f, 0.5f), .focusInPhotograph = inShown};
    for (int i = 0; i < 100; ++i) {
      const FrameResult result = renderer.render(settings, request, timings);
      if (result.focus.focusDistanceM) return *result.focus.focusDistanceM;
      request.focusAt.reset();
      glFinish();
    }
    return -1.0f;
  };
  EXPECT_NEAR(focusAt({80, 40}, true), 1.0f, 0.01f);
  EXPECT_NEAR(focusAt({160, 40}, true), 1.0f, 0.01f);
  EXPECT_NEAR(focusAt({160, 40}, false), 4.0f, 0.01f) << "the place of a click counts from all pixels";
}

// A bright column between 1 m and 4 m is as wide in an image with bars above and below as in an image without them.
TEST_F(ImageSceneTest, BarsAboveAndBelowDoNotWidenTheBlur) {
  const glm::ivec2 size{96, 32};
  std::vector<float> rgb, depth;
  for (int i = 0; i < size.x * size.y; ++i) {
    rgb.insert(rgb.end(), 3, i % size.x == 48 ? 4.0f : 0.0f);
    depth.push_back(i % size.x < 8 ? 1.0f : 4.0f);
  }
  settings.scene.image.file = file("column.pfm", encodePfm(rgb, size));
  settings.scene.image.depth = file("column-depth.pfm", floatMap(depth, size));
  settings.scene.frame = false;
  settings.lens.focusDistanceM = 1.0f;
  settings.lens.focalLengthMm = 90.0f;
  settings.lens.fNumber = 2.0f;
  settings.lens.gemsMaxRadiusPx = 120.0f;
  Timings timings;
  for (const LensKind lens : {LensKind::box, LensKind::gems, LensKind::layered}) {
    settings.technique.lens.kind = lens;
    const auto row = [&](glm::ivec2 of) {
      settings.size = of;
      Renderer renderer;
      renderer.render(settings, {}, timings);
      const std::vector<glm::vec4> image = download(renderer.image());
      const auto at = image.begin() + static_cast<std::ptrdiff_t>(of.y / 2) * of.x;
      return std::vector<glm::vec4>(at, at + of.x);
    };
    const auto alone = row(size), between = row({size.x, 3 * size.y});
    EXPECT_LT(alone[48].r, 2.0f) << name(lens) << ": blurred";
    for (std::size_t x = 0; x < alone.size(); ++x)
      EXPECT_NEAR(between[x].r, alone[x].r, 0.01f) << name(lens) << " at " << x;
  }
}

TEST_F(ImageSceneTest, SmallerImagesAreMeansAndTheNearestDepth) {
  useNoise({40, 20}, 32);
  const DrawnScene half = draw({20, 10});
  for (int y = 0; y < 10; ++y)
    for (int x = 0; x < 20; ++x) {
      float sum = 0.0f, nearestM = 100.0f;
      for (int i = 0; i < 4; ++i) {
        const auto at = static_cast<std::size_t>((2 * y + i / 2) * 40 + 2 * x + i % 2);
        sum += floats[3 * at];
        nearestM = std::min(nearestM, distances[at]);
      }
      ASSERT_NEAR(half.colour[static_cast<std::size_t>(y * 20 + x)].r, sum / 4, 2e-3f);
      ASSERT_NEAR(half.frame.nearM / half.depthAt({x, y}), nearestM, 1e-4f);
    }
}

TEST_F(ImageSceneTest, FilesThatCannotBeReadLeaveTheLastImage) {
  EXPECT_THAT((draw({40, 20}), scene->message()), HasSubstr("no image"));
  useNoise({40, 20}, 32);
  const DrawnScene good = draw({40, 20});
  EXPECT_EQ(scene->message(), "");
  const ImageSettings kept = settings.scene.image;
  settings.scene.image.depth = file("damaged.pfm", "Pf\n40 20\n-1\nshort");
  const DrawnScene bad = draw({40, 20});
  EXPECT_THAT(scene->message(), HasSubstr("damaged.pfm\": it is truncated"));
  EXPECT_EQ(bad.colour, good.colour);
  EXPECT_EQ(bad.depth, good.depth);
  settings.scene.image.depth = {};
  draw({40, 20});
  EXPECT_THAT(scene->message(), HasSubstr("it holds no depth; give the depth image with --depth FILE"));
  settings.scene.image = kept;
  draw({40, 20});
  EXPECT_EQ(scene->message(), "");
}

// A white wall 1 m away, left of a blue one 4 m away. The first column of the blue wall is half white, as by
// antialiasing; in the upper half it is green, a texture.
TEST_F(ImageSceneTest, AMixedPixelBesideABlurredSurfaceShowsItsOwn) {
  constexpr glm::ivec2 kSize{40, 20};
  constexpr int kEdge = 20;
  const glm::vec3 blue(0.1f, 0.2f, 0.6f), mixed = 0.5f * (blue + 1.0f), green(0.1f, 0.5f, 0.1f);
  std::vector<float> rgb, depth;
  for (int y = 0; y < kSize.y; ++y)
    for (int x = 0; x < kSize.x; ++x) {
      const glm::vec3 beside = y < kSize.y / 2 ? mixed : green;
      const glm::vec3 shown = x < kEdge ? glm::vec3(1.0f) : x == kEdge ? beside : blue;
      for (int c = 0; c < 3; ++c) rgb.push_back(shown[c]);
      depth.push_back(x < kEdge ? 1.0f : 4.0f);
    }
  settings.scene.image.file = file("mixed.pfm", encodePfm(rgb, kSize));
  settings.scene.image.depth = file("mixed-depth.pfm", floatMap(depth, kSize));
  settings.scene.image.edgeRadiusPx = 1;
  targets.resize(kSize, 1);
  SceneView view{.scene = settings.scene, .camera = settings.camera};
  const auto at = [&](int x, int y) {
    return glm::vec3(test::draw(*scene, targets, view).colour[pixelIndex(kSize, {x, y})]);
  };
  const auto near = [](glm::vec3 a, glm::vec3 b) { return glm::all(glm::lessThan(glm::abs(a - b), glm::vec3(2e-3f))); };
  EXPECT_TRUE(near(at(kEdge, 5), mixed)) << "the image is sharp";
  view.blurM = 1.0f;  // the other wall: a radius of 15 pixels
  view.focusM = 1.0f;
  EXPECT_TRUE(near(at(kEdge, 5), mixed)) << "the near wall is in focus: its antialiasing";
  const DrawnScene sharp = test::draw(*scene, targets, view);
  EXPECT_EQ(sharp.depthAt({kEdge, 5}), 1.0f);
  EXPECT_EQ(sharp.depthAt({kEdge, 15}), 0.25f) << "a texture of the far wall";
  EXPECT_EQ(sharp.depthAt({kEdge + 1, 5}), 0.25f);
  view.focusM = 4.0f;
  EXPECT_TRUE(near(at(kEdge, 5), blue));
  EXPECT_TRUE(near(at(kEdge, 15), green)) << "no mixture of both walls";
  EXPECT_TRUE(near(at(kEdge - 1, 5), glm::vec3(1.0f)));
  EXPECT_TRUE(near(at(kEdge + 1, 5), blue));
  view.scene.image.edgeRadiusPx = 0;
  EXPECT_TRUE(near(at(kEdge, 5), mixed)) << "the depth has exact edges";
}

// Hairs 1 m away, a quarter of a drawn pixel wide, before a wall 4 m away; beside the wall, a sky 40 m away.
TEST_F(ImageSceneTest, TheLayerBehindThinSurfacesIsTheNextOne) {
  constexpr glm::ivec2 kSize{64, 32};
  constexpr int kSky = 48;
  const glm::vec3 hair(0.05f), wall(0.6f, 0.2f, 0.1f), sky(0.2f, 0.4f, 0.9f);
  std::vector<float> rgb, depth;
  for (int y = 0; y < kSize.y; ++y)
    for (int x = 0; x < kSize.x; ++x) {
      const bool isHair = x % 8 == 0;
      for (int c = 0; c < 3; ++c) rgb.push_back((isHair ? hair : x < kSky ? wall : sky)[c]);
      depth.push_back(isHair ? 1.0f : x < kSky ? 4.0f : 40.0f);
    }
  settings.scene.image.file = file("hair.pfm", encodePfm(rgb, kSize));
  settings.scene.image.depth = file("hair-depth.pfm", floatMap(depth, kSize));
  targets.resize(kSize / 4, 1);
  const SceneView view{.scene = settings.scene, .camera = settings.camera};
  const auto [front, behind] = drawLayers(*scene, targets, view);
  for (int x = 1; x < kSky / 4 - 1; ++x) {
    const bool isHair = x % 2 == 0;
    EXPECT_EQ(front.depthAt({x, 4}), isHair ? 1.0f : 0.25f);
    if (!isHair) continue;
    EXPECT_EQ(behind.depthAt({x, 4}), 0.25f);
    EXPECT_LT(glm::distance(glm::vec3(behind.colour[pixelIndex(kSize / 4, {x, 4})]), wall), 2e-3f);
  }
}

TEST_F(ImageSceneTest, AnImageDrawnAgainWithAnotherBlurEqualsANewOne) {
  constexpr glm::ivec2 kSize{64, 40};
  constexpr int kBlock = 8;
  useNoise(kSize, 32);
  std::mt19937 random(11);
  std::vector<float> blocks(pixelCount(kSize / kBlock)), depth;
  for (float& block : blocks) block = random() % 2 == 0 ? 1.0f : 4.0f;
  for (int y = 0; y < kSize.y; ++y)
    for (int x = 0; x < kSize.x; ++x) depth.push_back(blocks[pixelIndex(kSize / kBlock, glm::ivec2(x, y) / kBlock)]);
  settings.scene.image.depth = file("blocks.pfm", floatMap(depth, kSize));
  settings.scene.image.edgeRadiusPx = 1;
  SceneView view{.scene = settings.scene, .camera = settings.camera, .blurM = 1.0f};
  for (const glm::ivec2 size : {kSize, kSize / 2 + 3, kSize * 2 + 1}) {
    targets.resize(size, 1);
    view.focusM = 1.0f;
    const DrawnScene before = test::draw(*scene, targets, view);
    view.focusM = 4.0f;
    const DrawnScene again = test::draw(*scene, targets, view);
    const std::unique_ptr<Scene> other = makeImageScene();
    Targets otherTargets;
    otherTargets.resize(size, 1);
    const DrawnScene expected = test::draw(*other, otherTargets, view);
    EXPECT_NE(before.colour, again.colour);
    EXPECT_EQ(again.colour, expected.colour) << size.x;
    EXPECT_EQ(again.depth, expected.depth) << size.x;
  }
}

TEST_F(ImageSceneTest, ALiveImageIsDrawnAgainWhenItsBlurRests) {
  useNoise({40, 20}, 32);
  settings.scene.image.edgeRadiusPx = 1;
  targets.resize({40, 20}, 1);
  SceneView view{.scene = settings.scene, .camera = settings.camera, .live = true, .blurM = 1.0f, .focusM = 1.0f};
  const auto isDraft = [&] { return test::draw(*scene, targets, view).frame.isDraft; };
  while (isDraft() || scene->loading()) std::this_thread::yield();
  view.focusM = 2.0f;
  EXPECT_TRUE(isDraft());
  view.focusM = 3.0f;
  EXPECT_TRUE(isDraft());
  EXPECT_FALSE(isDraft());
  const DrawnScene live = test::draw(*scene, targets, view);
  view.focusM = 4.0f;
  view.live = false;
  EXPECT_FALSE(isDraft());
  view.focusM = 3.0f;
  EXPECT_EQ(test::draw(*scene, targets, view).colour, live.colour);
}

TEST_F(ImageSceneTest, AWindowShowsAnImageWithoutDepthFlat) {
  useNoise({40, 20}, 32);
  const DrawnScene good = draw({40, 20});
  EXPECT_FALSE(scene->report({}).lacksDepth);
  EXPECT_EQ(scene->report({}).depthCounts->size(), 64u);
  settings.scene.image.depth = {};
  settings.scene.frame = true;
  const SceneView view{.scene = settings.scene, .camera = settings.camera, .live = true};
  while (test::draw(*scene, targets, view), scene->loading()) std::this_thread::yield();
  for (int i = 0; i < 2; ++i) {  // live, then while the window records
    const DrawnScene flat = i == 0 ? test::draw(*scene, targets, view) : draw({40, 20});
    EXPECT_EQ(scene->message(), "");
    EXPECT_TRUE(scene->report({}).lacksDepth);
    EXPECT_EQ(flat.colour, good.colour);
    EXPECT_THAT(flat.depth, testing::Each(flat.depth[0]));
  }
  ASSERT_TRUE(scene->framing(view));
  EXPECT_EQ(scene->framing(view)->focusDistanceM, 2.0f) << "all of it is in focus";
}

TEST_F(ImageSceneTest, AWindowShowsAnImageWithADamagedDepthFlat) {
  useNoise({40, 20}, 32);
  const auto isNamed = HasSubstr(file("noise-depth.pfm", "damaged").text);
  draw({40, 20});
  EXPECT_THAT(scene->message(), isNamed);
  const std::unique_ptr<Scene> window = makeImageScene();
  targets.resize({40, 20}, 1);
  const SceneView view{.scene = settings.scene, .camera = settings.camera, .live = true};
  while (test::draw(*window, targets, view), window->loading()) std::this_thread::yield();
  EXPECT_EQ(window->message(), "");
  EXPECT_TRUE(window->report({}).lacksDepth);
  EXPECT_THAT(window->report({}).depthDamage, isNamed);
  EXPECT_THAT(window->report({}).notes, Contains(isNamed));
}

TEST_F(ImageSceneTest, BrushesPaintADepthFromNone) {
  useNoise({40, 20}, 32);
  ImageSettings& image = settings.scene.image;
  image.depth = {};
  targets.resize({40, 20}, 1);
  const SceneView view{.scene = settings.scene, .camera = settings.camera, .live = true};
  while (test::draw(*scene, targets, view), scene->loading()) std::this_thread::yield();
  EXPECT_EQ(scene->report({}).readings.at(1).value, "none");
  const auto correction = correctionOf(image);
  const auto depth = [&] { return correction->depth()->map.depth[0]; };
  const float before = depth();
  correction->begin({.kind = BrushKind::nearer, .radiusPx = 4.0f, .edge = 1.0f});
  correction->end();
  EXPECT_GT(depth(), before);
  correction->undo();
  correction->begin({.kind = BrushKind::farther, .radiusPx = 4.0f, .edge = 1.0f});
  correction->end();
  EXPECT_LT(depth(), before);
  const ImageSettings flat = image;
  image.depth.text = correctedDepthOf(image.file.text).string();
  const auto held = nameCorrection(*correction, flat, image);
  draw({40, 20});
  EXPECT_FALSE(scene->report({}).lacksDepth);
  EXPECT_FALSE(scene->report({}).guessesDepth);
  EXPECT_EQ(scene->report({}).readings.at(1).value, "40 x 20, painted");
}

TEST_F(ImageSceneTest, ACorrectionThatWasPaintedOnAnotherImageIsNoted) {
  useNoise({40, 20}, 8);
  ImageSettings& image = settings.scene.image;
  const std::string photo = readWholeFile(image.file.text, 1 << 20);
  for (const auto& [name, of] :
       {std::pair("old", std::string()), {"same", hashed(photo)}, {"other", hashed("other")}}) {
    image.file = file(std::string(name) + ".png", photo);
    const auto yesterday = std::filesystem::file_time_type::clock::now() - std::chrono::hours(24);
    std::filesystem::last_write_time(image.file.text, yesterday);
    std::vector<ImageText> texts{{kCorrectedKeyword, "by a brush"}};
    if (!of.empty()) texts.push_back({kPaintedOnKeyword, of});
    const LayerImage layer{{40, 20}, 0.5f, {std::vector(800, 0.5f)}};
    const std::filesystem::path corrected = correctedDepthOf(image.file.text);
    image.depth = file(corrected.filename().string(), codecByExtension(corrected)->layer(Layer::depth, layer, texts));
    draw({40, 20});
    EXPECT_EQ(scene->message(), "");
    const auto isTold =
        Contains(HasSubstr("other.png.corrected-depth.exr: it was painted on another image of this name"));
    if (name == std::string("other"))
      EXPECT_THAT(scene->report({}).notes, isTold);
    else
      EXPECT_THAT(scene->report({}).notes, testing::IsEmpty()) << name;
  }
}

TEST_F(ImageSceneTest, AnImageThatWasReadIsTakenAtOnce) {
  useNoise({40, 20}, 32);
  LoadProgress progress;
  const auto held = loadImage(settings.scene, {}, progress);
  targets.resize({40, 20}, 1);
  test::draw(*scene, targets, {.scene = settings.scene, .camera = settings.camera, .live = true});
  EXPECT_FALSE(scene->loading());
  EXPECT_FALSE(scene->report({}).readings.empty());
}

TEST_F(ImageSceneTest, SettingsOfAnotherMeaningOfTheDepthHaveNoEffect) {
  useNoise({40, 20}, 32);
  const ImageSettings& image = settings.scene.image;
  EXPECT_EQ(depthMeaning(image), std::nullopt) << "the file decides";
  EXPECT_EQ(whyNot(settings, "scene.image.baselineMm"), "");
  draw({40, 20});
  EXPECT_EQ(depthMeaning(image), DepthMeaning::metres);
  EXPECT_TRUE(scene->report({}).guessesDepth);
  for (const char* field : {"baselineMm", "focalLengthPx", "offsetPx"})
    EXPECT_EQ(whyNot(settings, std::string("scene.image.") + field), "only if the depth means disparity");
  settings.scene.image.meaning = DepthMeaning::disparity;
  EXPECT_EQ(depthMeaning(image), DepthMeaning::disparity);
  EXPECT_EQ(whyNot(settings, "scene.image.baselineMm"), "");
}

TEST_F(ImageSceneTest, TheMeaningOfTheDepthIsKnownWhileTheNextFrameIsRead) {
  useNoise({40, 20}, 32);
  draw({40, 20});
  SceneSettings next = settings.scene;
  next.image.file = file("next.pfm", encodePfm(floats, {40, 20}));
  LoadProgress progress;
  const auto held = loadImage(next, settings.scene, progress);
  EXPECT_EQ(depthMeaning(settings.scene.image), DepthMeaning::metres);
  EXPECT_EQ(depthMeaning(next.image), DepthMeaning::metres);
  EXPECT_EQ(whyNot(settings, "scene.image.baselineMm"), "only if the depth means disparity");
}

TEST_F(ImageSceneTest, ADepthOfAStatedMeaningNeedsNoCalibration) {
  useNoise({40, 20}, 32);
  const DrawnScene expected = draw({40, 20});
  file("calib.txt", "doffs=3\n");
  settings.scene.image.meaning = DepthMeaning::metres;
  EXPECT_EQ(draw({40, 20}).depth, expected.depth);
  settings.scene.image.meaning = DepthMeaning::disparity;
  draw({40, 20});
  EXPECT_THAT(scene->message(), HasSubstr("calib.txt beside it has no cam0"));
}

TEST_F(ImageSceneTest, TheMeaningThatWasFoundKeepsItsUnit) {
  useNoise({40, 20}, 32);
  std::string depth = "P5\n40 20\n65535\n";
  for (int i = 0; i < 40 * 20; ++i) depth += {static_cast<char>(i % 2 == 0 ? 0x08 : 0x10), 0};  // 2 m and 4 m
  ImageSettings& image = settings.scene.image;
  image.depth = file("depth.pgm", depth);
  const DrawnScene found = draw({40, 20});
  EXPECT_EQ(depthMeaning(image), DepthMeaning::metres);
  EXPECT_EQ(usedScale(image), 0.001f) << "for millimetres";
  EXPECT_EQ(image.scale, 1.0f);
  EXPECT_EQ(withMeaning(image, DepthMeaning::relative).scale, 1.0f);
  image = withMeaning(image, DepthMeaning::metres);
  EXPECT_EQ(image.meaning, DepthMeaning::metres);
  EXPECT_EQ(image.scale, 0.001f);
  const DrawnScene chosen = draw({40, 20});
  EXPECT_EQ(chosen.frame.nearM, found.frame.nearM);
  for (int x = 0; x < 40; ++x) EXPECT_EQ(chosen.depthAt({x, 10}), found.depthAt({x, 10}));
}

TEST(FittedPhotograph, LiesBesideThePanelsInWholePixels) {
  EXPECT_EQ(fittedPhotograph({1600, 1000}, {640, 400}, {}), (PixelRectangle{{0, 0}, {640, 400}}));
  EXPECT_EQ(fittedPhotograph({1600, 1000}, {673, 420}, {}), (PixelRectangle{{0, 0}, {672, 420}}));
  EXPECT_EQ(fittedPhotograph({1000, 1000}, {640, 400}, {}), (PixelRectangle{{120, 0}, {400, 400}}));
  CameraSettings besidePanels;
  besidePanels.shiftX = 0.125f;
  EXPECT_EQ(fittedPhotograph({1600, 1000}, {640, 400}, besidePanels), (PixelRectangle{{160, 50}, {480, 300}}));
}

TEST_F(ImageSceneTest, StretchedDepthIsReported) {
  useNoise({40, 20}, 32);
  draw({40, 20});
  EXPECT_EQ(scene->report({}).readings.at(1).value, "40 x 20");
  settings.scene.image.depth = file("square.pfm", floatMap(std::vector<float>(400, 2.0f), {20, 20}));
  draw({40, 20});
  EXPECT_EQ(scene->report({}).readings.at(1).value, "20 x 20, stretched to the image");
}

TEST_F(ImageSceneTest, ADepthThatLiesAsStoredIsTurnedLikeItsPhotograph) {
  constexpr glm::ivec2 kStored{16, 8}, kShown{8, 16};
  constexpr int kClockwise = 6;
  Pixels pixels;
  pixels.size = kStored;
  pixels.rgb8.assign(pixelCount(kStored) * 3, 128);
  settings.scene.image.file =
      file("turned.jpg", codecByExtension("turned.jpg")->write(pixels, {{}, exifWith(kClockwise, true)}, {}));
  std::vector<float> stored, shown;  // near on the left, which is shown at the top
  for (int i = 0; i < kStored.x * kStored.y; ++i) {
    stored.push_back(i % kStored.x < 8 ? 1.0f : 4.0f);
    shown.push_back(i / kShown.x >= 8 ? 1.0f : 4.0f);
  }
  const auto drawnWith = [&](const std::vector<float>& depth, glm::ivec2 size) {
    settings.scene.image.depth = file("depth-" + std::to_string(size.x) + ".pfm", floatMap(depth, size));
    return draw(kShown).depth;
  };
  const std::vector<float> upright = drawnWith(shown, kShown);
  EXPECT_THAT(scene->report({}).notes, Not(Contains(HasSubstr("turned"))));
  EXPECT_EQ(drawnWith(stored, kStored), upright);
  EXPECT_EQ(upright.back(), 1.0f);
  EXPECT_EQ(upright.front(), 0.25f);
  EXPECT_THAT(scene->report({}).notes, Contains(HasSubstr("its depth is turned as the image is")));
  EXPECT_THAT(scene->report({}).notes, Not(Contains(HasSubstr("stretched"))));
}

TEST_F(ImageSceneTest, NotesNameTheirFile) {
  useNoise({40, 20}, 32);
  settings.scene.image.depth = file("square.pfm", floatMap(std::vector<float>(400, 2.0f), {20, 20}));
  draw({40, 20});
  const std::string depth = settings.scene.image.depth.text;
  EXPECT_THAT(scene->report({}).notes,
              testing::ElementsAre(depth + ": its depth is taken for metres: assumed; --depth-means sets it",
                                   depth + ": its depth of 20 x 20 is stretched to the image of 40 x 20"));
  settings.scene.image.file.text.clear();
  draw({40, 20});
  EXPECT_EQ(scene->report({}).notes, Notes());
}

TEST_F(ImageSceneTest, TheReferenceIsNotOfferedWithAReason) {
  useNoise({40, 20}, 32);
  Renderer renderer;
  Timings timings;
  settings.technique.lens.kind = LensKind::reference;
  EXPECT_THAT(renderer.render(settings, {}, timings).message,
              HasSubstr("the reference lens cannot draw the scene image: an image with depth has one viewpoint"));
  for (const LensKind kind : {LensKind::box, LensKind::tent, LensKind::gems, LensKind::layered}) {
    settings.technique.lens.kind = kind;
    settings.lens.layers = 2;
    EXPECT_EQ(renderer.render(settings, {}, timings).message, "") << name(kind);
  }
}

TEST(Tone, TheShoulderInvertsTheRestoredHighlights) {
  for (const float from : {0.0f, 0.5f, 0.75f, 0.99f})
    for (const float peak : {1.0f, 1.5f, 4.0f, 64.0f})
      for (int i = 0; i <= 1000; ++i) {
        const float v = static_cast<float>(i) / 1000.0f;
        const float restored = glsl::inverseShoulder(v, from, peak);
        ASSERT_GE(restored, v - 1e-6f);
        ASSERT_LE(restored, peak * 1.0001f);
        ASSERT_NEAR(glsl::shoulder(restored, from, peak), v, 2e-5f) << from << " " << peak;
      }
  EXPECT_NEAR(glsl::inverseShoulder(1.0f, 0.75f, 4.0f), 4.0f, 1e-4f);
  EXPECT_EQ(glsl::shoulder(100.0f, 0.75f, 4.0f), 1.0f);
}

}  // namespace
}  // namespace satdof::test
