#include "app/device/device.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "app/core/system/thread_pool.h"
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

constexpr std::array kDevices = {
    Device{.id = DeviceId::cuda,
           .kind = DeviceKind::cuda,
           .uses = {.kernels = true, .cub = true},
#if SATDOF_HAS_CUDA
           .probe = on_cuda::availability,
           .makeTableBuilder = on_cuda::makeTableBuilder,
           .makeNearScatter = on_cuda::makeNearScatter,
           .makeBokehCollector = on_cuda::makeBokehCollector,
           .lost = on_cuda::lost},
#else
           .probe = notBuilt},
#endif
    Device{.id = DeviceId::glCompute,
           .kind = DeviceKind::openGl,
           .probe = opengl,
           .makeTableBuilder = makeGlComputeTableBuilder,
           .makeNearScatter = makeGlNearScatter<makeGlComputeTableBuilder>,
           .makeBokehCollector = makeGlBokehCollector,
           .lensStage = gl::PixelStage::compute},
    Device{.id = DeviceId::glFragment,
           .kind = DeviceKind::openGl,
           .uses = {.reducePasses = true},
           .probe = opengl,
           .makeTableBuilder = makeGlFragmentTableBuilder,
           .makeNearScatter = makeGlNearScatter<makeGlFragmentTableBuilder>,
           .makeBokehCollector = makeGlFragmentBokehCollector},
    Device{.id = DeviceId::cpu,
           .kind = DeviceKind::processor,
           .probe = processor,
           .makeTableBuilder = makeCpuTableBuilder,
           .makeNearScatter = makeCpuNearScatter,
           .makeBokehCollector = makeCpuBokehCollector,
           .lenses = true},
    Device{.id = DeviceId::cpuSequential,
           .kind = DeviceKind::processor,
           .probe = oneThread,
           .makeTableBuilder = makeCpuSequentialTableBuilder,
           .makeNearScatter = makeCpuSequentialNearScatter,
           .makeBokehCollector = makeCpuSequentialBokehCollector},
    Device{.id = DeviceId::cudaEmulated,
           .kind = DeviceKind::emulated,
           .uses = {.kernels = true},
#if SATDOF_HAS_EMULATOR
           .probe = on_cuda_emulated::availability,
           .makeTableBuilder = on_cuda_emulated::makeTableBuilder,
           .makeNearScatter = on_cuda_emulated::makeNearScatter,
           .makeBokehCollector = on_cuda_emulated::makeBokehCollector},
#else
           .probe = notEmulated},
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

const Device& deviceOf(DeviceId device) {
  if (device == DeviceId::automatic)
    device = preferredDevice(availability(DeviceId::cuda).available, gl::driverText(GL_RENDERER));
  return row(device);
}

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
  return probed()[static_cast<std::size_t>(&deviceOf(device) - kDevices.data())];
}

std::string noticeLostDevices() {
  std::string reasons;
  for (std::size_t i = 0; i < kDevices.size(); ++i) {
    if (kDevices[i].lost == nullptr || !kDevices[i].lost()) continue;
    probed()[i] = kDevices[i].probe();
    reasons += (reasons.empty() ? "" : "; ") + probed()[i].reason;
  }
  return reasons;
}

const Availability& availability(DeviceKind kind) { return availability(deviceOf(kind).id); }
const Availability& availability(LensOn on) {
  static const Availability always{true, ""};
  return on == LensOn::automatic || on == LensOn::openGl || on == LensOn::cpu ? always
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
  const auto other =
      std::ranges::find_if(kDevices, [&](const Device& each) { return uses(each) && availability(each.id).available; });
  return "needs an NVIDIA GPU" + (other == kDevices.end() ? "" : std::string("; try ") + name(other->id));
}

std::string devicesThatUse(bool DeviceOptions::*option) {
  std::string names;
  for (const Device& device : kDevices)
    if (device.uses.*option) names += (names.empty() ? "" : " or ") + std::string(name(device.id));
  return names;
}

}  // namespace satdof
