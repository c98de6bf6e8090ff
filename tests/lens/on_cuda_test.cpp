// Lenses on CUDA draw the images of OpenGL.
#include <algorithm>
#include <cstring>

#include "app/render/renderer.h"
#include "tests/support/lens_fixture.h"
#include "tests/support/uniform.h"

namespace satdof::test {
namespace {

struct Drawn {
  std::vector<glm::vec4> image;
  std::vector<unsigned> table;
};

class LensOnCuda : public GlTest, public testing::WithParamInterface<DeviceId> {
 protected:
  void SetUp() override {
    if (const Availability& here = availability(GetParam()); !here.available) GTEST_SKIP() << here.reason;
  }
  static bool emulated() { return GetParam() == DeviceId::cudaEmulated; }
  static Technique technique(LensKind kind, LensOn on) {
    return resolve(Technique{.device = GetParam(), .lens = {kind, on}});
  }
  Drawn draw(const Technique& technique, const SceneFrame& scene, LensImage image = LensImage::blurred,
             bool wantsTable = false) const;
  // Lamps among noise, at random distances around the focus plane.
  Image noise(glm::ivec2 size) {
    return Image(
        size, [&] { return glm::vec4(uniform(0, 1), uniform(0, 1), uniform(0, 60) > 59 ? 30.0f : 0.2f, 1.0f); },
        [&] { return 0.1f / uniform(0.3f, 6.0f); });
  }
  LensSettings settings_{.focusDistanceM = 1.0f, .fNumber = 0.7f};

