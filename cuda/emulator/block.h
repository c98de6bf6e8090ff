#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "cuda/emulator/vectors.h"

// Runs the threads of a kernel on the processor. Blocks run one after the other in the order of blockIdx, or
// several take turns. The threads of a block run in order, each until it waits; a waiting thread keeps its
// fibre. So every run is the same.
namespace satdof::emulator {

// A thread in the grid.
struct Place {
  dim3 thread, block;       // threadIdx, blockIdx
  unsigned index = 0;       // of the thread in its block
  unsigned blockIndex = 0;  // of the block in the grid
  unsigned slot = 0;        // of the block among the resident blocks
};

// How resident blocks take turns. A turn ends when all threads of the block wait, for each other or for words
// of other blocks. Every second round runs the blocks in reverse order, so that look-back meets tiles in
// every state.
struct Turns {
  static constexpr unsigned kMax = 8, kNone = ~0u;
  unsigned resident = 1;
  unsigned slow = kNone;  // index of a block that gets only one turn in kSlowness
  static constexpr unsigned kSlowness = 8;
};
// Sets the turns of kernels that this thread launches while accesses are watched; otherwise blocks run one
// after the other. The environment variable SATDOF_EMULATOR_TURNS sets the number of resident blocks at the
// start of the program.
void takeTurns(const Turns& turns);
// The number of the current turn, counted from the start of the program.
std::uint64_t turn();

struct Launch {
  dim3 grid, block;
  std::size_t sharedBytes = 0;
  const void* kernel = nullptr;  // address of the function, for nameOf()
};

// A kernel with its arguments: `bytes` bytes that the kernel may read.
struct Call {
  void (*run)(const void* arguments) = nullptr;
  std::shared_ptr<const void> arguments;
  std::size_t bytes = 0;
};

// Runs a kernel to its end. Throws std::runtime_error with kernel, block, thread and source line if the
// kernel has a fault (detected in block.cpp and watch.cpp).
void run(const Launch& launch, const Call& call);

// The current thread and launch; null outside a kernel.
extern const Place* current;
extern const Launch* launched;

// Ends the kernel: run() throws an error with `what`, the current thread and the source line of `code`.
[[noreturn]] void fault(const std::string& what, const void* code);

// The barriers of a block. `name`: the CUDA function, for messages. Waits until all threads of the block wait
// here. Returns, over all threads: bit 0, whether any `value` is not 0; bit 1, whether all are not 0; from
// bit 2, how many are not 0.
unsigned waitForBlock(int value, const char* name);

// Shuffles: waits until all lanes of `mask` wait here. Returns the `value` of lane `source`.
std::uint64_t waitForLanes(unsigned mask, std::uint64_t value, unsigned source, const char* name);
// Votes: waits in the same way. Returns a bit for each lane of `mask` whose `value` is true.
unsigned vote(unsigned mask, bool value, const char* name);

// Call before a thread reads memory that it polls. Ends its turn from time to time; a fault if it never makes
// progress.
void polled();

inline constexpr std::size_t kMaxSharedBytes = 227 << 10;  // per block
void* dynamicShared();
// Whether the address is on the stack of a kernel's thread.
extern std::uintptr_t stacksBegin, stacksEnd;
inline bool isOnStack(std::uintptr_t address) { return address >= stacksBegin && address < stacksEnd; }
// Whether the address belongs to threadIdx, blockIdx, blockDim or gridDim.
bool isOwn(std::uintptr_t address);

// The number of barriers that the current block, or the warp of the current thread, has passed.
unsigned blockEpoch();
unsigned warpEpoch();

}  // namespace satdof::emulator
