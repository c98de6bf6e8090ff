#pragma once
#include <memory>

#include "app/trace/trace.h"
#include "cuda/scan/scan.h"

namespace satdof::cuda {

// The scan of Request::whatIf; null if the kernel itself does it.
std::unique_ptr<RowScan> makeWhatIf(trace::WhatIf whatIf, const ScanOptions& options);

}  // namespace satdof::cuda
