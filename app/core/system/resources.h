#pragma once
#include <filesystem>
#include <optional>

// Memory and threads that the system grants this process.
namespace satdof {

// Returns the bytes of main memory that this process can still allocate: the least of the system's available memory and
// the rest of each memory limit of its control groups (cgroup v1 and v2). Nothing if unknown. `root`: "/" except in
// tests.
std::optional<double> freeMemoryBytes(const std::filesystem::path& root = "/");

// Returns the bytes of address space left below the limit of this process (ulimit -v). Nothing without a limit.
std::optional<double> freeAddressSpaceBytes();

// Throws std::runtime_error with both sizes if this process cannot allocate `bytes` of main memory.
void requireMemory(double bytes);

// Returns freed memory to the system. glibc keeps freed blocks of up to 32 MiB.
void returnFreeMemory();

// Makes all threads allocate from one heap (arena). glibc keeps up to 64 MiB in the heap of each thread, which
// returnFreeMemory() cannot release. Call before threads start.
void useOneHeap();

// Throws std::runtime_error unless this process can start `threads` more threads now.
void requireThreads(int threads);

}  // namespace satdof
