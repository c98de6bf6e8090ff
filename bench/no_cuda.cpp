#include "bench/bench.h"

namespace satdof::bench {

void addCudaRows() { benchmark::AddCustomContext("CUDA", "absent: not built"); }

}  // namespace satdof::bench
