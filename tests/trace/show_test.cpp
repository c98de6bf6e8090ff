#include "app/trace/show.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/trace/drawing.h"
#include "tests/support/reason.h"

namespace satdof::trace {
namespace {

class ShowTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = unavailable(); !why.empty()) GTEST_SKIP() << why;
  }
  static Player playerOf(const std::string& kernel, unsigned elements = 64, int blockSize = 32) {
    return Player(record({.kernel = kernel, .elements = elements, .blockSize = blockSize, .data = Data::ramp}));
  }
  static std::uint32_t bufferNamed(const Player& player, const std::string& name) {
    const auto& buffers = player.trace().buffers;
    return static_cast<std::uint32_t>(std::ranges::find(buffers, name, &Buffer::name) - buffers.begin());
  }
  static std::vector<std::optional<std::uint64_t>> contents(const Player& player) {
    std::vector<std::optional<std::uint64_t>> all;
    for (std::uint32_t buffer = 0; buffer < player.trace().buffers.size(); ++buffer)
      for (unsigned i = 0; i < player.elements(buffer); ++i) all.push_back(player.value(buffer, i));
    return all;
  }
};

TEST_F(ShowTest, EveryKernelEndsWithItsResultInMemory) {
  for (const Kernel& kernel : kernels()) {
    SCOPED_TRACE(kernel.name);
    Player player = playerOf(kernel.name);
    player.seek(player.end());
    if (kernel.family != Family::scan && kernel.family != Family::sort) continue;
    const auto& result = player.trace().counts.result;
    const std::uint32_t out = bufferNamed(player, "out");
    for (unsigned i = 0; i < result.size(); ++i) ASSERT_EQ(player.value(out, i), result[i]) << i;
  }
}

TEST_F(ShowTest, FinalCountsEqualTheTrace) {
  for (const char* const kernel : {"scan/blelloch", "scan/decoupled-lookback", "compact/scan-scatter", "table/fused"}) {
    Player player = playerOf(kernel);
    player.seek(player.end());
    const Tally &played = player.tally(), &total = player.trace().counts.total;
    EXPECT_EQ(played.sharedPasses, total.sharedPasses) << kernel;
    EXPECT_EQ(played.sharedAccesses, total.sharedAccesses) << kernel;
    EXPECT_EQ(played.globalSectors, total.globalSectors) << kernel;
    EXPECT_EQ(played.barriers, total.barriers) << kernel;
    EXPECT_EQ(played.laneExchanges, total.laneExchanges) << kernel;
  }
}

TEST_F(ShowTest, ASeekBackEqualsPlaying) {
  Player player = playerOf("scan/blelloch", 100);
  for (const std::size_t position : {player.end() / 3, std::size_t{1}, player.end() / 2}) {
    Player fresh = playerOf("scan/blelloch", 100);
    fresh.seek(position);
    player.seek(player.end());
    player.seek(position);
    EXPECT_EQ(contents(player), contents(fresh)) << position;
    EXPECT_EQ(player.edges().size(), fresh.edges().size());
    EXPECT_EQ(player.tally().globalSectors, fresh.tally().globalSectors);
  }
}

TEST_F(ShowTest, UnitsDivideThePlayWithoutGaps) {
  const Player whole = playerOf("scan/blelloch", 300);
  for (const Unit unit : {Unit::instruction, Unit::barrier, Unit::launch}) {
    Player player = playerOf("scan/blelloch", 300);
    std::vector<std::size_t> there{0}, back;
    while (player.position() < player.end()) {
      player.advance(unit, 1);
      there.push_back(player.position());
    }
    for (back.push_back(player.position()); player.position() > 0; back.push_back(player.position()))
      player.advance(unit, -1);
    std::ranges::reverse(back);
    EXPECT_EQ(there, back);
    if (unit != Unit::launch) continue;
    EXPECT_EQ(there.size(), 1 + player.trace().counts.launches.size());
  }
}

// The tree of Blelloch: n - 1 additions up; down, n - 1 nodes that each write two children.
TEST_F(ShowTest, TheNetworkOfBlellochIsItsTree) {
  Player player = playerOf("scan/blelloch", 64);
  player.seek(player.end());
  std::set<std::pair<std::uint32_t, std::uint32_t>> up;
  const std::uint32_t shared = player.edges().front().buffer;
  EXPECT_EQ(player.trace().buffers[shared].space, Space::shared);
  for (const Edge& edge : player.edges())
    if (edge.buffer == shared && edge.row <= 6) up.emplace(edge.from, edge.to);
  for (unsigned step = 1; step < 64; step *= 2)
    for (unsigned right = 2 * step - 1; right < 64; right += 2 * step)
      EXPECT_TRUE(up.contains({right - step, right})) << right;
}

TEST_F(ShowTest, AnElementNamesItsWriter) {
  Player player = playerOf("scan/blelloch");
  const std::uint32_t out = bufferNamed(player, "out");
  player.seek(0);
  EXPECT_EQ(player.writer(out, 3), kNoWriter);
  player.seek(player.end());
  EXPECT_THAT(elementText(player, out, 3),
              testing::AllOf(testing::HasSubstr("out[3] = 3"), testing::HasSubstr("written by thread"),
                             testing::HasSubstr("cuda/scan/")));
}

