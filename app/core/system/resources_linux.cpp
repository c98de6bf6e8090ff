#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "app/core/system/resources.h"

namespace satdof {

namespace {

namespace fs = std::filesystem;

// Returns the number that a file consists of; nothing for a missing file or "max".
std::optional<double> numberIn(const fs::path& file) {
  std::ifstream in(file);
  double value = 0;
  return in >> value ? std::optional(value) : std::nullopt;
}

// Returns the number of `key` in a file of lines "key number".
std::optional<double> numberAfter(const fs::path& file, const std::string& key) {
  std::ifstream in(file);
  std::string found, rest;
  for (double value = 0; in >> found >> value; std::getline(in, rest))
    if (found == key) return value;
  return std::nullopt;
}

// File names in the two versions of control groups. `used` includes the page cache, which the kernel releases on
// demand.
struct GroupFiles {
  const char *limit, *used, *cache;
};
constexpr GroupFiles kVersion1{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};
constexpr GroupFiles kVersion2{"memory.max", "memory.current", "inactive_file"};

// Lowers `free` to the memory that the limits of `group` and of its parents leave.
void limitByGroups(const fs::path& mount, fs::path group, const GroupFiles& files, std::optional<double>& free) {
  for (;; group = group.parent_path()) {
    const fs::path folder = mount / group.relative_path();
    const auto limit = numberIn(folder / files.limit), used = numberIn(folder / files.used);
    if (limit && used) {
      const double left = *limit - *used + numberAfter(folder / "memory.stat", files.cache).value_or(0.0);
      free = std::min(free.value_or(left), std::max(left, 0.0));
    }
    if (!group.has_relative_path()) return;
  }
}

}  // namespace

std::optional<double> freeMemoryBytes(const fs::path& root) {
  auto free = numberAfter(root / "proc/meminfo", "MemAvailable:");
  if (free) *free *= 1024.0;
  std::ifstream groups(root / "proc/self/cgroup");  // lines "number:controllers:/group"
  for (std::string line; std::getline(groups, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1), group = line.substr(second + 1);
    if (controllers.empty()) limitByGroups(root / "sys/fs/cgroup", group, kVersion2, free);
    if (controllers == "memory") limitByGroups(root / "sys/fs/cgroup/memory", group, kVersion1, free);
  }
  return free;
}

std::optional<double> freeAddressSpaceBytes() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  const double used = numberIn("/proc/self/statm").value_or(0.0) * static_cast<double>(sysconf(_SC_PAGESIZE));
  return std::max(static_cast<double>(limit.rlim_cur) - used, 0.0);
}

void returnFreeMemory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

void useOneHeap() {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 1);
#endif
}

}  // namespace satdof
