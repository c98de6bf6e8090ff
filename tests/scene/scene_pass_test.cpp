#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <limits>
#include <numeric>

#include "app/scene/bezier.h"
#include "app/scene/camera.h"
#include "app/scene/layout.h"
#include "tests/gl/gl_test.h"

namespace satdof {
namespace {

TEST(Camera, OrbitsItsTarget) {
  CameraSettings camera;
  camera.yawDegrees = 37.0f;
  camera.pitchDegrees = 21.0f;
  camera.distanceM = 3.0f;
  camera.targetXM = 1.0f;
  const auto frame = cameraFrame(camera);
  const glm::vec3 target(camera.targetXM, camera.targetYM, camera.targetZM);
  EXPECT_NEAR(glm::distance(frame.eye, target), 3.0f, 1e-5f);
  EXPECT_NEAR(glm::dot(frame.forward, glm::normalize(target - frame.eye)), 1.0f, 1e-6f);
  EXPECT_NEAR(frame.eye.y, camera.targetYM + 3.0f * std::sin(glm::radians(21.0f)), 1e-5f);
  EXPECT_NEAR(frame.right.y, 0.0f, 1e-6f);
  EXPECT_GT(frame.up.y, 0.0f);
  EXPECT_NEAR(glm::distance(glm::cross(frame.right, frame.up), -frame.forward), 0.0f, 1e-6f);
}

glm::vec3 project(const Pinhole& pinhole, const glm::vec3& point) {
  const glm::vec4 clip = pinhole.worldToClip() * glm::vec4(point, 1.0f);
  return glm::vec3(clip) / clip.w;
}

TEST(Camera, ProjectsWithReversedDepth) {
  const glm::ivec2 size(641, 479);
  const CameraSettings camera;
  const auto pinhole = makePinhole(camera, size, 0.1f, {});
  const auto frame = cameraFrame(camera);
  const float half = std::tan(glm::radians(camera.verticalFovDegrees / 2));
  for (const float z : {0.1f, 1.0f, 7.5f, 1e4f}) {
    const glm::vec3 corner =
        frame.eye + z * (frame.forward + half * frame.up + half * 641.0f / 479.0f * frame.right);
    const auto ndc = project(pinhole, corner);
    EXPECT_NEAR(ndc.x, 1.0f, 1e-3f);
    EXPECT_NEAR(ndc.y, 1.0f, 1e-3f);
    EXPECT_NEAR(ndc.z * z / 0.1f, 1.0f, 1e-3f);
    EXPECT_NEAR(pinhole.distanceM(corner) / z, 1.0f, 1e-3f);
  }
}

TEST(Camera, ApertureShiftLeavesTheFocusPlaneInPlace) {
  const glm::ivec2 size(640, 360);
  const CameraSettings camera;
  const auto frame = cameraFrame(camera);
  const float focusM = 1.7f;
  const auto centre = makePinhole(camera, size, 0.1f, {});
  for (const glm::vec2 aperture : {glm::vec2(0.02f, 0.0f), glm::vec2(-0.01f, 0.017f)}) {
    const auto shifted = makePinhole(camera, size, 0.1f, {aperture, focusM});
    const auto at = [&](const Pinhole& pinhole, float z) {
      return project(pinhole, frame.eye + z * frame.forward + 0.2f * frame.right - 0.1f * frame.up);
    };
    EXPECT_NEAR(glm::distance(at(shifted, focusM), at(centre, focusM)), 0.0f, 2e-6f);
    // Elsewhere the image moves by aperture * scale * (1/S - 1/z), the thin lens's circle of confusion.
    for (const float z : {0.8f, 4.0f}) {
      const glm::vec2 moved = glm::vec2(at(shifted, z) - at(centre, z));
      const glm::vec2 expected = aperture * centre.scale * (1 / focusM - 1 / z);
      EXPECT_NEAR(glm::distance(moved, expected), 0.0f, 1e-5f);
    }
  }
}

TEST(Camera, CullsOnlyWhatIsOutside) {
  const CameraSettings camera;
  const auto pinhole = makePinhole(camera, {320, 180}, 0.1f, {{0.02f, -0.01f}, 1.7f});
  int shown = 0, hidden = 0;
  for (int i = 0; i < 4000; ++i) {
    const auto coordinate = [&](int axis) {
      return 6.0f * (std::fmod(float(i) * (0.618034f + 0.1371f * float(axis)), 1.0f) - 0.5f);
    };
    const glm::vec3 point(coordinate(0), coordinate(1), coordinate(2));
    const bool inFront = pinhole.distanceM(point) >= 0.1f;
    const auto ndc = project(pinhole, point);
    const bool inside = inFront && std::max(std::abs(ndc.x), std::abs(ndc.y)) <= 0.9999f;
    const bool outside = !inFront || std::max(std::abs(ndc.x), std::abs(ndc.y)) > 1.0001f;
    if (inside || outside) {
      EXPECT_EQ(pinhole.mayShow(point, 0.0f), inside);
    }
    ++(inside ? shown : hidden);
  }
  EXPECT_GT(shown, 20);
  EXPECT_GT(hidden, 1000);
}

// A spout reaches 3.525 units from the axis: turning teapots never touch.
TEST(Layout, TeapotsStandApart) {
  std::vector<glm::vec3> positions;
  for (int i = 0; i < 300; ++i) {
    const auto teapot = teapotAt(i, 12.5);
    EXPECT_EQ(teapot.position, teapotAt(i, 12.5).position);
    for (const auto& other : positions)
      EXPECT_GT(glm::distance(teapot.position, other), 2 * 3.525f * kTeapotUnitM);
    positions.push_back(teapot.position);
  }
}

TEST(Layout, LampsAreSmallBrightAndSway) {
  int moved = 0;
  for (int i = 0; i < kLamps; ++i) {
    const Lamp lamp = lampAt(i, 3.0), later = lampAt(i, 3.6);
    EXPECT_GT(lamp.position.y, lamp.radiusM);
    EXPECT_LT(lamp.radiusM, 0.14f);
    EXPECT_GT(glm::length(lamp.radiance), 5.0f);
    moved += lamp.position != later.position || lamp.radiance != later.radiance;
    // Lanterns stand clear of the teapots' bodies.
    for (int j = 0; i < kLanterns && j < 60; ++j)
      EXPECT_GT(glm::distance(lamp.position, teapotAt(j, 0.0).position), 2.0f * kTeapotUnitM + lamp.radiusM);
  }
  EXPECT_GT(moved, 30);
}

// Every vertex of the mesh lies in the sphere that stands for the teapot.
TEST(Layout, TheSphereHoldsTheTeapot) {
  const auto patches = readPatches(std::filesystem::path(SATDOF_SOURCE_DIR) / "assets" / "teapot.bpt");
  for (const auto& vertex : tessellate(patches, 8).vertices)
    EXPECT_LE(glm::distance(kTeapotUnitM * vertex.position, glm::vec3(0.0f, 0.0f, kTeapotCentreYM)),
              kTeapotRadiusM);
}

class ScenePassTest : public GlTest {
 protected:
  static constexpr glm::ivec2 kSize{161, 95};

