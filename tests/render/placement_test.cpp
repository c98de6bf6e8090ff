#include "app/render/placement.h"

#include <gtest/gtest.h>

#include <vector>

#include "app/render/overscan.h"
#include "app/scene/camera.h"
#include "tests/support/gl_fixture.h"

namespace satdof::test {
namespace {

constexpr int kMaxSidePx = 16384;

using ImagePlacementTest = GlTest;

ResolvedSettings widelyBlurred() {
  Settings settings;
  settings.size = {1280, 720};
  settings.lens.overscan = Overscan::on;
  settings.lens.fNumber = 0.1f;
  settings.technique.lens.kind = LensKind::layered;
  return ResolvedSettings(settings);
}

float atOneMetre(const Settings&) { return 1.0f; }

TEST_F(ImagePlacementTest, OfAnImageWithoutMarginIsTheImage) {
  ResolvedSettings settings = widelyBlurred();
  settings.lens.overscan = Overscan::off;
  const Settings before = settings;
  const ImagePlacement placement = place(settings, {}, kMaxSidePx, atOneMetre);
  EXPECT_EQ(settings, before);
  EXPECT_EQ(placement.overscanDivisor, 0);
  EXPECT_EQ(placement.part, ImagePart());
  EXPECT_EQ(placement.shown.from, glm::ivec2(0));
  EXPECT_EQ(placement.shown.size, settings.size);
}

TEST_F(ImagePlacementTest, PutsTheImageInsideItsMargin) {
  ResolvedSettings settings = widelyBlurred();
  Settings expected = settings;
  addMargin(expected, 180);
  const glm::ivec2 sizePx = settings.size;
  const ImagePlacement placement = place(settings, {}, kMaxSidePx, atOneMetre);
  EXPECT_EQ(placement.overscanDivisor, 4);
  EXPECT_EQ(placement.overscanPx, 180);
  EXPECT_EQ(settings, expected);
  EXPECT_EQ(placement.part, ImagePart());
  EXPECT_EQ(placement.shown.from, glm::ivec2(180));
  EXPECT_EQ(placement.shown.size, sizePx);
}

TEST_F(ImagePlacementTest, IsLimitedByTheWidestImage) {
  ResolvedSettings settings = widelyBlurred();
  const ImagePlacement placement = place(settings, {}, 1300, atOneMetre);
  EXPECT_EQ(placement.overscanPx, 10);
  EXPECT_EQ(settings.size, glm::ivec2(1300, 740));
}

TEST_F(ImagePlacementTest, HasTheWiderMarginOfBothSides) {
  const auto divisorFor = [](float fNumberOfA, float fNumberOfB, bool ownLens) {
    ResolvedSettings settings = widelyBlurred();
    settings.lens.gemsMaxRadiusPx = 0;
    settings.lens.fNumber = fNumberOfA;
    settings.split.enabled = true;
    settings.split.ownLens = ownLens;
    settings.split.fNumber = fNumberOfB;
    return place(settings, {}, kMaxSidePx, atOneMetre).overscanDivisor;
  };
  EXPECT_EQ(divisorFor(16, 0.1f, false), 32);
  EXPECT_EQ(divisorFor(16, 0.1f, true), 4);
  EXPECT_EQ(divisorFor(0.1f, 16, true), 4);
  EXPECT_EQ(divisorFor(128, 0.1f, true), 4);
  EXPECT_EQ(divisorFor(0.1f, 128, true), 4);
  EXPECT_EQ(divisorFor(128, 128, true), 0);
}

TEST_F(ImagePlacementTest, OfATileKeepsTheWholeImage) {
  ResolvedSettings settings = widelyBlurred();
  const PixelRectangle tile{{128, 64}, {256, 128}};
  FrameRequest request;
  request.part = {.tile = tile, .nearestM = 0.5f};
  const ImagePlacement placement = place(settings, request, kMaxSidePx, [](const Settings&) -> float {
    ADD_FAILURE() << "the request has the nearest distance";
    return 1.0f;
  });
  EXPECT_EQ(settings.size, tile.size);
  EXPECT_EQ(placement.part, (ImagePart{tile.from, {1280, 720}}));
  EXPECT_EQ(placement.shown.from, glm::ivec2(0));
  EXPECT_EQ(placement.shown.size, tile.size);
  EXPECT_EQ(placement.nearestM, 0.5f);
  EXPECT_EQ(placement.overscanPx, 0);
  EXPECT_FALSE(placement.overscanDivisor) << "the divisor of the last image stays";
}

TEST_F(ImagePlacementTest, OfAZoomIsPartOfTheWholeImageWithItsMargin) {
  ResolvedSettings settings = widelyBlurred();
  const ZoomRequest zoom{.part = {.from = {1000, 500}, .whole = {2560, 1440}}, .maxMarginPx = 100};
  std::vector<glm::ivec2> sizes;
  FrameRequest request;
  request.zoom = zoom;
  const ImagePlacement placement = place(settings, request, kMaxSidePx, [&](const Settings& of) {
    sizes.push_back(of.size);
    return 1.0f;
  });
  const glm::ivec2 whole = glm::ivec2(2560, 1440) + 2 * placement.overscanPx;
  EXPECT_EQ(placement.overscanPx, 360);
  EXPECT_EQ(sizes.back(), whole);
  EXPECT_EQ(placement.part.whole, whole);
  EXPECT_EQ(placement.part.from + placement.shown.from, zoom.part.from + placement.overscanPx);
  EXPECT_EQ(placement.shown.size, glm::ivec2(1280, 720));
  for (int side = 0; side < 2; ++side) {
    EXPECT_GE(placement.shown.from[side], 0);
    EXPECT_LE(placement.shown.from[side] + placement.shown.size[side], settings.size[side]);
    EXPECT_LE(settings.size[side], placement.shown.size[side] + 2 * 100 + 2 * 64) << "the margin, to whole cells";
  }
}

}  // namespace
}  // namespace satdof::test
