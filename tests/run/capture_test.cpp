#include "app/run/capture.h"

#include <gmock/gmock.h>
#include <stb_image.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>

#include "app/core/files/files.h"
#include "app/core/settings_json.h"
#include "app/core/usage_error.h"
#include "app/device/device.h"
#include "app/gl/transfer.h"
#include "app/io/codec.h"
#include "app/io/formats/exr.h"
#include "app/io/formats/png.h"
#include "app/io/layer_file.h"
#include "app/lens/lens.h"
#include "app/render/overscan.h"
#include "app/render/resolve.h"
#include "app/scene/targets.h"
#include "tests/support/decoded.h"
#include "tests/support/gl_fixture.h"
#include "tests/support/temporary_folder.h"

namespace satdof {
namespace {

namespace fs = std::filesystem;

class CaptureTest : public GlTest {
 protected:
  static constexpr glm::ivec2 kSize{67, 41};

  void SetUp() override {
    GlTest::SetUp();
    settings_.size = kSize;
    settings_.scene.teapots.count = 3;
    renderer_.render(settings_, {.timeS = kTimeS, .focusAt = {}}, timings_);
  }

  std::string captured(const char* name, const CaptureOptions& options = {}) {
    const test::TemporaryFolder folder;
    const fs::path path = folder.path() / (std::string("a") + name);
    capture(renderer_, settings_, kTimeS, path, options);
    return readWholeFile(path, 1 << 24);
  }

  // The file of a layer, beside an image with this extension.
  std::string layerFile(const char* extension, const char* layer) {
    const test::TemporaryFolder folder;
    capture(renderer_, settings_, kTimeS, (folder.path() / "a").concat(extension),
            {.layers = {Layer::colour, Layer::depth, Layer::coc}});
    return readWholeFile((folder.path() / "a-").concat(layer).concat(extension), 1 << 24);
  }

