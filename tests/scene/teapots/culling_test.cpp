#include "app/scene/teapots/culling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "app/scene/teapots/teapots.h"
#include "shaders/scene/teapots/sphere.h"
#include "tests/scene/drawn_scene.h"
#include "tests/support/gl_fixture.h"
#include "tests/support/uniform.h"

namespace satdof {
namespace {

constexpr std::array kCounts = {0, 1, 2, 5, 12, 63, 64, 65, 255, 256, 257, 1024, 1025, 4097, 4999, 5000};
constexpr glm::ivec2 kSize{192, 108};

const Hierarchy& hierarchyOf(int count) {
  static std::map<int, Hierarchy> built;
  const auto [found, added] = built.try_emplace(count);
  if (added) found->second.build(count);
  return found->second;
}

// Cameras inside the crowd and outside, that look anywhere, from points of the aperture.
class Cameras {
 public:
  CameraSettings camera() {
    CameraSettings camera;
    camera.yawDegrees = uniform(-180.0f, 180.0f);
    camera.pitchDegrees = uniform(-90.0f, 90.0f);
    camera.rollDegrees = uniform(-180.0f, 180.0f);
    camera.distanceM = std::exp(uniform(std::log(0.5f), std::log(60.0f)));
    camera.targetXM = uniform(-20.0f, 20.0f);
    camera.targetZM = uniform(-60.0f, 4.0f);
    camera.verticalFovDegrees = uniform(5.0f, 120.0f);
    return camera;
  }
  ViewOffset offset() { return {{uniform(-0.3f, 0.3f), uniform(-0.3f, 0.3f)}, uniform(0.5f, 20.0f)}; }

