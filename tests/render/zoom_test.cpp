#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <glm/common.hpp>
#include <thread>

#include "app/lens/lens.h"
#include "app/render/reach.h"
#include "app/render/renderer.h"
#include "tests/support/lens_fixture.h"
#include "tests/support/small_renders.h"

namespace satdof::test {
namespace {

constexpr glm::ivec2 kWhole{640, 360}, kWindow{160, 90}, kFrom{331, 117};

class ZoomedRenderTest : public GlTest {
 protected:
  ZoomedRenderTest() {
    settings.size = kWindow;
    settings.scene.animate = false;
    settings.lens.overscan = Overscan::off;
    settings.technique.device = DeviceId::cpuSequential;
  }

  using Pixels = std::vector<glm::u8vec4>;
  Pixels zoomed(Renderer& renderer) {
    settings.size = kWindow;
    result = renderer.render(settings, {.focusAt = {}, .zoom = ZoomRequest{{kFrom, kWhole}, 1 << 20}}, timings);
    EXPECT_EQ(renderer.image().size(), kWindow);
    return presented(renderer, kWindow, settings, timings);
  }
  // The same pixels of the whole image.
  Pixels cropped(Renderer& renderer) {
    settings.size = kWhole;
    renderer.render(settings, {}, timings);
    const Pixels whole = presented(renderer, kWhole, settings, timings);
    Pixels part;
    for (int y = 0; y < kWindow.y; ++y)
      for (int x = 0; x < kWindow.x; ++x) part.push_back(whole[std::size_t((kFrom.y + y) * kWhole.x + kFrom.x + x)]);
    return part;
  }
  // The part of the pixels that differ by more than two steps of 8 bits.
  static double difference(const Pixels& a, const Pixels& b) {
    int differing = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const glm::ivec4 steps = glm::abs(glm::ivec4(a[i]) - glm::ivec4(b[i]));
      differing += std::max({steps.r, steps.g, steps.b}) > 2 ? 1 : 0;
    }
    return static_cast<double>(differing) / static_cast<double>(a.size());
  }

  Settings settings = smallTeapots();
  Timings timings;
  FrameResult result;
};

TEST_F(ZoomedRenderTest, APartIsThatPartOfTheWholeImage) {
  for (const Overscan overscan : {Overscan::off, Overscan::on})
    for (const LensKind lens : {LensKind::box, LensKind::layered}) {
      settings.lens.overscan = overscan;
      settings.technique.lens.kind = lens;
      Renderer one, other;
      EXPECT_LE(difference(zoomed(one), cropped(other)), 0.01) << name(lens);
      EXPECT_LE(difference(cropped(one), zoomed(other)), 0.01) << name(lens) << ", the other way round";
    }
}

TEST_F(ZoomedRenderTest, PartsOfALensWithOpticsJoin) {
  settings.lens.tiltXDegrees = 5;
  settings.lens.fieldCurvature = 3;
  settings.lens.axialColour = 0.2f;
  settings.lens.lateralColour = 1;
  settings.technique.lens.kind = LensKind::layered;
  Renderer one, other;
  EXPECT_LE(difference(zoomed(one), cropped(other)), 0.01);
}

TEST_F(ZoomedRenderTest, BothSidesOfASplitAreZoomed) {
  settings.technique.lens.kind = LensKind::box;
  settings.split.b = settings.technique;
  settings.split.b.view = View::sharp;
  Renderer renderer;
  const Pixels a = zoomed(renderer);
  settings.technique.view = View::sharp;
  const Pixels b = zoomed(renderer);
  settings.technique.view = View::final;
  settings.split.enabled = true;
  settings.split.position = 0.25f;
  const Pixels both = zoomed(renderer);
  Pixels expected = both;
  for (std::size_t i = 0; i < both.size(); ++i) {
    const int x = static_cast<int>(i) % kWindow.x, line = kWindow.x / 4;
    if (std::abs(x - line) > 1) expected[i] = (x < line ? a : b)[i];
  }
  EXPECT_LE(difference(both, expected), 0.01);
  EXPECT_GT(difference(a, b), 0.1) << "they differ";
}

TEST_F(ZoomedRenderTest, APickAndTheMouseMeanThePixelThatIsShown) {
  settings.technique.lens.kind = LensKind::box;
  const glm::vec2 at(0.62f, 0.31f);
  const auto distances = [&](glm::ivec2 size, glm::vec2 point, std::optional<ZoomRequest> zoom) {
    settings.size = size;
    Renderer renderer;
    FrameRequest request{.focusAt = point, .zoom = zoom};
    std::optional<float> focusM, mouseM;
    for (int i = 0; i < 1000 && !(focusM && mouseM); ++i) {
      const FrameResult frame = renderer.render(settings, request, timings);
      if (frame.focus.focusDistanceM) focusM = frame.focus.focusDistanceM;
      request.focusAt.reset();
      mouseM = renderer.distanceAt(point);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return glm::vec2(focusM.value_or(-1.0f), mouseM.value_or(-1.0f));
  };
  const glm::vec2 inWhole = (glm::vec2(kFrom) + at * glm::vec2(kWindow)) / glm::vec2(kWhole);
  const glm::vec2 whole = distances(kWhole, inWhole, std::nullopt),
                  part = distances(kWindow, at, ZoomRequest{{kFrom, kWhole}, 1 << 20});
  EXPECT_GT(whole.x, 0.0f);
  EXPECT_NEAR(part.x, whole.x, 1e-4f);
  EXPECT_NEAR(part.y, whole.y, 1e-4f);
}

TEST_F(ZoomedRenderTest, PanningAllocatesNothing) {
  settings.technique.lens.kind = LensKind::layered;
  Renderer renderer;
  zoomed(renderer);
  const int before = liveTextures();
  const gl::Texture& image = renderer.image();
  const GLuint shown = image.name();
  for (int x = 0; x < kWhole.x - kWindow.x; x += 37) {
    renderer.render(settings, {.focusAt = {}, .zoom = ZoomRequest{{{x, x / 4}, kWhole}, 40}}, timings);
    if (x == 0) continue;  // a narrower margin
    EXPECT_EQ(liveTextures(), before);
    EXPECT_EQ(renderer.image().name(), shown);
  }
}

TEST(Reach, DrawnPartsHoldTheirMarginAndKeepTheirSize) {
  const glm::ivec2 whole(5000, 3000), window(1000, 600);
  for (const int reach : {0, 17, 64, 300, 1999}) {
    const glm::ivec2 size = drawnFor({{0, 0}, window}, whole, reach, 1 << 20).size;
    for (int x = 0; x <= whole.x - window.x; x += 125)
      for (int y = 0; y <= whole.y - window.y; y += 75) {
        const PixelRectangle shown{{x, y}, window}, drawn = drawnFor(shown, whole, reach, 1 << 20);
        EXPECT_EQ(drawn.size, size);
        const glm::ivec2 from = drawn.from, to = drawn.to();
        EXPECT_EQ(from, glm::min(from, glm::max(shown.from - reach, glm::ivec2(0))));
        EXPECT_EQ(to, glm::max(to, glm::min(shown.from + window + reach, whole)));
        EXPECT_EQ(glm::max(from, glm::ivec2(0)), from);
        EXPECT_EQ(glm::min(to, whole), to);
      }
  }
  EXPECT_LE(drawnFor({{2000, 1000}, window}, whole, 1999, 100).size.x, window.x + 200 + 128);
}

}  // namespace
}  // namespace satdof::test
