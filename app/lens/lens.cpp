#include "app/lens/lens.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "app/device/device.h"
#include "app/gl/software.h"
#include "app/lens/bokeh/bokeh.h"
#include "app/lens/box/box.h"
#include "app/lens/layered/layered.h"
#include "app/lens/reference/reference.h"
#include "app/lens/tent/tent.h"

namespace satdof {

namespace {

const std::array kLenses = {
    LensRow{.kind = LensKind::box,
            .rule = &kThinLensRule,
            .bokeh = NearField::gathered,
            .footprint = Footprint::box,
            .readsFormat = true,
            .readsLensOn = true,
            .make = [](const Technique& technique) { return makeBoxLens(technique, kThinLensRule); }},
    LensRow{.kind = LensKind::tent,
            .rule = &kThinLensRule,
            .bokeh = NearField::gathered,
            .footprint = Footprint::tent,
            .make = makeTentLens},
    LensRow{.kind = LensKind::gems,
            .rule = &kLinearRule,
            .bokeh = std::nullopt,
            .footprint = Footprint::box,
            .readsFormat = true,
            .readsLensOn = true,
            .make = [](const Technique& technique) { return makeBoxLens(technique, kLinearRule); }},
    LensRow{.kind = LensKind::layered,
            .rule = &kThinLensRule,
            .bokeh = NearField::scattered,
            .layers = true,
            .make = makeLayeredLens},
    LensRow{.kind = LensKind::reference,
            .rule = &kThinLensRule,
            .bokeh = std::nullopt,
            .accumulates = true,
            .buildsTables = false,
            .make = makeReferenceLens},
};

bool collectsBokehOnGpu(DeviceId id) {
  const auto device = std::ranges::find(devices(), id, &Device::id);
  if (device == devices().end()) return false;
  const DeviceKind kind = device->kind;
  return kind == DeviceKind::cuda || (kind == DeviceKind::openGl && !gl::isSoftwareRenderer());
}

}  // namespace

std::span<const LensRow> lenses() { return kLenses; }

LensKind resolve(LensKind lens) {
  if (lens != LensKind::automatic) return lens;
  return gl::isSoftwareRenderer() ? LensKind::box : LensKind::layered;
}

const LensRow& lensOf(LensKind lens) {
  const LensKind kind = resolve(lens);
  const auto found = std::ranges::find(kLenses, kind, &LensRow::kind);
  if (found == kLenses.end())
    throw std::runtime_error(std::string("the lens ") + name(kind) + " is not in the registry");
  return *found;
}

Technique resolve(Technique technique) {
  technique.device = resolve(technique.device);
  if (technique.lens.kind == LensKind::automatic)
    technique.bokeh.enabled &= collectsBokehOnGpu(technique.device);
  technique.lens.kind = resolve(technique.lens.kind);
  technique.bokeh.enabled &= lensOf(technique.lens.kind).bokeh.has_value();
  return technique;
}

Technique resolveBest(Technique technique) {
  if (technique.lens.kind == LensKind::automatic) technique.lens.kind = LensKind::layered;
  return resolve(technique);
}

std::unique_ptr<Lens> makeLens(const Technique& technique) {
  const LensRow& row = lensOf(technique.lens.kind);
  auto lens = row.make(technique);
  if (!technique.bokeh.enabled || !row.bokeh) return lens;
  auto collector = availableDevice(technique.device)
                       .makeBokehCollector(technique.bokeh, technique.table.scan, kBokehCapacity);
  return withBokeh(std::move(lens), std::move(collector), *row.bokeh);
}

}  // namespace satdof
