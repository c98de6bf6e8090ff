#include <stdexcept>

#include "cuda/compact/factories.h"
#include "cuda/scan/factories.h"
#include "cuda/sort/factories.h"

// Replaces the variants that use CUB, whose device code needs nvcc.
namespace satdof::cuda {

namespace {

[[noreturn]] void refuse(const char* what) {
  throw std::runtime_error(std::string("the emulator cannot run the ") + what +
                           " of CUB, which only nvcc compiles: choose another " + what);
}

}  // namespace

std::unique_ptr<RowScan> makeCub(const ScanOptions&) { refuse("scan"); }
std::unique_ptr<Compactor> makeCubCompactor(std::uint32_t) { refuse("compaction"); }
std::unique_ptr<Sorter> makeCubSorter(std::uint32_t) { refuse("sort"); }

}  // namespace satdof::cuda
