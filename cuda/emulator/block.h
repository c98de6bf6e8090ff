#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "cuda/emulator/vectors.h"

// Runs the threads of a kernel on the processor: a fibre for each thread that waits, one block after the other in the
// order of blockIdx, or some blocks in turns. Threads of a block run in order until they wait, so every run does the
// same.
namespace satdof::emulator {

struct Place {  // of a thread in the grid
  dim3 thread, block;
  unsigned index = 0;       // of the thread in its block
  unsigned blockIndex = 0;  // of the block in the grid
  unsigned slot = 0;        // of the block among those that run at once
};

// Blocks that run at once, in turns: until all their threads wait, for each other or for words of other blocks. Every
// second round goes backwards, so that blocks meet words of earlier blocks in every state.
struct Turns {
  static constexpr unsigned kMost = 8, kNone = ~0u;
  unsigned resident = 1;
  unsigned slow = kNone;  // a block that gets one turn in kSlowness
  static constexpr unsigned kSlowness = 8;
};
// Of kernels that this thread launches while their accesses are watched; others run block after block. At the start of the
// program, the environment variable SATDOF_EMULATOR_TURNS says how many blocks are resident.
void takeTurns(const Turns& turns);
// The number of the turn that runs, from the start of the program.
std::uint64_t turn();

struct Launch {
  dim3 grid, block;
  std::size_t sharedBytes = 0;
  const void* kernel = nullptr;  // its address, which names it
};

// A kernel with its arguments, `bytes` bytes that it may read.
struct Call {
  void (*run)(const void* arguments) = nullptr;
  std::shared_ptr<const void> arguments;
  std::size_t bytes = 0;
};

// Runs a kernel to its end. Throws std::runtime_error with kernel, block, thread and source line if the kernel is at
// fault (block.cpp, watch.cpp), and with the reason if the launch is one that CUDA refuses.
void run(const Launch& launch, const Call& call);

// The thread that runs; null outside a kernel.
extern const Place* current;
extern const Launch* launched;

// Ends the kernel: run() throws with `what` and the place of the current thread at `code`. Does not return.
[[noreturn]] void fault(const std::string& what, const void* code);

// Waits until all threads of the block wait here. Returns over all of them: bit 0, whether any `value` is not 0; bit 1,
// whether all are; from bit 2, how many.
unsigned waitForBlock(int value, const char* name);

// Waits until all lanes of `mask` wait here. Then `value` is the one that lane `source` gave.
std::uint64_t waitForLanes(unsigned mask, std::uint64_t value, unsigned source, const char* name);
// The same; returns a bit for each lane of `mask` whose `value` is true.
unsigned vote(unsigned mask, bool value, const char* name);

// Call where a thread polls memory, before it reads. A kernel of which all threads poll without end is at fault.
void polled();

inline constexpr std::size_t kMostSharedBytes = 227 << 10;  // of a block
void* dynamicShared();
// Whether the address is on the stack of a thread; whether it belongs to threadIdx, blockIdx, blockDim or gridDim.
extern std::uintptr_t stacksBegin, stacksEnd;
inline bool isOnStack(std::uintptr_t address) { return address >= stacksBegin && address < stacksEnd; }
bool isOwn(std::uintptr_t address);

// Of the block that runs: how many barriers it has passed; the same of the warp of the current thread.
unsigned blockEpoch();
unsigned warpEpoch();

}  // namespace satdof::emulator
