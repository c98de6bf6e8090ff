#include <gmock/gmock.h>

#include "app/io/formats/exr.h"
#include "app/lens/lens.h"
#include "app/render/renderer.h"
#include "app/scene/image/image.h"
#include "app/scene/registry.h"
#include "tests/scene/drawn_scene.h"
#include "tests/support/gl_fixture.h"
#include "tests/support/temporary_folder.h"

// The colour and depth of a scene, exported and read again as an image: lenses draw the same bytes.
namespace satdof::test {
namespace {

class RoundTripTest : public GlTest {
 protected:
  static constexpr glm::ivec2 kSize{160, 90};

  void SetUp() override {
    GlTest::SetUp();
    for (const SceneRow& row : sceneRows())
      if (row.make == makeImageScene) image.kind = row.kind;
    targets.resize(kSize, 1);
    live = test::draw(*teapots, targets, {});
    ExrImage colour{kSize, {{"R", true, {}}, {"G", true, {}}, {"B", true, {}}}, {}};
    for (const glm::vec4& c : live.colour)
      for (std::size_t i = 0; i < 3; ++i) colour.channels[i].values.push_back(c[static_cast<int>(i)]);
    const ExrImage depth{kSize, {{"depth.Y", false, live.depth}}, {{"satdof-near-m", "0.1"}}};
    image.image.file = {folder.write("colour.exr", encodeExr(colour))};
    image.image.depth = {folder.write("depth.exr", encodeExr(depth))};
    image.image.edgeRadiusPx = 0;
    other.resize(kSize, 1);
    again = test::draw(*images, other, {image, {}});
    ASSERT_EQ(images->message(), "");
  }

  const TemporaryFolder folder;
  std::unique_ptr<Scene> teapots = makeScene(SceneSettings{}.kind), images = makeImageScene();
  Targets targets, other;
  SceneSettings image;
  DrawnScene live, again;
};

TEST_F(RoundTripTest, ColourAndDepthKeepTheirBits) {
  EXPECT_EQ(again.colour, live.colour);
  EXPECT_EQ(again.depth, live.depth);
  EXPECT_EQ(again.frame.nearM, live.frame.nearM);
  EXPECT_FALSE(again.frame.look.photograph);
}

TEST_F(RoundTripTest, LensesDrawTheSameBytes) {
  // Lenses plan with the nearest distance: a bound in a live scene, exact in an image.
  again.frame.nearestM = live.frame.nearestM;
  again.frame.focalPx = live.frame.focalPx;
  for (const LensKind kind : {LensKind::layered, LensKind::box, LensKind::tent, LensKind::gems})
    for (const float focusM : {0.6f, 1.7f, 5.0f}) {
      Technique technique;
      technique.device = DeviceId::cpuSequential;
      technique.lens.kind = kind;
      const auto lens = makeLens(resolve(technique));
      lens->resize(kSize);
      LensSettings settings;
      settings.focusDistanceM = focusM;
      std::vector<std::vector<glm::vec4>> drawn;
      for (const SceneFrame* frame : {&live.frame, &again.frame}) {
        const gl::Target output(kSize);
        Timings timings;
        timings.beginFrame();
        lens->draw({.scene = *frame, .lens = settings}, output, timings);
        timings.endFrame();
        drawn.emplace_back(live.colour.size());
        glGetTextureImage(output.texture.name(), 0, GL_RGBA, GL_FLOAT, static_cast<GLsizei>(16 * live.colour.size()),
                          drawn.back().data());
      }
      EXPECT_EQ(drawn[0], drawn[1]) << name(kind) << " " << focusM;
    }
}

}  // namespace
}  // namespace satdof::test
