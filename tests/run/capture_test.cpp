#include <gmock/gmock.h>
#include <stb_image.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <set>
#include <thread>

#include "app/core/files/file_identity.h"
#include "app/core/files/files.h"
#include "app/core/settings_json.h"
#include "app/core/usage_error.h"
#include "app/device/device.h"
#include "app/gl/transfer.h"
#include "app/io/codec.h"
#include "app/io/exr.h"
#include "app/io/layer_file.h"
#include "app/io/png.h"
#include "app/lens/lens.h"
#include "app/render/overscan.h"
#include "app/run/capture.h"
#include "app/scene/targets.h"
#include "tests/support/gl_fixture.h"
#include "tests/support/reason.h"
#include "tests/support/temporary_folder.h"

namespace satdof {
namespace {

namespace fs = std::filesystem;

constexpr glm::ivec2 kSizes[] = {{1, 1}, {1, 17}, {33, 1}, {3, 5}, {17, 65}, {129, 31}};

template <class T>
std::vector<T> randomRows(glm::ivec2 size) {
  static std::mt19937 generator(7);
  std::vector<T> rows(static_cast<size_t>(size.x * size.y * 3));
  for (auto& value : rows) value = static_cast<T>(generator());
  return rows;
}

template <class T>
std::vector<T> flipped(const T* rows, glm::ivec2 size) {
  std::vector<T> result;
  const auto row = size.x * 3;
  for (int y = size.y; y-- > 0;) result.insert(result.end(), rows + y * row, rows + (y + 1) * row);
  return result;
}

template <class T, class Load>
std::vector<T> decode(Load load, const std::string& bytes, glm::ivec2 size) {
  glm::ivec2 found{0};
  int channels = 0;
  stbi_set_flip_vertically_on_load_thread(0);
  T* pixels = load(reinterpret_cast<const stbi_uc*>(bytes.data()), static_cast<int>(bytes.size()), &found.x,
                   &found.y, &channels, 0);
  EXPECT_NE(pixels, nullptr) << stbi_failure_reason();
  EXPECT_EQ(found, size);
  EXPECT_EQ(channels, 3);
  auto result = flipped(pixels, size);
  stbi_image_free(pixels);
  return result;
}

std::string readFile(const fs::path& path) { return readWholeFile(path, 1 << 24); }

std::vector<float> pfmRows(const std::string& bytes, glm::ivec2 size) {
  const std::string header = "PF\n" + std::to_string(size.x) + " " + std::to_string(size.y) + "\n-1.0\n";
  EXPECT_EQ(bytes.substr(0, header.size()), header);
  std::vector<float> rows(static_cast<size_t>(size.x * size.y * 3));
  EXPECT_EQ(bytes.size(), header.size() + rows.size() * sizeof(float));
  std::memcpy(rows.data(), bytes.data() + header.size(), rows.size() * sizeof(float));
  return rows;
}

// An empty folder.
class CaptureFiles : public testing::Test {
 protected:
  auto fileCount() const { return std::distance(fs::directory_iterator(folder_), {}); }

