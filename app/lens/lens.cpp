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
#if SATDOF_HAS_CUDA
#include "app/lens/cuda.h"
#endif

namespace satdof {

namespace {

#if SATDOF_HAS_CUDA
constexpr LensRow::MakeCuda kBoxOnCuda = [](const Technique& technique) {
  return makeCudaBoxBlur(technique, kThinLensRule);
};
constexpr LensRow::MakeCuda kGemsOnCuda = [](const Technique& technique) {
  return makeCudaBoxBlur(technique, kLinearRule);
};
constexpr LensRow::MakeCuda kLayeredOnCuda = makeCudaLayeredBlur;
constexpr LensRow::MakeCuda kTentOnCuda = makeCudaTentBlur;
#else
constexpr LensRow::MakeCuda kBoxOnCuda = nullptr, kGemsOnCuda = nullptr, kLayeredOnCuda = nullptr,
                            kTentOnCuda = nullptr;
#endif

const std::array kLenses = {
    LensRow{.kind = LensKind::box,
            .rule = &kThinLensRule,
            .bokeh = NearField::gathered,
            .footprint = Footprint::box,
            .readsFormat = true,
            .readsLensOn = true,
            .convolves = true,
            .make = [](const Technique& technique) { return makeBoxLens(technique, kThinLensRule); },
            .makeCuda = kBoxOnCuda},
    LensRow{.kind = LensKind::tent,
            .rule = &kThinLensRule,
            .bokeh = NearField::gathered,
            .footprint = Footprint::tent,
            .readsLensOn = true,
            .make = makeTentLens,
            .makeCuda = kTentOnCuda},
    LensRow{.kind = LensKind::gems,
            .rule = &kLinearRule,
            .bokeh = std::nullopt,
            .footprint = Footprint::box,
            .readsFormat = true,
            .readsLensOn = true,
            .convolves = true,
            .make = [](const Technique& technique) { return makeBoxLens(technique, kLinearRule); },
            .makeCuda = kGemsOnCuda},
    LensRow{.kind = LensKind::layered,
            .rule = &kThinLensRule,
            .bokeh = NearField::scattered,
            .layers = true,
            .readsLensOn = true,
            .make = makeLayeredLens,
            .makeCuda = kLayeredOnCuda},
    LensRow{.kind = LensKind::reference,
            .rule = &kThinLensRule,
            .bokeh = std::nullopt,
            .accumulates = true,
            .buildsTables = false,
            .make = makeReferenceLens},
};

std::unique_ptr<Lens> makeOnCuda(const Technique& technique, const LensRow& row) {
  const std::string option = std::string("--lens-on ") + name(technique.lens.on);
  if (technique.lens.on != LensOn::cuda && !row.convolves)
    throw std::runtime_error("the lens " + std::string(name(row.kind)) + " needs a table; choose --lens-on " +
                             name(LensOn::cuda) + " or " + name(LensOn::openGl) + ", not " +
                             name(technique.lens.on));
  const Device& device = availableDevice(technique.device);
#if SATDOF_HAS_CUDA
  if (device.uses.lensOn) return makeCudaLens(row.makeCuda(technique), technique, row.bokeh);
#endif
  throw std::runtime_error(option + " needs --device " + devicesThatUse(&DeviceOptions::lensOn) + ", not " +
                           name(device.id) + "; choose --lens-on " + name(LensOn::openGl));
}

// Null for a device that is not in the registry, which makeLens() reports.
const Device* registered(DeviceId id) {
  const auto device = std::ranges::find(devices(), id, &Device::id);
  return device == devices().end() ? nullptr : &*device;
}

bool collectsBokehOnGpu(DeviceId id) {
  const Device* device = registered(id);
  if (device == nullptr) return false;
  return device->kind == DeviceKind::cuda ||
         (device->kind == DeviceKind::openGl && !gl::isSoftwareRenderer());
}

bool blursOnCuda(DeviceId id) {
  const Device* device = registered(id);
  return device != nullptr && device->uses.lensOn;
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
  const LensRow& row = lensOf(technique.lens.kind);
  technique.bokeh.enabled &= row.bokeh.has_value();
  if (technique.lens.on == LensOn::automatic)
    technique.lens.on = row.readsLensOn && blursOnCuda(technique.device) ? LensOn::cuda : LensOn::openGl;
  return technique;
}

Technique resolveBest(Technique technique) {
  if (technique.lens.kind == LensKind::automatic) technique.lens.kind = LensKind::layered;
  return resolve(technique);
}

std::unique_ptr<Lens> makeLens(const Technique& technique) {
  const LensRow& row = lensOf(technique.lens.kind);
  if (row.readsLensOn && technique.lens.on != LensOn::openGl) return makeOnCuda(technique, row);
  auto lens = row.make(technique);
  if (!technique.bokeh.enabled || !row.bokeh) return lens;
  auto collector = availableDevice(technique.device)
                       .makeBokehCollector(technique.bokeh, technique.table.scan, kBokehCapacity);
  return withBokeh(std::move(lens), std::move(collector), *row.bokeh);
}

}  // namespace satdof
