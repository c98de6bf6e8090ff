#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cuda/emulator/block.h"

// Watches the memory accesses of kernels. Kernels are compiled with -fsanitize=thread but not linked with its
// runtime: the hooks (__tsan_read4() and so on) are defined in watch.cpp. Faults that are found:
//   accesses outside an allocation;
//   reads of shared memory that the block has not written;
//   hazards: two accesses to the same byte, one of them a write, not both atomic, without a barrier between.
namespace satdof::emulator {

// relaxedRead, relaxedWrite: atomic loads and stores. atomic: read-modify-write.
enum class Kind : std::uint8_t { read, write, relaxedRead, relaxedWrite, atomic };
enum class Space : std::uint8_t { global, shared };

struct Access {
  const Place* place;  // the thread
  std::uintptr_t address;
  const void* code;  // the instruction
  std::uint8_t bytes;
  Kind kind;
  Space space;
};

// Turns the checks for faults on or off, for kernels that this thread launches. Slow. Initially on if the
// environment variable SATDOF_EMULATOR_CHECKS is "on".
void check(bool on);
bool checking();

// Receives accesses, before they happen, and barriers. Must not throw.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void began(const Launch& launch) = 0;
  virtual void accessed(const Access& access) = 0;
  // All lanes of a shuffle, vote or __syncwarp() have arrived, `last` as the last one.
  virtual void passedWarp(const Place& last, const void* code) = 0;
  // `block`: the first thread of the block.
  virtual void passedBarrier(const Place& block, const void* code) = 0;
  virtual void beganBlock(const Place& block) = 0;
  virtual void endedBlock(const Place& block) = 0;
  virtual void ended() = 0;
};
// Sets the observer of kernels that this thread launches; null: none.
void observe(Observer* observer);

// Whether accesses are checked or observed now.
extern constinit thread_local bool watching;
// Checks an access by the current thread, and passes it to the observer. `code`: the instruction. Call if
// `watching`.
void reportAccess(const void* address, std::size_t bytes, Kind kind, const void* code);
// A relaxed atomic store.
void storeAtomically(void* address, const void* from, std::size_t bytes);
// An atomic read-modify-write, reported as one access: reads the old value; writes the new one.
void beginChange(const void* address, void* old, std::size_t bytes);
void endChange(void* address, const void* changed, std::size_t bytes);
// A relaxed atomic load of a word that other threads may write.
void poll(const void* address, void* to, std::size_t bytes);

// Tells of allocations of device memory, which kernels may access.
void allocated(const void* address, std::size_t bytes);
void freed(const void* address);

// An allocation of device memory, dynamic shared memory, or a __shared__ variable.
struct Memory {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  std::string name;  // of a variable
};
// The memory that contains the address; begin = 0 if there is none.
Memory memoryAt(std::uintptr_t address);

// Events of the scheduler (block.cpp).
void beganLaunch(const Launch& launch, const Call& call);
void beganBlock(const Place& block, void* dynamicShared, std::size_t bytes);
void passedWarp(const Place& last, const void* code);
void passedBarrier(const Place& block, const void* code);
void endedBlock(const Place& block);
void endedLaunch();
// The dynamic shared memory and the __shared__ variables that the launch has accessed so far, in a fixed
// order.
std::vector<std::span<std::byte>> sharedMemory();

// The source line of an instruction, "cuda/scan/tree.cuh:42"; of an intrinsic, the line of the call. Empty
// without debug information.
std::string sourceOf(const void* code);
// The name of a function, "scanTiles<...>".
std::string nameOf(const void* function);

}  // namespace satdof::emulator
