#pragma once
#include "app/lab/table_benchmark.h"
#include "app/ui/session.h"

namespace satdof {

// The times of every technique as bars, fastest first, beside a line at the copy's. `benchmark` may be null:
// none was run at this size.
void drawBenchmarkPanel(Session& session, const TableBenchmark* benchmark);

}  // namespace satdof
