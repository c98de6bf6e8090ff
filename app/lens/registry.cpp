#include <algorithm>
#include <array>
#include <stdexcept>

#include "app/device/device.h"
#include "app/gl/software.h"
#include "app/lens/box/plan.h"
#include "app/lens/layered/plan.h"
#include "app/lens/lens.h"
#include "app/lens/reference/reference.h"
#include "app/lens/run/cpu.h"
#include "app/lens/run/gl.h"
#include "app/lens/run/on_cuda.h"
#include "app/lens/tent/plan.h"

namespace satdof {

namespace {

template <const BlurRule& kRule>
constexpr LensRow boxRow(LensKind kind, std::optional<NearField> bokeh) {
  return {.kind = kind,
          .rule = &kRule,
          .bokeh = bokeh,
          .footprint = Footprint::box,
          .readsFormat = true,
          .readsLensOn = true,
          .convolves = true,
          .plan = [](const Technique& technique, const LensFacts& facts) { return boxGraph(kRule, technique, facts); },
          .makeCpu = [](const Technique& technique, int threads) { return makeCpuBoxBlur(technique, kRule, threads); }};
}

const std::array kLenses = {
    boxRow<kThinLensRule>(LensKind::box, NearField::gathered),
    LensRow{.kind = LensKind::tent,
            .rule = &kThinLensRule,
            .bokeh = NearField::gathered,
            .footprint = Footprint::tent,
            .readsLensOn = true,
            .plan = [](const Technique&, const LensFacts& facts) { return tentGraph(facts); }},
    boxRow<kLinearRule>(LensKind::gems, std::nullopt),
    LensRow{.kind = LensKind::layered,
            .rule = &kThinLensRule,
            .bokeh = NearField::scattered,
            .layers = true,
            .readsLensOn = true,
            .plan = [](const Technique&, const LensFacts& facts) { return layeredGraph(facts); },
            .makeCpu = [](const Technique&, int threads) { return makeCpuLayeredBlur(threads); }},
    LensRow{.kind = LensKind::reference,
            .rule = &kThinLensRule,
            .bokeh = std::nullopt,
            .accumulates = true,
            .make = makeReferenceLens},
};

LensKind automaticLens(Prefer prefer) {
  if (prefer == Prefer::quality) return LensKind::layered;
  const bool isFast = prefer == Prefer::balance && !gl::isSoftwareRenderer();
  return isFast ? LensKind::layered : LensKind::box;
}

// Null for a device that is not in the registry, which makeLens() reports.
const Device* registered(DeviceId id) {
  const auto device = std::ranges::find(devices(), id, &Device::id);
  return device == devices().end() ? nullptr : &*device;
}

bool drawsBokehFast(DeviceId id) {
  const Device* device = registered(id);
  if (device == nullptr) return false;
  return device->lenses || device->kind == DeviceKind::cuda ||
         (device->kind == DeviceKind::openGl && !gl::isSoftwareRenderer());
}

// The LensSpec::on that computes the blur on the device of the tables.
LensOn besideTables(const LensRow& row, DeviceId id) {
  const Device* device = registered(id);
  if (device == nullptr || !row.readsLensOn) return LensOn::openGl;
  if (device->uses.kernels) return LensOn::cuda;
  return device->lenses && row.makeCpu != nullptr ? LensOn::cpu : LensOn::openGl;
}

// Makes a lens whose passes run in OpenGL, with tables, scatter and bokeh collector of the technique's device.
std::unique_ptr<Lens> makeOnOpenGl(const Technique& technique) {
  const LensRow& row = lensOf(technique.lens.kind);
  if (row.plan == nullptr) return row.make();
  return makeGlLens([technique, &row](const LensFacts& facts) { return row.plan(technique, facts); }, row.layers,
                    technique.bokeh.enabled ? row.bokeh : std::nullopt, glLensParts(technique));
}

std::string optionOf(const Technique& technique) { return std::string("--lens-on ") + name(technique.lens.on); }

std::unique_ptr<Lens> makeOnCpu(const Technique& technique, const LensRow& row) {
  const Device& device = availableDevice(technique.device);
  if (!device.lenses) {
    const auto draws = std::ranges::find_if(devices(), &Device::lenses);
    throw std::runtime_error(optionOf(technique) + " needs --device " + name(draws->id) + ", not " + name(device.id) +
                             "; choose --lens-on " + name(LensOn::openGl));
  }
  if (row.makeCpu == nullptr)
    throw std::runtime_error("the lens " + std::string(name(row.kind)) + " has no " + optionOf(technique) +
                             "; choose --lens-on " + name(LensOn::openGl));
  return makeCpuLens(technique, row, [technique] { return makeOnOpenGl(technique); });
}

std::unique_ptr<Lens> makeOnCuda(const Technique& technique, const LensRow& row) {
  if (technique.lens.on != LensOn::cuda && !row.convolves)
    throw std::runtime_error("the lens " + std::string(name(row.kind)) + " needs a table; choose --lens-on " +
                             name(LensOn::cuda) + " or " + name(LensOn::openGl) + ", not " + name(technique.lens.on));
  const Device& device = availableDevice(technique.device);
#if SATDOF_HAS_CUDA
  if (device.kind == DeviceKind::cuda) return on_cuda::makeLens(technique, row);
#endif
#if SATDOF_HAS_EMULATOR
  if (device.kind == DeviceKind::emulated) return on_cuda_emulated::makeLens(technique, row);
#endif
  throw std::runtime_error(optionOf(technique) + " needs --device " + devicesThatUse(&DeviceOptions::kernels) +
                           ", not " + name(device.id) + "; choose --lens-on " + name(LensOn::openGl));
}

}  // namespace

std::span<const LensRow> lenses() { return kLenses; }

const LensRow& lensOf(LensKind lens) {
  if (lens == LensKind::automatic) lens = automaticLens(Prefer::balance);
  const auto found = std::ranges::find(kLenses, lens, &LensRow::kind);
  if (found == kLenses.end())
    throw std::runtime_error(std::string("the lens ") + name(lens) + " is not in the registry");
  return *found;
}

Technique resolve(Technique technique, Prefer prefer) {
  if (technique.device == DeviceId::automatic) technique.device = deviceOf(technique.device).id;
  const bool isAutomatic = technique.lens.kind == LensKind::automatic;
  if (isAutomatic) technique.lens.kind = automaticLens(prefer);
  const LensRow& row = lensOf(technique.lens.kind);
  const bool anyTime = !isAutomatic || prefer == Prefer::quality || prefer == Prefer::speedWithSprites;
  technique.bokeh.enabled &= row.bokeh.has_value() && (anyTime || drawsBokehFast(technique.device));
  if (technique.lens.on == LensOn::automatic) technique.lens.on = besideTables(row, technique.device);
  return technique;
}

std::unique_ptr<Lens> makeLens(const Technique& technique) {
  const LensRow& row = lensOf(technique.lens.kind);
  if (!row.readsLensOn || technique.lens.on == LensOn::openGl) return makeOnOpenGl(technique);
  return technique.lens.on == LensOn::cpu ? makeOnCpu(technique, row) : makeOnCuda(technique, row);
}

}  // namespace satdof
