#include <gmock/gmock.h>

#include <sstream>

#include "app/device/backends.h"
#include "tests/device/tables.h"
#include "tests/gl/gl_test.h"

namespace satdof {
namespace {

using namespace test;
using testing::HasSubstr;

enum class SourceKind { half, words };

struct Case {
  Method method;
  SourceKind source = SourceKind::half;
  bool large = false;  // also 1920x1080
};

// Every backend with each of its own variants.
std::vector<Case> cases() {
  std::vector<Method> methods;
  for (const auto& backend : entries(Backend{})) {
    Method method;
    method.backend = backend.value;
    if (backend.value == Backend::automatic) continue;
    if (backend.value == Backend::cuda)
      for (const auto& scan : entries(Scan{})) method.scan = scan.value, methods.push_back(method);
    else if (backend.value == Backend::glFragment)
      for (const int passes : {3, 0, 1, 16}) method.reducePasses = passes, methods.push_back(method);
    else
      methods.push_back(method);
  }
  std::vector<Case> all;
  for (size_t i = 0; i < methods.size(); ++i) {
    const bool firstOfBackend = i == 0 || methods[i].backend != methods[i - 1].backend;
    for (const auto& format : entries(SatFormat{})) {
      methods[i].format = format.value;
      const bool exact = format.value == SatFormat::uint32;
      all.push_back({methods[i], SourceKind::half, exact && firstOfBackend});
      if (exact) all.push_back({methods[i], SourceKind::words});
    }
  }
  return all;
}

std::string caseName(const testing::TestParamInfo<Case>& info) {
  const Method& m = info.param.method;
  std::ostringstream stream;
  stream << name(m.backend);
  if (m.backend == Backend::cuda) stream << "_" << name(m.scan);
  if (m.backend == Backend::glFragment) stream << "_" << m.reducePasses;
  stream << "_" << name(m.format) << (info.param.source == SourceKind::words ? "_words" : "");
  std::string text = stream.str();
  std::ranges::replace(text, '-', '_');
  return text;
}

class SatBackendTable : public GlTest, public testing::WithParamInterface<Case> {
 protected:
  // Sums another picture, poisons the table, sums the picture and compares.
  void check(SatBackend& backend, glm::ivec2 size, float scale) {
    constexpr float kCeiling = 4;
    constexpr uint32_t kPoison[] = {0xdeadbeef, 0xdeadbeef, 0xdeadbeef, 0xdeadbeef};
    const Case& c = GetParam();
    const bool words = c.source == SourceKind::words, exact = c.method.format == SatFormat::uint32;
    backend.resize(size);

    const auto halves = randomHalves(size, kCeiling, 2);
    const auto fixed = words ? randomWords(size, 3) : std::vector<uint32_t>{};
    const auto first = makeTexture(size, std::vector<uint16_t>(halves.rbegin(), halves.rend()));
    const auto second = words ? makeTexture(size, fixed) : makeTexture(size, halves);
    SatSource source{&first, scale, kCeiling, {1, 2, 0.5f, 1.5f}};
    SatView view = backend.build(source, timings_);
    glClearTexImage(view.texture, 0, exact ? GL_RGBA_INTEGER : GL_RGBA, exact ? GL_UNSIGNED_INT : GL_FLOAT,
                    kPoison);
    source.texture = &second;
    view = backend.build(source, timings_);

    EXPECT_EQ(view.size, size);
    EXPECT_EQ(view.format, c.method.format);
    EXPECT_EQ(view.scale, exact ? scale : 1.0f);
    const bool meanFirst = c.method.format == SatFormat::float32Mean;
    EXPECT_EQ(view.mean, meanFirst ? source.mean : glm::vec4(0));
    const auto table = readTable(view);
    if (words)
      expectExact(size, table, {fixed.begin(), fixed.end()});
    else if (exact)
      expectExact(size, table, fixedElements(halves, scale, kCeiling));
    else
      expectWithinBound(size, table, realElements(halves, view.mean));
  }