 private:
  Uniform uniform{39};
};

Drawn LensOnCuda::draw(const Technique& technique, const SceneFrame& scene, LensImage image, bool wantsTable) const {
  const auto lens = makeLens(technique);
  lens->resize(scene.size);
  const gl::Target output(scene.size);
  Timings timings;
  Drawn drawn;
  // The second frame of the same work, and more, run from a graph.
  for (int frame = 0; frame < (emulated() ? 2 : 12); ++frame) {
    poison(output.framebuffer);
    const LensResult result =
        lens->draw({.scene = scene, .lens = settings_, .image = image, .wantsTable = wantsTable}, output, timings);
    auto again = download(output.texture);
    if (frame > 0 && again != drawn.image) ADD_FAILURE() << "frame " << frame << " differs";
    drawn.image = std::move(again);
    if (!wantsTable) continue;
    const gl::Texture& table = *result.table.texture;
    drawn.table.resize(std::size_t{4} * std::size_t(table.size().x) * std::size_t(table.size().y));
    glGetTextureImage(table.name(), 0, GL_RGBA_INTEGER, GL_UNSIGNED_INT, GLsizei(4 * drawn.table.size()),
                      drawn.table.data());
  }
  return drawn;
}

// OpenGL may round half floats towards zero, as an NVIDIA H100 does: by up to 2^-10 for each pass that stores an image,
// and again for each sprite. Textures interpolate with weights of eight bits. Where a sprite is just hidden, rounding
// decides which pixel of the scene hides it: one value in a thousand may differ by more.
void expectNear(const std::vector<glm::vec4>& got, const std::vector<glm::vec4>& expected, bool bokeh = true) {
  ASSERT_EQ(got.size(), expected.size());
  std::size_t far = 0;
  for (std::size_t i = 0; i < got.size(); ++i)
    for (int c = 0; c < 4; ++c) {
      const float difference = std::abs(got[i][c] - expected[i][c]);
      const float allowed = (bokeh ? 0x1p-6f : 0x1p-7f) * std::max(std::abs(expected[i][c]), 0.25f);
      far += difference > allowed;
      ASSERT_LE(difference, 16 * allowed) << i << " " << c;
    }
  EXPECT_LE(far, bokeh ? 4 * got.size() / 1000 : 0);
}

TEST_P(LensOnCuda, EveryLensDrawsTheImageOfOpenGl) {
  for (const LensRow& row : lenses()) {
    if (!row.readsLensOn) continue;
    for (const glm::ivec2 size : {glm::ivec2(1, 1), glm::ivec2(7, 131), glm::ivec2(97, 61), glm::ivec2(640, 360)})
      for (const bool bokeh : {false, true}) {
        if (emulated() && size.x > 100) continue;
        SCOPED_TRACE(std::string(name(row.kind)) + " " + std::to_string(size.x) + (bokeh ? " bokeh" : ""));
        const Image image = noise(size);
        Technique cuda = technique(row.kind, LensOn::cuda), openGl = technique(row.kind, LensOn::openGl);
        cuda.bokeh.enabled = openGl.bokeh.enabled = bokeh && row.bokeh;
        expectNear(draw(cuda, image.frame).image, draw(openGl, image.frame).image, bokeh);
      }
  }
}

TEST_P(LensOnCuda, EveryScanAndEveryShapeOfTheDisc) {
  const Image image = noise(emulated() ? glm::ivec2(67, 37) : glm::ivec2(130, 70));
  for (const LensKind kind : {LensKind::layered, LensKind::tent})
    for (const Scan scan : {Scan::fused, Scan::warpShuffle}) {
      Technique cuda = technique(kind, LensOn::cuda), openGl = technique(kind, LensOn::openGl);
      cuda.table.scan = openGl.table.scan = scan;
      for (const int steps : {1, 2, 3, 4, 5})
        for (const float ratio : {0.5f, 1.0f, 2.0f}) {
          if (emulated() && (steps % 3 != 1 || ratio == 1.0f)) continue;  // slow
          SCOPED_TRACE(std::string(name(kind)) + " " + name(scan) + " " + std::to_string(steps));
          settings_.kernelSteps = steps;
          settings_.anamorphicRatio = ratio;
          expectNear(draw(cuda, image.frame).image, draw(openGl, image.frame).image);
        }
    }
}

TEST_P(LensOnCuda, DrawsTheIntermediateImages) {
  const Image image = noise({97, 61});
  for (const LensImage shown :
       {LensImage::nearCoverage, LensImage::fill, LensImage::layers, LensImage::weights, LensImage::sprites}) {
    SCOPED_TRACE(static_cast<int>(shown));
    expectNear(draw(technique(LensKind::layered, LensOn::cuda), image.frame, shown).image,
               draw(technique(LensKind::layered, LensOn::openGl), image.frame, shown).image);
  }
}

TEST_P(LensOnCuda, ReturnsTheTableOfOpenGl) {
  const Image image = noise({97, 61});
  for (const LensKind kind : {LensKind::box, LensKind::gems}) {
    Technique cuda = technique(kind, LensOn::cuda), openGl = technique(kind, LensOn::openGl);
    cuda.bokeh.enabled = openGl.bokeh.enabled = false;
    const auto shown = LensImage::blurred;
    EXPECT_EQ(draw(cuda, image.frame, shown, true).table, draw(openGl, image.frame, shown, true).table) << name(kind);
  }
  for (const LensKind kind : {LensKind::tent, LensKind::layered})
    EXPECT_FALSE(draw(technique(kind, LensOn::cuda), image.frame, LensImage::blurred, true).table.empty());
}

// A second layer and blended surfaces come from the scene.
TEST_P(LensOnCuda, DrawsScenesInLayers) {
  for (const SceneRow& row : sceneRows())
    for (const int layers : {1, 2}) {
      SCOPED_TRACE(std::string(row.name) + " " + std::to_string(layers));
      std::vector<glm::vec4> drawn[2];
      for (const LensOn on : {LensOn::cuda, LensOn::openGl}) {
        Settings settings;
        settings.size = emulated() ? glm::ivec2(80, 45) : glm::ivec2(192, 108);
        settings.scene.kind = row.kind;
        settings.scene.animate = false;
        settings.scene.bodies.count = 512;
        settings.lens.layers = layers;
        settings.technique = technique(LensKind::layered, on);
        Renderer renderer;
        Timings timings;
        renderer.render(settings, {.focusAt = {}, .standalone = true}, timings);
        drawn[on == LensOn::cuda] = download(renderer.image());
      }
      expectNear(drawn[1], drawn[0]);
    }
}

TEST_P(LensOnCuda, UnsupportedLensOnThrows) {
  for (const LensKind kind : {LensKind::tent, LensKind::layered})
    for (const LensOn on : {LensOn::cudaDirect, LensOn::cudaSeparable})
      EXPECT_THROW(makeLens(technique(kind, on)), std::runtime_error);
}

INSTANTIATE_TEST_SUITE_P(Every, LensOnCuda, testing::Values(DeviceId::cuda, DeviceId::cudaEmulated),
                         [](const auto& device) { return device.param == DeviceId::cuda ? "cuda" : "emulated"; });

}  // namespace
}  // namespace satdof::test
