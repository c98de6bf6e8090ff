#include "app/scene/teapots/teapots.h"

#include <algorithm>
#include <cmath>
#include <glm/trigonometric.hpp>
#include <limits>

#include "app/scene/teapots/layout.h"
#include "tests/scene/drawn_scene.h"
#include "tests/support/gl_fixture.h"
#include "tests/support/temporary_folder.h"

namespace satdof {
namespace {

using test::depthTexture;
using test::draw;
using test::drawLayers;
using test::DrawnScene;

class TeapotsTest : public GlTest {
 protected:
  static constexpr glm::ivec2 kSize{161, 95};

  // The scene is costly to make: one for all tests.
  static Scene& scene() {
    static const auto made = makeTeapots();
    return *made;
  }
  static Targets& targets() {
    static Targets made;
    return made;
  }

  // Distance along the view axis of the ground on the ray through `at`, in pixels; infinity above the
  // horizon.
  float groundM(glm::vec2 at, glm::ivec2 size) const {
    const auto frame = cameraFrame(view_.camera);
    const float half = std::tan(glm::radians(view_.camera.verticalFovDegrees / 2));
    const glm::vec2 ndc = at / glm::vec2(size) * 2.0f - 1.0f;
    const glm::vec3 ray =
        frame.forward + ndc.x * half * float(size.x) / float(size.y) * frame.right + ndc.y * half * frame.up;
    const float z = -frame.eye.y / ray.y;
    return z > 0 ? z : std::numeric_limits<float>::infinity();
  }