  Timings timings_;
};

TEST_P(SatBackendTable, EqualsReference) {
  const Case& c = GetParam();
  const Availability& here = availability(c.method.backend);
  if (!here.available) GTEST_SKIP() << name(c.method.backend) << ": " << here.reason;
  const auto backend = makeSatBackend(c.method);
  for (const glm::ivec2 size :
       {glm::ivec2{1, 1}, {255, 257}, {1, 33}, {33, 1}, {3, 5}, {641, 479}, {1, 257}, {257, 1}, {17, 65}}) {
    timings_.beginFrame();
    check(*backend, size, 0x1p21f);
    timings_.endFrame();
    if (HasFatalFailure()) return;
  }
  check(*backend, {31, 45}, 64.0f);
  if (c.large) check(*backend, {1920, 1080}, 0x1p12f);
  timings_.finish();
  for (const auto& stage : timings_.stats().stages) EXPECT_FALSE(stage.samplesUs.empty()) << stage.name;
}

INSTANTIATE_TEST_SUITE_P(Every, SatBackendTable, testing::ValuesIn(cases()), caseName);

class SatBackendChoice : public GlTest {};

TEST_F(SatBackendChoice, PrefersCudaThenComputeThenTheProcessor) {
  EXPECT_EQ(preferredBackend(true, "NVIDIA H100 80GB HBM3/PCIe/SSE2"), Backend::cuda);
  EXPECT_EQ(preferredBackend(true, "llvmpipe (LLVM 15.0.6, 256 bits)"), Backend::cuda);
  EXPECT_EQ(preferredBackend(false, "Mesa Intel(R) UHD Graphics 620"), Backend::glCompute);
  EXPECT_EQ(preferredBackend(false, "llvmpipe (LLVM 15.0.6, 256 bits)"), Backend::cpu);
  EXPECT_EQ(preferredBackend(false, "softpipe"), Backend::cpu);
  EXPECT_EQ(preferredBackend(false, "Google SwiftShader, Software"), Backend::cpu);
}

TEST_F(SatBackendChoice, ResolvesOnlyAutomatic) {
  for (const auto& entry : entries(Backend{}))
    EXPECT_EQ(resolve(entry.value) == entry.value, entry.value != Backend::automatic);
  EXPECT_TRUE(availability(Backend::automatic).available);
}

TEST_F(SatBackendChoice, EveryBackendAndScanSaysWhereItRunsOrWhyNot) {
  for (const auto& entry : entries(Backend{})) EXPECT_FALSE(availability(entry.value).reason.empty());
  for (const auto& scan : entries(Scan{}))
    EXPECT_EQ(availability(scan.value).available, availability(Backend::cuda).available);
}

TEST_F(SatBackendChoice, AnUnavailableBackendSaysWhy) {
  for (const auto& entry : entries(Backend{})) {
    Method method;
    method.backend = entry.value;
    const Availability& here = availability(entry.value);
    if (here.available) continue;
    try {
      makeSatBackend(method);
      ADD_FAILURE() << entry.name << " was made";
    } catch (const std::runtime_error& error) {
      EXPECT_THAT(error.what(), HasSubstr(entry.name));
      EXPECT_THAT(error.what(), HasSubstr(here.reason));
    }
  }
}

TEST_F(SatBackendChoice, NeedsANewBackendOnlyForWhatItUses) {
  const auto changed = [](Backend backend, auto&& change) {
    Method from;
    from.backend = backend;
    from.scan = Scan::blelloch;
    Method to = from;
    change(to);
    return needsNewBackend(from, to);
  };
  const auto format = [](Method& m) { m.format = SatFormat::float32; };
  const auto scan = [](Method& m) { m.scan = Scan::cub; };
  const auto block = [](Method& m) { m.blockSize = 64; };
  const auto passes = [](Method& m) { m.reducePasses = 7; };
  const auto looks = [](Method& m) { m.lens = LensKind::gems, m.view = View::coc; };
  for (const auto& entry : entries(Backend{})) {
    const Backend backend = resolve(entry.value);
    EXPECT_FALSE(changed(entry.value, [](Method&) {}));
    EXPECT_FALSE(changed(entry.value, looks));
    EXPECT_TRUE(changed(entry.value, format));
    EXPECT_EQ(changed(entry.value, scan), backend == Backend::cuda);
    EXPECT_EQ(changed(entry.value, block), backend == Backend::cuda);
    EXPECT_EQ(changed(entry.value, passes), backend == Backend::glFragment);
  }
  Method cub, cubOtherBlock, automatic, resolved;
  cub.backend = cubOtherBlock.backend = Backend::cuda;
  cub.scan = cubOtherBlock.scan = Scan::cub;
  cubOtherBlock.blockSize = 64;
  EXPECT_FALSE(needsNewBackend(cub, cubOtherBlock));
  resolved.backend = resolve(Backend::automatic);
  EXPECT_FALSE(needsNewBackend(automatic, resolved));
  cub.backend = Backend::cpu;
  cubOtherBlock.backend = Backend::cpuSequential;
  EXPECT_TRUE(needsNewBackend(cub, cubOtherBlock));
}

}  // namespace
}  // namespace satdof
