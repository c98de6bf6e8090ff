#include "app/views/views.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/render/renderer.h"
#include "tests/support/lens_fixture.h"
#include "tests/support/small_renders.h"

namespace satdof::test {
namespace {

class ViewsTest : public GlTest {
 protected:
  ViewsTest() {
    settings.lens.focusDistanceM = 1.7f;
    settings.lens.fNumber = 0.5f;  // lamps wide enough for sprites
    settings.technique.device = DeviceId::cpuSequential;
    settings.technique.lens.kind = LensKind::layered;
    settings.split.b = settings.technique;
    settings.split.b.lens.kind = LensKind::tent;
  }
  std::vector<glm::vec4> draw() {
    result = renderer.render(settings, {}, timings);
    return download(renderer.image());
  }

  Settings settings = smallTeapots();
  Timings timings;
  Renderer renderer;
  FrameResult result;
};

bool isConstant(const std::vector<glm::vec4>& texels) {
  return std::ranges::all_of(texels, [&](const glm::vec4& texel) { return texel == texels.front(); });
}

TEST(Views, EveryViewHasOneRow) {
  EXPECT_EQ(views().size(), entries(View{}).size());
  std::set<std::string> names;
  for (const ViewRow& row : views()) {
    EXPECT_EQ(&viewOf(row.view), &row) << name(row.view);
    EXPECT_TRUE(names.insert(name(row.view)).second) << name(row.view);
    EXPECT_EQ(row.shader != nullptr, row.setUniforms != nullptr || row.radius != ViewRadius::none) << name(row.view);
  }
}

TEST_F(ViewsTest, EveryViewOfTheLayeredLensShowsAnImage) {
  for (const ViewRow& row : views()) {
    settings.technique.view = row.view;
    EXPECT_EQ(emptyReason(settings.technique), "") << name(row.view);
    EXPECT_FALSE(isConstant(draw())) << name(row.view);
    EXPECT_EQ(result.message, "") << name(row.view);
  }
}

TEST_F(ViewsTest, ViewsWithoutTheirLayersOrSpritesAreBlackAndGiveTheReason) {
  settings.technique.lens.kind = LensKind::box;
  settings.technique.bokeh.enabled = false;
  for (const ViewRow& row : views()) {
    settings.technique.view = row.view;
    const std::string view = std::string("--view ") + name(row.view);
    const std::string expected = row.needsLayers  ? view + " needs the layered lens, not box"
                                 : row.needsBokeh ? view + " needs bokeh sprites and the box, tent or layered lens"
                                                  : "";
    EXPECT_EQ(emptyReason(settings.technique), expected);
    const auto texels = draw();
    EXPECT_EQ(isConstant(texels), !expected.empty()) << name(row.view);
    EXPECT_EQ(result.message, expected);
    if (!expected.empty()) {
      EXPECT_EQ(texels.front(), glm::vec4(0, 0, 0, 1)) << name(row.view);
    }
  }
}

using FocusPlaneTest = GlTest;

// Radii from -3 to 3 pixels, a tenth a column: column 30 is the first behind the focus plane.
TEST_F(FocusPlaneTest, IsGreenWithinAPixelAndLeavesTheRest) {
  const glm::ivec2 size(61, 9);
  LensSettings lens;
  lens.focusDistanceM = 2.0f;
  lens.focalLengthMm = 400.0f;
  lens.fNumber = 1.0f;
  const ThinLens thin = thinLens(lens, size.y, 0.1f);
  const auto radiusOf = [](int x) { return 0.1f * (float(x) - 29.5f); };
  const Image image(
      size, [] { return glm::vec4(1.0f); }, [&](int x, int) { return (radiusOf(x) - thin.beta) / thin.alpha; });
  const gl::Texture output(GL_RGBA16F, size);
  const gl::Framebuffer framebuffer(output);
  const glm::vec4 blurred(0.25f, 0.5f, 0.75f, 0.5f);
  glClearNamedFramebufferfv(framebuffer.name(), GL_COLOR, 0, &blurred.x);
  const Table table;
  ViewPass().draw(viewOf(View::focusPlane), {image.frame, lens, kThinLensRule, table}, framebuffer);
  const auto texels = download(output);
  for (int x = 0; x < size.x; ++x) {
    const glm::vec4 texel = texels[std::size_t(4 * size.x + x)];
    EXPECT_EQ(texel.a, 0.5f) << x;
    if (std::abs(radiusOf(x)) > 1.0f) {
      EXPECT_EQ(texel, blurred) << x;
    } else if (std::abs(radiusOf(x)) < 0.5f) {
      EXPECT_NEAR(texel.r, x == 29 ? 0.07f : 0.19f, 0.001f) << x;
    }
  }
}

}  // namespace
}  // namespace satdof::test
