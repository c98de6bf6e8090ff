#include "app/device/gl/compute_table.h"

#include <algorithm>
#include <string>

#include "tests/device/tables.h"
#include "tests/support/gl_fixture.h"

namespace satdof {
namespace {

using namespace test;

constexpr float kCeiling = 4;
const Quantisation kQuantisation{0x1p21f, kCeiling, {1, 2, 0.5f, 1.5f}};

// 10 x 7 tiles of 32 x 32 pixels, or fewer wide or large tiles, partial ones at the border. With carryEvery = 2, both
// axes have carry tiles.
constexpr glm::ivec2 kSize{289, 209};

class ComputeTable : public GlTest, public testing::WithParamInterface<TableFormat> {
 protected:
  std::unique_ptr<TableBuilder> makeBuilder(const ComputeTableTuning& tuning = {}, glm::ivec2 size = kSize) const {
    auto builder = makeGlComputeTableBuilder({.format = GetParam()}, tuning);
    builder->resize(size);
    return builder;
  }
  Table build(TableBuilder& builder, const gl::Texture& image) {
    return builder.build({.texture = &image, .quantisation = kQuantisation}, timings_);
  }
  void check(TableBuilder& builder, glm::ivec2 size, unsigned seed) {
    const auto halves = randomHalves(size, kCeiling, seed);
    const Table view = build(builder, makeTexture(size, halves));
    if (GetParam() == TableFormat::uint32)
      expectExact(size, readTable(view), fixedElements(halves, double{kQuantisation.scale}, double{kCeiling}));
    else
      expectWithinBound(size, readTable(view), realElements(halves, view.mean));
  }

  Timings timings_;
};

std::string formatName(const testing::TestParamInfo<TableFormat>& info) {
  std::string text = name(info.param);
  std::ranges::replace(text, '-', '_');
  return text;
}

TEST_P(ComputeTable, IsRightAroundTheEdgesOfTiles) {
  for (const glm::ivec2 tile : {glm::ivec2(32), {64, 32}}) {
    const auto builder = makeBuilder({.tile = tile});
    for (const int width : {31, 33, 63, 64, 65, 127, 128, 129, 1021})
      for (const int height : {31, 32, 33, 257}) {
        builder->resize({width, height});
        check(*builder, {width, height}, static_cast<unsigned>(width * height));
        if (HasFatalFailure()) return;
      }
  }
}

TEST_P(ComputeTable, IsRightIfLongAndThin) {
  const auto builder = makeBuilder();
  for (const glm::ivec2 size : {glm::ivec2{4099, 1}, {1, 4099}, {3, 2111}, {8191, 17}}) {
    builder->resize(size);
    check(*builder, size, 5);
    if (HasFatalFailure()) return;
  }
}

TEST_P(ComputeTable, ForgetsEarlierBuilds) {
  const auto builder = makeBuilder({.firstBuild = 0xfffd});
  for (unsigned seed = 1; seed <= 6; ++seed) {
    check(*builder, kSize, seed);
    if (HasFatalFailure()) return;
  }
}

// Equal bits, floats included: the order of additions does not depend on the work group that computes a tile.
TEST_P(ComputeTable, IsTheSameWithStalledWorkGroups) {
  const auto image = makeTexture(kSize, randomHalves(kSize, kCeiling, 7));
  for (const int carryEvery : {2, 8}) {
    const auto expected = readTable(build(*makeBuilder({.carryEvery = carryEvery}), image));
    for (const int stallEvery : {1, 2, 5})
      for (const int stallPolls : {0, 1000}) {
        const auto builder =
            makeBuilder({.carryEvery = carryEvery, .polls = 2, .stallEvery = stallEvery, .stallPolls = stallPolls});
        for (int repetition = 0; repetition < 3; ++repetition)
          ASSERT_EQ(readTable(build(*builder, image)), expected)
              << "a carry tile of " << carryEvery << ", a stalled group of " << stallEvery << ", " << stallPolls
              << " polls";
      }
  }
}

TEST_P(ComputeTable, IsRightWithEveryShape) {
  for (const ComputeTableTuning& tuning : {ComputeTableTuning{.tile = {32, 32}, .carryEvery = 1},
                                           {.tile = {96, 16}, .threads = 192, .carryEvery = 3},
                                           {.tile = {32, 64}}}) {
    check(*makeBuilder(tuning), kSize, 11);
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Every, ComputeTable,
                         testing::Values(TableFormat::uint32, TableFormat::float32, TableFormat::float32Mean),
                         formatName);

}  // namespace
}  // namespace satdof
