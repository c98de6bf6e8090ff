// The optics of real lenses, in finished images: every device draws them, near the reference with the same optics.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "app/lens/lens.h"
#include "app/lens/lens_space.h"
#include "app/render/renderer.h"
#include "tests/lens/fixture.h"

namespace satdof::test {
namespace {

struct Effect {
  const char* name;
  void (*apply)(LensSettings& lens);
};
constexpr int kSingle = 8;
void applyAll(LensSettings& lens);
const std::array<Effect, kSingle + 1> kEffects = {{
    {"tilt", [](LensSettings& l) { l.tiltXDegrees = 8; }},
    {"tilt aside", [](LensSettings& l) { l.tiltYDegrees = -4; }},
    {"field curvature", [](LensSettings& l) { l.fieldCurvature = 12; }},
    {"axial colour", [](LensSettings& l) { l.axialColour = 0.8f; }},
    {"lateral colour", [](LensSettings& l) { l.lateralColour = 1; }},
    {"breathing", [](LensSettings& l) { l.breathing = 1; }},
    {"round blades",
     [](LensSettings& l) {
       l.blades = 6;
       l.bladeCurvature = 0.5f;
     }},
    {"cat's eyes",
     [](LensSettings& l) {
       l.catEye = 0.7f;
       l.vignetting = 0.5f;
     }},
    {"all", applyAll},
}};

void applyAll(LensSettings& lens) {
  for (const Effect& effect : std::span(kEffects).first(kSingle)) effect.apply(lens);
}

class Optics : public GlTest {
 protected:
  Optics() {
    settings.size = {160, 90};
    settings.scene.teapots.count = 4;
    settings.scene.samples = 1;
    settings.scene.animate = false;
    settings.lens.fNumber = 1.4f;
    settings.lens.lensSamples = 128;
    settings.lens.overscan = Overscan::off;
    settings.technique.device = DeviceId::cpu;
    settings.technique.lens.kind = LensKind::layered;
  }

  std::vector<glm::vec4> draw(const Settings& drawn) {
    FrameResult result;
    do result = renderer.render(drawn, {.focusAt = {}, .samplesPerFrame = 64, .alone = true}, timings);
    while (result.progress < 1.0f);
    EXPECT_EQ(result.message, "");
    return download(renderer.image());
  }
  std::vector<glm::vec4> draw() { return draw(settings); }
  std::vector<glm::vec4> reference() {
    Settings drawn = settings;
    drawn.technique.lens.kind = LensKind::reference;
    return draw(drawn);
  }
  // Of display values of light up to 1.
  static double psnr(const std::vector<glm::vec4>& a, const std::vector<glm::vec4>& b) {
    double sum = 0;
    for (size_t i = 0; i < a.size(); ++i)
      for (int c = 0; c < 3; ++c) {
        const auto shown = [&](const std::vector<glm::vec4>& image) {
          return std::sqrt(std::clamp(double(image[i][c]), 0.0, 1.0));
        };
        const double d = shown(a) - shown(b);
        sum += d * d;
      }
    return -10 * std::log10(sum / (3.0 * double(a.size())));
  }

  Settings settings;
  Renderer renderer;
  Timings timings;
};

// Lamps need more points than a test has time for: scripts/quality measures them.
TEST_F(Optics, LensesDrawThemLikeTheReference) {
  settings.scene.teapots.lamps = false;
  const auto without = draw();
  const double plain = psnr(without, reference());
  for (const Effect& effect : kEffects) {
    const LensSettings before = settings.lens;
    effect.apply(settings.lens);
    const auto image = draw(), exact = reference();
    EXPECT_GT(psnr(image, exact), plain - 2) << effect.name;
    if (settings.lens.blades != 0) continue;  // sprites alone have blades
    EXPECT_GT(psnr(image, exact), psnr(without, exact) + 2) << effect.name << " changes the image";
    settings.lens = before;
  }
}

TEST_F(Optics, DevicesAgree) {
  for (const LensKind kind : {LensKind::layered, LensKind::box}) {
    settings.technique.lens.kind = kind;
    settings.lens.layers = kind == LensKind::layered ? 2 : 0;
    kEffects.back().apply(settings.lens);
    settings.technique.device = DeviceId::cpu;
    const auto expected = draw();
    for (const DeviceId device : {DeviceId::glCompute, DeviceId::glFragment, DeviceId::cudaEmulated}) {
      if (!availability(device).available) continue;
      settings.technique.device = device;
      EXPECT_GT(psnr(draw(), expected), 60) << name(kind) << " " << name(device);
    }
  }
}

TEST_F(Optics, GemsIgnoresWhatItsRuleCannot) {
  settings.technique.lens.kind = LensKind::gems;
  const auto plain = draw();
  settings.lens.tiltXDegrees = 5;
  settings.lens.fieldCurvature = 3;
  settings.lens.axialColour = 0.3f;
  EXPECT_EQ(draw(), plain);
}

// A pick sets the distance on the axis so that the picked place is sharp.
TEST_F(Optics, FocusFollowsTheTiltedPlane) {
  settings.lens.tiltXDegrees = 6;
  settings.lens.autofocus = false;
  const glm::vec2 at(0.5f, 0.2f);
  FrameResult result = renderer.render(settings, {.focusAt = at}, timings);
  for (int i = 0; i < 10 && !result.focus.focusDistanceM; ++i) {
    glFinish();
    result = renderer.render(settings, {}, timings);
  }
  ASSERT_TRUE(result.focus.focusDistanceM);
  settings.lens.focusDistanceM = *result.focus.focusDistanceM;
  renderer.render(settings, {}, timings);
  const SceneFrame scene = renderer.scene();
  const glm::ivec2 pixel(at * glm::vec2(scene.size));
  const float depth = download(*scene.depth)[size_t(pixel.y * scene.size.x + pixel.x)].r;
  const LensSpace space = lensSpace(settings.lens, scene);
  const ThinLens lens = thinLens(space.lens, scene.sensorPx(), scene.nearM);
  const float radius =
      glsl::signedRadius(lens, glsl::lensDepth(space.surface, depth, glm::vec2(pixel) + 0.5f));
  EXPECT_NEAR(radius, 0.0f, 0.1f);
  const ThinLens untilted = thinLens(settings.lens, scene.sensorPx(), scene.nearM);
  EXPECT_GT(std::abs(glsl::signedRadius(untilted, depth)), 0.5f);
}

// Red grows and blue shrinks about the axis; green stays.
TEST_F(Optics, LateralColourScalesChannels) {
  settings.technique.view = View::final;
  settings.lens.fNumber = 64;
  const auto plain = draw();
  settings.lens.lateralColour = 2;
  const auto image = draw();
  double red = 0, blue = 0;
  for (size_t i = 0; i < plain.size(); ++i) {
    EXPECT_EQ(image[i].g, plain[i].g);
    red += std::abs(double(image[i].r - plain[i].r));
    blue += std::abs(double(image[i].b - plain[i].b));
  }
  EXPECT_GT(red, 1);
  EXPECT_GT(blue, 1);
  const size_t centre = size_t(45) * 160 + 80;
  EXPECT_NEAR(image[centre].r, plain[centre].r, 0.02f);
}

}  // namespace
}  // namespace satdof::test