  const test::TemporaryFolder temporary_;
  const fs::path& folder_ = temporary_.path();
};

TEST(Png, EightAndSixteenBitsDecodeExactlyTopRowFirst) {
  for (const auto size : kSizes) {
    const auto bytes = randomRows<stbi_uc>(size);
    EXPECT_EQ(decode<stbi_uc>(stbi_load_from_memory, encodePng(bytes.data(), size, 8, {{"k", "t"}}), size),
              bytes);
    const auto words = randomRows<stbi_us>(size);
    EXPECT_EQ(
        decode<stbi_us>(stbi_load_16_from_memory, encodePng(words.data(), size, 16, {{"k", "t"}}), size),
        words);
  }
}

TEST(Png, TextReadsBackAndDamageIsNoText) {
  const auto pixels = randomRows<stbi_uc>({5, 3});
  const std::string text = "{\n  \"a\": 1.25\n}\n" + std::string(3000, 'x');
  const std::string png =
      encodePng(pixels.data(), {5, 3}, 8, {{"other-text", "x"}, {kSettingsKeyword, text}});
  EXPECT_TRUE(isPng(png));
  EXPECT_EQ(pngText(png, kSettingsKeyword), text);
  EXPECT_EQ(pngText(png, "other"), std::nullopt);
  EXPECT_FALSE(isPng("{}"));
  EXPECT_FALSE(isPng(""));
  for (size_t bytes = 8; bytes < 3000; bytes += 97)
    EXPECT_EQ(pngText(png.substr(0, bytes), kSettingsKeyword), std::nullopt);
}

TEST(Png, IsWholeWithAllItsBytesAlone) {
  const auto pixels = randomRows<stbi_uc>({5, 3});
  const std::string png = encodePng(pixels.data(), {5, 3}, 8, {{"text", "x"}});
  EXPECT_TRUE(isWholePng(png));
  for (size_t i = 0; i < png.size(); ++i) {
    std::string damaged = png;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    EXPECT_FALSE(isWholePng(damaged)) << i;
    EXPECT_FALSE(isWholePng(png.substr(0, i))) << i;
  }
}

TEST(LinearImage, FloatMapIsExactBottomRowFirst) {
  for (const auto size : kSizes) {
    auto rows = randomRows<float>(size);
    rows[0] = -1e30f;
    EXPECT_EQ(pfmRows(encodePfm(rows, size), size), rows);
  }
}

// A shared exponent with 8 bits of mantissa: the error is below 1/128 of a pixel's largest channel.
TEST(LinearImage, RadianceKeepsItsPrecision) {
  std::mt19937 generator(11);
  std::lognormal_distribution<float> light(0.0f, 4.0f);
  for (const auto size : kSizes) {
    std::vector<float> rows(static_cast<size_t>(size.x * size.y * 3));
    for (auto& value : rows) value = light(generator);
    const auto read = decode<float>(stbi_loadf_from_memory, encodeHdr(rows, size), size);
    ASSERT_EQ(read.size(), rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      const float* pixel = &rows[i / 3 * 3];
      ASSERT_NEAR(read[i], rows[i], std::max({pixel[0], pixel[1], pixel[2]}) / 128.0f);
    }
  }
}

// Values that a format cannot hold.
constexpr float kNan = std::numeric_limits<float>::quiet_NaN(),
                kInfinity = std::numeric_limits<float>::infinity();

TEST(LinearImage, RadianceClampsToRepresentableValues) {
  const glm::ivec2 size{9, 1};
  const float values[] = {-0.59f, -kInfinity, kNan, kInfinity, 3e38f, 65505.0f, -1e-30f, 0.0f, 0.5f};
  std::vector<float> rows;
  for (const float value : values) rows.insert(rows.end(), {value, value, value});
  const auto read = decode<float>(stbi_loadf_from_memory, encodeHdr(rows, size), size);
  const float expected[] = {0, 0, 0, 0x1p127f, 0x1p127f, 65505.0f, 0, 0, 0.5f};
  ASSERT_EQ(read.size(), rows.size());
  for (size_t i = 0; i < read.size(); ++i)
    EXPECT_NEAR(read[i], expected[i / 3], expected[i / 3] / 128.0f) << values[i / 3];
  // A negative channel leaves the others alone.
  const auto mixed = decode<float>(stbi_loadf_from_memory, encodeHdr({-0.59f, 0.25f, kNan}, {1, 1}), {1, 1});
  EXPECT_EQ(mixed[0], 0.0f);
  EXPECT_NEAR(mixed[1], 0.25f, 0.25f / 128.0f);
  EXPECT_EQ(mixed[2], 0.0f);
}

TEST(LinearImage, HalfFloatsStayFinite) {
  const std::vector<float> values = {65504.0f, 65505.0f, 65520.0f, 1e30f, -1e30f, kInfinity, -0.59f, 0.5f};
  const ExrImage image{.size = {8, 1}, .channels = {{"R", true, values}, {"Z", false, values}}, .texts = {}};
  const ExrImage read = decodeExr(encodeExr(image), "a.exr");
  EXPECT_THAT(read.channel("R")->values,
              testing::Pointwise(testing::FloatNear(1e-3f), {65504.0f, 65504.0f, 65504.0f, 65504.0f,
                                                             -65504.0f, kInfinity, -0.59f, 0.5f}));
  EXPECT_EQ(read.channel("Z")->values, values);
}

TEST(LinearImage, WordsOfLayersAreRoundedToNearest) {
  const auto words = [](Layer layer, const LayerImage& image) {
    const std::string png = writerOf("a.png").layer(layer, image, {});
    int width = 0, height = 0, channels = 0;
    stbi_us* const read =
        stbi_load_16_from_memory(reinterpret_cast<const stbi_uc*>(png.data()), static_cast<int>(png.size()),
                                 &width, &height, &channels, 0);
    std::vector<int> found(read, read + width * height * channels);
    stbi_image_free(read);
    return found;
  };
  const std::vector<float> values = {kNan, kInfinity, -kInfinity, 2.0f, -2.0f};
  EXPECT_THAT(words(Layer::coc, {.size = {5, 1}, .nearM = 0.1f, .planes = {values}}),
              testing::ElementsAre(0, 65535, 0, 65535, 1));
  EXPECT_THAT(words(Layer::depth, {.size = {5, 1}, .nearM = 0.1f, .planes = {values}}),
              testing::ElementsAre(0, 65535, 0, 65535, 0));
  const std::vector<float> light = {kNan, kInfinity, -0.59f, 1.0f, 70000.0f};
  for (const int word :
       words(Layer::colour, {.size = {5, 1}, .nearM = 0.1f, .planes = {light, light, light}}))
    EXPECT_TRUE(word == 0 || word == 65535) << word;
}

TEST(Jpeg, HoldsPixelsTextsAndExif) {
  const glm::ivec2 size{16, 8};
  std::vector<std::uint8_t> rows;
  for (int i = 0; i < 16 * 8; ++i)
    for (const int value : {i < 16 * 4 ? 220 : 20, 40, 60}) rows.push_back(static_cast<std::uint8_t>(value));
  const std::string exif("II*\0\x08\0\0\0\0\0\0\0\0\0", 14), longText(70000, 'x');
  const std::string bytes = encodeJpeg(
      rows, size, 95, {{"long", longText}, {"satdof settings", "{\n}"}, {"Software", "satdof"}}, exif);
  EXPECT_EQ(imageText(bytes, "satdof settings"), "{\n}");
  EXPECT_EQ(imageText(bytes, "Software"), "satdof");
  EXPECT_FALSE(imageText(bytes, "long"));
  EXPECT_FALSE(imageText(bytes.substr(0, 30), "Software"));
  EXPECT_NE(bytes.find(std::string("Exif\0\0", 6) + exif), std::string::npos);
  EXPECT_STREQ(readerOf(bytes).name, "JPEG");
  int width = 0, height = 0, channels = 0;
  stbi_uc* const read = stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(bytes.data()),
                                              static_cast<int>(bytes.size()), &width, &height, &channels, 3);
  ASSERT_NE(read, nullptr);
  EXPECT_EQ(glm::ivec2(width, height), size);
  EXPECT_NEAR(read[0], 20, 8) << "top row first";
  EXPECT_NEAR(read[3 * 16 * 7], 220, 8);
  stbi_image_free(read);
}

TEST(LinearImage, FormatFollowsTheExtension) {
  for (const auto& [path, name] : {std::pair("a.b/c.png", "PNG"),
                                   {"c.hdr", "Radiance HDR"},
                                   {"c.pfm", "PFM"},
                                   {"c.exr", "EXR"},
                                   {"c.EXR", "EXR"},
                                   {"c.jpg", "JPEG"},
                                   {"c.jpeg", "JPEG"}})
    EXPECT_STREQ(writerOf(path).name, name);
  for (const char* path : {"c", "c.PNGX", "exr", "png", ".png", "", "c.heic", "c.tga"})
    EXPECT_THROW(writerOf(path), UsageError) << path;
}

TEST_F(CaptureFiles, NumberedNamesFollowTheHighestAndNeverOverwrite) {
  const fs::path path = folder_ / "satdof.png";
  const auto next = [&] {
    const fs::path written = writeNumbered(path, "bytes");
    EXPECT_EQ(readFile(written), "bytes");
    fs::remove(written);
    return written.filename().string();
  };
  const auto touch = [&](const char* name) { std::ofstream(folder_ / name) << 'x'; };
  EXPECT_EQ(next(), "satdof-0001.png");
  for (const char* name : {"satdof.png", "satdof-0003.hdr", "satdof-x.png", "satdof-12a.png",
                           "other-0009.png", "satdof--5.png", "satdof-.png"})
    touch(name);
  EXPECT_EQ(next(), "satdof-0001.png");
  touch("satdof-0001.png");
  touch("satdof-0007.png");
  EXPECT_EQ(next(), "satdof-0008.png");
  touch("satdof-9999.png");
  EXPECT_EQ(next(), "satdof-10000.png");
  touch("satdof-999999998.png");
  EXPECT_EQ(next(), "satdof-999999999.png");
  touch("satdof-999999999.png");
  EXPECT_THROW(next(), std::runtime_error);
  EXPECT_THROW(writeNumbered(folder_ / "missing" / "a.png", "bytes"), std::runtime_error);
}

// Other programs see a file only under its final name, which remains if the program is killed.
TEST_F(CaptureFiles, ConcurrentRunsGetDifferentNumbersAndNobodySeesAPartOfAFile) {
  const std::string bytes(300000, 'x');
  std::vector<std::vector<fs::path>> written(8);
  std::atomic<bool> done = false;
  std::thread onlooker([&] {
    while (!done)
      for (const auto& entry : fs::directory_iterator(folder_))
        EXPECT_EQ(entry.file_size(), bytes.size()) << entry.path();
  });
  std::vector<std::thread> runs;
  for (auto& own : written)
    runs.emplace_back([&] {
      for (int i = 0; i < 20; ++i) own.push_back(writeNumbered(folder_ / "a.png", bytes));
    });
  for (auto& run : runs) run.join();
  done = true;
  onlooker.join();
  std::set<fs::path> all;
  for (const auto& own : written) all.insert(own.begin(), own.end());
  EXPECT_EQ(all.size(), 160u);
  EXPECT_EQ(fileCount(), 160);
}

TEST_F(CaptureFiles, ReplacingKeepsTheAccessControlList) {
  constexpr const char* kName = "system.posix_acl_access";
  struct Entry {
    std::uint16_t tag, rights;
    std::uint32_t user;
  };
  // An access control list: owner and user 1 read and write; the group does not, although its mode bits, the mask, allow it.
  const std::array<Entry, 5> entries{
      {{0x01, 6, ~0u}, {0x02, 6, 1}, {0x04, 0, ~0u}, {0x10, 6, ~0u}, {0x20, 0, ~0u}}};
  std::string list("\2\0\0\0", 4);
  list.append(reinterpret_cast<const char*>(entries.data()), sizeof entries);
  const fs::path file = folder_ / "file";
  writeWholeFile(file, "one");
  if (::setxattr(file.c_str(), kName, list.data(), list.size(), 0) != 0) GTEST_SKIP() << "no lists here";
  writeWholeFile(file, "two");
  std::string kept(1000, '\0');
  kept.resize(static_cast<size_t>(std::max<ssize_t>(::getxattr(file.c_str(), kName, kept.data(), 1000), 0)));
  EXPECT_EQ(kept, list);
}

TEST_F(CaptureFiles, ClaimsOnANameExcludeOthersUnlessBothAreSharedWithTheSame) {
  const fs::path name = folder_ / "a.png";
  const auto refused = [&](const std::optional<std::string>& sharedWith) {
    return test::reasonOf([&] { const NameClaim claim(name, sharedWith); }) != "accepted";
  };
  {
    const NameClaim claim(name), other(folder_ / "b.png");
    EXPECT_TRUE(refused({}));
    EXPECT_TRUE(refused("f/2"));
  }
  {
    const NameClaim claim(name, "f/2"), second(name, "f/2");
    EXPECT_TRUE(refused({}));
    EXPECT_TRUE(refused("f/4"));
    EXPECT_TRUE(refused("f/8"));
    EXPECT_FALSE(refused("f/2"));
  }
  EXPECT_FALSE(refused({}));
  EXPECT_NO_THROW(NameClaim(folder_ / "missing" / "a.png")) << "writing tells";
  EXPECT_EQ(fileCount(), 0);
}

TEST_F(CaptureFiles, ANumberThatIsTakenInBetweenIsLeftAlone) {
  const NextName next = numberedNames(folder_ / "a.mp4");
  writeWholeFile(folder_ / "a-0001.mp4", "another program's");
  fs::create_symlink("nowhere", folder_ / "a-0002.mp4");
  PendingFile file(folder_);
  EXPECT_EQ(::write(file.descriptor(), "film", 4), 4);
  EXPECT_EQ(file.take(next), folder_ / "a-0003.mp4");
  EXPECT_EQ(readFile(folder_ / "a-0003.mp4"), "film");
  EXPECT_EQ(readFile(folder_ / "a-0001.mp4"), "another program's");
  EXPECT_EQ(fileCount(), 3);
}

TEST_F(CaptureFiles, AFileThatIsShownChangesItsNameOrGoes) {
  const NextName part = numberedNames(folder_ / "part.mp4");
  writeWholeFile(folder_ / "film.mp4", "old");
  {
    PendingFile file(folder_);
    file.show(part);
    EXPECT_EQ(::write(file.descriptor(), "film", 4), 4);
    EXPECT_EQ(readFile(folder_ / "part-0001.mp4"), "film");
    PendingFile unused(folder_);
    unused.show(numberedNames(folder_ / "part.mp4"));
    EXPECT_TRUE(fs::exists(folder_ / "part-0002.mp4"));
    file.replace(folder_ / "film.mp4");
  }
  EXPECT_EQ(readFile(folder_ / "film.mp4"), "film");
  PendingFile file(folder_);
  file.show(part);
  EXPECT_EQ(file.take(numberedNames(folder_ / "film.mp4")), folder_ / "film-0001.mp4");
  EXPECT_EQ(fileCount(), 3) << "with the name that the destructor removes";
}

TEST_F(CaptureFiles, ReplacingKeepsLinksAndPermissions) {
  const fs::path file = folder_ / "file", soft = folder_ / "soft", hard = folder_ / "hard";
  writeWholeFile(file, "one");
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("file", soft);
  writeWholeFile(soft, "two");
  EXPECT_TRUE(fs::is_symlink(soft));
  EXPECT_EQ(readFile(file), "two");
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);

