#include "app/render/changes.h"

#include <algorithm>

#include "app/core/fields.h"
#include "app/device/device.h"
#include "app/lens/lens.h"
#include "app/views/views.h"

namespace satdof {

namespace {

// Returns the technique with the default in every field that does not select a lens object.
Technique lensFieldsOf(const Technique& technique) {
  const ViewRow& view = viewOf(technique.view);
  const auto knownLens = std::ranges::find(lenses(), technique.lens.kind, &LensRow::kind);
  const auto knownDevice = std::ranges::find(devices(), technique.device, &Device::id);
  if (knownLens == lenses().end() || knownDevice == devices().end()) return technique;
  const LensRow& lens = *knownLens;
  const Device& device = *knownDevice;
  Technique made;
  made.lens.kind = lens.kind;
  if (view.makeLens != nullptr) made.view = technique.view;
  if (lens.readsLensOn) made.lens.on = technique.lens.on;
  if (lens.readsFormat || view.makeLens != nullptr) made.table.format = technique.table.format;
  made.bokeh.enabled = technique.bokeh.enabled;
  if (technique.bokeh.enabled && device.uses.kernels) made.bokeh = technique.bokeh;
  if (!lens.buildsTables() && view.makeLens == nullptr && !technique.bokeh.enabled) return made;
  made.device = device.id;
  if (device.uses.reducePasses) made.table.reducePasses = technique.table.reducePasses;
  if (device.uses.kernels) {
    made.table.scan = technique.table.scan;
    const auto scan = std::ranges::find(kScans, technique.table.scan, &ScanInfo::value);
    if (scan->hasBlockSize) made.table.blockSize = technique.table.blockSize;
  }
  return made;
}

}  // namespace

// Fewer than three blades, or fully curved blades, make the same disc: a change between such apertures restarts
// nothing.
bool restartsReference(const Settings& from, const Settings& to) {
  Settings before = from;
  const auto isDisc = [](const LensSettings& lens) { return lens.blades < 3 || lens.bladeCurvature >= 1.0f; };
  if (isDisc(from.lens) && isDisc(to.lens)) {
    before.lens.blades = to.lens.blades;
    before.lens.bladeRotationDegrees = to.lens.bladeRotationDegrees;
    before.lens.bladeCurvature = to.lens.bladeCurvature;
  }
  bool restarts = false;
  describe(before, to, [&](const Field& field, const auto& old, const auto& now) {
    restarts |= field.reference == Reference::restarts && old != now;
  });
  return restarts;
}

Settings imageOf(Settings settings) {
  settings.present = {.exposureStops = settings.present.exposureStops};
  settings.quality = {};
  return settings;
}

bool needsNewLens(const Technique& from, const Technique& to) { return lensFieldsOf(from) != lensFieldsOf(to); }

bool changesWorkload(const Settings& from, const Settings& to) {
  const bool bNow = showsB(to);
  return from.size != to.size || from.technique != to.technique || showsB(from) != bNow ||
         from.scene.teapots.culling != to.scene.teapots.culling || from.filter != to.filter ||
         (bNow && from.split.b != to.split.b);
}

}  // namespace satdof
