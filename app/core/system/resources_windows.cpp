#include <malloc.h>
#include <windows.h>

#include "app/core/system/resources.h"

namespace satdof {

std::optional<double> freeMemoryBytes(const std::filesystem::path&) {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  if (GlobalMemoryStatusEx(&status) == 0) return std::nullopt;
  return static_cast<double>(status.ullAvailPhys);
}

std::optional<double> freeAddressSpaceBytes() { return std::nullopt; }

void returnFreeMemory() { _heapmin(); }

void useOneHeap() {}  // all threads share a heap on Windows

}  // namespace satdof
