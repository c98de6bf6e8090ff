#include "app/ui/technique_controls.h"

#include <algorithm>
#include <string>

#include "app/device/device.h"
#include "app/lens/lens.h"
#include "app/ui/widgets.h"

namespace satdof {

namespace {

// Returns the technique at rest; `automatic` remains where nothing adapts.
Technique chosenTechnique(const Settings& settings, const Technique& technique) {
  return settings.quality.adaptive ? resolveBest(technique) : technique;
}

// Returns why the device ignores an option; empty if the device uses it.
std::string onlyWith(const Technique& technique, bool DeviceOptions::*option) {
  if (deviceOf(technique.device).uses.*option) return {};
  return "only with the " + devicesThatUse(option) + " device";
}

// Why a technique cannot draw bokeh sprites; empty if it can.
std::string bokehMissing(const Technique& technique) {
  Technique drawing = technique;
  drawing.bokeh.enabled = true;
  if (!lensOf(technique.lens.kind).bokeh)
    return std::string("the ") + name(lensOf(technique.lens.kind).kind) + " lens has no bokeh sprites";
  if (!resolve(drawing).bokeh.enabled)
    return "auto leaves out bokeh sprites, which are slow on this machine; choose a lens model";
  return {};
}

}  // namespace

void editView(Settings& settings, const Scope& scope) {
  edit(settings,
       {.path = "view", .label = "View", .source = "Keys 1 to 9, 0; comma and full stop: previous and next"},
       scope);
}

void editLensModel(Settings& settings, const Scope& scope) {
  edit(settings,
       {.path = "lens.kind",
        .label = "Lens model",
        .source = "Box sums from a table: Crow 1984; GPU Gems 3, 39.3.2. Key L"},
       scope);
}

void editTable(Settings& settings, const Scope& scope) {
  edit(settings, {.path = "device", .label = "Device", .source = "GPU Gems 3, 39.3.2 and 39.2.6. Key B"},
       scope);
  const Technique& technique = techniqueOf(settings, scope);
  const std::string notScanned = onlyWith(technique, &DeviceOptions::scan);
  const auto& scan = *std::ranges::find(kScans, technique.table.scan, &ScanInfo::value);
  edit(settings, {.path = "table.scan", .label = "Scan", .source = "GPU Gems 3, 39.2. Key V"}, scope,
       notScanned);
  edit(settings,
       {.path = "table.format",
        .label = "Table format",
        .source = "uint32: box sums below 2^32 are exact. Key T"},
       scope);
  edit(
      settings,
      {.path = "table.blockSize", .label = "Block size", .source = "GPU Gems 3, 39.2.4", .powersOfTwo = true},
      scope,
      !notScanned.empty() || scan.hasBlockSize ? notScanned
                                               : std::string(scan.name) + " chooses the block size");
  edit(settings, {.path = "table.reducePasses", .label = "Reduce passes", .source = "Sengupta et al. 2006"},
       scope, onlyWith(technique, &DeviceOptions::reducePasses));
}

void editBokeh(Settings& settings, const Scope& scope) {
  edit(settings, {.path = "bokeh.enabled", .label = "Bokeh", .source = "GPU Gems 3, 39.3.1 and 39.3.3"},
       scope, bokehMissing(chosenTechnique(settings, techniqueOf(settings, scope))));
}

void editBokehAlgorithms(Settings& settings, const Scope& scope) {
  const Technique technique = chosenTechnique(settings, techniqueOf(settings, scope));
  const std::string missing = bokehMissing(technique);
  const std::string why = !missing.empty()           ? missing
                          : !technique.bokeh.enabled ? "bokeh is off"
                                                     : onlyWith(technique, &DeviceOptions::bokehAlgorithms);
  edit(settings, {.path = "bokeh.compaction", .label = "Compaction", .source = "GPU Gems 3, 39.3.1"}, scope,
       why);
  edit(settings, {.path = "bokeh.sort", .label = "Sort", .source = "GPU Gems 3, 39.3.3"}, scope, why);
}

void editLensOn(Settings& settings, const Scope& scope) {
  const Technique& technique = techniqueOf(settings, scope);
  const Device& device = deviceOf(technique.device);
  edit(settings, {.path = "lens.on", .label = "Blur computed by", .source = "For GPUs with slow graphics"},
       scope,
       lensOf(technique.lens.kind).readsLensOn
           ? std::string(device.uses.lensOn || device.lenses ? "" : "only with the cuda and cpu devices")
           : std::string("the ") + name(lensOf(technique.lens.kind).kind) + " lens is drawn by OpenGL");
}

}  // namespace satdof
