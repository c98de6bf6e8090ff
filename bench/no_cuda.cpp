#include <cstdio>

#include "bench/bench.h"

namespace satdof::bench {

void addCudaRows() { benchmark::AddCustomContext("CUDA", "absent: not built"); }

int runKernel(std::span<char*>) {
  std::fputs("satdof_bench: --kernel needs a build with CUDA\n", stderr);
  return 1;
}

}  // namespace satdof::bench
