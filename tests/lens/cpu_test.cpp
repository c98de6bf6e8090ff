#include <cmath>

#include "app/core/system/abandon.h"
#include "tests/support/lens_fixture.h"
#include "tests/support/uniform.h"

namespace satdof::test {
namespace {

// A body in front of the focus plane, a plane through it and a far wall, all with noise and a few lamps.
class CpuLenses : public GlTest {
 protected:
  Uniform uniform{20230911};

  LensSettings settings{.focusDistanceM = 2.0f, .fNumber = 0.4f};

  Image image(glm::ivec2 size) {
    const ThinLens lens = thinLens(settings, size.y, 0.1f);
    return Image(
        size,
        [&](int x, int y) {
          const float light = (y * size.x + x) % 97 == 13 ? 9.0f : 1.0f;
          return light * glm::vec4(uniform(0.1f, 0.5f), uniform(0.1f, 0.5f), uniform(0.1f, 0.5f), 1.0f / light);
        },
        [&](int x, int y) {
          const glm::vec2 at = glm::vec2(x, y) / glm::vec2(size);
          const float ground = 24.0f * at.y - 14.0f;
          const float radius = glm::length(at - 0.4f) < 0.25f ? -9.0f + 8.0f * at.x : std::min(ground, 7.5f);
          return std::max((radius - lens.beta) / lens.alpha, 0.0f);
        });
  }

  static std::unique_ptr<Lens> lensOn(DeviceId device, Technique technique) {
    technique.device = device;
    return makeLens(resolve(technique));
  }

