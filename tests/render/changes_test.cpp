#include "app/render/changes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>

#include "app/core/fields.h"
#include "app/views/views.h"
#include "tests/core/random_settings.h"

namespace satdof {
namespace {

// Another value of the field; of a field of a technique, a resolved one.
template <class V>
V another(const Field& field, const V& value) {
  for (;;) {
    V other = random<V>(field);
    if constexpr (requires { V::automatic; })
      if (other == V::automatic) continue;
    if (other != value) return other;
  }
}

// Random settings with resolved techniques and an aperture of blades.
Settings anySettings() {
  Settings settings = randomSettings();
  settings.lens.blades = 6;
  describe(settings, []<class V>(const Field& field, V& value) { value = another(field, value); });
  settings.lens.blades = std::max(settings.lens.blades, 3);
  return settings;
}

// Calls check(field, changed) with each field changed alone.
void eachFieldAlone(const Settings& settings, const auto& check) {
  Settings changed = settings;
  describe(changed, settings, [&](const Field& field, auto& value, const auto& before) {
    value = another(field, before);
    check(field, changed);
    value = before;
  });
}

// The fields of a technique, but for the view, whose change needs another lens.
std::string readBy(DeviceId device, LensKind lens, Scan scan, bool bokeh) {
  Settings settings;
  settings.technique = {.device = device,
                        .table = {.scan = scan},
                        .lens = {.kind = lens, .on = LensOn::openGl},
                        .bokeh = {.enabled = bokeh}};
  std::string read;
  eachFieldAlone(settings, [&](const Field& field, const Settings& changed) {
    if (std::string_view(field.key) != "view" && needsNewLens(settings.technique, changed.technique))
      read.append(field.key).append(" ");
  });
  return read;
}

TEST(Changes, ALensIsMadeAgainForTheFieldsThatItReads) {
  EXPECT_EQ(readBy(DeviceId::cpu, LensKind::box, Scan::fused, false),
            "device table.format lens.kind lens.on bokeh.enabled ");
  EXPECT_EQ(readBy(DeviceId::glFragment, LensKind::tent, Scan::fused, false),
            "device table.reducePasses lens.kind lens.on bokeh.enabled ");
  EXPECT_EQ(readBy(DeviceId::cuda, LensKind::layered, Scan::blelloch, true),
            "device table.scan table.blockSize lens.kind lens.on bokeh.enabled bokeh.compaction bokeh.sort ");
  EXPECT_EQ(readBy(DeviceId::cudaEmulated, LensKind::layered, Scan::fused, false),
            "device table.scan lens.kind lens.on bokeh.enabled ");
  EXPECT_EQ(readBy(DeviceId::cpu, LensKind::reference, Scan::fused, false), "lens.kind bokeh.enabled ");
}

TEST(Changes, AViewWithALensOfItsOwnReplacesTheLens) {
  Technique technique{.device = DeviceId::cpu, .lens = {.kind = LensKind::box}}, other = technique;
  other.view = View::coc;
  EXPECT_FALSE(needsNewLens(technique, other));
  for (const auto& view : entries(View{}))
    if (viewOf(view.value).makeLens != nullptr) other.view = view.value;
  EXPECT_TRUE(needsNewLens(technique, other));
}

TEST(Changes, EachFieldHasTheChangesOfItsRow) {
  for (int i = 0; i < 300; ++i) {
    const Settings settings = anySettings();
    eachFieldAlone(settings, [&](const Field& field, const Settings& changed) {
      const std::string_view scope = field.scope.path, key = field.key;
      const bool ofA = scope == kTechniqueA.path, ofB = scope == kTechniqueB.path;
      ASSERT_EQ(restartsReference(settings, changed), field.reference == Reference::restarts) << field.path();
      ASSERT_EQ(changesWorkload(settings, changed), key == "size" || ofA || (ofB && showsB(settings)) ||
                                                        key.starts_with("filter.") || key == "scene.teapots.culling" ||
                                                        showsB(settings) != showsB(changed))
          << field.path();
      ASSERT_TRUE(ofA || !needsNewLens(settings.technique, changed.technique)) << field.path();
    });
  }
}

TEST(Changes, ManyFieldsHaveTheUnionOfTheirChanges) {
  for (int i = 0; i < 300; ++i) {
    const Settings from = anySettings();
    Settings to = from;
    describe(to, [i]<class V>(const Field& field, V& value) {
      if (generator() % 40 < static_cast<unsigned>(i % 40)) value = another(field, value);
    });
    Settings step = from, before;
    bool lens = false, restarts = false, workload = false;
    describe(step, to, [&](const Field&, auto& value, const auto& last) {
      before = step;
      value = last;
      lens |= needsNewLens(before.technique, step.technique);
      restarts |= restartsReference(before, step);
      workload |= changesWorkload(before, step);
    });
    const Settings& end = to;
    for (const auto& [a, b] : {std::tie(from, end), std::tie(end, from)}) {
      ASSERT_EQ(needsNewLens(a.technique, b.technique), lens);
      ASSERT_EQ(restartsReference(a, b), restarts);
      ASSERT_EQ(changesWorkload(a, b), workload);
    }
    ASSERT_FALSE(needsNewLens(from.technique, from.technique) || restartsReference(from, from) ||
                 changesWorkload(from, from));
  }
}

TEST(Changes, AllAperturesWithFewerThanThreeBladesAreTheSameDisc) {
  const auto aperture = [](int blades, float rotation) {
    Settings settings;
    settings.technique.device = settings.split.b.device = DeviceId::cpu;
    settings.technique.lens.kind = settings.split.b.lens.kind = LensKind::box;
    settings.lens.blades = blades;
    settings.lens.bladeRotationDegrees = rotation;
    return settings;
  };
  EXPECT_FALSE(restartsReference(aperture(0, 0.0f), aperture(2, 7.0f)));
  EXPECT_TRUE(restartsReference(aperture(2, 0.0f), aperture(3, 0.0f)));
  EXPECT_TRUE(restartsReference(aperture(3, 0.0f), aperture(3, 7.0f)));
}

}  // namespace
}  // namespace satdof
