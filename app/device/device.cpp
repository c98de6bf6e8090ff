#include "app/device/device.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "app/core/thread_pool.h"
#include "app/device/cpu/cpu.h"
#include "app/device/cpu/cpu_table.h"
#include "app/device/cuda/cuda.h"
#include "app/device/gl/gl.h"
#include "app/gl/software.h"

namespace satdof {

namespace {

Availability opengl() { return {true, gl::driverText(GL_RENDERER)}; }

Availability processor() {
  return {true, std::to_string(hardwareThreads()) + " threads" + (hasFastCpuTable() ? ", AVX2" : "")};
}

Availability oneThread() { return {true, "1 thread"}; }

[[maybe_unused]] Availability notBuilt() { return {false, "not built: configure with -DSATDOF_CUDA=ON"}; }
[[maybe_unused]] Availability notEmulated() { return {false, "not built: it needs GCC and Boost.Context"}; }

constexpr DeviceOptions kCudaOptions{.kernels = true, .cub = true};
constexpr DeviceOptions kEmulatedOptions{.kernels = true};

constexpr std::array kDevices = {
#if SATDOF_HAS_CUDA
    Device{DeviceId::cuda, DeviceKind::cuda, kCudaOptions, on_cuda::availability, on_cuda::makeTableBuilder,
           on_cuda::makeNearScatter, on_cuda::makeBokehCollector, false, on_cuda::lost},
#else
    Device{DeviceId::cuda, DeviceKind::cuda, kCudaOptions, notBuilt, nullptr, nullptr, nullptr},
#endif
    Device{DeviceId::glCompute,
           DeviceKind::openGl,
           {},
           opengl,
           makeGlComputeTableBuilder,
           makeGlNearScatter<makeGlComputeTableBuilder>,
           makeGlBokehCollector,
           false,
           nullptr,
           gl::PixelStage::compute},
    Device{DeviceId::glFragment, DeviceKind::openGl, DeviceOptions{.reducePasses = true}, opengl,
           makeGlFragmentTableBuilder, makeGlNearScatter<makeGlFragmentTableBuilder>,
           makeGlFragmentBokehCollector},
    Device{DeviceId::cpu,
           DeviceKind::processor,
           {},
           processor,
           makeCpuTableBuilder,
           makeCpuNearScatter,
           makeCpuBokehCollector,
           true},
    Device{DeviceId::cpuSequential,
           DeviceKind::processor,
           {},
           oneThread,
           makeCpuSequentialTableBuilder,
           makeCpuSequentialNearScatter,
           makeCpuSequentialBokehCollector},
#if SATDOF_HAS_EMULATOR
    Device{DeviceId::cudaEmulated, DeviceKind::emulated, kEmulatedOptions, on_cuda_emulated::availability,
           on_cuda_emulated::makeTableBuilder, on_cuda_emulated::makeNearScatter,
           on_cuda_emulated::makeBokehCollector},
#else
    Device{DeviceId::cudaEmulated, DeviceKind::emulated, kEmulatedOptions, notEmulated, nullptr, nullptr,
           nullptr},
#endif
};

const Device& row(DeviceId id) {
  const auto found = std::ranges::find(kDevices, id, &Device::id);
  if (found == kDevices.end())
    throw std::runtime_error(std::string("the device ") + name(id) + " is not in the registry");
  return *found;
}

// The availability of each row of kDevices.
std::array<Availability, kDevices.size()>& probed() {
  static auto found = [] {
    std::array<Availability, kDevices.size()> all;
    std::ranges::transform(kDevices, all.begin(), [](const Device& of) { return of.probe(); });
    return all;
  }();
  return found;
}

}  // namespace

std::span<const Device> devices() { return kDevices; }

DeviceId preferredDevice(bool cudaAvailable, const std::string& renderer) {
  if (cudaAvailable) return DeviceId::cuda;
  return gl::isSoftwareRenderer(renderer) ? DeviceId::cpu : DeviceId::glCompute;
}

DeviceId resolve(DeviceId device) {
  if (device != DeviceId::automatic) return device;
  return preferredDevice(availability(DeviceId::cuda).available, gl::driverText(GL_RENDERER));
}

const Device& deviceOf(DeviceId device) { return row(resolve(device)); }

const Device& deviceOf(DeviceKind kind) { return *std::ranges::find(kDevices, kind, &Device::kind); }

const Device& availableDevice(DeviceId device) {
  const Device& found = deviceOf(device);
  const Availability& here = availability(found.id);
  if (!here.available)
    throw std::runtime_error(std::string("cannot build tables with ") + name(found.id) + ": " + here.reason +
                             "; choose another --device (--list shows them)");
  return found;
}

const Availability& availability(DeviceId device) {
  return probed()[static_cast<size_t>(&deviceOf(device) - kDevices.data())];
}

std::string noticeLostDevices() {
  std::string reasons;
  for (size_t i = 0; i < kDevices.size(); ++i) {
    if (kDevices[i].lost == nullptr || !kDevices[i].lost()) continue;
    probed()[i] = kDevices[i].probe();
    reasons += (reasons.empty() ? "" : "; ") + probed()[i].reason;
  }
  return reasons;
}

const Availability& availability(DeviceKind kind) { return availability(deviceOf(kind).id); }
const Availability& availability(LensOn on) {
  static const Availability always{true, ""};
  return on == LensOn::automatic || on == LensOn::openGl || on == LensOn::cpu
             ? always
             : availabilityOf(&DeviceOptions::kernels);
}

const Availability& availabilityOf(bool DeviceOptions::*option) {
  const Availability* found = nullptr;
  for (const Device& device : kDevices) {
    if (!(device.uses.*option)) continue;
    const Availability& here = availability(device.id);
    if (found == nullptr || (!found->available && here.available)) found = &here;
  }
  return *found;
}

std::string missing(const Device& device, bool DeviceOptions::*option) {
  if (device.uses.*option) return {};
  const auto uses = [&](const Device& other) { return other.uses.*option; };
  const Device& first = *std::ranges::find_if(kDevices, uses);
  if (first.kind != DeviceKind::cuda || availability(first.id).available) {
    return "only with the device " + devicesThatUse(option);
  }
  const auto other = std::ranges::find_if(
      kDevices, [&](const Device& each) { return uses(each) && availability(each.id).available; });
  return "needs an NVIDIA GPU" + (other == kDevices.end() ? "" : std::string("; try ") + name(other->id));
}

std::string devicesThatUse(bool DeviceOptions::*option) {
  std::string names;
  for (const Device& device : kDevices)
    if (device.uses.*option) names += (names.empty() ? "" : " or ") + std::string(name(device.id));
  return names;
}

}  // namespace satdof