  // The pass is costly to make: one for all tests.
  static ScenePass& pass() {
    static ScenePass made;
    return made;
  }

  struct Image {
    SceneFrame frame;
    std::vector<glm::vec4> colour;
    std::vector<float> depth;
    float depthAt(glm::ivec2 pixel) const {
      return depth[static_cast<size_t>(pixel.y * frame.size.x + pixel.x)];
    }
  };

  Image draw(double timeS = 0.0, const ViewOffset& offset = {}, const gl::Texture* behind = nullptr) {
    timings_.beginFrame();
    Image image;
    image.frame = pass().draw(scene_, camera_, timeS, timings_, offset, behind);
    timings_.endFrame();
    const auto pixels = static_cast<size_t>(image.frame.size.x * image.frame.size.y);
    image.colour.assign(pixels, glm::vec4(-7.0f));
    image.depth.assign(pixels, -7.0f);
    glGetTextureImage(image.frame.colour->name(), 0, GL_RGBA, GL_FLOAT, static_cast<GLsizei>(pixels * 16),
                      image.colour.data());
    glGetTextureImage(image.frame.depth->name(), 0, GL_RED, GL_FLOAT, static_cast<GLsizei>(pixels * 4),
                      image.depth.data());
    return image;
  }

  // Distance along the view axis at which a ray through (x, y), in pixels, meets y = 0; infinity where it
  // does not.
  float groundM(glm::vec2 at, glm::ivec2 size) const {
    const auto frame = cameraFrame(camera_);
    const float half = std::tan(glm::radians(camera_.verticalFovDegrees / 2));
    const glm::vec2 ndc = at / glm::vec2(size) * 2.0f - 1.0f;
    const glm::vec3 ray =
        frame.forward + ndc.x * half * float(size.x) / float(size.y) * frame.right + ndc.y * half * frame.up;
    const float z = -frame.eye.y / ray.y;
    return z > 0 ? z : std::numeric_limits<float>::infinity();
  }

