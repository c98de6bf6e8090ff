#include "app/lab/machine.h"

#include <algorithm>
#include <chrono>
#include <fstream>

#include "app/core/system/thread_pool.h"
#include "app/core/text/formatted.h"
#include "app/gl/gl.h"
#include "app/gl/software.h"
#include "app/lab/cuda.h"
#include "satdof_commit.h"

namespace satdof::lab {

namespace {

// Returns the text after `separator` in the first line of `file` that begins with `key`; empty if there is none.
std::string valueIn(const char* file, const std::string& key, const std::string& separator) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (const auto at = line.find(separator); line.starts_with(key) && at != line.npos)
      return line.substr(at + separator.size());
  return {};
}

std::string operatingSystem() {
  std::string name = valueIn("/etc/os-release", "PRETTY_NAME", "=");
  std::erase(name, '"');
  return name.empty() ? "unknown" : name;
}

std::string today() {
  const std::chrono::year_month_day day(std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
  return formatted("%04d-%02u-%02u", static_cast<int>(day.year()), static_cast<unsigned>(day.month()),
                   static_cast<unsigned>(day.day()));
}

}  // namespace

// Splits GL_VERSION "4.5 (Core Profile) Mesa 22.3.6" into gl "4.5" and driver "(Core Profile) Mesa 22.3.6".
Context machine() {
  const std::string version = gl::driverText(GL_VERSION);
  const auto space = std::min(version.find(' '), version.size());
  const std::string processor = valueIn("/proc/cpuinfo", "model name", ": ");
  return {{"gpu", gl::driverText(GL_RENDERER)},
          {"driver", gl::driverText(GL_VENDOR) + version.substr(space)},
          {"gl", version.substr(0, space)},
          {"cpu", (processor.empty() ? "unknown" : processor) + ", " + std::to_string(hardwareThreads()) + " threads"}};
}

const char* version() { return SATDOF_VERSION; }
const char* commit() { return SATDOF_COMMIT; }

Context machineAndVersions() {
  Context context = machine();
  const Availability& cuda = availability(DeviceKind::cuda);
  context.emplace_back(
      "cuda", cuda.available ? cuda.reason + ", CUDA " + cudaMeasurements().versions() : "none: " + cuda.reason);
  context.emplace_back("os", operatingSystem());
  context.emplace_back("version", version());
  context.emplace_back("commit", commit());
  context.emplace_back("date", today());
  return context;
}

}  // namespace satdof::lab