  fs::create_hard_link(file, hard);
  writeWholeFile(hard, "three, longer");
  writeWholeFile(hard, "four");
  EXPECT_EQ(readFile(file), "four");
  EXPECT_EQ(fs::hard_link_count(file), 2u);
  for (const std::string text : {"the fifth", "6", ""}) {
    PendingFile pending(folder_);
    EXPECT_EQ(::write(pending.descriptor(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
    pending.replace(hard);
    EXPECT_EQ(readFile(file), text);
    EXPECT_EQ(fs::hard_link_count(file), 2u);
  }

  fs::create_symlink("later", folder_ / "dangling");
  writeWholeFile(folder_ / "dangling", "five");
  EXPECT_EQ(readFile(folder_ / "later"), "five");
  fs::create_symlink("loop", folder_ / "loop");
  EXPECT_THROW(writeWholeFile(folder_ / "loop", "six"), std::runtime_error);
  EXPECT_EQ(fileCount(), 6);
}

TEST_F(CaptureFiles, OnlyOrdinaryFilesAreReadAndReplaced) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const fs::path& path : {pipe, fs::path("/dev/null"), fs::path("/dev/zero"), folder_}) {
    EXPECT_THROW(writeWholeFile(path, "x"), std::runtime_error) << path;
    EXPECT_THROW(readWholeFile(path, 10), std::runtime_error) << path;
  }
  EXPECT_TRUE(fs::is_fifo(pipe));
  writeWholeFile(folder_ / "ten", "0123456789");
  EXPECT_EQ(readWholeFile(folder_ / "ten", 10), "0123456789");
  EXPECT_THROW(readWholeFile(folder_ / "ten", 9), std::runtime_error);
  EXPECT_EQ(readFileHead(folder_ / "ten", 3), "012");
  EXPECT_THROW(readFileHead(folder_ / "missing", 3), std::runtime_error);
}

TEST_F(CaptureFiles, ANameOfFullLengthCanBeWritten) {
  const fs::path path = folder_ / std::string(255, 'n');
  requireWritable(path);
  writeWholeFile(path, "x");
  EXPECT_EQ(readFile(path), "x");
  EXPECT_THROW(requireWritable(folder_ / std::string(256, 'n')), UsageError);
}

TEST_F(CaptureFiles, NamesThatNoFileCanHaveAreDifferent) {
  const std::string tooLong(300, 'a');
  EXPECT_NE(fileIdentity(folder_ / (tooLong + ".png")), fileIdentity(folder_ / (tooLong + ".exr")));
}

TEST_F(CaptureFiles, FilesAreWrittenWholeOrNotAtAll) {
  const fs::path path = folder_ / "out.bin";
  writeWholeFile(path, "first");
  writeWholeFile(path, std::string(100000, 'a'));
  EXPECT_EQ(readFile(path), std::string(100000, 'a'));
  EXPECT_EQ(fileCount(), 1);

  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{1000, before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  EXPECT_THROW(writeWholeFile(path, std::string(200000, 'b')), std::runtime_error);
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(readFile(path), std::string(100000, 'a'));
  EXPECT_EQ(fileCount(), 1);

  EXPECT_THROW(writeWholeFile(folder_ / "missing" / "out.bin", "x"), std::runtime_error);
  EXPECT_THROW(writeWholeFile(folder_, "x"), std::runtime_error);
  EXPECT_EQ(fileCount(), 1);
}

TEST_F(CaptureFiles, ReadOnlyFilesStay) {
  const fs::path file = folder_ / "file";
  writeWholeFile(file, "old");
  fs::permissions(file, fs::perms::owner_read | fs::perms::group_read);
  EXPECT_THROW(requireWritable(file), UsageError);
  EXPECT_THROW(writeWholeFile(file, "new"), std::runtime_error);
  PendingFile pending(folder_);
  EXPECT_THROW(pending.replace(file), std::runtime_error);
  EXPECT_EQ(readFile(file), "old");
}

TEST_F(CaptureFiles, WritablePathsAreFoundWithoutLeavingAnything) {
  requireWritable(folder_ / "new.json");
  EXPECT_EQ(fileCount(), 0);
  writeWholeFile(folder_ / "old.json", "old");
  requireWritable(folder_ / "old.json");
  EXPECT_EQ(readFile(folder_ / "old.json"), "old");
  for (const fs::path& path :
       {folder_, folder_ / "missing" / "a", folder_ / "old.json" / "a", fs::path("/dev/null"), fs::path(""),
        folder_ / "", folder_ / std::string(300, 'n')})
    EXPECT_THROW(requireWritable(path), UsageError) << path;
  EXPECT_EQ(fileCount(), 1);
}

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
    return readFile(path);
  }