  SceneView view_;
};

TEST_F(TeapotsTest, ColourIsOpaqueAndTheNearestDistanceIsClose) {
  for (const int samples : {1, 4}) {
    targets().resize(kSize, samples);
    view_.timeS = 3.0;
    const auto image = draw(scene(), targets(), view_);
    for (const auto& c : image.colour) {
      ASSERT_LE(std::max({c.r, c.g, c.b}), 64.0f);
      ASSERT_EQ(c.a, 1.0f);
    }
    const auto [least, most] = std::ranges::minmax(image.depth);
    EXPECT_EQ(least, 0.0f);
    EXPECT_GT(image.frame.nearestM, image.frame.nearM);
    EXPECT_GT(most, 0.7f * image.frame.nearM / image.frame.nearestM);
  }
}

// A second layer exists behind the teapots and not behind the ground.
TEST_F(TeapotsTest, PeelingUncoversTheGroundAndEmptiesTheRest) {
  targets().resize(kSize, 1);
  view_.timeS = 1.0;
  const auto [first, second] = drawLayers(scene(), targets(), view_);
  int uncovered = 0, emptied = 0;
  for (std::size_t i = 0; i < first.depth.size(); ++i) {
    uncovered += second.depth[i] > 0;
    emptied += first.depth[i] > 0 && second.depth[i] == 0;
  }
  EXPECT_GT(uncovered, 2000);
  EXPECT_GT(emptied, 5000);
}

// Back faces are not drawn: a ray through the gap between lid and rim would show the ground through the teapot.
// Surfaces behind the nearest one are drawn with one sample a pixel: coarser meshes would lie beside the nearest ones.
TEST_F(TeapotsTest, MeshesFollowTheSamplesOfTheImageNotOfItsTargets) {
  const auto drawnWith = [&](int targetSamples, int samples) {
    targets().resize(kSize, targetSamples);
    view_.scene.samples = samples;
    return draw(scene(), targets(), view_).depth;
  };
  EXPECT_NE(drawnWith(1, 1), drawnWith(1, 4));
  EXPECT_EQ(drawnWith(4, 4), drawnWith(4, 2));
}

TEST_F(TeapotsTest, NoGapBetweenLidAndRim) {
  view_.scene.teapots.count = 1;
  view_.scene.teapots.lamps = false;
  const Teapot teapot = teapotAt(0);
  view_.camera.targetXM = teapot.position.x;
  view_.camera.targetYM = 2.4f * kTeapotUnitM;
  view_.camera.targetZM = teapot.position.z;
  view_.camera.distanceM = 0.6f;
  const glm::ivec2 size(320, 240);
  targets().resize(size, 1);
  for (const float pitch : {8.0f, 12.0f, 20.0f, 45.0f, 88.0f}) {
    view_.camera.pitchDegrees = pitch;
    const auto image = draw(scene(), targets(), view_);
    const auto frame = cameraFrame(view_.camera);
    const float half = std::tan(glm::radians(view_.camera.verticalFovDegrees / 2));
    int inRim = 0;
    for (int y = 0; y < size.y; ++y)
      for (int x = 0; x < size.x; ++x) {
        const glm::vec2 ndc = (glm::vec2(x, y) + 0.5f) / glm::vec2(size) * 2.0f - 1.0f;
        const glm::vec3 ray =
            frame.forward + half * (ndc.x * float(size.x) / float(size.y) * frame.right + ndc.y * frame.up);
        const float opening = (2.4f * kTeapotUnitM - frame.eye.y) / ray.y;  // where the ray meets its plane
        const glm::vec3 there = frame.eye + opening * ray - teapot.position;
        if (std::hypot(there.x, there.z) > 1.4f * kTeapotUnitM) continue;
        ++inRim;
        EXPECT_LT(kNearM / image.depthAt({x, y}), opening + 0.02f) << x << " " << y << ", " << pitch;
      }
    EXPECT_GT(inRim, 300);
  }
}

// The lid covers the inner lip of the opening. Its far side would hide what is behind the teapot.
TEST_F(TeapotsTest, TheSecondLayerLeavesOutTheLipUnderTheLid) {
  view_.scene.teapots.count = 1;
  view_.scene.teapots.lamps = false;
  const Teapot teapot = teapotAt(0);
  view_.camera.targetXM = teapot.position.x;
  view_.camera.targetYM = 0.15f;
  view_.camera.targetZM = teapot.position.z;
  view_.camera.distanceM = 1.0f;
  const glm::ivec2 size(320, 240);
  targets().resize(size, 1);
  int body = 0;
  for (const float pitch : {2.0f, 5.0f, 9.0f}) {
    view_.camera.pitchDegrees = pitch;
    const auto [first, second] = drawLayers(scene(), targets(), view_);
    const auto frame = cameraFrame(view_.camera);
    const float half = std::tan(glm::radians(view_.camera.verticalFovDegrees / 2));
    for (int y = 0; y < size.y; ++y)
      for (int x = 0; x < size.x; ++x) {
        if (second.depthAt({x, y}) == 0.0f) continue;
        const glm::vec2 ndc = (glm::vec2(x, y) + 0.5f) / glm::vec2(size) * 2.0f - 1.0f;
        const glm::vec3 ray =
            frame.forward + half * (ndc.x * float(size.x) / float(size.y) * frame.right + ndc.y * frame.up);
        const glm::vec3 point = frame.eye + kNearM / second.depthAt({x, y}) * ray - teapot.position;
        const bool inOpening = std::hypot(point.x, point.z) < 1.45f * kTeapotUnitM && point.y > 2.35f * kTeapotUnitM;
        ASSERT_FALSE(inOpening) << x << " " << y << ", " << pitch << " degrees";
        ++body;
      }
  }
  EXPECT_GT(body, 1000);
}

TEST_F(TeapotsTest, GroundHasTheDepthOfItsRay) {
  view_.scene.teapots.count = 0;
  view_.scene.teapots.lamps = false;
  for (const int samples : {1, 4}) {
    targets().resize(kSize, samples);
    const auto image = draw(scene(), targets(), view_);
    int ground = 0, sky = 0;
    for (int y = 0; y < kSize.y; ++y)
      for (int x = 0; x < kSize.x; ++x) {
        // Bounds of the ground's depth over the pixel. A single sample lies at the centre of the pixel.
        const glm::vec2 reach = samples > 1 ? glm::vec2(0.0f, 1.0f) : glm::vec2(0.5f);
        const float least = kNearM / groundM({float(x) + 0.5f, float(y) + reach.y}, kSize);
        const float most = kNearM / groundM({float(x) + 0.5f, float(y) + reach.x}, kSize);
        const float depth = image.depthAt({x, y});
        // The ground ends 400 m away.
        const float tolerance = 2e-6f + kNearM / 400.0f * float(most < kNearM / 300.0f);
        ASSERT_GE(depth, least - tolerance) << x << " " << y;
        ASSERT_LE(depth, most + tolerance) << x << " " << y;
        if (depth == 0) ++sky;
        if (depth > 0) ++ground;
        // The nearest of four samples is nearer than the centre of the pixel.
        if (samples > 1 && most > kNearM / 300.0f) {
          ASSERT_GT(depth, kNearM / groundM({float(x) + 0.5f, float(y) + 0.5f}, kSize));
        }
      }
    EXPECT_GT(sky, 1000);
    EXPECT_GT(ground, 5000);
  }
}

TEST_F(TeapotsTest, PeeledGroundIsTheGroundWithoutTeapots) {
  targets().resize(kSize, 1);
  view_.scene.teapots.lamps = false;
  view_.scene.teapots.count = 1;
  view_.camera.targetZM = 0.72f;
  const auto [first, second] = drawLayers(scene(), targets(), view_);
  int seen = 0;
  for (int y = 0; y < kSize.y; ++y)
    for (int x = 0; x < kSize.x; ++x) {
      const float ground = kNearM / groundM({float(x) + 0.5f, float(y) + 0.5f}, kSize);
      if (ground < kNearM / 100.0f || first.depthAt({x, y}) < 1.02f * ground) continue;
      if (std::abs(second.depthAt({x, y}) / ground - 1.0f) < 1e-4f) ++seen;
    }
  EXPECT_GT(seen, 300);
}

TEST_F(TeapotsTest, LampsAreBright) {
  targets().resize(kSize, 1);
  const auto brightest = [](const DrawnScene& image) {
    float most = 0;
    for (const auto& c : image.colour) most = std::max(most, c.r);
    return most;
  };
  EXPECT_GT(brightest(draw(scene(), targets(), view_)), 8.0f);
  view_.scene.teapots.lamps = false;
  EXPECT_LT(brightest(draw(scene(), targets(), view_)), 8.0f);
}

TEST_F(TeapotsTest, ThousandsOfTeapots) {
  targets().resize(kSize, 1);
  view_.scene.teapots.count = 12;
  const auto few = draw(scene(), targets(), view_);
  view_.scene.teapots.count = kMaxTeapots;
  const auto many = draw(scene(), targets(), view_);
  for (std::size_t i = 0; i < few.depth.size(); ++i) ASSERT_GE(many.depth[i], few.depth[i]);
  EXPECT_NE(many.depth, few.depth);
}

TEST_F(TeapotsTest, SaysHowManyTeapotsAreDrawn) {
  targets().resize(kSize, 1);
  view_.scene.teapots.count = 800;
  view_.camera.verticalFovDegrees = 8;
  const auto drawn = [&](Culling culling) {
    view_.scene.teapots.culling = culling;
    draw(scene(), targets(), view_);
    glFinish();
    draw(scene(), targets(), view_);
    return scene().report({}).readings.at(0).value;
  };
  EXPECT_EQ(drawn(Culling::none), "800 of 800");
  const std::string culled = drawn(Culling::cpu);
  EXPECT_LT(std::stoi(culled), 400);
  EXPECT_GT(std::stoi(culled), 0);
  EXPECT_EQ(drawn(Culling::glCompute), culled);
}

// Even light of radiance 1 from all around.
TEST_F(TeapotsTest, AnEnvironmentTakesThePlaceOfTheSky) {
  const test::TemporaryFolder folder;
  std::string hdr = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 4 +X 4\n";
  for (int i = 0; i < 16; ++i) hdr += "\x80\x80\x80\x81";
  targets().resize(kSize, 1);
  view_.camera.pitchDegrees = 0.0f;  // the horizon is in the middle
  view_.scene.teapots.lamps = false;
  const auto evening = draw(scene(), targets(), view_);
  FilePath& environment = view_.scene.model.environment;
  environment.text = folder.write("even.hdr", hdr);
  const int before = scene().contents();
  const auto lit = draw(scene(), targets(), view_);
  EXPECT_EQ(scene().message(), "");
  EXPECT_EQ(scene().contents(), before + 1);
  view_.scene.model.environmentStrength = 2.0f;
  const auto strong = draw(scene(), targets(), view_);
  for (std::size_t i = 0; i < lit.colour.size(); ++i) {
    ASSERT_EQ(lit.depth[i], evening.depth[i]);
    ASSERT_EQ(lit.colour[i].a, 1.0f);
    if (lit.depth[i] == 0.0f) {
      ASSERT_NEAR(lit.colour[i].g, 1.0f, 1e-2f) << "the sky";
      ASSERT_NEAR(strong.colour[i].g, 2.0f, 2e-2f);
    } else {
      ASSERT_GT(lit.colour[i].b, evening.colour[i].b) << "the evening has less light from above";
      ASSERT_GT(strong.colour[i].b, lit.colour[i].b);
    }
  }
  // There is no layer behind the ground.
  const gl::Texture all = depthTexture(lit);
  view_.behind = &all;
  const auto behind = draw(scene(), targets(), view_);
  EXPECT_EQ(behind.colour[kSize.x / 2].a, 0.0f);
  view_.behind = nullptr;

  environment.text = folder.write("bad.hdr", "#?");
  EXPECT_EQ(draw(scene(), targets(), view_).colour, strong.colour) << "the last environment stays";
  EXPECT_NE(scene().message().find("bad.hdr"), std::string::npos);
  environment = {};
  EXPECT_EQ(draw(scene(), targets(), view_).colour, evening.colour);
  EXPECT_EQ(scene().message(), "");
}

}  // namespace
}  // namespace satdof
