#include "app/views/footprint.h"

#include <gmock/gmock.h>

#include <cstdio>

#include "app/render/renderer.h"
#include "tests/support/lens_fixture.h"
#include "tests/support/small_renders.h"

namespace satdof::test {
namespace {

class FootprintTest : public GlTest {
 protected:
  FootprintTest() {
    lens.focusDistanceM = 2.0f;
    lens.focalLengthMm = 400.0f;
    lens.fNumber = 1.0f;
  }
  // The numbers arrive with a later frame.
  static void drawUntilRead(FootprintView& footprint, const FootprintInputs& inputs, glm::ivec2 at,
                            const gl::Texture& blurred, const gl::Framebuffer& output) {
    for (int i = 0; i < 3; ++i) {
      footprint.draw(inputs, at, blurred, output);
      glFinish();
    }
  }
  // Draws the view of a lens at the centre of an image of one colour and radius. Returns its texels.
  std::vector<glm::vec4> drawnAtCentre(FootprintView& footprint, LensKind kind, glm::ivec2 size, float grey,
                                       float radiusPx) {
    const auto coc = thinLens(lens, size.y, 0.1f);
    const Image image(
        size, [&] { return glm::vec4(grey); }, [&] { return (radiusPx - coc.beta) / coc.alpha; });
    const gl::Texture output(GL_RGBA16F, size);
    const gl::Framebuffer framebuffer(output);
    drawUntilRead(footprint, {image.frame, lens, lensOf(kind)}, size / 2, output, framebuffer);
    return download(output);
  }
  LensSettings lens;
};

// Square rings around the pixel: the inner box, the outer box with its outline and partial weight, and the
// rest.
TEST_F(FootprintTest, OutlinesTheBoxAndReportsItsNumbers) {
  const glm::ivec2 size(97, 61);
  const auto coc = thinLens(lens, size.y, 0.1f);
  const glm::vec4 grey(0.25f, 0.5f, 0.75f, 1.0f);
  const gl::Texture blurred(GL_RGBA16F, size), output(GL_RGBA16F, size);
  const gl::Framebuffer framebuffer(output), blurredFramebuffer(blurred);
  FootprintView footprint;
  for (const auto& [radius, at] : {std::pair(7.3f, glm::ivec2(40, 30)), std::pair(-12.1f, glm::ivec2(3, 58)),
                                   std::pair(3.0f, glm::ivec2(96, 0))}) {
    SCOPED_TRACE(radius);
    const Image image(
        size, [&] { return grey; }, [&, radius = radius] { return (radius - coc.beta) / coc.alpha; });
    const glm::vec4 there(0.125f, 0.0625f, 0.375f, 1.0f);
    glClearNamedFramebufferfv(blurredFramebuffer.name(), GL_COLOR, 0, &there.x);
    poison(framebuffer);
    const Technique technique{.lens = {.kind = LensKind::box}};
    drawUntilRead(footprint, {image.frame, lens, lensOf(technique.lens.kind)}, at, blurred, framebuffer);
    const int n = int(glsl::boxHalfWidth(radius) - 0.5f);
    const auto texels = download(output);
    for (int y = 0; y < size.y; ++y)
      for (int x = 0; x < size.x; ++x) {
        const int ring = std::max(std::abs(x - at.x), std::abs(y - at.y));
        const glm::vec4 texel = texels[std::size_t(y) * std::size_t(size.x) + std::size_t(x)];
        if (ring == n + 1)
          ASSERT_GT(texel.r, 0.9f) << x << " " << y;
        else
          ASSERT_NEAR(texel.b, ring <= n ? 0.75f : 0.3f * 0.75f, 1e-3f) << x << " " << y;
      }
    char expected[128];
    std::snprintf(expected, sizeof expected,
                  "circle of confusion %.2f px\nbox of %d to %d px height, 8 look-ups\n%.1f px of area",
                  2.0 * double(radius), 2 * n + 1, 2 * n + 3, M_PI * double(radius) * double(radius));
    EXPECT_THAT(footprint.text(), testing::HasSubstr(expected));
    EXPECT_THAT(footprint.text(), testing::HasSubstr("mean 0.125 0.062 0.375"));
  }
}

TEST_F(FootprintTest, OutlinesTheDiscOfTheLayeredLens) {
  lens.kernelSteps = 5;
  FootprintView footprint;
  int inside = 0;
  for (const auto& texel : drawnAtCentre(footprint, LensKind::layered, {81, 81}, 0.5f, 20.0f))
    inside += texel.b > 0.45f || texel.r > 0.9f;
  EXPECT_NEAR(inside, M_PI * 20 * 20, 0.1 * M_PI * 20 * 20);
  EXPECT_THAT(footprint.text(), testing::HasSubstr("disc of 19 px radius in 5 steps, 72 look-ups"));
}

// The brightness is the weight: 0.3 outside, 1 in the middle, halfway at half the half-width of the tent.
TEST_F(FootprintTest, ShowsTheWeightsOfATent) {
  lens.anamorphicRatio = 2.0f;
  FootprintView footprint;
  const float radius = std::sqrt((400.0f - 1.0f) / 1.5f);
  const auto texels = drawnAtCentre(footprint, LensKind::tent, {97, 97}, 1.0f, radius);
  const auto at = [&](int x, int y) { return texels[std::size_t(y) * 97 + std::size_t(x)].b; };
  EXPECT_NEAR(at(48, 48), 1.0f, 1e-2f);
  EXPECT_NEAR(at(48, 58), 0.65f, 1e-2f);
  EXPECT_NEAR(at(68, 48), 0.65f, 1e-2f);
  EXPECT_NEAR(at(48, 70), 0.3f, 1e-2f);
  EXPECT_THAT(footprint.text(), testing::HasSubstr("tent of "));
}

TEST_F(FootprintTest, FollowsTheCursorInTheRenderer) {
  Renderer renderer;
  Timings timings;
  Settings settings = smallTeapots();
  settings.technique = {.device = DeviceId::cpu, .lens = {.kind = LensKind::box}, .view = View::footprint};
  const auto linesAt = [&](glm::vec2 cursor) {
    FrameResult result;
    for (int i = 0; i < 3; ++i) {
      result = renderer.render(settings, {.timeS = 0, .focusAt = {}, .cursor = cursor}, timings);
      glFinish();
    }
    return result.atCursor;
  };
  const std::string low = linesAt({0.5f, 0.02f}), high = linesAt({0.5f, 0.98f});
  EXPECT_THAT(low, testing::HasSubstr("confusion -"));
  EXPECT_THAT(high, testing::Not(testing::HasSubstr("confusion -")));
  EXPECT_THAT(high, testing::HasSubstr("look-ups"));
  EXPECT_EQ(linesAt({0.5f, 0.02f}), low);
  FrameResult moved;
  int frames = 0;
  do {
    moved = renderer.render(settings, {.timeS = 0, .focusAt = {}, .cursor = {0.5f, 0.98f}}, timings);
    glFinish();
  } while (moved.cursorPending && ++frames < 10);
  EXPECT_EQ(moved.atCursor, high);
  EXPECT_LT(frames, 3);
  linesAt({1.0f, 1.0f});
  settings.technique.view = View::final;
  EXPECT_EQ(linesAt({0.5f, 0.5f}), "");
}

}  // namespace
}  // namespace satdof::test
