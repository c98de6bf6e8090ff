#include "app/device/device.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <thread>

#include "app/device/backends.h"
#include "app/device/cpu/cpu_table.h"
#include "app/device/cuda/table_builder.h"
#include "app/gl/software.h"

namespace satdof {

namespace {

std::string rendererName() { return reinterpret_cast<const char*>(glGetString(GL_RENDERER)); }

Availability opengl() { return {true, rendererName()}; }

Availability processor() {
  return {true, std::to_string(std::max(1u, std::thread::hardware_concurrency())) + " threads" +
                    (hasFastCpuTable() ? ", AVX2" : "")};
}

// The one list of backends: what can run, and how it is made.
struct Entry {
  Backend backend;
  Availability (*probe)();
  std::unique_ptr<SatBackend> (*make)(const Method&);
};

constexpr std::array kRegistry = {
    Entry{Backend::cuda, cudaAvailability, makeCudaBackend},
    Entry{Backend::glCompute, opengl, makeGlComputeBackend},
    Entry{Backend::glFragment, opengl, makeGlFragmentBackend},
    Entry{Backend::cpu, processor, makeCpuBackend},
    Entry{Backend::cpuSequential,
          [] {
            return Availability{true, "1 thread"};
          },
          makeCpuSequentialBackend},
};

size_t indexOf(Backend backend) {
  const auto entry = std::ranges::find(kRegistry, backend, &Entry::backend);
  if (entry == kRegistry.end())
    throw std::runtime_error(std::string("the backend ") + name(backend) + " is not in the registry");
  return static_cast<size_t>(entry - kRegistry.begin());
}

}  // namespace

Backend preferredBackend(bool cudaAvailable, const std::string& renderer) {
  if (cudaAvailable) return Backend::cuda;
  return gl::isSoftwareRenderer(renderer) ? Backend::cpu : Backend::glCompute;
}

const Availability& availability(Backend backend) {
  static const auto found = [] {
    std::array<Availability, kRegistry.size()> all;
    std::ranges::transform(kRegistry, all.begin(), [](const Entry& entry) { return entry.probe(); });
    return all;
  }();
  return found[indexOf(resolve(backend))];
}

const Availability& availability(Scan) { return availability(Backend::cuda); }
const Availability& availability(LensOn on) {
  static const Availability always{true, ""};
  return on == LensOn::openGl ? always : availability(Backend::cuda);
}
const Availability& availability(Compaction) { return availability(Backend::cuda); }
const Availability& availability(Sort) { return availability(Backend::cuda); }

Backend resolve(Backend backend) {
  if (backend != Backend::automatic) return backend;
  return preferredBackend(availability(Backend::cuda).available, rendererName());
}

std::unique_ptr<SatBackend> makeSatBackend(const Method& method) {
  const Backend backend = resolve(method.backend);
  const Availability& here = availability(backend);
  if (!here.available)
    throw std::runtime_error(std::string("cannot build tables with ") + name(backend) + ": " + here.reason +
                             "; choose another --backend (--list shows them)");
  return kRegistry[indexOf(backend)].make(method);
}

bool needsNewBackend(const Method& from, const Method& to) {
  const Backend backend = resolve(to.backend);
  if (resolve(from.backend) != backend || from.format != to.format) return true;
  if (backend == Backend::glFragment) return from.reducePasses != to.reducePasses;
  if (backend != Backend::cuda) return false;
  const auto scan = std::ranges::find(kScans, to.scan, &ScanInfo::value);
  return from.scan != to.scan || (scan->hasBlockSize && from.blockSize != to.blockSize);
}

}  // namespace satdof
