#include "app/lab/plot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace satdof::lab {
namespace {

// A canvas that keeps the boxes of the texts and the longest line, which is the frame.
class Drawing final : public Canvas {
 public:
  struct Text {
    std::string text;
    glm::vec2 from, to;
  };
  void rectangle(glm::vec2, glm::vec2, Colour) override {}
  void lines(std::span<const glm::vec2> points, Colour, float, bool dashed) override {
    if (points.size() == 2 && points[0].x == points[1].x) verticals.push_back({points[0], points[1]});
    dashes += dashed ? 1 : 0;
    if (points.size() == 5 && points.front() == points.back()) frame = {points[0], points[2]};
  }
  void circle(glm::vec2, float, Colour, float) override {}
  void text(glm::vec2 at, const std::string& text, float size, Anchor anchor, Colour) override {
    const float part = anchor == Anchor::left ? 0.0f : anchor == Anchor::centre ? 0.5f : 1.0f;
    const float width = textWidth(text, size);
    texts.push_back({text, {at.x - part * width, at.y - 0.8f * size}, {at.x + (1 - part) * width, at.y}});
  }
  float textWidth(const std::string& text, float size) const override {
    return 0.55f * size * static_cast<float>(text.size());
  }
  glm::vec2 frameSize() const { return {frame.second.x - frame.first.x, frame.second.y - frame.first.y}; }

