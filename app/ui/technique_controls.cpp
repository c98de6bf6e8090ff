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
  return missing(deviceOf(technique.device), option);
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

void editView(Settings& settings, const Scope& scope) { edit(settings, controlOf("view"), scope); }

void editLensModel(Settings& settings, const Scope& scope) { edit(settings, controlOf("lens.kind"), scope); }

void editTable(Settings& settings, const Scope& scope) {
  edit(settings, controlOf("device"), scope);
  const Technique& technique = techniqueOf(settings, scope);
  const std::string notScanned = onlyWith(technique, &DeviceOptions::scan);
  const auto& scan = *std::ranges::find(kScans, technique.table.scan, &ScanInfo::value);
  edit(settings, controlOf("table.scan"), scope, notScanned);
  edit(settings, controlOf("table.format"), scope);
  edit(settings, controlOf("table.blockSize"), scope,
       !notScanned.empty() || scan.hasBlockSize ? notScanned
                                                : std::string(scan.name) + " chooses the block size");
  edit(settings, controlOf("table.reducePasses"), scope, onlyWith(technique, &DeviceOptions::reducePasses));
}

void editBokeh(Settings& settings, const Scope& scope) {
  edit(settings, controlOf("bokeh.enabled"), scope,
       bokehMissing(chosenTechnique(settings, techniqueOf(settings, scope))));
}

void editBokehAlgorithms(Settings& settings, const Scope& scope) {
  const Technique technique = chosenTechnique(settings, techniqueOf(settings, scope));
  const std::string missing = bokehMissing(technique);
  const std::string why = !missing.empty()           ? missing
                          : !technique.bokeh.enabled ? "bokeh is off"
                                                     : onlyWith(technique, &DeviceOptions::bokehAlgorithms);
  edit(settings, controlOf("bokeh.compaction"), scope, why);
  edit(settings, controlOf("bokeh.sort"), scope, why);
}

void editLensOn(Settings& settings, const Scope& scope) {
  const Technique& technique = techniqueOf(settings, scope);
  const Device& device = deviceOf(technique.device);
  edit(settings, controlOf("lens.on"), scope,
       lensOf(technique.lens.kind).readsLensOn
           ? (device.lenses ? std::string() : missing(device, &DeviceOptions::lensOn))
           : std::string("the ") + name(lensOf(technique.lens.kind).kind) + " lens is drawn by OpenGL");
}

}  // namespace satdof
