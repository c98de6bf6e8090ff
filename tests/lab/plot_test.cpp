#include "app/lab/plot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace satdof::lab {
namespace {

// The boxes of the texts, and the frame: the longest line.
class Drawing final : public Canvas {
 public:
  struct Text {
    std::string text;
    glm::vec2 from, to;
  };
  void rectangle(glm::vec2, glm::vec2, Colour) override {}
  void lines(std::span<const glm::vec2> points, Colour, float, bool) override {
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
      const auto names = std::ranges::count_if(
          drawing.texts, [](const auto& each) { return each.text.starts_with("gl-fragment"); });
      EXPECT_GE(names, size.x > 800 ? curves : 1) << size.x;
    }
}

TEST(LabPlot, TheLegendTellsSizesLikeTheAxis) {
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

}  // namespace
}  // namespace satdof::lab
