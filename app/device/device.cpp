#include "app/device/device.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "app/core/thread_pool.h"
#include "app/device/cpu/cpu.h"
#include "app/device/cpu/cpu_table.h"
#include "app/device/gl/gl.h"
#include "app/gl/software.h"
#if SATDOF_HAS_CUDA
#include "app/device/cuda/cuda.h"
#endif

namespace satdof {

namespace {

Availability opengl() { return {true, gl::driverText(GL_RENDERER)}; }

Availability processor() {
  return {true, std::to_string(hardwareThreads()) + " threads" + (hasFastCpuTable() ? ", AVX2" : "")};
}

Availability oneThread() { return {true, "1 thread"}; }

constexpr std::array kDevices = {
    Device{DeviceId::cuda, DeviceKind::cuda,
           DeviceOptions{.scan = true, .bokehAlgorithms = true, .lensOn = true},
#if SATDOF_HAS_CUDA
           cudaAvailability, makeCudaTableBuilder, makeCudaNearScatter, makeCudaBokehCollector, false,
           cudaLost
#else
           [] {
             return Availability{false, "not built: configure with -DSATDOF_CUDA=ON"};
           },
           nullptr, nullptr, nullptr
#endif
    },
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
};

const Device& row(DeviceId id) {
  const auto found = std::ranges::find(kDevices, id, &Device::id);
  if (found == kDevices.end())
    throw std::runtime_error(std::string("the device ") + name(id) + " is not in the registry");
  return *found;
}

const Availability& firstThatUses(bool DeviceOptions::*option) {
  return availability(
      std::ranges::find_if(kDevices, [&](const Device& device) { return device.uses.*option; })->id);
}

// Of each row of kDevices.
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

const Availability& availability(Scan) { return firstThatUses(&DeviceOptions::scan); }
const Availability& availability(Compaction) { return firstThatUses(&DeviceOptions::bokehAlgorithms); }
const Availability& availability(Sort) { return firstThatUses(&DeviceOptions::bokehAlgorithms); }
const Availability& availability(LensOn on) {
  static const Availability always{true, ""};
  return on == LensOn::automatic || on == LensOn::openGl || on == LensOn::cpu
             ? always
             : firstThatUses(&DeviceOptions::lensOn);
}

std::string devicesThatUse(bool DeviceOptions::*option) {
  std::string names;
  for (const Device& device : kDevices)
    if (device.uses.*option) names += (names.empty() ? "" : ", ") + std::string(name(device.id));
  return names;
}

}  // namespace satdof
