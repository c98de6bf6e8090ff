#pragma once
#include <memory>

#include "cuda/scan/scan.h"

// One factory per variant, in the source file of that name. makeRowScan() checks the options before.
namespace satdof::cuda {

std::unique_ptr<RowScan> makeHillisSteele(const ScanOptions& options);
std::unique_ptr<RowScan> makeBlelloch(const ScanOptions& options);
std::unique_ptr<RowScan> makeBlellochPadded(const ScanOptions& options);
std::unique_ptr<RowScan> makeBlellochVectorized(const ScanOptions& options);
std::unique_ptr<RowScan> makeGlobalSweep(const ScanOptions& options);
std::unique_ptr<RowScan> makeBlellochGlobal(const ScanOptions& options);
std::unique_ptr<RowScan> makeWarpShuffle(const ScanOptions& options);
std::unique_ptr<RowScan> makeReduceThenScan(const ScanOptions& options);
std::unique_ptr<RowScan> makeDecoupledLookback(const ScanOptions& options);
std::unique_ptr<RowScan> makeCub(const ScanOptions& options);

// Makes Variant<unsigned> or Variant<float>, by options.type.
template <template <class> class Variant>
std::unique_ptr<RowScan> makeForType(const ScanOptions& options) {
  if (options.type == ElementType::uint32) return std::make_unique<Variant<unsigned>>(options);
  return std::make_unique<Variant<float>>(options);
}

}  // namespace satdof::cuda