TEST_F(ShowTest, EveryLessonReachesItsStopsInOrder) {
  const auto all = lessons();
  EXPECT_GE(all.size(), 12u);
  for (const Lesson& lesson : all) {
    SCOPED_TRACE(lesson.title);
    Show show(lesson.request, lesson.beside, lesson.besideBlockSize);
    std::size_t last = 0;
    for (const Stop& stop : lesson.stops) {
      show.seek(stop);
      const std::size_t position = show.players().front().position();
      EXPECT_TRUE(position > last || stop.event == Stop::Event::start || &stop == &lesson.stops.front());
      EXPECT_TRUE(stop.event == Stop::Event::end || position < show.players().front().end()) << stop.text;
      EXPECT_THAT(show.textOf(stop), testing::Not(testing::HasSubstr("{")));
      last = position;
    }
    EXPECT_TRUE(show.atEnd());
    EXPECT_GT(show.progress(), 0.999f);
  }
}

TEST_F(ShowTest, BadLessonsNameTheFault) {
  const auto fault = [](const std::string& text) { return test::reasonOf([&] { lessonFrom(text); }); };
  using testing::HasSubstr;
  EXPECT_THAT(fault("{"), HasSubstr("no lesson"));
  EXPECT_THAT(fault(R"({"title":"a","kernel":"scan/nothing","elements":4,"stops":[]})"), HasSubstr("scan/nothing"));
  EXPECT_THAT(fault(R"({"title":"a","kernel":"scan/blelloch","elements":4,"stops":[]})"), HasSubstr("no stops"));
  EXPECT_THAT(fault(R"({"title":"a","kernel":"scan/blelloch","elements":4,"stops":[{"at":"noon","text":""}]})"),
              HasSubstr("noon"));
  EXPECT_THAT(fault(R"({"title":"a","kernel":"scan/blelloch","elements":5000,"stops":[]})"), HasSubstr("4096"));
}

TEST_F(ShowTest, PicturesHoldTheTextAndBothKernels) {
  Show show({.kernel = "scan/blelloch", .elements = 64, .blockSize = 32}, "scan/blelloch-padded");
  show.step(Unit::instruction, 20);
  EXPECT_THAT(svgOf(show, "What to see here"),
              testing::AllOf(testing::HasSubstr("<svg"), testing::HasSubstr("What to see here"),
                             testing::HasSubstr("scan/blelloch-padded")));
  const auto rgb = rgbOf(show, "");
  EXPECT_EQ(rgb.size(), std::size_t{3} * kImageSize.x * kImageSize.y);
  EXPECT_GT(std::set<std::uint8_t>(rgb.begin(), rgb.end()).size(), 20u);
}

TEST_F(ShowTest, LanesHoldTheirLastWord) {
  Player player = playerOf("scan/warp-shuffle", 32);
  EXPECT_FALSE(player.lastWord(0, 5));
  player.advance(Unit::instruction, 1);
  EXPECT_EQ(player.lastWord(0, 5), 20u);  // four elements a lane
  player.seek(player.end());
  EXPECT_EQ(player.lastWord(0, 5), 20u * 19u / 2);
}

TEST_F(ShowTest, AccessesDivideAnInstruction) {
  Player player = playerOf("scan/blelloch"), whole = playerOf("scan/blelloch");
  std::size_t accesses = 0;
  while (player.position() < player.end() || player.lanesDone().size() < player.step()->laneCount) {
    player.advance(Unit::access, 1);
    ++accesses;
  }
  std::size_t expected = 0;
  for (const Step& step : player.trace().steps) expected += std::max(1u, step.laneCount);
  EXPECT_EQ(accesses, expected);
  whole.seek(whole.end());
  EXPECT_EQ(contents(player), contents(whole));
  for (const int by : {1, 3, 40}) {
    player.seek(20);
    const auto before = contents(player);
    const std::size_t lanes = player.lanesDone().size();
    player.advance(Unit::access, by);
    EXPECT_TRUE(player.position() > 20u || player.lanesDone().size() != lanes);
    player.advance(Unit::access, -by);
    EXPECT_EQ(player.position(), 20u);
    EXPECT_EQ(player.lanesDone().size(), lanes);
    EXPECT_EQ(contents(player), before);
  }
}

TEST_F(ShowTest, WordsOfTilesGoFromInvalidOverAggregateToInclusive) {
  Player player(record({.kernel = "scan/decoupled-lookback", .elements = kMaxRecorded, .whatIf = WhatIf::slowBlock}));
  const auto words = static_cast<std::uint32_t>(
      std::ranges::find(player.trace().buffers, true, &Buffer::holdsTileWords) - player.trace().buffers.begin());
  ASSERT_GT(player.elements(words), 1u);
  std::vector<std::set<TileState>> seen(player.elements(words));
  std::size_t running = 0;
  for (; player.position() < player.end(); player.advance(Unit::instruction, 1)) {
    for (unsigned i = 0; i < seen.size(); ++i)
      if (const auto word = player.value(words, i)) {
        EXPECT_GE(tileStateOf(*word),
                  *std::ranges::max_element(seen[i].insert(tileStateOf(*word)).first, seen[i].end()));
        seen[i].insert(tileStateOf(*word));
      }
    running = std::max<std::size_t>(running, std::ranges::count(player.blocks(), Progress::runs));
  }
  EXPECT_GT(running, 1u);
  EXPECT_EQ(seen.back().size(), 3u);
  EXPECT_EQ(std::ranges::count(player.blocks(), Progress::done), std::ssize(player.blocks()));
  EXPECT_EQ(tileSumOf(*player.value(words, player.elements(words) - 1)), kMaxRecorded);
}

}  // namespace
}  // namespace satdof::trace
