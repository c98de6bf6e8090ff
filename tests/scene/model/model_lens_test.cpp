#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "app/lens/lens.h"
#include "app/lens/thin_lens.h"
#include "app/render/renderer.h"
#include "tests/scene/model/glb.h"
#include "tests/support/lens_fixture.h"

namespace satdof::test {
namespace {

// Unlit squares before the camera, which looks along -z from (0, 0, 2), through the lenses of the registry.
class ModelLens : public GlTest {
 protected:
  ModelLens() {
    settings.size = {65, 49};
    settings.scene.kind = SceneKind::model;
    settings.scene.frame = false;
    settings.scene.samples = 1;
    settings.camera = {.yawDegrees = 0, .pitchDegrees = 0, .distanceM = 2, .targetYM = 0};
    settings.technique.device = DeviceId::cpuSequential;
    settings.technique.bokeh.enabled = false;
    settings.lens.focusDistanceM = 2.0f;
    settings.lens.lensSamples = 64;
  }
  void show(const std::string& nodes, const std::string& materials, int count) {
    settings.scene.model.file.text =
        folder.write("model" + std::to_string(++files) + ".glb", squares(nodes, materials, count));
  }
  // The finished image: linear light.
  std::vector<glm::vec4> draw(LensKind kind) {
    settings.technique.lens.kind = kind;
    FrameResult result;
    do result = renderer.render(settings, {}, timings);
    while (result.progress < 1.0f);
    EXPECT_EQ(result.message, "");
    return download(renderer.image());
  }
  const glm::vec4& at(const std::vector<glm::vec4>& image, int x, int y) const {
    return image[static_cast<std::size_t>(y * settings.size.x + x)];
  }
  // Radius of the circle of confusion in pixels.
  float radiusAt(float distanceM) const {
    return std::abs(radiusPx(thinLens(settings.lens, settings.size.y, 0.1f), 0.1f / distanceM));
  }

