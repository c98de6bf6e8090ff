#include "cuda/sat/table_builder.h"

#include <stdexcept>

#include "cuda/sat/fused.h"
#include "cuda/sat/multipass.h"

namespace satdof::cuda {

std::unique_ptr<TableBuilder> makeTableBuilder(const TableOptions& options) {
  constexpr int kMax = 16384;
  if (options.width < 1 || options.height < 1 || options.width > kMax || options.height > kMax)
    throw std::runtime_error("cannot build a table of " + std::to_string(options.width) + "x" +
                             std::to_string(options.height) + " elements: choose 1x1 to 16384x16384");
  return options.scan == Scan::fused ? makeFusedTableBuilder(options) : makeMultipassTableBuilder(options);
}

}  // namespace satdof::cuda
