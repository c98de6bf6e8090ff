#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cuda/emulator/block.h"

// Watches the accesses of kernels to memory. The kernels are compiled with -fsanitize=thread but without its runtime:
// its hooks, __tsan_read4() and so on, are defined in watch.cpp. Found: accesses outside an allocation, reads of shared
// memory that the block has not written, and hazards, two accesses to one byte of which one writes and which no barrier
// separates, where not both are atomic.
namespace satdof::emulator {

enum class Kind : std::uint8_t {
  read,
  write,
  relaxedRead,
  relaxedWrite,
  atomic
};  // relaxed: of one atomic word
enum class Space : std::uint8_t { global, shared };

struct Access {
  const Place* place;
  std::uintptr_t address;
  const void* code;
  std::uint8_t bytes;
  Kind kind;
  Space space;
};

// Whether accesses of kernels that this thread launches are checked; slow. On at the start if the environment variable
// SATDOF_EMULATOR_CHECKS is "on".
void check(bool on);
bool checking();

// Is told of accesses, before they happen, and of barriers. Must not throw.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void began(const Launch& launch) = 0;
  virtual void accessed(const Access& access) = 0;
  virtual void passedWarp(const Place& last,
                          const void* code) = 0;  // the lanes of a shuffle, vote or __syncwarp
  // The place of a block is its first thread's.
  virtual void passedBarrier(const Place& block, const void* code) = 0;
  virtual void beganBlock(const Place& block) = 0;
  virtual void endedBlock(const Place& block) = 0;
  virtual void ended() = 0;
};
// Who is told of the kernels that this thread launches; null: nobody.
void observe(Observer* observer);

// Of a kernel: whether the current thread's access to `bytes` bytes at `address` is to be told. `code`: the caller.
extern constinit thread_local bool watching;
void tell(const void* address, std::size_t bytes, Kind kind, const void* code);
// Atomic accesses of a kernel, told as such. Relaxed: the order of other accesses does not follow.
void storeAtomically(void* address, const void* from, std::size_t bytes);
// Reads a word that changeAtomically() then writes: one access.
void beginChange(const void* address, void* old, std::size_t bytes);
void endChange(void* address, const void* changed, std::size_t bytes);
// Reads a word that another thread may write.
void poll(const void* address, void* to, std::size_t bytes);

// Device memory: blocks of it that kernels may access.
void allocated(const void* address, std::size_t bytes);
void freed(const void* address);

// Memory with one name: an allocation of the device, dynamic shared memory, or a __shared__ variable. `begin` is 0 if the
// address is in none.
struct Memory {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  std::string name;  // of a variable
};
Memory memoryAt(std::uintptr_t address);

void beganLaunch(const Launch& launch, const Call& call);
void beganBlock(const Place& block, void* dynamicShared, std::size_t bytes);
void passedWarp(const Place& last, const void* code);
void passedBarrier(const Place& block, const void* code);
void endedBlock(const Place& block);
void endedLaunch();
// All shared memory that the launch has accessed so far, in an order that does not change: of the block that runs.
std::vector<std::span<std::byte>> sharedMemory();

// "cuda/scan/tree.cuh:42", or empty without debug information. Of an intrinsic, the line that calls it.
std::string sourceOf(const void* code);
// "scanTiles<...>"
std::string nameOf(const void* function);

}  // namespace satdof::emulator
