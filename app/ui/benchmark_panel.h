#pragma once
#include "app/lab/table_benchmark.h"
#include "app/ui/session.h"

namespace satdof {

// Draws the time of every technique as a bar, fastest first, with a red line at the time of the copy.
// `benchmark` is null before the first benchmark at this size.
void drawBenchmarkPanel(Session& session, const TableBenchmark* benchmark);

}  // namespace satdof
