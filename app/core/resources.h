#pragma once
#include <filesystem>
#include <optional>

// What the system lets this process use.
namespace satdof {

// Bytes of main memory that this process can still get: the smallest of the system's free memory and what the memory
// limits of its control groups leave (cgroup v1 and v2). None if nothing is known. `root` is / except in tests.
std::optional<double> freeMemoryBytes(const std::filesystem::path& root = "/");

// Bytes of address space below the limit of this process (ulimit -v). None without a limit.
std::optional<double> freeAddressSpaceBytes();

// Throws std::runtime_error that says how much is missing unless this process can still get `bytes` of main memory.
void requireMemory(double bytes);

// Gives freed memory back to the system. The C library keeps freed blocks of up to 32 MiB, and the gaps between blocks in
// use serve nothing larger.
void returnFreeMemory();

// Lets all threads allocate from one heap. The C library keeps up to 64 MiB of a thread's own heap, which
// returnFreeMemory() cannot give back. Call before threads start.
void useOneHeap();

// Throws std::runtime_error unless this process can have `threads` more threads now.
void requireThreads(int threads);

}  // namespace satdof
