#include "app/render/changes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "app/core/fields.h"
#include "app/device/device.h"
#include "app/lens/lens.h"
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

Changes operator|(const Changes& a, const Changes& b) {
  return {a.size || b.size,   a.samples || b.samples,           a.lensA || b.lensA,
          a.lensB || b.lensB, a.accumulation || b.accumulation, a.workload || b.workload};
}

std::string text(const Changes& c) {
  std::string changed;
  for (const auto& [name, is] : {std::pair{"size", c.size},
                                 {"samples", c.samples},
                                 {"lensA", c.lensA},
                                 {"lensB", c.lensB},
                                 {"accumulation", c.accumulation},
                                 {"workload", c.workload}})
    if (is) changed.append(name).append(" ");
  return changed;
}

// Whether a lens of the technique reads the field, by the rows of its lens, its view and its device.
bool lensReads(const std::string& key, const Technique& technique, const Technique& changed) {
  const LensRow& lens = lensOf(technique.lens.kind);
  const auto& uses = deviceOf(technique.device).uses;
  const bool ofView = viewOf(technique.view).makeLens != nullptr;
  const bool tables = lens.buildsTables || ofView || technique.bokeh.enabled;
  if (key == "view") return ofView != (viewOf(changed.view).makeLens != nullptr);
  if (key == "lens.kind" || key == "bokeh.enabled") return true;
  if (key == "lens.on") return lens.readsLensOn;
  if (key == "device") return tables;
  if (key == "table.format") return lens.readsFormat || ofView;
  if (key == "table.scan") return tables && uses.scan;
  if (key == "table.blockSize")
    return tables && uses.scan &&
           std::ranges::find(kScans, technique.table.scan, &ScanInfo::value)->hasBlockSize;
  if (key == "table.reducePasses") return tables && uses.reducePasses;
  EXPECT_TRUE(key.starts_with("bokeh.")) << key;
  return technique.bokeh.enabled && uses.bokehAlgorithms;
}

TEST(Changes, EachFieldAloneChangesWhatItsRowSays) {
  for (int i = 0; i < 300; ++i) {
    const Settings settings = anySettings();
    eachFieldAlone(settings, [&](const Field& field, const Settings& changed) {
      const std::string_view scope = field.scope.path, key = field.key;
      const bool ofA = scope == kTechniqueA.path, ofB = scope == kTechniqueB.path;
      const bool showsOther = showsB(settings) != showsB(changed);
      const Changes expected{.size = key == "size",
                             .samples = key == "scene.samples",
                             .lensA = ofA && lensReads(field.key, settings.technique, changed.technique),
                             .lensB = ofB && lensReads(field.key, settings.split.b, changed.split.b),
                             .accumulation = field.reference == Reference::restarts,
                             .workload = key == "size" || ofA || (ofB && showsB(settings)) ||
                                         key.starts_with("filter.") || key == "scene.teapots.culling" ||
                                         showsOther};
      ASSERT_EQ(text(changes(settings, changed)), text(expected)) << field.path();
    });
  }
}

TEST(Changes, ManyFieldsChangeWhatTheyChangeOneByOne) {
  for (int i = 0; i < 300; ++i) {
    const Settings from = anySettings();
    Settings to = from;
    describe(to, [i]<class V>(const Field& field, V& value) {
      if (generator() % 40 < static_cast<unsigned>(i % 40)) value = another(field, value);
    });
    Settings step = from, before;
    Changes all;
    describe(step, to, [&](const Field&, auto& value, const auto& last) {
      before = step;
      value = last;
      all = all | changes(before, step);
    });
    ASSERT_EQ(text(changes(from, to)), text(all));
    ASSERT_EQ(text(changes(to, from)), text(all)) << "back again";
    ASSERT_EQ(text(changes(from, from)), "");
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
  EXPECT_EQ(text(changes(aperture(0, 0.0f), aperture(2, 7.0f))), "");
  EXPECT_TRUE(changes(aperture(2, 0.0f), aperture(3, 0.0f)).accumulation);
  EXPECT_TRUE(changes(aperture(3, 0.0f), aperture(3, 7.0f)).accumulation);
}

}  // namespace
}  // namespace satdof
