#include "app/lens/lens.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "app/device/device.h"
#include "app/gl/software.h"
#include "tests/support/gl_fixture.h"
#include "tests/support/reason.h"

namespace satdof {
namespace {

class LensRegistry : public GlTest {};

TEST_F(LensRegistry, EveryLensHasOneRow) {
  EXPECT_EQ(lenses().size() + 1, entries(LensKind{}).size());  // and automatic
  std::set<std::string> names;
  for (const LensRow& row : lenses()) {
    EXPECT_NE(row.kind, LensKind::automatic);
    EXPECT_EQ(&lensOf(row.kind), &row) << name(row.kind);
    EXPECT_TRUE(names.insert(name(row.kind)).second) << name(row.kind);
    EXPECT_NE(row.rule, nullptr) << name(row.kind);
    EXPECT_NE(row.make == nullptr, row.plan == nullptr) << name(row.kind);
  }
  for (const auto& entry : entries(LensKind{}))
    EXPECT_EQ(names.count(entry.name), entry.value == LensKind::automatic ? 0u : 1u) << entry.name;
}

TEST_F(LensRegistry, ResolveReplacesEveryAutomatic) {
  const Technique technique = resolve(Technique{});
  EXPECT_NE(technique.device, DeviceId::automatic);
  EXPECT_NE(technique.lens.on, LensOn::automatic);
  EXPECT_EQ(technique.lens.kind, gl::isSoftwareRenderer() ? LensKind::box : LensKind::layered);
  EXPECT_EQ(resolve(technique), technique);
}

TEST_F(LensRegistry, ResolveKeepsBokehOnlyWhereTheLensDrawsSprites) {
  for (const LensRow& row : lenses())
    for (const bool enabled : {false, true}) {
      Technique technique;
      technique.device = DeviceId::cpu;
      technique.lens.kind = row.kind;
      technique.bokeh.enabled = enabled;
      const Technique resolved = resolve(technique);
      EXPECT_EQ(resolved.bokeh.enabled, enabled && row.bokeh.has_value()) << name(row.kind);
      technique.bokeh.enabled = resolved.bokeh.enabled;
      technique.lens.on = resolved.lens.on;
      EXPECT_EQ(resolved, technique) << name(row.kind);
    }
  EXPECT_FALSE(lensOf(LensKind::gems).bokeh.has_value());
  EXPECT_FALSE(lensOf(LensKind::reference).bokeh.has_value());
}

TEST_F(LensRegistry, AutomaticLensDropsBokehWhereItIsSlow) {
  Technique technique;
  technique.device = DeviceId::cpuSequential;
  EXPECT_FALSE(resolve(technique).bokeh.enabled);
  technique.device = DeviceId::cpu;
  EXPECT_TRUE(resolve(technique).bokeh.enabled);
}

TEST_F(LensRegistry, TheFastestReplacesOnlyAnAutomaticLens) {
  Technique technique;
  for (const Device& device : devices()) {
    technique.device = device.id;
    EXPECT_EQ(resolve(technique, Prefer::speed).lens.kind, LensKind::box);
    EXPECT_EQ(resolve(technique, Prefer::speed).bokeh, resolve(technique).bokeh) << name(device.id);
    EXPECT_EQ(resolve(technique, Prefer::speedWithSprites).lens.kind, LensKind::box);
    EXPECT_TRUE(resolve(technique, Prefer::speedWithSprites).bokeh.enabled) << name(device.id);
  }
  technique.lens.kind = LensKind::tent;
  EXPECT_EQ(resolve(technique, Prefer::speed), resolve(technique));
}

TEST_F(LensRegistry, ResolveKeepsALensBesideItsTables) {
  for (const LensRow& row : lenses())
    for (const auto& device : entries(DeviceId{})) {
      if (device.value == DeviceId::automatic) continue;
      const Technique technique = resolve(Technique{.device = device.value, .lens = {.kind = row.kind}});
      const LensOn expected = row.readsLensOn && deviceOf(device.value).uses.kernels    ? LensOn::cuda
                              : row.makeCpu != nullptr && device.value == DeviceId::cpu ? LensOn::cpu
                                                                                        : LensOn::openGl;
      EXPECT_EQ(technique.lens.on, expected) << name(row.kind) << " " << device.name;
    }
}

TEST_F(LensRegistry, ALensOnCudaNeedsTablesThere) {
  for (const LensRow& row : lenses()) {
    if (!row.readsLensOn) continue;
    EXPECT_EQ(test::reasonOf([&] {
                makeLens(resolve(Technique{.device = DeviceId::cpu, .lens = {row.kind, LensOn::cuda}}));
              }),
              "--lens-on cuda needs --device cuda or cuda-emulated, not cpu; choose --lens-on gl")
        << name(row.kind);
  }
}

TEST_F(LensRegistry, EveryLensCanBeMadeOnTheCpu) {
  for (const LensRow& row : lenses()) {
    Technique technique;
    technique.device = DeviceId::cpu;
    technique.lens.kind = row.kind;
    const auto lens = makeLens(resolve(technique));
    ASSERT_NE(lens, nullptr) << name(row.kind);
    lens->resize({17, 9});
  }
}

}  // namespace
}  // namespace satdof
