#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "cuda/emulator/watch.h"
#include "cuda/runtime/device_array.h"
#include "cuda/runtime/launch.cuh"
#include "cuda/runtime/ptx.cuh"

// Kernels at fault: the emulator names the fault, the thread and the line.
namespace satdof::cuda {

namespace {

constexpr unsigned kThreads = 64;

enum class Mutation {
  none,
  noBarrier,
  barrierInBranch,
  earlyReturn,
  indexBeyond,
  sharedBeyond,
  unwritten,
  cutMask,
  foreignLane,
  sameWord,
  polls
};

// Reverses the elements of each block through shared memory, then adds the neighbour lane's.
__global__ void reverse(unsigned* data, unsigned* flag, Mutation mutation) {
  unsigned* const tile = sharedMemory<unsigned>();
  const unsigned i = threadIdx.x, first = blockIdx.x * kThreads;
  if (mutation == Mutation::earlyReturn && i == 5) return;
  const unsigned beyond = mutation == Mutation::indexBeyond && i == kThreads - 1 && blockIdx.x + 1 == gridDim.x;
  if (mutation != Mutation::unwritten || i != 7)
    tile[i + (mutation == Mutation::sharedBeyond)] = data[first + i + beyond];
  if (mutation == Mutation::barrierInBranch ? i < 32 : mutation != Mutation::noBarrier) __syncthreads();
  unsigned value = tile[kThreads - 1 - i];
  if (mutation == Mutation::cutMask && i % 32 == 3)
    value += __shfl_xor_sync(0x0000fff0u, value, 1);
  else if (mutation == Mutation::foreignLane)
    value += i % 32 < 16 ? __shfl_xor_sync(0x0000ffffu, value, 16) : 0;
  else
    value += __shfl_xor_sync(0xffffffffu, value, 1);
  while (mutation == Mutation::polls && loadRelaxed(flag) == 0) continue;
  data[mutation == Mutation::sameWord ? 0 : first + i] = value;
}

std::string run(Mutation mutation, unsigned blocks = 2) {
  emulator::check(mutation != Mutation::barrierInBranch);  // else a hazard comes first
  DeviceArray<unsigned> data(std::size_t{blocks} * kThreads), flag(1);
  SATDOF_CUDA(cudaMemset(data.data(), 0, data.bytes()));
  SATDOF_CUDA(cudaMemset(flag.data(), 0, flag.bytes()));
  try {
    launch(reverse, {blocks, kThreads, kThreads * sizeof(unsigned)}, data.data(), flag.data(), mutation);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

using testing::AllOf;
using testing::HasSubstr;

// ctest limits the sizes of the emulated tests and turns their checks on, by environment variables.
TEST(EmulatorChecks, AreOnWhereSizesAreLimited) {
  if (std::getenv("SATDOF_TEST_ELEMENTS") == nullptr) GTEST_SKIP() << "run by ctest, sizes are limited";
  EXPECT_TRUE(emulator::checking());
}

TEST(EmulatorFaults, NoneInACorrectKernel) { EXPECT_EQ(run(Mutation::none), ""); }

TEST(EmulatorFaults, MissingBarrier) {
  const std::string fault = run(Mutation::noBarrier);
  EXPECT_THAT(fault, HasSubstr("reverse"));
  EXPECT_THAT(fault, HasSubstr("faults_test.cpp:"));
  EXPECT_THAT(fault, testing::AnyOf(HasSubstr("hazard"), HasSubstr("has not written")));
}
TEST(EmulatorFaults, BarrierThatNotAllThreadsReach) {
  EXPECT_THAT(run(Mutation::barrierInBranch), AllOf(HasSubstr("__syncthreads"), HasSubstr("a thread ends")));
  EXPECT_THAT(run(Mutation::earlyReturn), AllOf(HasSubstr("__syncthreads"), HasSubstr("a thread ends")));
}
TEST(EmulatorFaults, AccessOutsideAnAllocation) {
  EXPECT_THAT(run(Mutation::indexBeyond), AllOf(HasSubstr("outside all allocations"), HasSubstr("block (1, 0, 0)")));
  EXPECT_THAT(run(Mutation::sharedBeyond), HasSubstr("dynamic shared memory 260 bytes from its start, of 256"));
}
TEST(EmulatorFaults, UnwrittenSharedMemory) {
  EXPECT_THAT(run(Mutation::unwritten), HasSubstr("reads shared memory that the block has not written"));
}
TEST(EmulatorFaults, WrongMask) {
  EXPECT_THAT(run(Mutation::cutMask), HasSubstr("__shfl_xor_sync: the mask lacks this lane"));
  EXPECT_THAT(run(Mutation::foreignLane), HasSubstr("which the mask lacks"));
}
TEST(EmulatorFaults, BlocksThatWriteTheSameWord) { EXPECT_THAT(run(Mutation::sameWord), HasSubstr("hazard")); }
TEST(EmulatorFaults, NoProgress) { EXPECT_THAT(run(Mutation::polls), HasSubstr("no progress")); }

TEST(EmulatorFaults, TheNextKernelRuns) {
  EXPECT_NE(run(Mutation::noBarrier), "");
  EXPECT_EQ(run(Mutation::none), "");
}

TEST(EmulatorFaults, RefusedLaunch) {
  EXPECT_THROW(launch(reverse, {1, 2048}, nullptr, nullptr, Mutation::none), std::runtime_error);
}

}  // namespace

}  // namespace satdof::cuda
