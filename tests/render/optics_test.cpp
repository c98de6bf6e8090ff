// The optics of real lenses, in finished images: every device draws them, near the reference with the same optics.
#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>
#include <span>

#include "app/core/files/data_dir.h"
#include "app/lens/aperture/aperture.h"
#include "app/lens/lens.h"
#include "app/lens/lens_space.h"
#include "app/render/lens_effects.h"
#include "app/render/renderer.h"
#include "tests/support/lens_fixture.h"

namespace satdof::test {
namespace {

struct Effect {
  const char* name;
  void (*apply)(LensSettings& lens);
  bool ofSprites = false;  // tables do not show it
};
constexpr int kSingle = 9;
void applyAll(LensSettings& lens);
const std::array<Effect, kSingle + 2> kEffects = {{
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
     },
     true},
    {"spherical", [](LensSettings& l) { l.spherical = -0.1f; }, true},
    {"cat's eyes",
     [](LensSettings& l) {
       l.catEye = 0.7f;
       l.vignetting = 0.5f;
     }},
    {"a mirror", [](LensSettings& l) { l.apertureImage.text = (dataDir() / "assets/lenses/mirror.png").string(); },
     true},
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
    do result = renderer.render(drawn, {.focusAt = {}, .samplesPerFrame = 64, .standalone = true}, timings);
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
  // PSNR of square roots of light, clamped to [0, 1].
  static double psnr(const std::vector<glm::vec4>& a, const std::vector<glm::vec4>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
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

// Without lamps, which need more aperture points than a test has time for; scripts/quality measures them.
TEST_F(Optics, LensesDrawThemLikeTheReference) {
  settings.scene.teapots.lamps = false;
  const auto without = draw();
  const double plain = psnr(without, reference());
  for (const Effect& effect : kEffects) {
    const LensSettings before = settings.lens;
    effect.apply(settings.lens);
    const auto image = draw(), exact = reference();
    EXPECT_GT(psnr(image, exact), plain - 2) << effect.name;
    if (!effect.ofSprites) {
      EXPECT_GT(psnr(image, exact), psnr(without, exact) + 2) << effect.name << " changes the image";
    }
    settings.lens = before;
  }
}

// Discs wide enough that a cat's eye moves their centres by pixels.
TEST_F(Optics, CatEyesMoveAndShrinkTheDiscsOfSurfaces) {
  settings.size = {320, 180};
  settings.scene.teapots.lamps = false;
  settings.lens.fNumber = 0.8f;
  settings.lens.layers = 2;
  const auto whole = draw();
  const double plain = psnr(whole, reference());
  settings.lens.catEye = 0.7f;
  const auto exact = reference();
  EXPECT_GT(psnr(draw(), exact), psnr(whole, exact) + 2);
  EXPECT_GT(psnr(draw(), exact), plain - 2);
}

TEST_F(Optics, DevicesAgree) {
  for (const LensKind kind : {LensKind::layered, LensKind::box}) {
    settings.technique.lens.kind = kind;
    settings.lens.layers = kind == LensKind::layered ? 2 : 0;
    for (const Effect& effect : std::span(kEffects).last(2)) {
      const LensSettings before = settings.lens;
      effect.apply(settings.lens);
      settings.technique.device = DeviceId::cpu;
      const auto expected = draw();
      for (const DeviceId device : {DeviceId::glCompute, DeviceId::glFragment, DeviceId::cudaEmulated}) {
        if (!availability(device).available) continue;
        settings.technique.device = device;
        EXPECT_GT(psnr(draw(), expected), 60) << effect.name << " " << name(kind) << " " << name(device);
      }
      settings.lens = before;
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
  const float depth = download(*scene.depth)[std::size_t(pixel.y * scene.size.x + pixel.x)].r;
  const LensSpace space = lensSpace(settings.lens, scene);
  const ThinLens lens = thinLens(space.lens, scene.sensorPx(), scene.nearM);
  const float radius = glsl::signedRadius(lens, glsl::lensDepth(space.surface, depth, glm::vec2(pixel) + 0.5f));
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
  for (std::size_t i = 0; i < plain.size(); ++i) {
    EXPECT_EQ(image[i].g, plain[i].g);
    red += std::abs(double(image[i].r - plain[i].r));
    blue += std::abs(double(image[i].b - plain[i].b));
  }
  EXPECT_GT(red, 1);
  EXPECT_GT(blue, 1);
  const std::size_t centre = std::size_t(45) * 160 + 80;
  EXPECT_NEAR(image[centre].r, plain[centre].r, 0.02f);
}

// The lamps of the chart: their discs against the points of the aperture.
class OpticsChart : public Optics {
 protected:
  struct Lamp {
    glm::vec2 at;
    float z, radius;
  };

  OpticsChart() {
    settings.size = {640, 360};
    settings.scene.kind = SceneKind::model;
    settings.scene.model.file.text = (dataDir() / "assets/chart.gltf").string();
    settings.scene.model.environmentStrength = 0;
    settings.scene.background = Background::transparent;
    settings.scene.frame = false;
    settings.scene.samples = 4;
    settings.camera = {.yawDegrees = 0,
                       .pitchDegrees = 0,
                       .distanceM = 2,
                       .targetYM = 0,
                       .targetZM = -2,
                       .verticalFovDegrees = 26.986f};
    settings.lens.focusDistanceM = 2;
    settings.lens.fNumber = 0.5f;
  }

  // The lamps of assets/chart.gltf that are out of focus.
  std::vector<Lamp> lamps() {
    const SceneFrame scene = renderer.scene();
    const ThinLens thin = thinLens(settings.lens, scene.sensorPx(), scene.nearM);
    std::vector<Lamp> found;
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 5; ++column) {
        const float z = std::array{1.2f, 2.0f, 4.0f, 8.0f}[std::size_t(column + 2 * row) % 4];
        const glm::vec2 tangent = 0.24f * glm::vec2(0.4f * float(column - 2) * 16 / 9, 0.7f - 0.5f * float(row));
        if (z != 2.0f)
          found.push_back({scene.axisPx + scene.focalPx * tangent, z, glsl::signedRadius(thin, scene.nearM / z)});
      }
    return found;
  }

  // Sum, mean position and second central moments of light.
  struct Shape {
    double light = 0;
    glm::dvec2 mean{0};
    glm::dvec3 second{0};  // x^2, x y, y^2
    void add(double l, glm::dvec2 p) {
      light += l;
      mean += l * p;
      second += l * glm::dvec3(p.x * p.x, p.x * p.y, p.y * p.y);
    }
    void finish() {
      mean /= light;
      second = second / light - glm::dvec3(mean.x * mean.x, mean.x * mean.y, mean.y * mean.y);
    }
  };
  Shape shown(const std::vector<glm::vec4>& image, const Lamp& lamp, int channel = 1) const {
    Shape shape;
    const int reach = int(1.4f * std::abs(lamp.radius)) + 6;
    const glm::ivec2 middle(lamp.at);
    for (int y = std::max(middle.y - reach, 0); y < std::min(middle.y + reach, settings.size.y); ++y)
      for (int x = std::max(middle.x - reach, 0); x < std::min(middle.x + reach, settings.size.x); ++x)
        shape.add(double(image[std::size_t(y * settings.size.x + x)][channel]),
                  glm::dvec2(x, y) + 0.5 - glm::dvec2(lamp.at));
    shape.finish();
    return shape;
  }
  Shape exact(const Lamp& lamp) {
    const Aperture aperture = apertureOf(settings.lens, renderer.scene());
    Shape shape;
    for (int i = 0; i < 4096; ++i) {
      const glm::vec2 a = aperturePoint(settings.lens, i), wide(settings.lens.anamorphicRatio, 1);
      const glm::vec2 p = a * wide * (lamp.radius + aperture.spherical * (glm::dot(a, a) - 2.0f / 3.0f));
      if (!glsl::isCut(aperture, a * wide, lamp.at + p)) shape.add(1, glm::dvec2(p));
    }
    shape.finish();
    const double side = 0.002 * double(renderer.scene().focalPx);  // of the lamp
    shape.second += glm::dvec3(1, 0, 1) * (side * side / 12);
    return shape;
  }
};

TEST_F(OpticsChart, DiscsHaveTheMomentsOfTheAperture) {
  const std::array<Effect, 6> shapes = {{
      {"disc", [](LensSettings&) {}},
      {"blades", [](LensSettings& l) { l.blades = 5; }},
      {"wide", [](LensSettings& l) { l.anamorphicRatio = 1.5f; }},
      {"cat's eyes", [](LensSettings& l) { l.catEye = 0.8f; }},
      {"bubbles", [](LensSettings& l) { l.spherical = -0.05f; }},
      {"mirror", [](LensSettings& l) { l.apertureImage.text = (dataDir() / "assets/lenses/mirror.png").string(); }},
  }};
  for (const Effect& of : shapes) {
    const LensSettings before = settings.lens;
    of.apply(settings.lens);
    const auto image = draw();
    ASSERT_EQ(lamps().size(), 12u);
    for (const Lamp& lamp : lamps()) {
      const Shape got = shown(image, lamp), wanted = exact(lamp);
      const double trace = wanted.second.x + wanted.second.z;
      const auto where = testing::Message() << of.name << ", " << lamp.z << " m, " << lamp.at.x << " " << lamp.at.y;
      EXPECT_LT(glm::length(got.mean - wanted.mean), 0.25) << where;
      EXPECT_LT(glm::length(got.second - wanted.second), 0.02 * trace) << where;
      if (&of != &shapes[0]) continue;
      const float plateau = image[std::size_t(int(lamp.at.y) * settings.size.x + int(lamp.at.x))].g;
      EXPECT_NEAR(got.light / double(plateau) / (std::numbers::pi * double(lamp.radius * lamp.radius)), 1, 0.02)
          << where;
    }
    settings.lens = before;
  }
}

TEST_F(OpticsChart, FringesAreAsWide) {
  settings.lens.lateralColour = 1;
  const auto image = draw();
  const double growth = lateralGrowth(settings.lens, renderer.scene());
  for (const Lamp& lamp : lamps()) {
    const glm::dvec2 q(lamp.at - renderer.scene().axisPx);
    const auto grown = [&](double g) {  // what the image shows at r is at r / (1 + g r^2) in green
      glm::dvec2 r = q;
      for (int i = 0; i < 20; ++i) r = q * (1 + g * glm::dot(r, r));
      return r - q;
    };
    const glm::dvec2 green = shown(image, lamp).mean;
    EXPECT_LT(glm::length(shown(image, lamp, 0).mean - green - grown(growth)), 0.25) << q.x << " " << q.y;
    EXPECT_LT(glm::length(shown(image, lamp, 2).mean - green - grown(-growth)), 0.25) << q.x << " " << q.y;
  }
}

// Three places of the chart become sharp.
TEST(FocusPlanes, GoThroughThreePlaces) {
  LensSettings lens;
  const SceneFacts scene{.size = {640, 360}, .focalPx = 750, .nearM = 0.1f, .nearestM = 0.5f, .axisPx = {320, 180}};
  const std::array<glm::vec3, 3> places = {{{-200, 100, 1 / 1.6f}, {150, 120, 1 / 1.5f}, {20, -90, 1 / 2.1f}}};
  EXPECT_EQ(focusOnPlane(lens, scene.sensorPx(), places), "");
  const LensSpace space = lensSpace(lens, scene);
  const ThinLens thin = thinLens(space.lens, scene.sensorPx(), scene.nearM);
  for (const glm::vec3& p : places)
    EXPECT_NEAR(
        glsl::signedRadius(thin, glsl::lensDepth(space.surface, scene.nearM * p.z, scene.axisPx + glm::vec2(p))), 0,
        0.01f);
  const LensSettings before = lens;
  EXPECT_NE(focusOnPlane(lens, 360, {{{0, 0, 1}, {1, 1, 1}, {2, 2, 2}}}), "");
  EXPECT_NE(focusOnPlane(lens, 360, {{{0, 0, 1}, {90, 0, 9}, {0, 90, 0.1f}}}), "");
  EXPECT_EQ(lens, before);
}

}  // namespace
}  // namespace satdof::test
