#include "app/render/changes.h"

#include <algorithm>

#include "app/device/device.h"
#include "app/lens/lens.h"
#include "app/views/views.h"

namespace satdof {

namespace {

// Keeps the fields that select the objects of a lens. The other fields have their defaults.
Technique madeOf(const Technique& technique) {
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
  if (technique.bokeh.enabled && device.uses.bokehAlgorithms) made.bokeh = technique.bokeh;
  if (!lens.buildsTables && view.makeLens == nullptr && !technique.bokeh.enabled) return made;
  made.device = device.id;
  if (device.uses.reducePasses) made.table.reducePasses = technique.table.reducePasses;
  if (device.uses.scan) {
    made.table.scan = technique.table.scan;
    const auto scan = std::ranges::find(kScans, technique.table.scan, &ScanInfo::value);
    if (scan->hasBlockSize) made.table.blockSize = technique.table.blockSize;
  }
  return made;
}

// Keeps the fields that determine the image of the reference. The other fields have their defaults. The
// number of samples is not kept: more samples refine the same image.
Settings accumulated(const Settings& settings) {
  Settings image;
  image.size = settings.size;
  image.scene = settings.scene;
  image.scene.animate = false;
  image.scene.frame = true;
  image.scene.teapots.culling = {};
  image.camera = settings.camera;
  const LensSettings& lens = settings.lens;
  image.lens = {.focusDistanceM = lens.focusDistanceM,
                .focalLengthMm = lens.focalLengthMm,
                .fNumber = lens.fNumber,
                .sensorHeightMm = lens.sensorHeightMm,
                .nearScale = lens.nearScale,
                .farScale = lens.farScale,
                .anamorphicRatio = lens.anamorphicRatio,
                .lensSeed = lens.lensSeed};
  if (lens.blades >= 3) {
    image.lens.blades = lens.blades;
    image.lens.bladeRotationDegrees = lens.bladeRotationDegrees;
  }
  return image;
}

}  // namespace

bool needsNewLens(const Technique& from, const Technique& to) { return madeOf(from) != madeOf(to); }

Changes changes(const Settings& from, const Settings& to) {
  const bool bBefore = showsB(from), bNow = showsB(to);
  return {.size = from.size != to.size,
          .samples = from.scene.samples != to.scene.samples,
          .lensA = needsNewLens(from.technique, to.technique),
          .lensB = needsNewLens(from.split.b, to.split.b),
          .accumulation = accumulated(from) != accumulated(to),
          .workload = from.size != to.size || from.technique != to.technique || bBefore != bNow ||
                      from.scene.teapots.culling != to.scene.teapots.culling || from.filter != to.filter ||
                      (bNow && from.split.b != to.split.b)};
}

}  // namespace satdof
