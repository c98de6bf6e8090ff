#pragma once
#include "cuda/scan/scan.h"

namespace satdof::cuda {

// The fastest scan of GPU Gems 3 (blelloch-vectorized) without some of its optimisations, as in figure 39-8.
// Only the benchmark uses these, so they are not scan variants.
struct ScanAblation {
  const char* name;
  const char* summary;
  std::unique_ptr<RowScan> (*make)(const ScanOptions& options);
};

std::span<const ScanAblation> scanAblations();

}  // namespace satdof::cuda