  // The file of a layer, beside an image with this extension.
  std::string layerFile(const char* extension, const char* layer) {
    const test::TemporaryFolder folder;
    capture(renderer_, settings_, kTimeS, (folder.path() / "a").concat(extension),
            {.layers = {Layer::colour, Layer::depth, Layer::coc}});
    return readFile((folder.path() / "a-").concat(layer).concat(extension));
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
  EXPECT_EQ(pfmRows(captured(".pfm"), kSize), expected);
  const float brightest = *std::max_element(expected.begin(), expected.end());
  EXPECT_GT(brightest, 0.1f);
  const auto radiance = decode<float>(stbi_loadf_from_memory, captured(".hdr"), kSize);
  for (size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(radiance[i], expected[i], brightest / 128.0f);
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
  const double k =
      f * f * kSize.y / (2 * settings_.lens.fNumber * (s - f) * settings_.lens.sensorHeightMm * 1e-3);
  int sky = 0, before = 0, behind = 0, covered = 0;
  for (size_t i = 0; i < depth.size(); ++i) {
    for (size_t c = 0; c < 3; ++c) {
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
  stbi_us* words = stbi_load_16_from_memory(reinterpret_cast<const stbi_uc*>(png.data()),
                                            static_cast<int>(png.size()), &width, &height, &channels, 0);
  ASSERT_NE(words, nullptr);
  EXPECT_EQ(glm::ivec3(width, height, channels), glm::ivec3(kSize, 1));
  for (size_t i = 0; i < depth.size(); ++i) {
    const float word = words[(static_cast<size_t>(kSize.y) - 1 - i / 67) * 67 + i % 67];
    ASSERT_NEAR(word, depth[i] * scale / nearM, 0.51f);
    for (size_t c = 0; c < 4; ++c)
      ASSERT_EQ(colour.channel(std::string(1, "RGBA"[c]))->values[i], rgba[i * 4 + c]) << "exact";
  }
  stbi_image_free(words);
  EXPECT_EQ(coc.channel("coc.Y")->values,
            decodeExr(captured(".exr", {.bitDepth = 32}), "").channel("coc.Y")->values);
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
  const auto eight = decode<stbi_uc>(stbi_load_from_memory, captured(".png"), kSize);
  const auto sixteen = decode<stbi_us>(stbi_load_16_from_memory, captured(".png", {.bitDepth = 16}), kSize);
  bool finer = false;
  // Drivers may convert to a fixed-point target with an error of 0.6 of its step, and of a 16-bit one
  // besides.
  for (size_t i = 0; i < eight.size(); ++i) {
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
  expected.lens.overscan = resolve(settings_.lens.overscan);
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
  EXPECT_THAT(pngText(png, "Source").value_or(""), testing::HasSubstr(name(resolve(DeviceId::automatic))));
}

TEST_F(CaptureTest, AnotherSizeIsRenderedWithPanelsOnTop) {
  const glm::ivec2 size{20, 50};
  glm::ivec2 drawnOver{0};
  const auto paintRed = [&](GLuint framebuffer, glm::ivec2 target) {
    drawnOver = target;
    const float red[4] = {1, 0, 0, 1};
    glClearNamedFramebufferfv(framebuffer, GL_COLOR, 0, red);
  };
  const auto rows = decode<stbi_uc>(
      stbi_load_from_memory, captured(".png", {.bitDepth = 8, .size = size, .drawOver = paintRed}), size);
  EXPECT_EQ(drawnOver, size);
  for (size_t i = 0; i < rows.size(); ++i) ASSERT_EQ(rows[i], i % 3 == 0 ? 255 : 0);

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
  while (other.render(direct, {.timeS = kTimeS, .focusAt = {}, .samplesPerFrame = 5}, timings_).progress <
         1.0f) {
  }
  EXPECT_EQ(pfmRows(rows, size), gl::readRgb<float>(other.image(), GL_FLOAT));
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
  EXPECT_EQ(pfmRows(rows, size), gl::readRgb<float>(other.image(), GL_FLOAT));
}

TEST_F(CaptureTest, TheTextNamesTheSamplesThatTheReferenceHas) {
  settings_.technique.lens.kind = LensKind::reference;
  settings_.lens.lensSamples = 256;
  const auto result =
      renderer_.render(settings_, {.timeS = kTimeS, .focusAt = {}, .samplesPerFrame = 8}, timings_);
  Settings read;
  applySettingsJson(read,
                    pngText(captured(".png", {.progress = result.progress}), kSettingsKeyword).value_or(""),
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
