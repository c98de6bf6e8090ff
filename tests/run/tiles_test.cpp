#include "app/run/tiles.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <glm/common.hpp>
#include <set>

#include "app/core/files/files.h"
#include "app/io/formats/pfm.h"
#include "app/io/formats/png.h"
#include "app/lens/lens.h"
#include "app/render/reach.h"
#include "app/render/renderer.h"
#include "app/run/capture.h"
#include "app/run/limits.h"
#include "tests/support/gl_fixture.h"
#include "tests/support/reason.h"
#include "tests/support/temporary_folder.h"

namespace satdof {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class TilesTest : public GlTest {
 protected:
  void SetUp() override {
    GlTest::SetUp();
    if (testing::Test::IsSkipped()) return;
    settings_.size = {1100, 840};
    settings_.scene.samples = 1;
    settings_.scene.animate = false;
    settings_.lens.overscan = Overscan::off;
  }

  // An image of stripes and lamps, from near on the left to far on the right, with a step in the middle.
  void usePhotograph() {
    const glm::ivec2 size = settings_.size;
    std::vector<std::uint8_t> rgb;
    std::vector<std::uint16_t> depth;
    for (int y = 0; y < size.y; ++y)
      for (int x = 0; x < size.x; ++x) {
        const bool stripe = (x / 7 + y / 11) % 3 == 0, lamp = x % 97 < 3 && y % 89 < 3;
        for (int c = 0; c < 3; ++c)
          rgb.push_back(static_cast<std::uint8_t>(lamp ? 255 : stripe ? 180 - 40 * c : 20 + 30 * c));
        const int ramp = 60000 - 40 * x - (y > size.y / 2 ? 9000 : 0);
        depth.push_back(static_cast<std::uint16_t>(std::clamp(ramp, 1000, 65535)));
      }
    writeWholeFile(folder_ / "image.png", encodePng(rgb.data(), size, 8, {}));
    writeWholeFile(folder_ / "depth.png", encodePng(depth.data(), size, 16, {}, 1));
    settings_.scene.kind = SceneKind::image;
    settings_.scene.image.file.text = folder_ / "image.png";
    settings_.scene.image.depth.text = folder_ / "depth.png";
    settings_.scene.image.nearM = 0.8f;
    settings_.scene.frame = false;
    settings_.lens.focusDistanceM = 1.6f;
    settings_.lens.focalLengthMm = 35.0f;
  }

  // Draws the image once as a whole and once in tiles, and returns both files.
  std::pair<std::string, std::string> bothWays(const std::string& name, CaptureOptions options = {}) {
    Renderer renderer;
    Timings timings;
    while (renderer.render(settings_, {.timeS = 0, .focusAt = {}}, timings).progress < 1.0f) {
    }
    options.dated = false;
    capture(renderer, settings_, 0, folder_ / ("whole" + name), options);
    Settings small = settings_;
    small.size = settings_.size / 4;
    while (renderer.render(small, {.timeS = 0, .focusAt = {}}, timings).progress < 1.0f) {
    }
    options.size = settings_.size;
    options.memoryBytes = memoryBytes_;
    options.tileDone = [&](long done, long tiles) {
      EXPECT_EQ(done, ++tilesDone_);
      tiles_ = tiles;
    };
    capture(renderer, small, 0, folder_ / ("tiles" + name), options);
    return {readWholeFile(folder_ / ("whole" + name), 1 << 30), readWholeFile(folder_ / ("tiles" + name), 1 << 30)};
  }

  // The largest difference of two PNG files in steps of 8 bits, and the part of the samples that differ.
  static std::pair<int, double> difference(const std::pair<std::string, std::string>& files) {
    const PngImage whole = decodePng(files.first), tiles = decodePng(files.second);
    EXPECT_EQ(whole.size, tiles.size);
    EXPECT_EQ(whole.rows.size(), tiles.rows.size());
    int largest = 0;
    long differing = 0;
    for (std::size_t i = 0; i < whole.rows.size(); ++i) {
      const int error = std::abs(int{whole.rows[i]} - int{tiles.rows[i]});
      largest = std::max(largest, error);
      differing += error > 0 ? 1 : 0;
    }
    return {largest, static_cast<double>(differing) / static_cast<double>(whole.rows.size())};
  }

  // Draws both ways and compares. Returns the image that was drawn in tiles.
  PngImage expectEqual(LensKind lens, int mostSteps, double mostDiffering) {
    settings_.technique.lens.kind = lens;
    const auto files = bothWays(std::string("-") + name(lens) + ".png");
    const auto [largest, part] = difference(files);
    EXPECT_GT(tiles_, 3);
    EXPECT_EQ(tilesDone_, tiles_);
    EXPECT_LE(largest, mostSteps);
    EXPECT_LE(part, mostDiffering);
    RecordProperty("largest", largest);
    RecordProperty("part", std::to_string(part));
    return decodePng(files.second);
  }

