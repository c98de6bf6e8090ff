#include "app/scene/scene.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <ostream>
#include <set>
#include <sstream>
#include <string>

#include "app/core/fields.h"
#include "app/core/settings_json.h"
#include "app/scene/registry.h"
#include "tests/scene/drawn_scene.h"
#include "tests/support/gl_fixture.h"

namespace satdof {
namespace {

using test::depthTexture;
using test::draw;
using test::drawLayers;
using test::DrawnScene;

TEST(SceneRegistry, RowsHaveUniqueNamesAndSummaries) {
  std::set<std::string> names, summaries;
  std::set<SceneKind> kinds;
  for (const SceneRow& row : sceneRows()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_TRUE(summaries.insert(row.summary).second) << row.name;
    EXPECT_TRUE(kinds.insert(row.kind).second) << row.name;
    EXPECT_EQ(&sceneRow(row.kind), &row);
  }
  EXPECT_EQ(names.count(""), 0u);
  EXPECT_EQ(summaries.count(""), 0u);
}

TEST(Framing, StaysInTheRangesThatSettingsFilesHave) {
  Framing framing{.camera = {}, .focusDistanceM = 1e6f, .focalLengthMm = 1e9f, .sensorHeightMm = 0.0f};
  framing.camera.targetZM = -5e8f;
  Settings settings, read;
  applyFraming(settings, framing);
  EXPECT_EQ(settings.lens.focusDistanceM, 10000.0f);
  applySettingsJson(read, settingsToJson(settings), "");
  EXPECT_EQ(read.lens, settings.lens);
  EXPECT_EQ(read.camera, settings.camera);
}

TEST(SceneRegistry, EntriesAreTheRows) {
  ASSERT_EQ(entries(SceneKind{}).size(), sceneRows().size());
  for (std::size_t i = 0; i < sceneRows().size(); ++i) {
    EXPECT_EQ(entries(SceneKind{})[i].value, sceneRows()[i].kind);
    EXPECT_STREQ(entries(SceneKind{})[i].name, sceneRows()[i].name);
    EXPECT_STREQ(entries(SceneKind{})[i].summary, sceneRows()[i].summary);
  }
}

TEST(SceneRegistry, SettingsGroupsHaveTheNamesOfTheirScenes) {
  std::set<std::string> names;
  for (const SceneRow& row : sceneRows()) names.insert(row.name);
  const Settings settings;
  describe(settings, [&](const Field& field, const auto&) {
    const std::string path = field.path();
    const auto group = path.find('.') + 1, end = path.find('.', group);
    if (path.starts_with("scene.") && end != path.npos) {
      EXPECT_EQ(names.count(path.substr(group, end - group)), 1u) << path;
    }
  });
}

// The smallest scene: one colour at one distance, from every viewpoint.
class FlatScene final : public Scene {
 public:
  SceneFrame draw(const SceneView& view, Targets& targets, Timings& timings) override {
    const auto stage = timings.gpu("scene");
    const float distanceM = view.camera.distanceM;
    const glm::vec4 colour(0.25f, 0.5f, 2.0f, 1.0f), depth(kNearM / distanceM);
    targets.begin();
    glClearBufferfv(GL_COLOR, 0, &colour.x);
    glClearBufferfv(GL_COLOR, 1, &depth.x);
    glClearBufferfv(GL_DEPTH, 0, &depth.x);
    return targets.finish(makePinhole(view.camera, targets.size(), kNearM, {}, view.part), distanceM);
  }
  SceneReport report(const SceneSettings&) const override {
    SceneReport report;
    report.whyStill = "a flat scene stands still";
    return report;
  }
};

// A scene of the registry, or the flat one.
struct SceneCase {
  std::string name;
  SceneCapabilities capabilities;
  std::unique_ptr<Scene> (*make)();
};

std::vector<SceneCase> sceneCases() {
  std::vector<SceneCase> cases{{"flat",
                                {.otherViewpoints = {"a flat scene looks the same from everywhere"},
                                 .secondLayer = {"a flat scene hides nothing"},
                                 .animated = {"a flat scene stands still"}},
                                []() -> std::unique_ptr<Scene> { return std::make_unique<FlatScene>(); }}};
  for (const SceneRow& row : sceneRows()) cases.push_back({row.name, row.capabilities, row.make});
  return cases;
}

std::ostream& operator<<(std::ostream& stream, const SceneCase& scene) { return stream << scene.name; }

// What Scene and SceneFrame promise, for every scene.
class SceneTest : public GlTest, public testing::WithParamInterface<SceneCase> {
 protected:
  static constexpr glm::ivec2 kSize{161, 95};

