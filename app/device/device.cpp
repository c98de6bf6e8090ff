#include "app/device/device.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <thread>

#include "app/device/cpu/cpu_table.h"
#include "app/device/cuda/table_builder.h"
#include "app/device/devices.h"
#include "app/gl/software.h"

namespace satdof {

namespace {

std::string rendererName() { return reinterpret_cast<const char*>(glGetString(GL_RENDERER)); }

Availability opengl() { return {true, rendererName()}; }

Availability processor() {
  return {true, std::to_string(std::max(1u, std::thread::hardware_concurrency())) + " threads" +
                    (hasFastCpuTable() ? ", AVX2" : "")};
}

// The one list of devices: what can run, and how it is made.
struct Entry {
  DeviceId device;
  Availability (*probe)();
  std::unique_ptr<TableBuilder> (*make)(const Technique&);
};

constexpr std::array kRegistry = {
    Entry{DeviceId::cuda, cudaAvailability, makeCudaTableBuilder},
    Entry{DeviceId::glCompute, opengl, makeGlComputeTableBuilder},
    Entry{DeviceId::glFragment, opengl, makeGlFragmentTableBuilder},
    Entry{DeviceId::cpu, processor, makeCpuTableBuilder},
    Entry{DeviceId::cpuSequential,
          [] {
            return Availability{true, "1 thread"};
          },
          makeCpuSequentialTableBuilder},
};

size_t indexOf(DeviceId device) {
  const auto entry = std::ranges::find(kRegistry, device, &Entry::device);
  if (entry == kRegistry.end())
    throw std::runtime_error(std::string("the device ") + name(device) + " is not in the registry");
  return static_cast<size_t>(entry - kRegistry.begin());
}

}  // namespace

DeviceId preferredDevice(bool cudaAvailable, const std::string& renderer) {
  if (cudaAvailable) return DeviceId::cuda;
  return gl::isSoftwareRenderer(renderer) ? DeviceId::cpu : DeviceId::glCompute;
}

const Availability& availability(DeviceId device) {
  static const auto found = [] {
    std::array<Availability, kRegistry.size()> all;
    std::ranges::transform(kRegistry, all.begin(), [](const Entry& entry) { return entry.probe(); });
    return all;
  }();
  return found[indexOf(resolve(device))];
}

const Availability& availability(Scan) { return availability(DeviceId::cuda); }
const Availability& availability(LensOn on) {
  static const Availability always{true, ""};
  return on == LensOn::openGl ? always : availability(DeviceId::cuda);
}
const Availability& availability(Compaction) { return availability(DeviceId::cuda); }
const Availability& availability(Sort) { return availability(DeviceId::cuda); }

DeviceId resolve(DeviceId device) {
  if (device != DeviceId::automatic) return device;
  return preferredDevice(availability(DeviceId::cuda).available, rendererName());
}

std::unique_ptr<TableBuilder> makeTableBuilder(const Technique& technique) {
  const DeviceId device = resolve(technique.device);
  const Availability& here = availability(device);
  if (!here.available)
    throw std::runtime_error(std::string("cannot build tables with ") + name(device) + ": " + here.reason +
                             "; choose another --backend (--list shows them)");
  return kRegistry[indexOf(device)].make(technique);
}

bool needsNewTableBuilder(const Technique& from, const Technique& to) {
  const DeviceId device = resolve(to.device);
  if (resolve(from.device) != device || from.format != to.format) return true;
  if (device == DeviceId::glFragment) return from.reducePasses != to.reducePasses;
  if (device != DeviceId::cuda) return false;
  const auto scan = std::ranges::find(kScans, to.scan, &ScanInfo::value);
  return from.scan != to.scan || (scan->hasBlockSize && from.blockSize != to.blockSize);
}

}  // namespace satdof
