#include "app/render/changes.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "app/device/device.h"
#include "app/lens/lens.h"

namespace satdof {
namespace {

// Resolved techniques: every device, lens and view, and two values of every other field.
std::vector<Technique> techniques() {
  std::vector<Technique> all;
  const auto isAutomatic = [](auto value) { return value == decltype(value)::automatic; };
  for (const auto& device : entries(DeviceId{}))
    for (const auto& lens : entries(LensKind{})) {
      if (isAutomatic(device.value) || isAutomatic(lens.value)) continue;
      for (const View view : {View::final, View::coc, View::tableError})
        for (int bits = 0; bits < 128; ++bits)
          all.push_back({.device = device.value,
                         .table = {.format = bits & 1 ? TableFormat::float32 : TableFormat::uint32,
                                   .scan = bits & 2 ? Scan::cub : Scan::blelloch,
                                   .blockSize = bits & 4 ? 64 : 256,
                                   .reducePasses = bits & 8 ? 1 : 3},
                         .lens = {lens.value, bits & 16 ? LensOn::cuda : LensOn::openGl},
                         .bokeh = {.enabled = (bits & 32) != 0, .sort = bits & 64 ? Sort::split : Sort::cub},
                         .view = view});
    }
  return all;
}

// The expected answer, written out.
bool expectNewLens(const Technique& a, const Technique& b) {
  const bool tableError = a.view == View::tableError;
  if (tableError != (b.view == View::tableError)) return true;
  if (a.lens.kind != b.lens.kind || a.bokeh.enabled != b.bokeh.enabled) return true;
  const bool boxLike = a.lens.kind == LensKind::box || a.lens.kind == LensKind::gems;
  if ((boxLike || tableError) && a.table.format != b.table.format) return true;
  if (a.lens.kind != LensKind::reference && a.lens.on != b.lens.on) return true;
  if (a.lens.kind == LensKind::reference && !tableError && !a.bokeh.enabled) return false;
  if (a.device != b.device) return true;
  if (a.device == DeviceId::glFragment) return a.table.reducePasses != b.table.reducePasses;
  if (a.device != DeviceId::cuda && a.device != DeviceId::cudaEmulated) return false;
  if (a.bokeh.enabled && a.bokeh.sort != b.bokeh.sort) return true;
  return a.table.scan != b.table.scan ||
         (a.table.scan != Scan::cub && a.table.blockSize != b.table.blockSize);
}

TEST(Changes, NewLensOverAllPairsOfTechniques) {
  const auto all = techniques();
  long differ = 0;
  for (const Technique& from : all)
    for (const Technique& to : all) {
      const bool expected = expectNewLens(from, to);
      differ += expected;
      ASSERT_EQ(needsNewLens(from, to), expected)
          << name(from.device) << " " << name(from.lens.kind) << " " << name(from.view) << " to "
          << name(to.device) << " " << name(to.lens.kind) << " " << name(to.view);
    }
  EXPECT_GT(differ, 0);
}

Settings changed(const std::function<void(Settings&)>& change) {
  Settings settings;
  settings.technique.device = settings.split.b.device = DeviceId::cpu;
  settings.technique.lens.kind = settings.split.b.lens.kind = LensKind::box;
  settings.lens.blades = 6;
  if (change) change(settings);
  return settings;
}

Changes after(const std::function<void(Settings&)>& change) { return changes(changed({}), changed(change)); }

TEST(Changes, AccumulationRestartsWithTheFieldsOfTheImage) {
  const std::vector<std::function<void(Settings&)>> restart = {
      [](Settings& s) { s.size.x = 8; },
      [](Settings& s) { s.lens.focusDistanceM = 3.0f; },
      [](Settings& s) { s.lens.fNumber = 4.0f; },
      [](Settings& s) { s.lens.focalLengthMm = 85.0f; },
      [](Settings& s) { s.lens.sensorHeightMm = 15.0f; },
      [](Settings& s) { s.lens.anamorphicRatio = 0.5f; },
      [](Settings& s) { s.lens.nearScale = 2.0f; },
      [](Settings& s) { s.lens.farScale = 2.0f; },
      [](Settings& s) { s.lens.lensSeed = 1; },
      [](Settings& s) { s.lens.blades = 7; },
      [](Settings& s) { s.lens.bladeRotationDegrees = 7.0f; },
      [](Settings& s) { s.scene.timeS = 1.0f; },
      [](Settings& s) { s.scene.teapots.lamps = false; },
      [](Settings& s) { s.camera.yawDegrees = 1.0f; },
  };
  for (size_t i = 0; i < restart.size(); ++i) EXPECT_TRUE(after(restart[i]).accumulation) << i;
  const std::vector<std::function<void(Settings&)>> go = {
      [](Settings&) {},
      [](Settings& s) { s.lens.lensSamples = 4096; },
      [](Settings& s) { s.lens.kernelSteps = 5; },
      [](Settings& s) { s.lens.autofocus = true; },
      [](Settings& s) { s.scene.animate = !s.scene.animate; },
      [](Settings& s) { s.scene.teapots.culling = Culling::none; },
      [](Settings& s) { s.present.exposureStops = 2.0f; },
      [](Settings& s) { s.technique.view = View::coc; },
  };
  for (size_t i = 0; i < go.size(); ++i) EXPECT_FALSE(after(go[i]).accumulation) << i;
  const auto disc = [](int blades, float rotation) {
    return changed([=](Settings& s) { s.lens.blades = blades, s.lens.bladeRotationDegrees = rotation; });
  };
  EXPECT_FALSE(changes(disc(0, 0.0f), disc(2, 7.0f)).accumulation);
}

TEST(Changes, PercentilesRestartWithTheWorkload) {
  EXPECT_FALSE(after([](Settings& s) { s.lens.fNumber = 4.0f; }).workload);
  EXPECT_FALSE(after([](Settings& s) { s.split.b.lens.kind = LensKind::tent; }).workload);
  EXPECT_TRUE(after([](Settings& s) { s.size.x = 8; }).workload);
  EXPECT_TRUE(after([](Settings& s) { s.technique.view = View::coc; }).workload);
  EXPECT_TRUE(after([](Settings& s) { s.split.enabled = true; }).workload);
  EXPECT_TRUE(after([](Settings& s) { s.scene.teapots.culling = Culling::none; }).workload);
  const auto split = [](LensKind lens) {
    return changed([=](Settings& s) { s.split.enabled = true, s.split.b.lens.kind = lens; });
  };
  EXPECT_TRUE(changes(split(LensKind::box), split(LensKind::tent)).workload);
}

TEST(Changes, SizeAndSamplesAreSeparate) {
  EXPECT_TRUE(after([](Settings& s) { s.size.y = 8; }).size);
  EXPECT_FALSE(after([](Settings& s) { s.scene.samples = 4; }).size);
  EXPECT_TRUE(after([](Settings& s) { s.scene.samples = 4; }).samples);
  EXPECT_TRUE(after([](Settings& s) { s.technique.lens.kind = LensKind::tent; }).lensA);
  EXPECT_FALSE(after([](Settings& s) { s.technique.lens.kind = LensKind::tent; }).lensB);
  EXPECT_TRUE(after([](Settings& s) { s.split.b.lens.kind = LensKind::tent; }).lensB);
}

}  // namespace
}  // namespace satdof
