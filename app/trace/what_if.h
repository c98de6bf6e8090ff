#pragma once
#include <memory>

#include "app/trace/trace.h"
#include "cuda/scan/scan.h"

namespace satdof::cuda {

// Returns the scan that Request::whatIf puts in place of the kernel; null if the kernel itself runs.
std::unique_ptr<RowScan> makeWhatIf(trace::WhatIf whatIf, const ScanOptions& options);

}  // namespace satdof::cuda
