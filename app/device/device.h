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
  std::string reason;  // why not, in one sentence; or the hardware that runs it ("NVIDIA H100 80GB HBM3")
};

enum class DeviceKind { openGl, processor, cuda, emulated };

// The optional fields of a technique that a device reads. It ignores the others.
struct DeviceOptions {
  bool kernels = false;       // TableSpec::scan and blockSize, BokehSpec::compaction and sort, LensSpec::on
  bool reducePasses = false;  // TableSpec::reducePasses
  bool cub = false;           // the variants of CUB, too
};

// A device computes tables, near scatter and bokeh sprites.
struct Device {
  DeviceId id;
  DeviceKind kind;
  DeviceOptions uses;
  Availability (*probe)();
  // All three are null if the device is not built. They throw std::runtime_error when memory runs out.
  MakeTableBuilder* makeTableBuilder;
  MakeNearScatter* makeNearScatter;
  MakeBokehCollector* makeBokehCollector;
  bool lenses = false;  // draws whole lenses in main memory: LensRow::makeCpu
  // Call after work failed: whether the device cannot work again in this process, and probe() says so from now on. Null if
  // that never happens.
  bool (*lost)() = nullptr;
  gl::PixelStage lensStage = gl::PixelStage::fragment;  // of lenses with passes for both stages
};

// All devices, each once.
std::span<const Device> devices();

// The functions below need a current OpenGL context, except preferredDevice().

// Returns the device that `automatic` selects on this machine: cuda if available, else gl-compute on a GPU,
// else cpu. Returns any other device unchanged.
DeviceId resolve(DeviceId device);
// The row of resolve(device).
const Device& deviceOf(DeviceId device);
// The first row of this kind.
const Device& deviceOf(DeviceKind kind);
// The row of resolve(device). Throws std::runtime_error with the reason if the device is not available.
const Device& availableDevice(DeviceId device);

// Whether `device` can run. The first call probes all devices; later calls return the stored result, until
// noticeLostDevices().
const Availability& availability(DeviceId device);
// Call after drawing failed. Returns why devices that were available cannot go on in this process; empty if all can.
std::string noticeLostDevices();
// Whether a device of this kind can run.
const Availability& availability(DeviceKind kind);
// Whether a device that draws the lens there can run.
const Availability& availability(LensOn on);

// Why the device does not read an option: "only with the device cuda or cuda-emulated"; empty if it does.
std::string missing(const Device& device, bool DeviceOptions::*option);

// Scan, Compaction and Sort.
template <class Variant>
concept KernelVariant = requires {
  Variant::cub;
};
template <KernelVariant Variant>
constexpr bool DeviceOptions::*optionOf(Variant variant) {
  return variant == Variant::cub ? &DeviceOptions::cub : &DeviceOptions::kernels;
}
// Whether a device that reads the option can run.
const Availability& availabilityOf(bool DeviceOptions::*option);
template <KernelVariant Variant>
const Availability& availability(Variant variant) {
  return availabilityOf(optionOf(variant));
}

// The names of the devices that read an option: "cuda", or "gl-compute or gl-fragment".
std::string devicesThatUse(bool DeviceOptions::*option);

// The device that `automatic` selects, for a GL_RENDERER of `renderer`.
DeviceId preferredDevice(bool cudaAvailable, const std::string& renderer);

}  // namespace satdof