  TemporaryFolder folder;
  Settings settings;
  Timings timings;
  Renderer renderer;
  int files = 0;
};

TEST_F(ModelLens, OnlyBlendedSurfacesTakeMemoryForLayers) {
  settings.technique.device = DeviceId::glCompute;
  const auto texturesWith = [&](const char* mode) {
    show(R"({"mesh":0,"translation":[0,0,-2],"scale":[9,9,9]},{"mesh":1,"scale":[0.5,0.5,0.5]})",
         unlit("[0,0.5,0,1]") + "," + unlit("[1,0,0,0.4]", std::string(R"(,"alphaMode":")") + mode + '"'), 2);
    draw(LensKind::layered);
    return liveTextures();
  };
  constexpr int kOfTargets = 5;  // the opaque image, colour and depth of two layers
  const int opaque = texturesWith("OPAQUE"), blended = texturesWith("BLEND");
  EXPECT_GT(blended, opaque + kOfTargets);
  EXPECT_LE(texturesWith("OPAQUE"), opaque + kOfTargets);
}

// A red pane of alpha 0.4 before green. In the middle of the pane and beside it, no blur changes the colour.
TEST_F(ModelLens, EveryAlphaModeThroughEveryLens) {
  const glm::vec3 pane(1, 0, 0), background(0, 0.5f, 0), mixed(0.4f, 0.3f, 0);
  struct Mode {
    const char* material;
    glm::vec3 expected;
  };
  settings.lens.fNumber = 0.3f;
  for (const Mode& mode :
       {Mode{"", pane}, Mode{R"(,"alphaMode":"OPAQUE")", pane},
        Mode{R"(,"alphaMode":"MASK","alphaCutoff":0.5)", background},
        Mode{R"(,"alphaMode":"MASK","alphaCutoff":0.3)", pane}, Mode{R"(,"alphaMode":"BLEND")", mixed}})
    for (const bool turned : {false, true})
      for (const bool doubleSided : {false, true}) {
        const std::string more = std::string(mode.material) + (doubleSided ? R"(,"doubleSided":true)" : "");
        show(std::string(R"({"mesh":0,"translation":[0,0,-2],"scale":[9,9,9]},{"mesh":1,"scale":[0.5,0.5,0.5])") +
                 (turned ? R"(,"rotation":[0,1,0,0]})" : "}"),
             unlit("[0,0.5,0,1]") + "," + unlit("[1,0,0,0.4]", more), 2);
        const glm::vec3 expected = turned && !doubleSided ? background : mode.expected;
        for (const float focusM : {2.0f, 4.0f}) {
          settings.lens.focusDistanceM = focusM;
          ASSERT_GT(radiusAt(focusM == 2.0f ? 4.0f : 2.0f), 2.0f);
          for (const LensRow& lens : lenses()) {
            const auto image = draw(lens.kind);
            const std::string what = std::string(name(lens.kind)) + more + (turned ? ", turned" : "") + ", focus at " +
                                     std::to_string(focusM);
            EXPECT_NEAR(glm::distance(glm::vec3(at(image, 32, 24)), expected), 0.0f, 0.01f) << what;
            EXPECT_NEAR(glm::distance(glm::vec3(at(image, 3, 24)), background), 0.0f, 0.01f) << what;
          }
        }
      }
}

// Striped panes of glass in focus cover the lower half of a striped wall; both have hard edges.
class Panes : public ModelLens {
 protected:
  static constexpr int kStripes = 12;
  Panes() {
    settings.size = {96, 72};
    std::string nodes, materials;
    const auto add = [&](float x, float y, float z, float halfX, float halfY, const std::string& material) {
      if (count > 0) nodes += ",", materials += ",";
      nodes += R"({"mesh":)" + std::to_string(count++) + R"(,"translation":[)" + std::to_string(x) + "," +
               std::to_string(y) + "," + std::to_string(z) + R"(],"scale":[)" + std::to_string(halfX) + "," +
               std::to_string(halfY) + ",1]}";
      materials += material;
    };
    for (int i = 0; i < kStripes; ++i) {
      const float x = (static_cast<float>(i) + 0.5f) / kStripes * 2.0f - 1.0f;
      add(4.0f * x, 0, -2, 4.0f / kStripes, 4, unlit(i % 2 == 0 ? "[0.9,0.8,0.6,1]" : "[0.05,0.1,0.2,1]"));
      add(1.2f * x, -0.5f, 0, 1.2f / kStripes, 0.5f,
          unlit(i % 2 == 0 ? "[0.1,0.7,0.1,0.5]" : "[0.8,0.1,0.5,0.3]", R"(,"alphaMode":"BLEND")"));
    }
    show(nodes, materials, count);
  }
  struct Drawn {
    std::vector<glm::vec4> reference, layered, composite, sharp;
  };
  Drawn drawAll() {
    settings.lens.lensSamples = 400;
    Drawn drawn{draw(LensKind::reference), draw(LensKind::layered), draw(LensKind::box), {}};
    settings.lens.fNumber = 128.0f;
    drawn.sharp = draw(LensKind::layered);
    return drawn;
  }
  // PSNR of linear light in [0, 1], without a border whose blur depends on light from outside the image.
  double psnr(const std::vector<glm::vec4>& a, const std::vector<glm::vec4>& b) const {
    constexpr int kBorder = 12;
    double sum = 0;
    const glm::ivec2 inside = settings.size - 2 * kBorder;
    for (int y = kBorder; y < settings.size.y - kBorder; ++y)
      for (int x = kBorder; x < settings.size.x - kBorder; ++x) {
        const glm::vec3 d =
            glm::clamp(glm::vec3(at(a, x, y)), 0.0f, 1.0f) - glm::clamp(glm::vec3(at(b, x, y)), 0.0f, 1.0f);
        sum += static_cast<double>(glm::dot(d, d)) / 3;
      }
    return -10 * std::log10(sum / static_cast<double>(inside.x * inside.y));
  }
  // The largest step between neighbours in a row.
  float contrast(const std::vector<glm::vec4>& image, int y) const {
    float largest = 0;
    for (int x = 1; x < settings.size.x; ++x)
      largest = std::max(largest, glm::distance(glm::vec3(at(image, x, y)), glm::vec3(at(image, x - 1, y))));
    return largest;
  }
  static constexpr int kWallRow = 62, kPanesRow = 18;
  int count = 0;
};

TEST_F(Panes, InFocusStaySharpBeforeABlurredWall) {
  settings.lens.fNumber = 0.18f;
  ASSERT_GT(radiusAt(4.0f), 5.0f);
  const Drawn drawn = drawAll();
  EXPECT_GT(psnr(drawn.layered, drawn.reference), 44.0);
  EXPECT_GT(psnr(drawn.layered, drawn.reference), psnr(drawn.composite, drawn.reference) + 15.0)
      << "without layers, the panes blur with the wall";
  EXPECT_NEAR(contrast(drawn.layered, kPanesRow), contrast(drawn.reference, kPanesRow), 0.03f);
  EXPECT_GT(contrast(drawn.layered, kPanesRow), 2.0f * contrast(drawn.composite, kPanesRow));
  EXPECT_LT(contrast(drawn.layered, kWallRow), 0.15f * contrast(drawn.sharp, kWallRow));
}

TEST_F(Panes, BlurBeforeAWallInFocus) {
  settings.lens.focusDistanceM = 4.0f;
  settings.lens.fNumber = 0.08f;
  ASSERT_GT(radiusAt(2.0f), 5.0f);
  const Drawn drawn = drawAll();
  EXPECT_GT(psnr(drawn.layered, drawn.reference), 44.0);
  EXPECT_GT(psnr(drawn.layered, drawn.reference), psnr(drawn.composite, drawn.reference) + 15.0);
  EXPECT_NEAR(contrast(drawn.layered, kWallRow), contrast(drawn.sharp, kWallRow), 0.01f);
}

// Dark bars before a pane before a bright wall, all blurred: a bar hides the pane as much as the wall.
TEST_F(ModelLens, BarsBehindTheFocusHideThePaneBehindThem) {
  settings.size = {96, 72};
  settings.lens.focusDistanceM = 1.0f;
  settings.lens.fNumber = 0.3f;
  settings.lens.lensSamples = 400;
  ASSERT_GT(radiusAt(3.5f), 5.0f);
  std::string nodes =
      R"({"mesh":0,"translation":[0,0,-2.5],"scale":[9,9,1]},{"mesh":1,"translation":[0,0,-1.8],"scale":[9,9,1]})";
  std::string materials = unlit("[0.9,0.8,0.6,1]") + "," + unlit("[0.5,0.1,0.1,0.5]", R"(,"alphaMode":"BLEND")");
  int count = 2;
  for (const float x : {-1.0f, -0.5f, 0.0f, 0.5f, 1.0f}) {
    nodes += R"(,{"mesh":)" + std::to_string(count++) + R"(,"translation":[)" + std::to_string(x) +
             R"(,0,-1.5],"scale":[0.1,9,1]})";
    materials += ',';
    materials += unlit("[0.02,0.02,0.02,1]");
  }
  show(nodes, materials, count);
  const auto reference = draw(LensKind::reference), layered = draw(LensKind::layered);
  float mean = 0.0f, largest = 0.0f;
  for (int x = 20; x < 76; ++x) {
    const float difference = at(layered, x, 36).r - at(reference, x, 36).r;
    mean += difference / 56.0f;
    largest = std::max(largest, std::abs(difference));
  }
  EXPECT_NEAR(mean, 0.0f, 0.02f);
  EXPECT_LT(largest, 0.06f);
}

}  // namespace
}  // namespace satdof::test
