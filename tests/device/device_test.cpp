#include <gmock/gmock.h>

#include <sstream>

#include "app/device/device.h"
#include "tests/device/tables.h"
#include "tests/support/gl_fixture.h"
#include "tests/support/reason.h"

namespace satdof {
namespace {

using namespace test;
using testing::HasSubstr;

enum class SourceKind { half, words };

struct Case {
  Technique technique;
  SourceKind source = SourceKind::half;
  bool large = false;  // also 1920x1080
};

// Every device, each with its variants.
std::vector<Case> cases() {
  std::vector<Technique> techniques;
  for (const auto& device : entries(DeviceId{})) {
    Technique technique;
    technique.device = device.value;
    if (device.value == DeviceId::automatic) continue;
    if (device.value == DeviceId::cuda || device.value == DeviceId::cudaEmulated)
      for (const auto& scan : entries(Scan{})) {
        if (device.value == DeviceId::cudaEmulated && scan.value == Scan::cub) continue;
        technique.table.scan = scan.value, techniques.push_back(technique);
      }
    else if (device.value == DeviceId::glFragment)
      for (const int passes : {3, 0, 1, 16}) technique.table.reducePasses = passes, techniques.push_back(technique);
    else
      techniques.push_back(technique);
  }
  std::vector<Case> all;
  for (std::size_t i = 0; i < techniques.size(); ++i) {
    const bool firstOfDevice = i == 0 || techniques[i].device != techniques[i - 1].device;
    for (const auto& format : entries(TableFormat{})) {
      techniques[i].table.format = format.value;
      const bool exact = format.value == TableFormat::uint32;
      const bool emulated = techniques[i].device == DeviceId::cudaEmulated;
      if (emulated && !firstOfDevice && !exact) continue;  // the tests of the kernels have every format
      all.push_back({techniques[i], SourceKind::half, exact && firstOfDevice && !emulated});
      if (exact && (firstOfDevice || !emulated)) all.push_back({techniques[i], SourceKind::words});
    }
  }
  return all;
}

std::string caseName(const testing::TestParamInfo<Case>& info) {
  const Technique& m = info.param.technique;
  std::ostringstream stream;
  stream << name(m.device);
  if (m.device == DeviceId::cuda || m.device == DeviceId::cudaEmulated) stream << "_" << name(m.table.scan);
  if (m.device == DeviceId::glFragment) stream << "_" << m.table.reducePasses;
  stream << "_" << name(m.table.format) << (info.param.source == SourceKind::words ? "_words" : "");
  std::string text = stream.str();
  std::ranges::replace(text, '-', '_');
  return text;
}

class TableBuilderTable : public GlTest, public testing::WithParamInterface<Case> {
 protected:
  // Builds the table of another image, poisons the table, builds the table of the image and compares.
  void check(TableBuilder& device, glm::ivec2 size, float scale) {
    constexpr float kCeiling = 4;
    constexpr uint32_t kPoison[] = {0xdeadbeef, 0xdeadbeef, 0xdeadbeef, 0xdeadbeef};
    const Case& c = GetParam();
    const bool words = c.source == SourceKind::words, exact = c.technique.table.format == TableFormat::uint32;
    device.resize(size);

    const auto halves = randomHalves(size, kCeiling, 2);
    const auto fixed = words ? randomWords(size, 3) : std::vector<uint32_t>{};
    const auto first = makeTexture(size, std::vector<uint16_t>(halves.rbegin(), halves.rend()));
    const auto second = words ? makeTexture(size, fixed) : makeTexture(size, halves);
    TableSource source{&first, {scale, kCeiling, {1, 2, 0.5f, 1.5f}}};
    Table view = device.build(source, timings_);
    glClearTexImage(view.texture->name(), 0, exact ? GL_RGBA_INTEGER : GL_RGBA, exact ? GL_UNSIGNED_INT : GL_FLOAT,
                    kPoison);
    source.texture = &second;
    view = device.build(source, timings_);

    EXPECT_EQ(view.size, size);
    EXPECT_EQ(view.format, c.technique.table.format);
    EXPECT_EQ(view.scale, exact ? scale : 1.0f);
    const bool meanFirst = c.technique.table.format == TableFormat::float32Mean;
    EXPECT_EQ(view.mean, meanFirst ? source.quantisation.mean : glm::vec4(0));
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

TEST_P(TableBuilderTable, EqualsReference) {
  const Case& c = GetParam();
  const Availability& here = availability(c.technique.device);
  if (!here.available) GTEST_SKIP() << name(c.technique.device) << ": " << here.reason;
  const auto device = availableDevice(c.technique.device).makeTableBuilder(c.technique.table);
  for (const glm::ivec2 size :
       {glm::ivec2{1, 1}, {255, 257}, {1, 33}, {33, 1}, {3, 5}, {641, 479}, {1, 257}, {257, 1}, {17, 65}}) {
    if (c.technique.device == DeviceId::cudaEmulated && size.x * size.y > 2000) continue;
    timings_.beginFrame();
    check(*device, size, 0x1p21f);
    timings_.endFrame();
    if (HasFatalFailure()) return;
  }
  check(*device, {31, 45}, 64.0f);
  if (c.large) check(*device, {1920, 1080}, 0x1p12f);
  timings_.finish();
  for (const auto& stage : timings_.stats().stages) EXPECT_FALSE(stage.samplesUs.empty()) << stage.name;
}

INSTANTIATE_TEST_SUITE_P(Every, TableBuilderTable, testing::ValuesIn(cases()), caseName);

class DeviceRegistry : public GlTest {};

TEST_F(DeviceRegistry, PrefersCudaThenComputeThenTheCpu) {
  EXPECT_EQ(preferredDevice(true, "NVIDIA H100 80GB HBM3/PCIe/SSE2"), DeviceId::cuda);
  EXPECT_EQ(preferredDevice(true, "llvmpipe (LLVM 15.0.6, 256 bits)"), DeviceId::cuda);
  EXPECT_EQ(preferredDevice(false, "Mesa Intel(R) UHD Graphics 620"), DeviceId::glCompute);
  EXPECT_EQ(preferredDevice(false, "llvmpipe (LLVM 15.0.6, 256 bits)"), DeviceId::cpu);
  EXPECT_EQ(preferredDevice(false, "softpipe"), DeviceId::cpu);
  EXPECT_EQ(preferredDevice(false, "Google SwiftShader, Software"), DeviceId::cpu);
}

TEST_F(DeviceRegistry, ResolvesOnlyAutomatic) {
  for (const auto& entry : entries(DeviceId{}))
    EXPECT_EQ(deviceOf(entry.value).id == entry.value, entry.value != DeviceId::automatic);
  EXPECT_TRUE(availability(DeviceId::automatic).available);
}

TEST_F(DeviceRegistry, EveryDeviceAndScanReportsItsHardwareOrAReason) {
  for (const auto& entry : entries(DeviceId{})) EXPECT_FALSE(availability(entry.value).reason.empty());
  const bool cuda = availability(DeviceId::cuda).available;
  const bool emulated = availability(DeviceId::cudaEmulated).available;
  for (const auto& scan : entries(Scan{}))
    EXPECT_EQ(availability(scan.value).available, cuda || (emulated && scan.value != Scan::cub));
}

TEST_F(DeviceRegistry, AnUnavailableDeviceThrowsTheReason) {
  for (const auto& entry : entries(DeviceId{})) {
    Technique technique;
    technique.device = entry.value;
    const Availability& here = availability(entry.value);
    if (here.available) continue;
    EXPECT_THAT(test::reasonOf([&] { availableDevice(technique.device); }),
                testing::AllOf(HasSubstr(entry.name), HasSubstr(here.reason)));
  }
}

TEST_F(DeviceRegistry, EveryDeviceHasOneRowThatMakesEverything) {
  EXPECT_EQ(devices().size() + 1, entries(DeviceId{}).size());  // and automatic
  for (const Device& device : devices()) {
    EXPECT_EQ(&deviceOf(device.id), &device) << name(device.id);
    if (!availability(device.id).available) continue;
    EXPECT_NE(device.makeTableBuilder({}), nullptr);
    EXPECT_NE(device.makeNearScatter({}), nullptr);
    EXPECT_NE(device.makeBokehCollector({}, {}, kBokehCapacity), nullptr);
  }
  EXPECT_EQ(devicesThatUse(&DeviceOptions::reducePasses), "gl-fragment");
}

}  // namespace
}  // namespace satdof