  const test::TemporaryFolder temporary_;
  const fs::path& folder_ = temporary_.path();
  Settings settings_;
  static constexpr double kForLayers = 160e6;  // of the layered lens
  double memoryBytes_ = 90e6;                  // the whole needs more
  long tilesDone_ = 0, tiles_ = 0;
};

TEST_F(TilesTest, PhotographByTheBoxLens) {
  usePhotograph();
  expectEqual(LensKind::box, 0, 0.0);
}

TEST_F(TilesTest, PhotographByTheLayeredLens) {
  usePhotograph();
  memoryBytes_ = kForLayers;
  expectEqual(LensKind::layered, 1, 0.001);
}

TEST_F(TilesTest, TransparentTeapotsByTheBoxLens) {
  settings_.scene.background = Background::transparent;
  const PngImage image = expectEqual(LensKind::box, 2, 0.01);
  ASSERT_EQ(image.channels, 4);
  std::set<unsigned char> alphas;
  for (std::size_t i = 3; i < image.rows.size(); i += 4) alphas.insert(image.rows[i]);
  EXPECT_TRUE(alphas.contains(0) && alphas.contains(255) && alphas.size() > 100) << alphas.size();
}

TEST_F(TilesTest, TeapotsByTheLayeredLens) {
  memoryBytes_ = kForLayers;
  expectEqual(LensKind::layered, 2, 0.01);
}

TEST_F(TilesTest, CirclesOfConfusion) {
  settings_.technique.view = View::coc;
  memoryBytes_ = 45e6;
  expectEqual(LensKind::box, 2, 0.001);
}

TEST_F(TilesTest, LampsOfAPhotographByOpenGl) {
  usePhotograph();
  settings_.technique.device = DeviceId::glCompute;
  settings_.technique.bokeh.enabled = true;
  memoryBytes_ = kForLayers;
  expectEqual(LensKind::layered, 2, 0.01);
}

// Without the margin of the largest radius, tiles would show seams.
TEST_F(TilesTest, TheMarginGrowsWithTheRadius) {
  settings_.technique = resolve(settings_.technique);
  settings_.technique.lens.kind = LensKind::layered;
  SceneFacts facts{.size = settings_.size, .focalPx = 1000.0f, .nearM = 0.1f, .nearestM = 1.0f};
  const int narrow = reachPx(settings_, facts);
  settings_.lens.fNumber /= 4;
  EXPECT_GT(reachPx(settings_, facts), 3 * narrow);
  const int wide = reachPx(settings_, facts);
  settings_.filter.mask.text = "blur";
  settings_.filter.radiusPx = 5;
  EXPECT_EQ(reachPx(settings_, facts), wide + 5);
}

TEST_F(TilesTest, TilesCoverEachPixelOnceAndKeepTheirMargin) {
  settings_.size = {1500, 900};
  settings_.technique = resolve(settings_.technique);
  settings_.technique.lens.kind = LensKind::box;
  const SceneFacts facts{.size = {150, 90}, .focalPx = 100.0f, .nearM = 0.1f, .nearestM = 1.0f};
  for (const Overscan overscan : {Overscan::off, Overscan::on}) {
    settings_.lens.overscan = overscan;
    const TilePlan plan = planTiles(ResolvedSettings(settings_), facts, overscan == Overscan::on ? 8 : 0, 90e6, 6.0);
    EXPECT_EQ(plan.cornerPx.x > 0, overscan == Overscan::on);
    EXPECT_EQ(plan.settings.size, settings_.size + 2 * plan.cornerPx);
    std::vector<int> covered(static_cast<std::size_t>(settings_.size.x * settings_.size.y));
    const int reach = reachPx(plan.settings, {.size = plan.settings.size, .nearM = 0.1f, .nearestM = 1.0f});
    for (const Tile& tile : plan.tiles) {
      const auto& [drawn, shown] = tile;
      EXPECT_EQ(drawn.from % 256, glm::ivec2(0));
      EXPECT_EQ(glm::max(shown.from - reach, glm::ivec2(0)), glm::max(shown.from - reach, drawn.from));
      EXPECT_EQ(glm::min(shown.to() + reach, plan.settings.size), glm::min(shown.to() + reach, drawn.to()));
      for (int y = shown.from.y; y < shown.to().y; ++y)
        for (int x = shown.from.x; x < shown.to().x; ++x) {
          const glm::ivec2 at = glm::ivec2(x, y) - plan.cornerPx;
          ++covered.at(static_cast<std::size_t>(at.y * settings_.size.x + at.x));
        }
    }
    EXPECT_THAT(covered, testing::Each(1));
  }
}

TEST_F(TilesTest, LinearFilesAndLayersAreJoined) {
  usePhotograph();
  settings_.technique.lens.kind = LensKind::box;
  memoryBytes_ = 108e6;
  const auto [whole, tiles] = bothWays(".pfm", {.layers = {Layer::coc}});
  EXPECT_GT(tiles_, 3);
  EXPECT_EQ(readWholeFile(folder_ / "whole-coc.pfm", 1 << 30), readWholeFile(folder_ / "tiles-coc.pfm", 1 << 30));
  const PfmImage a = decodePfm(whole), b = decodePfm(tiles);
  ASSERT_EQ(a.size, b.size);
  EXPECT_EQ(a.values, b.values);
}

TEST_F(TilesTest, NamesTheMissingMemoryIfNoTileFits) {
  usePhotograph();
  memoryBytes_ = 12e6;
  EXPECT_THAT(test::reasonOf([&] { bothWays(".png"); }),
              testing::AllOf(HasSubstr("1100 x 840 is too large"), HasSubstr("tiles do not fit either")));
  settings_.split.enabled = true;
  EXPECT_FALSE(canTile(settings_));
}

}  // namespace
}  // namespace satdof
