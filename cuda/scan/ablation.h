#pragma once
#include "cuda/scan/scan.h"

namespace satdof::cuda {

// The best scan of GPU Gems 3 (blelloch-vectorized) without some of its optimisations, for figure 39-8. These
// are measurements of one algorithm, so they are rows of the benchmark and not scan variants.
struct ScanAblation {
  const char* name;
  const char* summary;
  std::unique_ptr<RowScan> (*make)(const ScanOptions& options);
};

std::span<const ScanAblation> scanAblations();

}  // namespace satdof::cuda