 private:
  test::Uniform uniform{7};
};

TEST(Hierarchy, HoldsEveryTeapotOnce) {
  for (const int count : kCounts) {
    const Hierarchy& hierarchy = hierarchyOf(count);
    std::multiset<std::tuple<float, float>> expected, found;
    for (int i = 0; i < count; ++i) expected.emplace(teapotAt(i).position.x, teapotAt(i).position.z);
    for (const Teapot& teapot : hierarchy.teapots()) found.emplace(teapot.position.x, teapot.position.z);
    EXPECT_EQ(found, expected) << count;
  }
}

TEST(Hierarchy, SpheresContainTheirTeapots) {
  for (const int count : kCounts) {
    const Hierarchy& hierarchy = hierarchyOf(count);
    ASSERT_LE(hierarchy.levels().size(), kMaxCullLevels);
    ASSERT_LE(hierarchy.levels().back().size, kCullThreads);
    uint32_t first = 0;
    std::size_t under = 1;
    for (const auto& level : hierarchy.levels()) {
      EXPECT_EQ(level.first, first);
      EXPECT_EQ(level.size, (static_cast<std::size_t>(count) + under - 1) / under);
      for (std::size_t i = 0; i < hierarchy.teapots().size(); ++i) {
        const glm::vec4& sphere = hierarchy.spheres()[level.first + i / under];
        const glm::vec4& leaf = hierarchy.spheres()[i];
        EXPECT_LE(glm::distance(glm::vec3(sphere), glm::vec3(leaf)) + kShadowRadiusM, sphere.w);
      }
      first += level.size;
      under *= kFanOut;
    }
    EXPECT_EQ(first, hierarchy.spheres().size());
  }
}

// Every teapot tested by itself, in the order of listAll().
DrawLists bruteForce(const Hierarchy& hierarchy, const CullView& view) {
  DrawLists lists;
  listAll(hierarchy, view, lists);
  for (auto& list : lists)
    std::erase_if(list, [&](uint32_t teapot) {
      const glm::vec4& sphere = hierarchy.spheres()[teapot];
      return std::ranges::any_of(
          view.planes, [&](const glm::vec4& plane) { return glsl::planeDistance(plane, sphere) < -sphere.w; });
    });
  return lists;
}

std::size_t sizeOf(const DrawLists& lists) {
  std::size_t size = 0;
  for (const auto& list : lists) size += list.size();
  return size;
}

TEST(Culling, TraversalEqualsBruteForce) {
  Cameras cameras;
  Frontiers frontiers;
  DrawLists found;
  std::size_t kept = 0, all = 0;
  for (const int count : kCounts)
    for (int i = 0; i < 100; ++i) {
      const CameraSettings camera = cameras.camera();
      const Pinhole shifted = makePinhole(camera, kSize, 0.1f, cameras.offset());
      const CullView view = cullView(shifted, makePinhole(camera, kSize, 0.1f, {}), kSize.y);
      const Hierarchy& hierarchy = hierarchyOf(count);
      listVisible(hierarchy, view, frontiers, found);
      ASSERT_EQ(found, bruteForce(hierarchy, view)) << count << " " << i;
      kept += sizeOf(found);
      all += static_cast<std::size_t>(count);
    }
  EXPECT_GT(kept, all / 50);
  EXPECT_LT(kept, all / 2);
}

TEST(Culling, PlanesBoundTheViewOfThePinhole) {
  Cameras cameras;
  int shown = 0, hidden = 0;
  for (int i = 0; i < 100; ++i) {
    const CameraSettings camera = cameras.camera();
    const Pinhole pinhole = makePinhole(camera, kSize, 0.1f, cameras.offset());
    const CullView view = cullView(pinhole, pinhole, kSize.y);
    for (const glm::vec4& sphere : hierarchyOf(1025).spheres()) {
      const auto inside = [&](float radius) {
        return std::ranges::all_of(
            view.planes, [&](const glm::vec4& plane) { return glsl::planeDistance(plane, sphere) >= -radius; });
      };
      if (inside(sphere.w - 1e-3f) != inside(sphere.w + 1e-3f)) continue;  // rounding decides
      ASSERT_EQ(inside(sphere.w), pinhole.mayShow(glm::vec3(sphere), sphere.w));
      ++(inside(sphere.w) ? shown : hidden);
    }
  }
  EXPECT_GT(shown, 1000);
  EXPECT_GT(hidden, 1000);
}

TEST(Culling, DetailsKeepTheErrorBelowTheLimit) {
  Cameras cameras;
  DrawLists lists;
  std::map<float, int> details, coarse;  // by limit: teapots not in the finest detail, teapots near the limit
  for (int i = 0; i < 30; ++i) {
    const Pinhole pinhole = makePinhole(cameras.camera(), kSize, 0.1f, {});
    for (const float limitPx : {1.0f, 3.0f}) {
      listAll(hierarchyOf(5000), cullView(pinhole, pinhole, kSize.y, limitPx), lists);
      EXPECT_EQ(sizeOf(lists), 5000u);
      for (int detail = 1; detail < kDetails; ++detail)
        for (const uint32_t teapot : lists[static_cast<std::size_t>(detail)]) {
          const float nearestM = pinhole.distanceM(glm::vec3(hierarchyOf(5000).spheres()[teapot])) - kTeapotRadiusM;
          const float errorPx = pinhole.focalPx(kSize.y) * kTeapotUnitM * detailError(detail) / nearestM;
          ASSERT_GT(nearestM, 0.0f);
          ASSERT_LE(errorPx, limitPx);
          ++details[limitPx];
          coarse[limitPx] += errorPx > 0.5f * limitPx ? 1 : 0;
        }
    }
  }
  EXPECT_GT(details[1.0f], 5000);
  EXPECT_GT(coarse[3.0f], 100);
}

TEST(Culling, DetailsFollowTheMainCamera) {
  Cameras cameras;
  DrawLists main, shifted;
  const CameraSettings camera = cameras.camera();
  const Pinhole centre = makePinhole(camera, kSize, 0.1f, {});
  listAll(hierarchyOf(4097), cullView(centre, centre, kSize.y), main);
  listAll(hierarchyOf(4097), cullView(makePinhole(camera, kSize, 0.1f, cameras.offset()), centre, kSize.y), shifted);
  EXPECT_EQ(main, shifted);
}

// An order that starts with the nearest teapots draws fewer fragments.
TEST(Culling, ListsStartNear) {
  DrawLists lists;
  for (const float yaw : {12.0f, 100.0f, 200.0f, 290.0f}) {
    CameraSettings camera;
    camera.yawDegrees = yaw;
    camera.targetZM = -20.0f;
    camera.distanceM = 100.0f;
    const Pinhole pinhole = makePinhole(camera, kSize, 0.1f, {});
    CullView view = cullView(pinhole, pinhole, kSize.y);
    view.fartherM.fill(std::numeric_limits<float>::infinity());
    listAll(hierarchyOf(5000), view, lists);
    ASSERT_EQ(lists[0].size(), 5000u);
    const auto meanM = [&](std::size_t from) {
      float sum = 0.0f;
      for (std::size_t i = from; i < from + 1000; ++i)
        sum += pinhole.distanceM(glm::vec3(hierarchyOf(5000).spheres()[lists[0][i]]));
      return sum / 1000;
    };
    EXPECT_LT(meanM(0), meanM(4000) - 5.0f) << yaw;
  }
}

TEST(Culling, NearestDistanceEqualsBruteForce) {
  Cameras cameras;
  int finite = 0;
  for (const int count : kCounts)
    for (int i = 0; i < 100; ++i) {
      const Pinhole pinhole = makePinhole(cameras.camera(), kSize, 0.1f, cameras.offset());
      float expected = std::numeric_limits<float>::infinity();
      for (const Teapot& teapot : hierarchyOf(count).teapots()) {
        const glm::vec3 centre = teapot.position + glm::vec3(0.0f, kTeapotCentreYM, 0.0f);
        if (pinhole.mayShow(centre, kTeapotRadiusM))
          expected = std::min(expected, pinhole.distanceM(centre) - kTeapotRadiusM);
      }
      ASSERT_EQ(nearestTeapotM(hierarchyOf(count), pinhole), expected) << count << " " << i;
      finite += std::isfinite(expected);
    }
  EXPECT_GT(finite, 200);
}

class TeapotsCullingTest : public GlTest {
 protected:
  static Scene& scene() {
    static const auto made = makeTeapots();
    return *made;
  }
  template <class T>
  static std::size_t different(const std::vector<T>& a, const std::vector<T>& b) {
    std::size_t pixels = 0;
    for (std::size_t i = 0; i < a.size(); ++i) pixels += a[i] != b[i];
    return pixels;
  }
  // Draws the view with every culling and expects equal bits.
  static void expectEqualImages(SceneView view, Targets& targets) {
    view.scene.teapots.culling = Culling::none;
    const auto all = test::draw(scene(), targets, view);
    for (const Culling culling : {Culling::automatic, Culling::cpu, Culling::glCompute}) {
      view.scene.teapots.culling = culling;
      const auto culled = test::draw(scene(), targets, view);
      EXPECT_EQ(different(culled.colour, all.colour), 0u) << name(culling);
      EXPECT_EQ(different(culled.depth, all.depth), 0u) << name(culling);
      EXPECT_EQ(culled.frame.nearestM, all.frame.nearestM) << name(culling);
    }
  }
};

TEST_F(TeapotsCullingTest, ImagesDoNotDependOnCulling) {
  Cameras cameras;
  Targets targets;
  for (const int samples : {1, 4}) {
    targets.resize(kSize, samples);
    for (const int count : {1, 2, 12, 63, 65, 257, 1025, 4999, 5000}) {
      SCOPED_TRACE(count);
      SceneView view;
      view.scene.teapots.count = count;
      view.timeS = 3.0 * count;
      expectEqualImages(view, targets);
      view.camera = cameras.camera();
      view.offset = cameras.offset();
      expectEqualImages(view, targets);
    }
  }
}

TEST_F(TeapotsCullingTest, NeitherDoSidesAndSecondLayers) {
  Targets targets;
  targets.resize(kSize, 1);
  SceneView view;
  view.scene.teapots.count = 1025;
  const gl::Texture behind = test::depthTexture(test::draw(scene(), targets, view));
  view.behind = &behind;
  expectEqualImages(view, targets);
  view.behind = nullptr;
  view.offset = {{0.02f, -0.01f}, 1.7f, 1.0f, 0.5f};
  expectEqualImages(view, targets);
}

}  // namespace
}  // namespace satdof