  SceneSettings scene_;
  CameraSettings camera_;
  Timings timings_;
};

TEST_F(ScenePassTest, ImagesAreFiniteAndBoundedByTheNearestDistance) {
  for (const int samples : {1, 4}) {
    pass().resize(kSize, samples);
    const auto image = draw(3.0);
    EXPECT_EQ(image.frame.size, kSize);
    EXPECT_EQ(image.frame.colour->format(), GLenum(GL_RGBA16F));
    EXPECT_EQ(image.frame.depth->format(), GLenum(GL_R32F));
    for (const auto& c : image.colour) {
      ASSERT_TRUE(std::min({c.r, c.g, c.b}) >= 0.0f && std::max({c.r, c.g, c.b}) <= 64.0f);
      ASSERT_EQ(c.a, 1.0f);
    }
    const auto [least, most] = std::ranges::minmax(image.depth);
    EXPECT_EQ(least, 0.0f);
    EXPECT_LE(most, 1.0f);
    EXPECT_GT(image.frame.nearestM, image.frame.nearM);
    EXPECT_LE(most, image.frame.nearM / image.frame.nearestM);
    EXPECT_GT(most, 0.7f * image.frame.nearM / image.frame.nearestM);
  }
}

TEST_F(ScenePassTest, NearestDistanceHoldsFromEverySide) {
  pass().resize({64, 36}, 1);
  scene_.teapots = 60;
  for (int i = 0; i < 24; ++i) {
    camera_.yawDegrees = 47.0f * float(i);
    camera_.pitchDegrees = 4.0f * float(i % 22) - 3.0f;
    camera_.distanceM = 0.5f + 0.3f * float(i % 9);
    const auto image = draw(0.7 * i, {{0.01f, -0.02f}, 1.5f});
    EXPECT_LE(std::ranges::max(image.depth), image.frame.nearM / image.frame.nearestM * 1.00001f) << i;
  }
}

TEST_F(ScenePassTest, DepthOfTheGroundIsThatOfItsRay) {
  scene_.teapots = 0;
  scene_.lamps = false;
  for (const int samples : {1, 4}) {
    pass().resize(kSize, samples);
    const auto image = draw();
    int ground = 0, sky = 0;
    for (int y = 0; y < kSize.y; ++y)
      for (int x = 0; x < kSize.x; ++x) {
        // Bounds over the pixel; one sample lies in its middle.
        const glm::vec2 reach = samples > 1 ? glm::vec2(0.0f, 1.0f) : glm::vec2(0.5f);
        const float least = 0.1f / groundM({float(x) + 0.5f, float(y) + reach.y}, kSize);
        const float most = 0.1f / groundM({float(x) + 0.5f, float(y) + reach.x}, kSize);
        const float depth = image.depthAt({x, y});
        // The ground ends 400 m away.
        const float tolerance = 2e-6f + 0.1f / 400.0f * float(most < 0.1f / 300.0f);
        ASSERT_GE(depth, least - tolerance) << x << " " << y;
        ASSERT_LE(depth, most + tolerance) << x << " " << y;
        if (depth == 0) ++sky;
        if (depth > 0) ++ground;
        // The nearest of four samples is nearer than the pixel's middle.
        if (samples > 1 && most > 0.1f / 300.0f) {
          ASSERT_GT(depth, 0.1f / groundM({float(x) + 0.5f, float(y) + 0.5f}, kSize));
        }
      }
    EXPECT_GT(sky, 1000);
    EXPECT_GT(ground, 5000);
  }
}

TEST_F(ScenePassTest, DrawsAreReproducedToTheBit) {
  for (const int samples : {1, 4}) {
    pass().resize(kSize, samples);
    const auto first = draw(2.0), other = draw(2.5), again = draw(2.0);
    EXPECT_EQ(first.colour, again.colour);
    EXPECT_EQ(first.depth, again.depth);
    EXPECT_NE(first.colour, other.colour);
    EXPECT_NE(first.depth, other.depth);
  }
}

TEST_F(ScenePassTest, OneSampleAndFourShowTheSameScene) {
  pass().resize(kSize, 1);
  const auto one = draw(), moved = draw(0.0, {{0.1f, 0.0f}, 100.0f});
  pass().resize(kSize, 4);
  const auto four = draw();
  const auto difference = [&](const Image& a, const Image& b) {
    float sum = 0;
    for (size_t i = 0; i < a.depth.size(); ++i) sum += std::abs(a.depth[i] - b.depth[i]);
    return sum / float(a.depth.size());
  };
  EXPECT_LT(difference(one, four), 0.5f * difference(one, moved));
  size_t nearer = 0;
  for (size_t i = 0; i < one.depth.size(); ++i) nearer += four.depth[i] >= one.depth[i];
  EXPECT_GT(nearer, one.depth.size() * 97 / 100);
}

TEST_F(ScenePassTest, PeelingShowsOnlyWhatLiesBehind) {
  for (const int samples : {1, 4}) {
    pass().resize(kSize, samples);
    const auto first = draw(1.0);
    gl::Texture behind(GL_R32F, kSize);
    glTextureSubImage2D(behind.name(), 0, 0, 0, kSize.x, kSize.y, GL_RED, GL_FLOAT, first.depth.data());
    const auto second = draw(1.0, {}, &behind);
    int uncovered = 0, emptied = 0;
    for (size_t i = 0; i < first.depth.size(); ++i) {
      ASSERT_TRUE(second.depth[i] < first.depth[i] || first.depth[i] == 0.0f);
      ASSERT_LE(second.depth[i], first.depth[i]);
      if (second.depth[i] > 0) ++uncovered;
      if (first.depth[i] > 0 && second.depth[i] == 0) ++emptied;
      // What was peeled down to nothing has alpha 0.
      if (second.depth[i] > 0 || first.depth[i] == 0) {
        ASSERT_GT(second.colour[i].a, 0.0f);
      }
    }
    EXPECT_GT(uncovered, 2000);
    EXPECT_GT(emptied, 5000);
  }
}

TEST_F(ScenePassTest, PeeledGroundIsTheGroundWithoutTeapots) {
  pass().resize(kSize, 1);
  scene_.lamps = false;
  scene_.teapots = 1;
  camera_.targetZM = 0.72f;
  const auto first = draw();
  gl::Texture behind(GL_R32F, kSize);
  glTextureSubImage2D(behind.name(), 0, 0, 0, kSize.x, kSize.y, GL_RED, GL_FLOAT, first.depth.data());
  const auto second = draw(0.0, {}, &behind);
  int seen = 0;
  for (int y = 0; y < kSize.y; ++y)
    for (int x = 0; x < kSize.x; ++x) {
      const float ground = 0.1f / groundM({float(x) + 0.5f, float(y) + 0.5f}, kSize);
      if (ground < 0.1f / 100.0f || first.depthAt({x, y}) < 1.02f * ground) continue;
      if (std::abs(second.depthAt({x, y}) / ground - 1.0f) < 1e-4f) ++seen;
    }
  EXPECT_GT(seen, 300);
}

TEST_F(ScenePassTest, LampsAreBright) {
  pass().resize(kSize, 1);
  const auto brightest = [](const Image& image) {
    float most = 0;
    for (const auto& c : image.colour) most = std::max(most, c.r);
    return most;
  };
  EXPECT_GT(brightest(draw()), 8.0f);
  scene_.lamps = false;
  EXPECT_LT(brightest(draw()), 8.0f);
}

TEST_F(ScenePassTest, ThousandsOfTeapots) {
  pass().resize(kSize, 1);
  scene_.teapots = 12;
  const auto few = draw();
  scene_.teapots = kMaxTeapots;
  const auto many = draw();
  for (size_t i = 0; i < few.depth.size(); ++i) ASSERT_GE(many.depth[i], few.depth[i]);
  EXPECT_NE(many.depth, few.depth);
}

TEST_F(ScenePassTest, AnySizeAndAnyNumberOfSamples) {
  for (const glm::ivec2 size : {glm::ivec2(1, 1), glm::ivec2(1, 37), glm::ivec2(53, 1), glm::ivec2(17, 65)})
    for (const int samples : {0, 1, 2, 3, 1000}) {
      pass().resize(size, samples);
      EXPECT_EQ(draw().frame.size, size);
    }
}

}  // namespace
}  // namespace satdof
