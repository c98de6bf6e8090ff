#include "app/render/cpu_present.h"

#include <random>

#include "app/gl/transfer.h"
#include "app/render/renderer.h"
#include "tests/support/gl_fixture.h"

namespace satdof::test {
namespace {

std::vector<glm::vec4> randomImage(glm::ivec2 size) {
  std::mt19937 random(7);
  std::vector<glm::vec4> image;
  for (int i = 0; i < size.x * size.y; ++i) {
    const auto channel = [&, bright = random() % 8 == 0 ? 12.0f : 1.1f] {
      return bright * static_cast<float>(random() % 4096) / 4096.0f - 0.02f;
    };
    image.emplace_back(channel(), channel(), channel(), 0.0f);
  }
  return image;
}

// The largest difference of two images in bytes.
int largestDifference(const std::vector<unsigned char>& a, const std::vector<unsigned char>& b) {
  int largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(int(a[i]) - int(b[i])));
  return largest;
}

// A target of 8 bits a channel.
struct Screen {
  gl::Texture texture;
  gl::Framebuffer framebuffer;
  explicit Screen(glm::ivec2 size) : texture(GL_RGBA8, size), framebuffer(texture) {}
  std::vector<unsigned char> bytes() const { return gl::readRgb<unsigned char>(texture, GL_UNSIGNED_BYTE); }
};

using CpuPresentTest = GlTest;

TEST_F(CpuPresentTest, EqualsOpenGl) {
  for (const glm::ivec2 size : {glm::ivec2(1, 1), {67, 31}, {200, 120}}) {
    const auto image = randomImage(size);
    const gl::Texture texture(GL_RGBA32F, size);
    gl::upload(texture, gl::kRgbaFloat, image.data());
    const Screen expected(size), got(size);
    const PresentPass pass;
    CpuPresent present;
    for (const float stops : {-2.0f, 0.0f, 1.5f}) {
      const Display display{.exposureStops = stops};
      ASSERT_TRUE(CpuPresent::draws(got.framebuffer.name(), size, display));
      pass.draw(texture, expected.framebuffer.name(), size, display);
      present.draw(image, size, got.framebuffer.name(), size, display);
      EXPECT_LE(largestDifference(got.bytes(), expected.bytes()), 1) << size.x << " x " << size.y << ", " << stops;
    }
  }
}

// A bright pixel spreads as far as a dark one.
TEST_F(CpuPresentTest, InterpolatesDisplayValues) {
  const glm::ivec2 size(24, 10), shown = 2 * size;
  const auto image = randomImage(size);
  const Screen unscaled(size), got(shown);
  CpuPresent present;
  for (const glm::ivec2 target : {size, shown}) {
    const Screen& screen = target == size ? unscaled : got;
    ASSERT_TRUE(CpuPresent::draws(screen.framebuffer.name(), size, {}));
    present.draw(image, size, screen.framebuffer.name(), target, {});
  }
  const auto pixels = unscaled.bytes();
  const auto at = [&](int x, int y, int channel) {
    x = std::clamp(x, 0, size.x - 1);
    y = std::clamp(y, 0, size.y - 1);
    return static_cast<int>(pixels[static_cast<std::size_t>(3 * (y * size.x + x) + channel)]);
  };
  std::vector<unsigned char> expected;
  for (int y = 0; y < shown.y; ++y)
    for (int x = 0; x < shown.x; ++x)
      for (int channel = 0; channel < 3; ++channel) {  // a quarter of a pixel from the centre of the nearest one
        const int nearX = x / 2, nearY = y / 2, farX = nearX + (x % 2 == 0 ? -1 : 1),
                  farY = nearY + (y % 2 == 0 ? -1 : 1);
        const int sum = 9 * at(nearX, nearY, channel) + 3 * at(farX, nearY, channel) + 3 * at(nearX, farY, channel) +
                        at(farX, farY, channel);
        expected.push_back(static_cast<unsigned char>((sum + 8) / 16));
      }
  EXPECT_LE(largestDifference(got.bytes(), expected), 2);
}

TEST_F(CpuPresentTest, LeavesTheRestToOpenGl) {
  const glm::ivec2 size(16, 8);
  const Screen screen(size);
  const gl::Texture deep(GL_RGBA32F, size);
  const gl::Framebuffer deepTarget(deep);
  const GLuint target = screen.framebuffer.name();
  EXPECT_TRUE(CpuPresent::draws(target, size, {}));
  EXPECT_FALSE(CpuPresent::draws(deepTarget.name(), size, {}));
  EXPECT_FALSE(CpuPresent::draws(target, size, {.toneMapLeft = false}));
  EXPECT_FALSE(CpuPresent::draws(target, size, {.splitLine = 0.5f}));
  EXPECT_FALSE(CpuPresent::draws(target, size, {.fade = {.under = &deep, .weight = 0.5f}}));
  EXPECT_FALSE(CpuPresent::draws(target, size, {.look = {.photograph = true}}));
  EXPECT_FALSE(CpuPresent::draws(target, size, {.look = {.shownTo = size - 1}}));
}

// The image of a lens in main memory is uploaded only when its texture is read.
TEST_F(CpuPresentTest, ShowsTheImageThatTheTextureHas) {
  Settings settings;
  settings.size = {160, 90};
  settings.technique = {.device = DeviceId::cpu, .lens = {.kind = LensKind::box}};
  Renderer renderer;
  Timings timings;
  const Screen before(settings.size), after(settings.size);
  for (const float timeS : {0.0f, 1.0f}) {
    renderer.render(settings, {.timeS = timeS, .focusAt = {}}, timings);
    renderer.present(before.framebuffer.name(), settings.size, settings, timings);
    const PresentPass pass;
    pass.draw(renderer.image(), after.framebuffer.name(), settings.size, {});
    EXPECT_LE(largestDifference(before.bytes(), after.bytes()), 1) << timeS;
  }
}

// An image that waits for its texture must not replace a later one that another part of the renderer drew.
TEST_F(CpuPresentTest, ForgetsAnImageThatWasNotStored) {
  Settings settings;
  settings.size = {160, 90};
  settings.technique = {.device = DeviceId::cpu, .lens = {.kind = LensKind::box}};
  Settings sharp = settings;
  sharp.technique.view = View::sharp;
  const Screen screen(settings.size);
  Timings timings;
  const auto imageOf = [](Renderer& renderer) {
    std::vector<glm::vec4> image(160 * 90);
    gl::download(renderer.image(), gl::kRgbaFloat, image.data());
    return image;
  };
  Renderer expected, renderer;
  expected.render(sharp, {.focusAt = {}}, timings);
  renderer.render(settings, {.focusAt = {}}, timings);
  renderer.present(screen.framebuffer.name(), settings.size, settings, timings);
  renderer.render(sharp, {.focusAt = {}}, timings);
  EXPECT_EQ(imageOf(renderer), imageOf(expected));
}

}  // namespace
}  // namespace satdof::test
