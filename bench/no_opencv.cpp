#include "bench/bench.h"

namespace satdof::bench {

void addOpenCvTables() { benchmark::AddCustomContext("peer OpenCV", "absent: not found when configuring"); }

}  // namespace satdof::bench