  std::vector<Text> texts;
  std::vector<std::pair<glm::vec2, glm::vec2>> verticals;
  int dashes = 0;
  std::pair<glm::vec2, glm::vec2> frame;
};

Drawing drawn(glm::vec2 size, int curves) {
  ExperimentResult result;
  result.title = "Sums";
  result.axis = "elements";
  for (int i = 0; i < curves; ++i) {
    Curve curve;
    curve.name = "gl-fragment, integers " + std::to_string(i);
    for (const double x : {1024.0, 1048576.0})
      curve.points.push_back({x, {}, Spread{.medianUs = x / (i + 1), .lowUs = x, .highUs = x, .samples = 1}});
    result.curves.push_back(curve);
  }
  Drawing drawing;
  drawPlot(drawing, result, {.titled = false}, {0, 0}, size);
  return drawing;
}

TEST(LabPlot, TheLegendLeavesRoomForTheCurves) {
  for (const glm::vec2 size : {glm::vec2(380, 220), glm::vec2(560, 300), glm::vec2(880, 560)})
    for (const int curves : {1, 3, 12}) {
      const Drawing drawing = drawn(size, curves);
      EXPECT_GT(drawing.frameSize().x, 0.5f * size.x) << size.x << ", " << curves;
      EXPECT_GT(drawing.frameSize().y, 0.3f * size.y) << size.x << ", " << curves;
      const auto names =
          std::ranges::count_if(drawing.texts, [](const auto& each) { return each.text.starts_with("gl-fragment"); });
      EXPECT_GE(names, size.x > 800 ? curves : 1) << size.x;
    }
}

TEST(LabPlot, TheLegendHasTheUnitsOfTheAxis) {
  const auto legendOf = [](double from, double to) {
    ExperimentResult result{"scan", "Scans", "elements", ""};
    const auto add = [&](const char* name, double atFrom, double atTo) {
      Curve curve{.name = name};
      for (const auto& [x, us] : {std::pair(from, atFrom), {to, atTo}})
        curve.points.push_back({x, {}, Spread{us, us, us, 1}});
      result.curves.push_back(curve);
    };
    add("first", 1, 100);
    add("second", 10, 10);
    Drawing drawing;
    drawPlot(drawing, result, {}, {0, 0}, {880, 560});
    const auto entry =
        std::ranges::find_if(drawing.texts, [](const auto& each) { return each.text.starts_with("second"); });
    return entry == drawing.texts.end() ? std::string() : entry->text;
  };
  EXPECT_EQ(legendOf(1 << 20, 1 << 26), "second, faster from 8 M");
  EXPECT_EQ(legendOf(1e6, 64e6), "second, faster from 8e6");
}

TEST(LabPlot, TextsDoNotOverlap) {
  for (const glm::vec2 size : {glm::vec2(380, 150), glm::vec2(380, 300), glm::vec2(880, 560)}) {
    const auto texts = drawn(size, 4).texts;
    for (auto a = texts.begin(); a != texts.end(); ++a) {
      EXPECT_LE(a->to.y, size.y) << a->text;
      for (auto b = a + 1; b != texts.end(); ++b)
        EXPECT_FALSE(a->from.x < b->to.x && b->from.x < a->to.x && a->from.y < b->to.y && b->from.y < a->to.y)
            << a->text << " and " << b->text << " at " << size.x << " x " << size.y;
    }
  }
}

// From the 10th to the 90th percentile, in scale with the axis.
TEST(LabPlot, PointsHaveBarsOfTheirSpread) {
  const auto barsOf = [](const Spread& spread, Shown shown) {
    ExperimentResult result{"scan", "Scans", "elements", ""};
    result.curves.push_back({.name = "a", .points = {{1024, spread, {}}, {2048, Spread{1, 1, 1, 0}, {}}}});
    Drawing drawing;
    const auto points = drawPlot(drawing, result, {.timed = Timed::kernel, .shown = shown}, {0, 0}, {880, 560});
    std::vector<std::pair<glm::vec2, glm::vec2>> bars;
    for (const auto& line : drawing.verticals)
      if (line.first.x == points[0].at.x && std::abs(line.first.y - line.second.y) < 0.9f * drawing.frameSize().y)
        bars.push_back(line);
    return std::pair(bars, points);
  };
  const auto [bars, points] = barsOf({100, 50, 200, 7}, Shown::time);
  ASSERT_EQ(bars.size(), 1u);
  const auto [slowY, fastY] = std::minmax(bars[0].first.y, bars[0].second.y);
  EXPECT_NEAR(points[0].at.y - slowY, fastY - points[0].at.y, 0.5f) << "half and double on a logarithmic axis";
  EXPECT_GT(fastY - slowY, 20.0f);
  EXPECT_EQ(barsOf({100, 50, 200, 7}, Shown::speedUp).first.size(), 1u);
  EXPECT_TRUE(barsOf({100, 100, 100, 0}, Shown::time).first.empty()) << "published";
}

TEST(LabPlot, ATitledPlotNamesTheMachineTheSpreadAndMissingSeries) {
  ExperimentResult result{"scan", "Scans", "elements", ""};
  result.curves.push_back({.name = "a", .points = {{1024, {}, Spread{1, 1, 1, 5}}}});
  result.curves.push_back({.name = "b", .note = "needs an NVIDIA GPU: none", .summary = "looks back"});
  result.curves.push_back({.name = "b, stored", .points = {{1024, {}, Spread{1, 1, 1, 5}}}, .machine = "H100, 2026"});
  Drawing drawing;
  drawPlot(drawing, result, {.machine = "this, driver 1, 2026-01-02"}, {0, 0}, {880, 640});
  std::string all;
  for (const auto& each : drawing.texts) {
    all += each.text + "\n";
    EXPECT_LE(each.to.y, 640.0f) << each.text;
  }
  for (const char* expected : {"this, driver 1, 2026-01-02", "percentile of 5 samples", "stored, dashed: H100, 2026",
                               "b: needs an NVIDIA GPU: none. looks back"})
    EXPECT_NE(all.find(expected), all.npos) << expected << " in\n" << all;
  EXPECT_EQ(drawing.dashes, 2) << "the stored curve and its sample in the legend";
  Drawing inPanel;
  drawPlot(inPanel, result, {.titled = false, .machine = "this"}, {0, 0}, {880, 640});
  for (const auto& each : inPanel.texts) EXPECT_NE(each.text, "this");
}

}  // namespace
}  // namespace satdof::lab