  static constexpr float kTimeS = 1.5f;
  Settings settings_;
  Renderer renderer_;
  Timings timings_;
};

TEST_F(CaptureTest, LinearImageIsTheRenderersOwn) {
  std::vector<float> expected(kSize.x * kSize.y * 3);
  glGetTextureImage(renderer_.image().name(), 0, GL_RGB, GL_FLOAT,
                    static_cast<GLsizei>(expected.size() * sizeof(float)), expected.data());
  EXPECT_EQ(test::pfmRows(captured(".pfm"), kSize), expected);
  const float brightest = *std::max_element(expected.begin(), expected.end());
  EXPECT_GT(brightest, 0.1f);
  const auto radiance = test::decoded<float>(stbi_loadf_from_memory, captured(".hdr"), kSize);
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(radiance[i], expected[i], brightest / 128.0f);
}

// What the EXR promises, from the formulas: R = K (1 - S/z), Z = near / depth.
TEST_F(CaptureTest, ExrHoldsLightDistanceAndCircleOfConfusion) {
  settings_.technique.lens.kind = LensKind::layered;
  settings_.lens.nearScale = 0.5f;
  settings_.technique.bokeh.enabled = true;
  renderer_.render(settings_, {.timeS = kTimeS, .focusAt = {}}, timings_);
  const ExrImage half = decodeExr(captured(".exr"), "half");
  const ExrImage full = decodeExr(captured(".exr", {.bitDepth = 32}), "full");
  ASSERT_EQ(full.size, kSize);
  EXPECT_EQ(full.channels.size(), 7u);
  std::vector<float> rgba(kSize.x * kSize.y * 4), depth(kSize.x * kSize.y);
  const auto bytes = [](const auto& values) { return static_cast<GLsizei>(values.size() * sizeof(float)); };
  glGetTextureImage(renderer_.image().name(), 0, GL_RGBA, GL_FLOAT, bytes(rgba), rgba.data());
  glGetTextureImage(renderer_.scene().depth->name(), 0, GL_RED, GL_FLOAT, bytes(depth), depth.data());
  const double f = settings_.lens.focalLengthMm * 1e-3, s = settings_.lens.focusDistanceM;
  const double k = f * f * kSize.y / (2 * settings_.lens.fNumber * (s - f) * settings_.lens.sensorHeightMm * 1e-3);
  int sky = 0, before = 0, behind = 0, covered = 0;
  for (std::size_t i = 0; i < depth.size(); ++i) {
    for (std::size_t c = 0; c < 3; ++c) {
      const std::string name(1, "RGB"[c]);
      ASSERT_EQ(half.channel(name)->values[i], rgba[i * 4 + c]);
      ASSERT_EQ(full.channel(name)->values[i], rgba[i * 4 + c]);
    }
    ASSERT_EQ(full.channel("A")->values[i], 1.0f);
    ASSERT_EQ(full.channel("near.Y")->values[i], 1.0f - rgba[i * 4 + 3]);
    covered += full.channel("near.Y")->values[i] > 0.5f;
    const float z = full.channel("Z")->values[i];
    ASSERT_EQ(half.channel("Z")->values[i], z);
    if (depth[i] == 0.0f)
      ASSERT_EQ(z, std::numeric_limits<float>::infinity());
    else
      ASSERT_FLOAT_EQ(z, renderer_.scene().nearM / depth[i]);
    const double radius = k * (1 - s / double(z)), scaled = radius < 0 ? radius * 0.5 : radius;
    ASSERT_NEAR(full.channel("coc.Y")->values[i], scaled, 1e-4 * std::max(1.0, std::abs(scaled)));
    sky += depth[i] == 0.0f;
    before += radius < -0.1;
    behind += radius > 0.1;
  }
  EXPECT_GT(std::min({sky, before, behind, covered}), 20);
  settings_.technique.lens.kind = LensKind::box;
  renderer_.render(settings_, {.timeS = kTimeS, .focusAt = {}}, timings_);
  EXPECT_EQ(decodeExr(captured(".exr"), "box").channel("near.Y"), nullptr);
}

TEST_F(CaptureTest, LayersAreTheSceneBeforeTheLens) {
  std::vector<float> rgba(kSize.x * kSize.y * 4), depth(kSize.x * kSize.y);
  const auto bytes = [](const auto& values) { return static_cast<GLsizei>(values.size() * sizeof(float)); };
  glGetTextureImage(renderer_.scene().colour->name(), 0, GL_RGBA, GL_FLOAT, bytes(rgba), rgba.data());
  glGetTextureImage(renderer_.scene().depth->name(), 0, GL_RED, GL_FLOAT, bytes(depth), depth.data());
  const float nearM = renderer_.scene().nearM;
  const auto exr = [&](const char* layer) { return decodeExr(layerFile(".exr", layer), layer); };
  const ExrImage colour = exr("colour"), distance = exr("depth"), coc = exr("coc");
  EXPECT_EQ(distance.channel(kInverseDepthChannel)->values, depth) << "exact";
  EXPECT_EQ(std::stof(exrText(layerFile(".exr", "depth"), kNearKeyword).value_or("0")), nearM);
  const std::string pfm = layerFile(".pfm", "depth"), png = layerFile(".png", "depth");
  const std::string header = "Pf\n67 41\n-1.0\n";
  ASSERT_EQ(pfm.substr(0, header.size()), header);
  std::vector<float> metres(depth.size());
  ASSERT_EQ(pfm.size(), header.size() + metres.size() * sizeof(float));
  std::memcpy(metres.data(), pfm.data() + header.size(), metres.size() * sizeof(float));
  EXPECT_EQ(distance.channel("Z")->values, metres);
  const std::string text = pngText(png, kDepthKeyword).value_or("");
  const float scale = std::stof(text.substr(text.find("\"scale\": ") + 9));
  int width = 0, height = 0, channels = 0;
  stbi_us* words = stbi_load_16_from_memory(reinterpret_cast<const stbi_uc*>(png.data()), static_cast<int>(png.size()),
                                            &width, &height, &channels, 0);
  ASSERT_NE(words, nullptr);
  EXPECT_EQ(glm::ivec3(width, height, channels), glm::ivec3(kSize, 1));
  for (std::size_t i = 0; i < depth.size(); ++i) {
    const float word = words[(static_cast<std::size_t>(kSize.y) - 1 - i / 67) * 67 + i % 67];
    ASSERT_NEAR(word, depth[i] * scale / nearM, 0.51f);
    for (std::size_t c = 0; c < 4; ++c)
      ASSERT_EQ(colour.channel(std::string(1, "RGBA"[c]))->values[i], rgba[i * 4 + c]) << "exact";
  }
  stbi_image_free(words);
  EXPECT_EQ(coc.channel("coc.Y")->values, decodeExr(captured(".exr", {.bitDepth = 32}), "").channel("coc.Y")->values);
}

TEST_F(CaptureTest, SettingsTravelInEveryFormatWithText) {
  const std::string png = captured(".png");
  const auto expected = imageText(png, kSettingsKeyword);
  ASSERT_TRUE(expected.has_value());
  EXPECT_EQ(imageText(captured(".exr"), kSettingsKeyword), expected);
  Settings fromHdr, fromPng;
  applySettingsJson(fromPng, *expected, "png");
  applySettingsJson(fromHdr, imageText(captured(".hdr"), kSettingsKeyword).value_or(""), "hdr");
  EXPECT_EQ(fromHdr, fromPng);
  EXPECT_EQ(imageText(captured(".pfm"), kSettingsKeyword), std::nullopt);
  EXPECT_STREQ(readerOf(captured(".pfm")).name, "PFM");
  EXPECT_EQ(codecByContent("{}"), nullptr);
  EXPECT_THAT(imageText(captured(".hdr"), "Source").value_or(""), testing::HasSubstr("OpenGL on"));
}

TEST_F(CaptureTest, WithoutADateEqualImagesAreEqualFiles) {
  for (const char* name : {".png", ".exr", ".hdr"}) {
    const std::string file = captured(name, {.dated = false});
    EXPECT_EQ(imageText(file, "Creation Time"), std::nullopt);
    EXPECT_EQ(file, captured(name, {.dated = false}));
    EXPECT_NE(imageText(captured(name), "Creation Time"), std::nullopt);
  }
}

TEST_F(CaptureTest, SixteenBitsRefineTheEight) {
  const auto eight = test::decoded<stbi_uc>(stbi_load_from_memory, captured(".png"), kSize);
  const auto sixteen = test::decoded<stbi_us>(stbi_load_16_from_memory, captured(".png", {.bitDepth = 16}), kSize);
  bool finer = false;
  // Drivers may convert to a fixed-point target with an error of 0.6 of its step, and of a 16-bit one
  // besides.
  for (std::size_t i = 0; i < eight.size(); ++i) {
    ASSERT_LE(std::abs(static_cast<float>(sixteen[i]) / 257.0f - static_cast<float>(eight[i])), 0.61f);
    finer |= sixteen[i] % 257 != 0;
  }
  EXPECT_TRUE(finer);
}

TEST_F(CaptureTest, TheTextHoldsTheSettingsThatDrawTheImage) {
  settings_.lens.autofocus = true;
  const auto text = pngText(captured(".png"), kSettingsKeyword);
  ASSERT_TRUE(text.has_value());
  Settings read;
  applySettingsJson(read, *text, "image.png");
  Settings expected = settings_;
  expected.scene.timeS = kTimeS;
  expected.lens.autofocus = false;
  expected.lens.layers = 1;
  expected.lens.overscan = ResolvedSettings(settings_).lens.overscan;
  expected.scene.samples = offeredSamples(settings_.scene.samples);
  expected.technique = resolve(settings_.technique);
  expected.split.b = resolve(settings_.split.b);
  EXPECT_EQ(read, expected);
  EXPECT_NE(read.technique.lens.kind, LensKind::automatic);
  EXPECT_NE(read.technique.device, DeviceId::automatic);
}

TEST_F(CaptureTest, TheTextNamesProgramDateAndDevice) {
  const std::string png = captured(".png");
  EXPECT_THAT(pngText(png, "Software").value_or(""), testing::StartsWith("satdof 0."));
  EXPECT_THAT(pngText(png, "Creation Time").value_or(""), testing::EndsWith(" GMT"));
  EXPECT_THAT(pngText(png, "Source").value_or(""), testing::HasSubstr(name(deviceOf(DeviceId::automatic).id)));
}

TEST_F(CaptureTest, AnotherSizeIsRenderedWithPanelsOnTop) {
  const glm::ivec2 size{20, 50};
  glm::ivec2 drawnOver{0};
  const auto paintRed = [&](GLuint framebuffer, glm::ivec2 target) {
    drawnOver = target;
    const float red[4] = {1, 0, 0, 1};
    glClearNamedFramebufferfv(framebuffer, GL_COLOR, 0, red);
  };
  const auto rows = test::decoded<stbi_uc>(stbi_load_from_memory,
                                           captured(".png", {.bitDepth = 8, .size = size, .drawOver = paintRed}), size);
  EXPECT_EQ(drawnOver, size);
  for (std::size_t i = 0; i < rows.size(); ++i) ASSERT_EQ(rows[i], i % 3 == 0 ? 255 : 0);

  renderer_.render(settings_, {.timeS = kTimeS, .focusAt = {}}, timings_);
  EXPECT_EQ(renderer_.image().size(), kSize);
}

TEST_F(CaptureTest, TheReferenceOfAnotherSizeHasAllItsSamples) {
  const glm::ivec2 size{20, 50};
  settings_.technique.lens.kind = LensKind::reference;
  settings_.lens.lensSamples = 19;
  renderer_.render(settings_, {.timeS = kTimeS, .focusAt = {}}, timings_);
  const std::string rows = captured(".pfm", {.size = size});
  Settings direct = settings_;
  direct.size = size;
  direct.lens.autofocus = false;
  Renderer other;
  while (other.render(direct, {.timeS = kTimeS, .focusAt = {}, .samplesPerFrame = 5}, timings_).progress < 1.0f) {
  }
  EXPECT_EQ(test::pfmRows(rows, size), gl::readRgb<float>(other.image(), GL_FLOAT));
}

TEST_F(CaptureTest, AnotherSizeDividesAViewAtTheSamePlace) {
  const glm::ivec2 size{80, 20};
  settings_.technique = {.device = DeviceId::cpu, .lens = {.kind = LensKind::box}, .view = View::tableError};
  const std::string rows = captured(".pfm", {.size = size, .centre = {0.75f, 0.5f}});
  Settings direct = settings_;
  direct.size = size;
  direct.lens.autofocus = false;
  Renderer other;
  other.render(direct, {.timeS = kTimeS, .focusAt = {}, .centre = {0.75f, 0.5f}}, timings_);
  EXPECT_EQ(test::pfmRows(rows, size), gl::readRgb<float>(other.image(), GL_FLOAT));
}

TEST_F(CaptureTest, TheTextNamesTheSamplesThatTheReferenceHas) {
  settings_.technique.lens.kind = LensKind::reference;
  settings_.lens.lensSamples = 256;
  const auto result = renderer_.render(settings_, {.timeS = kTimeS, .focusAt = {}, .samplesPerFrame = 8}, timings_);
  Settings read;
  applySettingsJson(read, pngText(captured(".png", {.progress = result.progress}), kSettingsKeyword).value_or(""),
                    "image.png");
  EXPECT_EQ(read.lens.lensSamples, 8);
}

// Each sample of the reference is a frame.
TEST_F(CaptureTest, ReportsProgressAndLeavesNoFileIfCancelled) {
  settings_.technique.lens.kind = LensKind::reference;
  settings_.lens.lensSamples = 32;
  float last = 0.0f;
  int calls = 0;
  CaptureOptions options{.size = {31, 19}};
  options.progressed = [&](float drawn, float next) {
    EXPECT_GE(drawn, last);
    EXPECT_GE(next, drawn);
    last = drawn;
    ++calls;
  };
  EXPECT_FALSE(captured(".png", options).empty());
  EXPECT_GT(calls, 3);
  const test::TemporaryFolder folder;
  for (const int until : {1, 2, 4}) {
    options.size = {31 + until, 19};
    int left = until;
    options.progressed = [&](float, float) {
      if (--left == 0) throw std::runtime_error("ended");
    };
    EXPECT_THROW(capture(renderer_, settings_, kTimeS, folder.path() / "a.png", options), std::runtime_error);
    EXPECT_TRUE(fs::is_empty(folder.path()));
  }
}

TEST_F(CaptureTest, DoesNotWaitForTheEncodingOfACancelledImage) {
  const auto threads = [] {
    return std::distance(fs::directory_iterator("/proc/self/task"), fs::directory_iterator());
  };
  settings_.technique.view = View::sharp;
  std::ptrdiff_t encoding = 0;
  CaptureOptions options{.size = {1600, 1200}};
  options.progressed = [&](float drawn, float) {
    if (drawn < 1.0f) return;
    encoding = threads();
    throw std::runtime_error("cancelled");
  };
  const test::TemporaryFolder folder;
  EXPECT_THROW(capture(renderer_, settings_, kTimeS, folder.path() / "a.png", options), std::runtime_error);
  EXPECT_EQ(threads(), encoding);
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST_F(CaptureTest, AnImageThatCannotBeWrittenThrows) {
  EXPECT_THROW(capture(renderer_, settings_, kTimeS, "/nowhere/a.png"), std::runtime_error);
  EXPECT_THROW(capture(renderer_, settings_, kTimeS, "a.bmp"), UsageError);
  EXPECT_THROW(capture(renderer_, settings_, kTimeS, "a.png", {.bitDepth = 8, .size = {1 << 20, 1}}),
               std::runtime_error);
}

}  // namespace
}  // namespace satdof