  // Scenes are costly to make: one of each for all tests.
  static Scene& scene() {
    static std::map<std::string, std::unique_ptr<Scene>> made;
    auto& found = made[GetParam().name];
    if (!found) found = GetParam().make();
    return *found;
  }
  static Targets& targets() {
    static Targets made;
    return made;
  }

  SceneView view_;
};
INSTANTIATE_TEST_SUITE_P(Scenes, SceneTest, testing::ValuesIn(sceneCases()),
                         [](const auto& test) { return test.param.name; });

void expectNothingNearerThanNearestM(const DrawnScene& drawn) {
  EXPECT_LE(std::ranges::max(drawn.depth), drawn.frame.nearM / drawn.frame.nearestM * 1.00001f);
}

TEST_P(SceneTest, FramesHaveValidFactsAndTexels) {
  for (const int samples : {0, 1, 4}) {
    targets().resize(kSize, samples);
    const DrawnScene drawn = draw(scene(), targets(), view_);
    EXPECT_EQ(drawn.frame.size, kSize);
    EXPECT_EQ(drawn.frame.colour->size(), kSize);
    EXPECT_EQ(drawn.frame.depth->size(), kSize);
    EXPECT_EQ(drawn.frame.colour->format(), GLenum(GL_RGBA16F));
    EXPECT_EQ(drawn.frame.depth->format(), GLenum(GL_R32F));
    EXPECT_GT(drawn.frame.focalPx, 0.0f);
    EXPECT_GT(drawn.frame.nearM, 0.0f);
    EXPECT_GE(drawn.frame.nearestM, drawn.frame.nearM);
    for (const auto& c : drawn.colour) {
      ASSERT_TRUE(std::isfinite(c.r + c.g + c.b) && std::min({c.r, c.g, c.b}) >= 0.0f);
      ASSERT_TRUE(c.a >= 0.0f && c.a <= 1.0f);
    }
    for (const float depth : drawn.depth) ASSERT_TRUE(depth >= 0.0f && depth <= 1.0f);
    expectNothingNearerThanNearestM(drawn);
  }
}

// Parts have the pixels of the whole image, but for rounding at edges.
TEST_P(SceneTest, APartShowsThePixelsOfTheWhole) {
  const glm::ivec2 from(32, 16), size(80, 48);
  targets().resize(kSize, 1);
  const DrawnScene whole = draw(scene(), targets(), view_);
  targets().resize(size, 1);
  view_.part = {from, kSize};
  const DrawnScene part = draw(scene(), targets(), view_);
  EXPECT_EQ(part.frame.size, size);
  EXPECT_NEAR(part.frame.focalPx, whole.frame.focalPx, 1e-3f * whole.frame.focalPx);
  int different = 0;
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x) {
      const auto a = static_cast<std::size_t>(y * size.x + x);
      const auto b = static_cast<std::size_t>((y + from.y) * kSize.x + x + from.x);
      const bool near =
          glm::distance(part.colour[a], whole.colour[b]) <= 0.02f && std::abs(part.depth[a] - whole.depth[b]) <= 1e-3f;
      different += near ? 0 : 1;
    }
  EXPECT_LE(different, size.x * size.y / 100);
}

TEST_P(SceneTest, NearestDistanceHoldsFromEverySide) {
  targets().resize({64, 36}, 1);
  view_.scene.teapots.count = 60;
  if (GetParam().capabilities.otherViewpoints) view_.offset = {{0.01f, -0.02f}, 1.5f};
  for (int i = 0; i < 24; ++i) {
    SCOPED_TRACE(i);
    view_.camera.yawDegrees = 47.0f * float(i);
    view_.camera.pitchDegrees = 4.0f * float(i % 22) - 3.0f;
    view_.camera.rollDegrees = i % 3 == 0 ? 13.0f * float(i % 28) - 180.0f : 0.0f;
    view_.camera.distanceM = 0.5f + 0.3f * float(i % 9);
    view_.timeS = 0.7 * i;
    expectNothingNearerThanNearestM(draw(scene(), targets(), view_));
  }
}

TEST_P(SceneTest, TheNearestDistanceIsKnownBeforeItIsDrawn) {
  const glm::ivec2 size(64, 36);
  targets().resize(size, 1);
  for (int i = 0; i < 12; ++i) {
    SCOPED_TRACE(i);
    view_.scene.teapots.count = 20 + 30 * (i % 2);
    view_.camera.yawDegrees = 47.0f * float(i);
    view_.camera.distanceM = 0.5f + 0.3f * float(i % 5);
    view_.timeS = 0.7 * i;
    const float nearestM = scene().nearestM(view_, size);
    EXPECT_GT(nearestM, 0.0f);
    const SceneFrame frame = draw(scene(), targets(), view_).frame;
    if (GetParam().capabilities.otherViewpoints)
      EXPECT_EQ(nearestM, frame.nearestM);
    else
      EXPECT_LE(nearestM, frame.nearestM);
  }
}

TEST_P(SceneTest, EqualArgumentsGiveEqualBits) {
  for (const int samples : {1, 4}) {
    targets().resize(kSize, samples);
    view_.timeS = 2.0;
    const auto first = draw(scene(), targets(), view_);
    view_.timeS = 2.5;
    const auto later = draw(scene(), targets(), view_);
    view_.timeS = 2.0;
    const auto again = draw(scene(), targets(), view_);
    EXPECT_EQ(first.colour, again.colour);
    EXPECT_EQ(first.depth, again.depth);
    const bool animated(GetParam().capabilities.animated);
    EXPECT_EQ(first.colour != later.colour, animated);
    EXPECT_EQ(first.depth != later.depth, animated);
    EXPECT_EQ(scene().report(view_.scene).whyStill.empty(), animated);
  }
}

// A lens reads the first image while it draws others.
TEST_P(SceneTest, TargetsKeepTheirTextures) {
  for (const int samples : {1, 4}) {
    targets().resize(kSize, samples);
    const auto first = draw(scene(), targets(), view_);
    Targets others;
    others.resize(kSize, samples);
    SceneView other = view_;
    other.camera.distanceM *= 1.5f;
    const auto drawn = draw(scene(), others, other);
    if (GetParam().capabilities.otherViewpoints) {
      EXPECT_NE(drawn.depth, first.depth);
    }
    EXPECT_EQ(test::download(first.frame).depth, first.depth);
    EXPECT_EQ(test::download(first.frame).colour, first.colour);
  }
}

TEST_P(SceneTest, SampleCountsShowTheSameScene) {
  targets().resize(kSize, 1);
  const auto one = draw(scene(), targets(), view_);
  targets().resize(kSize, 4);
  const auto four = draw(scene(), targets(), view_);
  std::size_t asNear = 0;
  double difference = 0, sum = 0;
  for (std::size_t i = 0; i < one.depth.size(); ++i) {
    asNear += four.depth[i] >= one.depth[i];
    difference += std::abs(four.depth[i] - one.depth[i]);
    sum += one.depth[i];
  }
  EXPECT_GT(asNear, one.depth.size() * 97 / 100);
  const bool thin = GetParam().name == "model";  // leaves and wires: 0.076
  EXPECT_LT(difference, (thin ? 0.1 : 0.05) * sum);
}

TEST_P(SceneTest, AnySizeAndAnyNumberOfSamples) {
  for (const glm::ivec2 size : {glm::ivec2(1, 1), glm::ivec2(1, 37), glm::ivec2(53, 1), glm::ivec2(17, 65)})
    for (const int samples : {0, 1, 2, 3, 1000}) {
      targets().resize(size, samples);
      EXPECT_EQ(draw(scene(), targets(), view_).frame.size, size);
    }
}

TEST_P(SceneTest, OtherViewpointsMoveTheImage) {
  if (const auto can = GetParam().capabilities.otherViewpoints; !can) GTEST_SKIP() << can.missing;
  targets().resize(kSize, 1);
  const auto centre = draw(scene(), targets(), view_);
  view_.offset = {{0.1f, 0.0f}, 100.0f};
  const auto aside = draw(scene(), targets(), view_);
  EXPECT_NE(centre.colour, aside.colour);
  // Scale 0 on both sides is the centre again.
  view_.offset.nearScale = view_.offset.farScale = 0.0f;
  EXPECT_EQ(draw(scene(), targets(), view_).colour, centre.colour);
}

TEST_P(SceneTest, NearAndFarScaleMoveTheirSideOnly) {
  if (const auto can = GetParam().capabilities.otherViewpoints; !can) GTEST_SKIP() << can.missing;
  targets().resize(kSize, 1);
  const float focusM = 1.7f;
  const auto centre = draw(scene(), targets(), view_);
  view_.offset = {{0.02f, 0.01f}, focusM, 1.0f, 0.0f};
  const auto drawn = draw(scene(), targets(), view_);
  // The far side stays, unless the near side covers or uncovers it.
  const float focusDepth = centre.frame.nearM / focusM;
  std::size_t far = 0, moved = 0;
  std::size_t most = 0;  // the pixel that changes most, if moved > 0
  const auto change = [&](std::size_t i) { return std::abs(drawn.depth[i] - centre.depth[i]); };
  // Clipping a triangle at the focus plane adds vertices, which OpenGL rounds to 1/256 pixel at best: a surface may
  // change by a fraction of its change from pixel to pixel.
  const auto rounding = [&](std::size_t i) {
    const auto width = static_cast<std::size_t>(kSize.x);
    float step = 0.0f;
    for (const std::size_t beside : {i - 1, i + 1, i - width, i + width})
      if (beside < centre.depth.size()) step = std::max(step, std::abs(centre.depth[beside] - centre.depth[i]));
    return 1e-6f + step / 64;
  };
  for (std::size_t i = 0; i < centre.depth.size(); ++i) {
    if (centre.depth[i] >= focusDepth || drawn.depth[i] >= focusDepth) continue;
    ++far;
    if (change(i) < rounding(i)) continue;
    if (moved++ == 0 || change(i) > change(most)) most = i;
  }
  EXPECT_GT(far, 1000u);
  const auto where = [&] {
    std::ostringstream text;
    text << moved << " of " << far << " far pixels moved, most at (" << most % std::size_t{kSize.x} << ", "
         << most / std::size_t{kSize.x} << "): depth " << centre.depth[most] << " by " << change(most);
    return text.str();
  };
  EXPECT_EQ(moved, 0u) << where();
  EXPECT_NE(centre.colour, drawn.colour);
}

TEST_P(SceneTest, SecondLayerIsBehindTheFirstByASeparation) {
  if (const auto can = GetParam().capabilities.secondLayer; !can) GTEST_SKIP() << can.missing;
  view_.timeS = 1.0;
  for (const int samples : {1, 4}) {
    targets().resize(kSize, samples);
    const auto [first, second] = drawLayers(scene(), targets(), view_);
    int uncovered = 0, emptied = 0;
    for (std::size_t i = 0; i < first.depth.size(); ++i) {
      ASSERT_LE(second.depth[i], 0.9301f * first.depth[i]);
      if (second.depth[i] > 0) ++uncovered;
      if (first.depth[i] > 0 && second.depth[i] == 0) ++emptied;
      if (second.depth[i] > 0) {
        ASSERT_GT(second.colour[i].a, 0.0f);
      }
      // There is no second layer behind the sky.
      if (first.depth[i] == 0.0f) {
        ASSERT_EQ(second.colour[i], glm::vec4(0.0f));
      }
    }
    EXPECT_GT(uncovered, 0);
    EXPECT_GT(emptied, 0);
  }
}

using SceneOnDevices = GlTest;

TEST_F(SceneOnDevices, ScenesSayWhyTheyStandStill) {
  const auto still = [](const SceneSettings& scene) {
    Targets targets;
    targets.resize({16, 16}, 1);
    Timings timings;
    const auto made = makeScene(scene.kind);
    SceneView view;
    view.scene = scene;
    made->draw(view, targets, timings);
    return !made->report(scene).whyStill.empty();
  };
  SceneSettings scene;
  scene.kind = SceneKind::image;
  EXPECT_TRUE(still(scene));
  scene.image.parallax = 0.02f;
  EXPECT_FALSE(still(scene));
  scene.kind = SceneKind::model;
  EXPECT_FALSE(still(scene));
  scene.model.clip = 0;
  EXPECT_TRUE(still(scene));
  scene.kind = SceneKind::bodies;
  EXPECT_FALSE(still(scene));
  scene.bodies.speed = 0.0f;
  EXPECT_TRUE(still(scene));
}

}  // namespace
}  // namespace satdof
