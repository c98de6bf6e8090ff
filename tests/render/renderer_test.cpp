#include "app/render/renderer.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <thread>

#include "app/core/fields.h"
#include "app/core/system/abandon.h"
#include "app/lens/lens.h"
#include "app/quality/metrics.h"
#include "app/scene/camera.h"
#include "app/scene/teapots/layout.h"
#include "tests/support/lens_fixture.h"
#include "tests/support/same_bits.h"
#include "tests/support/small_renders.h"

namespace satdof::test {
namespace {

class RendererTest : public GlTest {
 protected:
  RendererTest() {
    settings.lens.focusDistanceM = 1.7f;
    settings.technique.device = DeviceId::cpuSequential;
  }
  std::vector<glm::vec4> draw(Renderer& renderer) {
    result = renderer.render(settings, {}, timings);
    return download(renderer.image());
  }
  std::vector<glm::u8vec4> present(Renderer& renderer, glm::ivec2 size) {
    return presented(renderer, size, settings, timings);
  }
  void settle(Renderer& renderer, FrameRequest request = {}) {
    for (int i = 0; i < 1000; ++i) {
      result = renderer.render(settings, request, timings);
      applyResult(settings, result);
      request.focusAt.reset();
      if (!result.focusPending) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    FAIL() << "the focus never settled";
  }
  // Distance along the camera's axis to the ground seen at `at` (0 to 1 from the bottom left).
  float groundDistanceM(glm::vec2 at) const {
    const CameraFrame camera = cameraFrame(settings.camera);
    const float tangent = std::tan(glm::radians(settings.camera.verticalFovDegrees) / 2);
    const glm::vec2 slope =
        (2.0f * at - 1.0f) * tangent * glm::vec2(float(settings.size.x) / float(settings.size.y), 1.0f);
    const glm::vec3 ray = camera.forward + slope.x * camera.right + slope.y * camera.up;
    return -camera.eye.y / ray.y;
  }

  Settings settings = smallTeapots();
  Timings timings;
  FrameResult result;
};

using Texels = std::vector<glm::vec4>;

TEST_F(RendererTest, FreesItsImages) {
  const auto residentPages = [] {
    std::ifstream file("/proc/self/statm");
    long all = 0, resident = 0;
    file >> all >> resident;
    return resident;
  };
  Renderer renderer;
  const auto small = draw(renderer);
  const Settings before = settings;
  settings.size = {1200, 900};
  draw(renderer);
  const long large = residentPages();
  renderer.freeImages();
  constexpr long kPageBytes = 4096, kImageBytes = 60L * 1200 * 900;
  EXPECT_LT(residentPages(), large - kImageBytes / kPageBytes);
  settings = before;
  EXPECT_TRUE(sameBits(draw(renderer), small));
}

TEST_F(RendererTest, FreesBAfterAComparison) {
  settings.technique.lens.kind = LensKind::box;
  settings.technique.device = settings.split.b.device = DeviceId::glCompute;
  settings.split.b.lens.kind = LensKind::layered;
  Renderer renderer;
  const Texels alone = draw(renderer);
  const int before = liveTextures();
  settings.split.enabled = true;
  const Texels both = draw(renderer);
  const int compared = liveTextures();
  EXPECT_GT(compared, before);
  renderer.freeUnused();
  EXPECT_EQ(liveTextures(), compared);
  settings.split.enabled = false;
  EXPECT_TRUE(sameBits(draw(renderer), alone));
  EXPECT_EQ(liveTextures(), compared);
  renderer.freeUnused();
  EXPECT_EQ(liveTextures(), before);
  EXPECT_TRUE(sameBits(draw(renderer), alone));
  settings.split.enabled = true;
  EXPECT_TRUE(sameBits(draw(renderer), both));
}

TEST_F(RendererTest, FreesTheImageBeforeAFilterThatIsOff) {
  Renderer renderer;
  draw(renderer);
  const int before = liveTextures();
  settings.filter.mask.text = "blur";
  draw(renderer);
  settings.filter.mask = {};
  draw(renderer);
  renderer.freeUnused();
  EXPECT_EQ(liveTextures(), before);
}

TEST_F(RendererTest, SplitShowsEachTechniqueOnItsSide) {
  Renderer renderer;
  Technique left = settings.technique, right = settings.technique;
  left.lens.kind = LensKind::box;
  right.lens.kind = LensKind::gems;
  right.table.format = TableFormat::float32;
  settings.technique = left;
  const Texels onlyLeft = draw(renderer);
  settings.technique = right;
  const Texels onlyRight = draw(renderer);
  ASSERT_FALSE(sameBits(onlyLeft, onlyRight));
  settings.technique = left;
  settings.split.enabled = true;
  settings.split.b = right;
  for (const float position : {0.0f, 0.3f, 1.0f}) {
    settings.split.position = position;
    const Texels both = draw(renderer);
    const int column = int(std::lround(position * 96));
    for (int y = 0; y < 54; ++y)
      for (int x = 0; x < 96; ++x) {
        const std::size_t i = std::size_t(y) * 96 + std::size_t(x);
        ASSERT_EQ(both[i], (x < column ? onlyLeft : onlyRight)[i]) << x << " " << y << " at " << position;
      }
  }
}

// The textures of the scene change while a side is hidden. OpenGL may reuse the names of the old textures.
TEST_F(RendererTest, HiddenSideFollowsChangesOfSizeAndSamples) {
  for (const auto& device : entries(DeviceId{})) {
    if (!availability(device.value).available) continue;
    settings.technique.lens.kind = LensKind::gems;
    settings.split.b = settings.technique;
    settings.split.b.device = device.value;
    settings.split.b.lens.kind = LensKind::layered;
    settings.split.enabled = true;
    Renderer renderer;
    const Texels first = draw(renderer);
    const Settings wanted = settings;
    for (const glm::ivec2 size : {glm::ivec2(64, 48), {33, 77}, wanted.size})
      for (const int samples : {4, 1}) {
        settings.split.enabled = false;
        settings.size = size;
        settings.scene.samples = samples;
        (void)draw(renderer);
        settings = wanted;
        if (size == wanted.size) {
          EXPECT_TRUE(sameBits(draw(renderer), first)) << device.name << ", " << samples << " samples before";
        }
      }
  }
}

TEST_F(RendererTest, DifferenceIsBlackOnlyBetweenEqualTechniques) {
  Renderer renderer;
  settings.split.b = settings.technique;
  settings.technique.view = View::difference;
  for (const auto& texel : draw(renderer)) ASSERT_EQ(texel, glm::vec4(0, 0, 0, 1));
  settings.split.b.view = View::sharp;
  const Texels whole = draw(renderer);
  float brightest = 0;
  for (const auto& texel : whole) brightest = std::max(brightest, texel.r);
  EXPECT_GT(brightest, 0.5f);

  std::swap(settings.technique, settings.split.b);
  settings.split.enabled = true;
  const Texels split = draw(renderer);
  settings.split.enabled = false;
  const Texels sharp = draw(renderer);
  for (std::size_t i = 0; i < split.size(); ++i) ASSERT_EQ(split[i], (i % 96 < 48 ? sharp : whole)[i]) << i;
}

TEST_F(RendererTest, ComparesWithTheReferenceAsItRefines) {
  Renderer renderer;
  settings.lens.lensSamples = 24;
  settings.split.enabled = true;
  settings.split.b = settings.technique;
  settings.split.b.lens.kind = LensKind::reference;
  for (int i = 0; i < 2000 && !(result.comparison && result.comparison->progress == 1.0f); ++i) {
    result = renderer.render(settings, {.timeS = 0, .focusAt = {}, .compare = true}, timings);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const auto live = result.comparison;
  ASSERT_TRUE(live && live->progress == 1.0f);

  const auto displayed = [&](float position) {
    settings.split.position = position;
    draw(renderer);
    const gl::Texture target(GL_RGBA32F, settings.size);
    const gl::Framebuffer framebuffer(target);
    renderer.present(framebuffer.name(), settings.size, settings, timings);
    std::vector<float> rgb;
    for (const auto& texel : download(target)) rgb.insert(rgb.end(), {texel.r, texel.g, texel.b});
    return rgb;
  };
  const auto ours = displayed(1.0f), reference = displayed(0.0f);
  EXPECT_DOUBLE_EQ(live->metrics.psnrDb, psnr(ours, reference, settings.size));
  EXPECT_DOUBLE_EQ(live->metrics.ssim.value(), ssim(ours, reference, settings.size));

  ASSERT_TRUE(live->noiseFloor);
  EXPECT_GT(live->noiseFloor->psnrDb, 20.0);
  EXPECT_LT(live->noiseFloor->psnrDb, 60.0);

  settings.split.b.lens.kind = LensKind::box;
  result = renderer.render(settings, {.timeS = 0, .focusAt = {}, .compare = true}, timings);
  EXPECT_FALSE(result.comparison);
}

TEST_F(RendererTest, DrawsTheSceneAndTheOtherSideOnceWhileTheReferenceRefines) {
  Renderer renderer;
  settings.technique.device = DeviceId::glCompute;
  settings.technique.lens.kind = LensKind::box;
  settings.technique.bokeh.enabled = false;
  settings.split = {.enabled = true, .b = {.lens = {LensKind::reference}}};
  const auto times = [&](const char* stage) {
    timings.finish();
    const auto& stages = timings.stats().stages;
    const auto found = std::ranges::find(stages, stage, &Stage::name);
    return found == stages.end() ? 0 : found->samplesUs.size();
  };
  const auto refine = [&] {
    timings.beginFrame();
    result = renderer.render(settings, {.timeS = 0, .focusAt = {}, .compare = true}, timings);
    timings.endFrame();
    ASSERT_LT(result.progress, 1.0f);
  };
  refine();
  const auto first = download(renderer.image());
  for (int frame = 0; frame < 3; ++frame) {
    settings.present.showUi = !settings.present.showUi;
    refine();
  }
  EXPECT_EQ(times("A: table"), 1u);
  EXPECT_EQ(times("scene"), 1u);
  const auto later = download(renderer.image());
  const auto width = static_cast<std::size_t>(settings.size.x);
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (i % width < width / 2) {
      ASSERT_EQ(first[i], later[i]);
    }
  }
  settings.lens.fNumber *= 2.0f;
  refine();
  EXPECT_EQ(times("A: table"), 2u);
  EXPECT_EQ(times("scene"), 2u);
}

TEST_F(RendererTest, AFrameAfterAnAbandonedOneIsWhole) {
  settings.technique.lens.kind = LensKind::layered;
  settings.split = {.enabled = true, .b = {.lens = {LensKind::box}}};
  const Settings wanted = settings;
  Settings wider = wanted, larger = wanted;
  wider.lens.fNumber /= 2.0f;
  larger.size = {120, 60};
  Renderer fresh, renderer;
  const Texels whole = draw(fresh);
  for (const Settings& other : {wider, larger}) {
    int stages = 0;
    for (bool abandoned = true; abandoned; ++stages) {
      settings = wanted;
      ASSERT_TRUE(sameBits(draw(renderer), whole)) << "abandoned before stage " << stages;
      settings = other;
      abandoned = false;
      try {
        const AbandonFramesScope mayAbandon([left = stages]() mutable { return left-- == 0; });
        renderer.render(settings, {}, timings);
      } catch (const FrameAbandoned&) {
        abandoned = true;
      }
    }
    EXPECT_GT(stages, 5);
  }
}

TEST_F(RendererTest, ViewsDifferAndSharpIsTheFocusedImageWithoutAperture) {
  Renderer renderer;
  settings.technique.lens.kind = LensKind::layered;
  settings.lens.fNumber = 0.5f;  // lamps wide enough for sprites
  std::vector<Texels> views;
  for (const auto& entry : entries(View{})) {
    settings.technique.view = entry.value;
    views.push_back(draw(renderer));
    for (std::size_t i = 0; i + 1 < views.size(); ++i) EXPECT_FALSE(sameBits(views[i], views.back())) << entry.name;
  }
  settings.lens.fNumber = 128.0f;
  settings.lens.focalLengthMm = 1.0f;
  settings.technique.view = View::final;
  const Texels pinhole = draw(renderer);
  settings.technique.view = View::sharp;
  EXPECT_TRUE(sameBits(pinhole, draw(renderer)));
}

TEST_F(RendererTest, TheStateNamesADeviceThatTheLensUses) {
  Renderer renderer;
  settings.lens.lensSamples = 2;
  for (const LensRow& lens : lenses()) {
    settings.technique.lens.kind = lens.kind;
    draw(renderer);
    EXPECT_EQ(result.state.starts_with("cpu-sequential"), lens.buildsTables()) << result.state;
    if (lens.accumulates) {
      EXPECT_EQ(result.state, "2 of 2 samples");
    }
  }
}

TEST_F(RendererTest, KeepsTheLastGoodTechniqueAndReportsWhy) {
  Renderer renderer;
  const Texels good = draw(renderer);
  EXPECT_EQ(result.message, "");
  EXPECT_THAT(result.state, testing::StartsWith("cpu-sequential"));
  const Technique working = settings.technique;
  settings.technique.device = static_cast<DeviceId>(99);
  EXPECT_TRUE(sameBits(draw(renderer), good));
  EXPECT_THAT(result.message, testing::HasSubstr("not in the registry"));
  EXPECT_THAT(result.state, testing::StartsWith("cpu-sequential"));

  settings.size = {40, 30};
  EXPECT_EQ(draw(renderer).size(), 1200u);
  EXPECT_NE(result.message, "");
  settings.size = {96, 54};
  settings.technique = working;
  EXPECT_TRUE(sameBits(draw(renderer), good));
  EXPECT_EQ(result.message, "");

  settings.split.enabled = true;
  settings.split.b.device = static_cast<DeviceId>(99);
  EXPECT_TRUE(sameBits(draw(renderer), good));
  EXPECT_NE(result.message, "");
}

TEST_F(RendererTest, ThrowsWithoutAnyGoodTechnique) {
  Renderer renderer;
  settings.technique.device = static_cast<DeviceId>(99);
  EXPECT_THROW(renderer.render(settings, {}, timings), std::runtime_error);
}

TEST_F(RendererTest, PickOnTheGroundFocusesThere) {
  Renderer renderer;
  settings.size = {160, 90};
  settings.scene.teapots.count = 1;
  settings.camera.distanceM = 3.0f;
  settings.camera.pitchDegrees = 30.0f;
  const glm::vec2 at(0.1f, 0.2f);
  settle(renderer, {0.0, at});
  const float pixel = 1.0f / 90;
  EXPECT_LT(settings.lens.focusDistanceM, groundDistanceM(at + glm::vec2(0.0f, pixel)));
  EXPECT_GT(settings.lens.focusDistanceM, groundDistanceM(at - glm::vec2(0.0f, pixel)));
}

TEST_F(RendererTest, AutofocusFindsTheCentre) {
  Renderer renderer;
  settings.scene.teapots.count = 1;
  settings.camera.targetXM = 5.0f;
  settings.camera.targetYM = 0.0f;
  settings.camera.pitchDegrees = 40.0f;
  settings.lens.autofocus = true;
  settle(renderer);
  EXPECT_NEAR(settings.lens.focusDistanceM, settings.camera.distanceM, 0.03f * settings.camera.distanceM);
}

// A frame depends on its time alone, whatever was drawn before.
TEST_F(RendererTest, ATrackedTeapotIsFollowedAsItTurns) {
  settings.size = {160, 90};
  settings.scene.timeS = 0.0f;
  settings.lens.autofocus = true;
  settings.lens.autofocusOn = AutofocusOn::tracked;
  Renderer renderer;
  settle(renderer, {.focusAt = glm::vec2(0.5f)});
  ASSERT_GE(settings.lens.trackedObject, 2) << "a teapot";
  const Teapot teapot = teapotAt(settings.lens.trackedObject - 2);
  const glm::vec3 point(settings.lens.trackedX, settings.lens.trackedY, settings.lens.trackedZ);
  const CameraFrame camera = cameraFrame(settings.camera);
  float least = 1e9f, most = 0.0f;
  for (const double timeS : {0.0, 3.0, 9.0, 1.0, 100.0}) {
    const float distanceM = glm::dot(teapotToWorld(teapot, timeS, point) - camera.eye, camera.forward);
    Renderer other;
    for (Renderer* each : {&renderer, &other}) {
      result = each->render(settings, {.timeS = timeS, .focusAt = {}, .standalone = true}, timings);
      ASSERT_TRUE(result.focus.focusDistanceM) << timeS;
      EXPECT_NEAR(*result.focus.focusDistanceM, distanceM, 1e-4f) << timeS;
    }
    least = std::min(least, distanceM);
    most = std::max(most, distanceM);
  }
  EXPECT_GT(most - least, 0.05f) << "it moves";
  settings.lens.trackedObject = 100;
  const auto gone = renderer.render(settings, {.focusAt = {}, .standalone = true}, timings).focus.focusDistanceM;
  settings.lens.autofocusOn = AutofocusOn::point;
  EXPECT_EQ(gone, renderer.render(settings, {.focusAt = {}, .standalone = true}, timings).focus.focusDistanceM)
      << "the place";
}

// The points of the aperture do not lie alike: the reference differs by its noise.
TEST_F(RendererTest, ARollOfHalfATurnTurnsTheImageAround) {
  settings.lens.lensSamples = 64;
  for (const DeviceId device : {DeviceId::cpuSequential, DeviceId::glCompute})
    for (const LensKind lens : {LensKind::box, LensKind::layered, LensKind::reference}) {
      Renderer renderer;
      settings.technique.device = device;
      settings.technique.lens.kind = lens;
      const auto rolled = [&](float degrees) {
        settings.camera.rollDegrees = degrees;
        Texels image = draw(renderer);
        while (result.progress < 1.0f) image = draw(renderer);
        return image;
      };
      const Texels level = rolled(0.0f);
      Texels turned = rolled(180.0f);
      std::reverse(turned.begin(), turned.end());
      double difference = 0.0, itself = 0.0;
      for (std::size_t i = 0; i < level.size(); ++i) {
        difference += static_cast<double>(glm::distance(glm::vec3(level[i]), glm::vec3(turned[i])));
        itself += static_cast<double>(glm::distance(glm::vec3(level[i]), glm::vec3(level[level.size() - 1 - i])));
      }
      EXPECT_LT(difference, 0.1 * itself) << static_cast<int>(lens) << " " << static_cast<int>(device);
    }
}

TEST_F(RendererTest, PresentsDebugViewsWithoutExposureAndMarksTheSplit) {
  Renderer renderer;
  settings.technique.view = View::coc;
  draw(renderer);
  const auto before = present(renderer, settings.size);
  settings.present.exposureStops = 3.0f;
  const auto after = present(renderer, settings.size);
  EXPECT_TRUE(std::equal(before.begin(), before.end(), after.begin()));

  settings.split.enabled = true;
  settings.split.b = settings.technique;
  settings.split.b.view = View::final;
  draw(renderer);
  const auto split = present(renderer, settings.size);
  std::size_t brighter = 0;
  settings.present.exposureStops = 0.0f;
  const auto darker = present(renderer, settings.size);
  for (std::size_t y = 0; y < 54; ++y)
    for (std::size_t x = 0; x < 96; ++x) {
      const std::size_t i = y * 96 + x;
      if (x < 47) {
        ASSERT_EQ(split[i], before[i]) << x << " " << y;
      } else if (x < 49) {
        ASSERT_GE(int(split[i].g), 200) << x << " " << y;
      } else {
        brighter += split[i].g > darker[i].g;
      }
    }
  EXPECT_GT(brighter, 54u * 40u);
}

// Without lamps: images are enlarged before the tone curve, which changes the mean of single bright pixels.
TEST_F(RendererTest, PresentsAtTheRequestedSize) {
  settings.scene.teapots.lamps = false;
  Renderer renderer;
  draw(renderer);
  const auto one = present(renderer, {96, 54});
  const auto two = present(renderer, {192, 108});
  double mean1 = 0, mean2 = 0;
  for (const auto& p : one) mean1 += p.g;
  for (const auto& p : two) mean2 += p.g;
  EXPECT_NEAR(mean1 / double(one.size()), mean2 / double(two.size()), 1.0);
}

TEST_F(RendererTest, RenderersShareOneSimulation) {
  settings.scene.kind = SceneKind::bodies;
  settings.scene.bodies.count = 500;
  const auto shared = std::make_shared<SharedScene>();
  Scene& scene = shared->of(SceneKind::bodies);
  Renderer one(shared), other(shared), alone;
  // A live simulation does not catch up with a minute: it takes a few steps and goes on from there.
  for (const double timeS : {0.0, 60.0, 120.0})
    one.render(settings, {.timeS = timeS, .focusAt = {}, .live = true}, timings);
  const FrameRequest last{.timeS = 120.0, .focusAt = {}, .live = true};
  other.render(settings, last, timings);
  alone.render(settings, last, timings);
  EXPECT_EQ(download(one.image()), download(other.image()));
  EXPECT_NE(download(one.image()), download(alone.image()));
  EXPECT_EQ(&shared->of(SceneKind::bodies), &scene);
}

// The panes of the model lie in front of one focus and behind the other.
TEST_F(RendererTest, BMayHaveItsOwnLens) {
  for (const auto& [scene, kind] :
       {std::pair{SceneKind::teapots, LensKind::box}, {SceneKind::model, LensKind::layered}}) {
    settings.scene.kind = scene;
    settings.scene.frame = false;
    settings.technique.lens.kind = kind;
    settings.split = {.b = settings.technique};
    Renderer renderer;
    const Texels a = draw(renderer);
    const LensSettings lens = settings.lens;
    settings.lens.fNumber = 4.0f;
    settings.lens.focusDistanceM = 8.0f;
    const Texels b = draw(renderer);
    ASSERT_FALSE(sameBits(a, b));
    settings.split = {.enabled = true,
                      .position = 0.5f,
                      .ownLens = true,
                      .fNumber = settings.lens.fNumber,
                      .focusDistanceM = settings.lens.focusDistanceM,
                      .b = settings.technique};
    settings.lens = lens;
    const Texels both = draw(renderer);
    for (std::size_t i = 0; i < both.size(); ++i)
      ASSERT_EQ(both[i], (i % 96 < 48 ? a : b)[i]) << name(scene) << " " << i;
  }
}

}  // namespace
}  // namespace satdof::test