  // The largest difference of the cpu device, which draws the whole lens, from passes in OpenGL.
  float largestDifference(const Technique& technique, const Image& scene, glm::vec4 mean = glm::vec4(0.0f),
                          const SceneRedraw* redraw = nullptr) {
    const auto whole = lensOn(DeviceId::cpu, technique), passes = lensOn(DeviceId::cpuSequential, technique);
    for (Lens* lens : {whole.get(), passes.get()}) {
      lens->resize(scene.size);
      if (scene.frame.opaque != nullptr) lens->prepareBlended();
    }
    const auto expected = blur(*passes, scene.frame, settings, mean, redraw);
    const auto got = blur(*whole, scene.frame, settings, mean, redraw);
    float largest = 0.0f;
    for (std::size_t i = 0; i < got.size(); ++i)
      for (int c = 0; c < 3; ++c)
        largest = std::max(largest, std::abs(got[i][c] - expected[i][c]) / std::max(expected[i][c], 1.0f));
    return largest;
  }
};

constexpr glm::ivec2 kSizes[] = {{1, 1}, {1, 37}, {41, 1}, {17, 16}, {131, 97}, {240, 150}};

TEST_F(CpuLenses, BlurAsOpenGlDoes) {
  for (const glm::ivec2 size : kSizes)
    for (const float ratio : {1.0f, 1.7f}) {
      settings.anamorphicRatio = ratio;
      const Image scene = image(size);
      for (const LensKind kind : {LensKind::box, LensKind::gems, LensKind::layered})
        for (const TableFormat format : {TableFormat::uint32, TableFormat::float32, TableFormat::float32Mean}) {
          Technique technique{.table = {.format = format}, .lens = {.kind = kind}};
          technique.bokeh.enabled = false;
          EXPECT_LT(largestDifference(technique, scene, glm::vec4(0.3f)), 3e-3f)
              << name(kind) << ", " << name(format) << ", " << size.x << " x " << size.y;
        }
    }
}

// The areas of these discs would overflow without the limit of widestRadiusPx().
TEST_F(CpuLenses, BlurAsOpenGlDoesWithTheWidestRadii) {
  const Image scene = image({48, 32});
  settings.focalLengthMm = 2000.0f;
  for (const float ratio : {1.0f, 4.0f})
    for (const LensKind kind : {LensKind::box, LensKind::layered}) {
      settings.anamorphicRatio = ratio;
      Technique technique{.lens = {.kind = kind}};
      technique.bokeh.enabled = false;
      EXPECT_LT(largestDifference(technique, scene), 3e-3f) << name(kind) << ", ratio " << ratio;
    }
}

TEST_F(CpuLenses, BlurWithAnyNumberOfSteps) {
  const Image scene = image({131, 97});
  for (int steps = 1; steps <= 5; ++steps) {
    settings.kernelSteps = steps;
    Technique technique{.lens = {.kind = LensKind::layered}};
    technique.bokeh.enabled = false;
    EXPECT_LT(largestDifference(technique, scene), 3e-3f) << steps;
  }
}

TEST_F(CpuLenses, BlurSparseSurfacesAsOpenGlDoes) {
  Image scene = image({131, 97});
  scene.frame.sparse = true;
  Technique technique{.lens = {.kind = LensKind::layered}};
  technique.bokeh.enabled = false;
  EXPECT_LT(largestDifference(technique, scene), 3e-3f);
}

TEST_F(CpuLenses, DrawBokehAsOpenGlDoes) {
  for (const int blades : {0, 6})
    for (const float ratio : {1.0f, 1.7f})
      for (const LensKind kind : {LensKind::box, LensKind::layered}) {
        settings.blades = blades;
        settings.anamorphicRatio = ratio;
        const Image scene = image({131, 97});
        EXPECT_LT(largestDifference({.lens = {.kind = kind}}, scene), 0.02f)  // OpenGL adds half floats
            << name(kind) << ", " << blades << " blades, ratio " << ratio;
      }
}

// A lamp with discs of 140 or 300 px behind a bar with discs of 40 px. The lens traces only every second or sixth
// column.
TEST_F(CpuLenses, DrawWideBokehAlmostAsOpenGlDoes) {
  const glm::ivec2 size(420, 300), lamp(230, 140);
  for (const float farPx : {140.0f, 300.0f}) {
    settings.fNumber = 1.0f;
    settings.fNumber = thinLens(settings, size.y, 0.1f).beta / farPx;
    const ThinLens lens = thinLens(settings, size.y, 0.1f);
    const Image scene(
        size, [&](int x, int y) { return glm::vec4(glm::vec3(glm::ivec2(x, y) == lamp ? 6e4f : 0.0f), 1.0f); },
        [&](int x, int) { return x > 180 && x < 226 ? (40.0f - lens.beta) / lens.alpha : 0.0f; });
    const Technique technique{.lens = {.kind = LensKind::layered}};
    const auto whole = lensOn(DeviceId::cpu, technique), passes = lensOn(DeviceId::cpuSequential, technique);
    whole->resize(size);
    passes->resize(size);
    const auto expected = blur(*passes, scene.frame, settings), got = blur(*whole, scene.frame, settings);
    double light = 0, difference = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      light += double(expected[i].g);
      difference += double(std::abs(got[i].g - expected[i].g));
    }
    EXPECT_GT(light, 2e4) << farPx;
    EXPECT_LT(difference, 0.015 * light) << farPx;
  }
}

// A near body of the size of the image hides whole tiles, whose background is then left out.
TEST_F(CpuLenses, LeaveOutOnlyHiddenTiles) {
  const ThinLens lens = thinLens(settings, 192, 0.1f);
  const Image scene(
      {256, 192}, [&] { return glm::vec4(uniform(0, 1), uniform(0, 1), uniform(0, 1), 1.0f); },
      [&](int x, int y) {
        const float fromCentre = glm::length(glm::vec2(x - 128, y - 96));
        const float radius = fromCentre < 80.0f ? -8.0f + fromCentre / 40.0f : 6.0f;
        return std::max((radius - lens.beta) / lens.alpha, 0.0f);
      });
  Technique technique{.lens = {.kind = LensKind::layered}};
  technique.bokeh.enabled = false;
  EXPECT_LT(largestDifference(technique, scene), 3e-3f);
  const Image hidden(
      {256, 192}, [&] { return glm::vec4(uniform(0, 1), uniform(0, 1), uniform(0, 1), 1.0f); },
      [&](int x, int) {
        const float radius = x < 150 ? -4.0f : 6.0f;
        return std::max((radius - lens.beta) / lens.alpha, 0.0f);
      });
  settings.layers = 2;
  const SceneRedraw redraw{0.0, [&](const ViewOffset&, const gl::Texture*) { return hidden.frame; }};
  EXPECT_LT(largestDifference(technique, scene, glm::vec4(0.0f), &redraw), 3e-3f) << "a near surface behind it";
}

// A second layer that covers pixels in part, in whole or not at all, with lamps of its own.
TEST_F(CpuLenses, BlurTheSecondLayerAsOpenGlDoes) {
  settings.layers = 2;
  for (const glm::ivec2 size : kSizes) {
    const Image scene = image(size);
    const Image hidden(
        size,
        [&](int x, int y) {
          const float cover = std::clamp(uniform(-0.5f, 1.5f), 0.0f, 1.0f),
                      lamp = (y * size.x + x) % 53 == 7 ? 9.0f : 1.0f;
          return glm::vec4(lamp * glm::vec3(uniform(0.1f, 0.5f), uniform(0.1f, 0.5f), uniform(0.1f, 0.5f)), 1.0f) *
                 cover;
        },
        [&](int x, int y) { return uniform(0.0f, 0.9f) * scene.depth[std::size_t(y * size.x + x)]; });
    const SceneRedraw redraw{0.0, [&](const ViewOffset&, const gl::Texture*) { return hidden.frame; }};
    for (const bool bokeh : {false, true}) {
      Technique technique{.lens = {.kind = LensKind::layered}};
      technique.bokeh.enabled = bokeh;
      EXPECT_LT(largestDifference(technique, scene, glm::vec4(0.0f), &redraw), bokeh ? 0.02f : 3e-3f)
          << size.x << " x " << size.y << (bokeh ? ", bokeh" : "");
    }
  }
}

// Panes behind and in front of the focus plane, each with empty places, before a scene with and without a second layer.
TEST_F(CpuLenses, BlurBlendedSurfacesAsOpenGlDoes) {
  for (const glm::ivec2 size : kSizes) {
    const ThinLens lens = thinLens(settings, size.y, 0.1f);
    Image scene = image(size);
    const Image opaque = image(size);
    scene.frame.opaque = &opaque.colourTexture;
    const Image hidden(
        size, [&] { return glm::vec4(uniform(0.1f, 0.9f)); },
        [&](int x, int y) { return uniform(0.0f, 0.9f) * scene.depth[std::size_t(y * size.x + x)]; });
    struct Pane {
      gl::Texture colour, depth;
    };
    const auto pane = [&](float from, float to) {
      Pane made{gl::Texture(GL_RGBA16F, size), gl::Texture(GL_RGBA16F, size)};
      std::vector<glm::vec4> colours, depths;
      const auto pixels = static_cast<std::size_t>(size.x * size.y);
      for (std::size_t i = 0; i < pixels; ++i) {
        const float opacity = std::clamp(uniform(-0.4f, 1.2f), 0.0f, 1.0f);
        const float depth = std::max((uniform(from, to) - lens.beta) / lens.alpha, 0.0f);
        const float lamp = i % 97 == 31 ? 20.0f : 1.0f;
        colours.push_back(glm::vec4(lamp * glm::vec3(uniform(0, 1), uniform(0, 1), uniform(0, 1)), 1.0f) * opacity);
        depths.emplace_back(opacity * depth, 0.0f, 0.0f, opacity);
      }
      for (const auto& [texture, texels] : {std::pair(&made.colour, &colours), {&made.depth, &depths}})
        glTextureSubImage2D(texture->name(), 0, 0, 0, size.x, size.y, GL_RGBA, GL_FLOAT, texels->data());
      return made;
    };
    const Pane back = pane(0.0f, 6.0f), front = pane(-8.0f, 0.0f);
    const SceneRedraw redraw{0.0, [&](const ViewOffset&, const gl::Texture*) { return hidden.frame; },
                             [&](bool inFront) {
                               const Pane& drawn = inFront ? front : back;
                               return BlendedLayer{&drawn.colour, &drawn.depth};
                             }};
    for (const int layers : {1, 2})
      for (const bool bokeh : {false, true}) {
        settings.layers = layers;
        Technique technique{.lens = {.kind = LensKind::layered}};
        technique.bokeh.enabled = bokeh;
        EXPECT_LT(largestDifference(technique, scene, glm::vec4(0.0f), &redraw), bokeh ? 0.02f : 4e-3f)
            << size.x << " x " << size.y << ", " << layers << " layers" << (bokeh ? ", bokeh" : "");
      }
    settings.layers = 1;
  }
}

// A band of sprites that the drawing thread draws asks once whether to abandon the frame.
TEST_F(CpuLenses, EndWithinTheirSprites) {
  const Image scene = image({33, 1600});
  const gl::Target output(scene.size);
  const auto draw = [&](bool bokeh, int last) {
    Technique technique{.lens = {.kind = LensKind::layered}};
    technique.bokeh.enabled = bokeh;
    const auto lens = lensOn(DeviceId::cpu, technique);
    lens->resize(scene.size);
    int calls = 0;
    const AbandonFramesScope mayAbandon([&] { return ++calls > last; });
    Timings timings;
    lens->draw({.scene = scene.frame, .lens = settings}, output, timings);
    return calls;
  };
  constexpr int kNever = 1 << 20;
  // The number of calls varies: other threads may take rows and bands first.
  int stages = kNever, most = 0;
  for (int i = 0; i < 20; ++i) stages = std::min(stages, draw(false, kNever) + 2);  // the last one is the upload
  for (int i = 0; i < 100 && most <= stages; ++i) most = std::max(most, draw(true, kNever));
  EXPECT_GT(most, stages);
  EXPECT_THROW(draw(true, 1), FrameAbandoned);
}

TEST_F(CpuLenses, GiveTheTableOnDemand) {
  const Image scene = image({41, 37});
  const gl::Target output(scene.size);
  Timings timings;
  for (const LensKind kind : {LensKind::box, LensKind::layered}) {
    const auto lens = lensOn(DeviceId::cpu, {.lens = {.kind = kind}});
    lens->resize(scene.size);
    EXPECT_EQ(lens->draw({.scene = scene.frame, .lens = settings}, output, timings).table.texture, nullptr);
    EXPECT_NE(lens->draw({.scene = scene.frame, .lens = settings, .wantsTable = true}, output, timings).table.texture,
              nullptr);
  }
}

TEST_F(CpuLenses, FreeTheirPassesInOpenGlAfterUse) {
  const Image scene = image({41, 37});
  const gl::Target output(scene.size);
  Timings timings;
  const auto lens = lensOn(DeviceId::cpu, {.lens = {.kind = LensKind::layered}});
  lens->resize(scene.size);
  const int before = liveTextures();
  const auto draw = [&](LensImage shown) {
    lens->draw({.scene = scene.frame, .lens = settings, .image = shown}, output, timings);
    lens->freeUnused();
    return liveTextures();
  };
  EXPECT_GT(draw(LensImage::layers), before);
  EXPECT_EQ(draw(LensImage::blurred), before);
  EXPECT_GT(draw(LensImage::layers), before);
}

TEST_F(CpuLenses, LeaveIntermediateImagesToOpenGl) {
  const Image scene = image({41, 37});
  const Technique technique{.lens = {.kind = LensKind::layered}};
  const gl::Target output(scene.size);
  Timings timings;
  for (const LensImage shown : {LensImage::nearCoverage, LensImage::layers, LensImage::sprites}) {
    std::vector<std::vector<glm::vec4>> images;
    for (const DeviceId device : {DeviceId::cpu, DeviceId::cpuSequential}) {
      const auto lens = lensOn(device, technique);
      lens->resize(scene.size);
      lens->draw({.scene = scene.frame, .lens = settings, .image = shown}, output, timings);
      images.push_back(download(output.texture));
    }
    EXPECT_EQ(images[0], images[1]);
  }
}

}  // namespace
}  // namespace satdof::test
