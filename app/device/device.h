#pragma once
#include <span>
#include <string>

#include "app/core/settings.h"
#include "app/device/bokeh_collector.h"
#include "app/device/near_scatter.h"
#include "app/device/table.h"
#include "app/gl/pixel_pass.h"

namespace satdof {

// Whether something can run on this machine.
struct Availability {
  bool available = false;
  std::string reason;  // why it cannot run, in one sentence; or the hardware that runs it ("NVIDIA H100 80GB HBM3")
};

enum class DeviceKind { openGl, processor, cuda, emulated };

// The optional fields of a technique that a device reads. The device ignores the other fields.
struct DeviceOptions {
  bool kernels = false;       // TableSpec::scan and blockSize, BokehSpec::compaction and sort, LensSpec::on
  bool reducePasses = false;  // TableSpec::reducePasses
  bool cub = false;           // the CUB variants of scan, compaction and sort
};

// A row of the registry: a device computes tables, near scatter and bokeh sprites.
struct Device {
  DeviceId id;
  DeviceKind kind;
  DeviceOptions uses = {};
  Availability (*probe)() = nullptr;  // asks the hardware
  // Factories; null if the device is not built. The made objects throw std::runtime_error when memory runs out.
  MakeTableBuilder* makeTableBuilder = nullptr;
  MakeNearScatter* makeNearScatter = nullptr;
  MakeBokehCollector* makeBokehCollector = nullptr;
  bool lenses = false;  // draws whole lenses in main memory: LensRow::makeCpu
  // Call after work failed. Returns whether the device cannot work again in this process; probe() then reports the
  // reason. Null if a device cannot be lost.
  bool (*lost)() = nullptr;
  gl::PixelStage lensStage = gl::PixelStage::fragment;  // for passes of lenses with shaders for both stages
};

// All devices, each once.
std::span<const Device> devices();

// The functions below need a current OpenGL context, except preferredDevice().

// The row of a device. `automatic` selects cuda if available, else gl-compute on a GPU, else cpu.
const Device& deviceOf(DeviceId device);
// The first row of this kind.
const Device& deviceOf(DeviceKind kind);
// As deviceOf(). Throws std::runtime_error with the reason if the device is not available.
const Device& availableDevice(DeviceId device);

// Whether `device` can run. The first call probes all devices; later calls return the stored results.
const Availability& availability(DeviceId device);
// Call after drawing failed. Probes lost devices again. Returns why they cannot work in this process; empty if no
// device is lost.
std::string noticeLostDevices();
// Whether the first device of this kind can run.
const Availability& availability(DeviceKind kind);
// Whether some device can draw a lens with this LensSpec::on.
const Availability& availability(LensOn on);

// Why the device does not read an option, such as "only with the device cuda or cuda-emulated"; empty if it does.
std::string missing(const Device& device, bool DeviceOptions::*option);

// One of the enumerations Scan, Compaction and Sort.
template <class Variant>
concept KernelVariant = requires {
  Variant::cub;
};
// The option that a device needs for a variant.
template <KernelVariant Variant>
constexpr bool DeviceOptions::*optionOf(Variant variant) {
  return variant == Variant::cub ? &DeviceOptions::cub : &DeviceOptions::kernels;
}
// Whether some device that reads the option can run.
const Availability& availabilityOf(bool DeviceOptions::*option);
// Whether some device with the variant can run.
template <KernelVariant Variant>
const Availability& availability(Variant variant) {
  return availabilityOf(optionOf(variant));
}

// The names of the devices that read an option: "cuda", or "gl-compute or gl-fragment".
std::string devicesThatUse(bool DeviceOptions::*option);

// The device that `automatic` selects, for a GL_RENDERER of `renderer`.
DeviceId preferredDevice(bool cudaAvailable, const std::string& renderer);

}  // namespace satdof
