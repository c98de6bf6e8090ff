#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "cuda/emulator/block.h"

// Watches the accesses of kernels to memory. The kernels are compiled with -fsanitize=thread but without its runtime:
// its hooks, __tsan_read4() and so on, are defined in watch.cpp. Found: accesses outside an allocation, reads of shared
// memory that the block has not written, and hazards, two accesses to one byte of which one writes and which no barrier
// separates, where not both are atomic.
namespace satdof::emulator {

enum class Kind : std::uint8_t { read, write, atomic };
enum class Space : std::uint8_t { global, shared };

struct Access {
  const Place* place;
  std::uintptr_t address;
  const void* code;
  std::uint8_t bytes;
  Kind kind;
  Space space;
};

// Whether accesses are checked; slow. On at the start if the environment variable SATDOF_EMULATOR_CHECKS is "on".
void check(bool on);

// Who is told of accesses and barriers; null: nobody.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void began(const Launch& launch) = 0;
  virtual void accessed(const Access& access) = 0;
  virtual void passedWarp(const Place& last,
                          const void* code) = 0;  // the lanes of a shuffle, vote or __syncwarp
  virtual void passedBarrier() = 0;               // the threads of a block
  virtual void beganBlock() = 0;
  virtual void ended() = 0;
};
void observe(Observer* observer);
Observer* observer();

// Of a kernel: whether the current thread's access to `bytes` bytes at `address` is to be told. `code`: the caller.
extern bool watching;
void tell(const void* address, std::size_t bytes, Kind kind, const void* code);
// Atomic accesses of a kernel, told as such. Relaxed: the order of other accesses does not follow.
void loadAtomically(const void* address, void* to, std::size_t bytes);
void storeAtomically(void* address, const void* from, std::size_t bytes);
// loadAtomically() of a word that another thread may write.
void poll(const void* address, void* to, std::size_t bytes);

// Device memory: blocks of it that kernels may access.
void allocated(const void* address, std::size_t bytes);
void freed(const void* address);

void beganLaunch(const Launch& launch, const Call& call);
void beganBlock(const void* dynamicShared, std::size_t bytes);
void passedWarp(const Place& last, const void* code);
void passedBarrier();
void endedLaunch();

// "scan/tree.cuh:42", or empty without debug information.
std::string sourceOf(const void* code);
// "scanTiles<...>"
std::string nameOf(const void* function);

}  // namespace satdof::emulator
