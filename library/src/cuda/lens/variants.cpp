#include "cuda/compact/factories.h"
#include "cuda/sat/fused.h"
#include "cuda/sort/factories.h"

// satdof::lens_cuda links only the fastest variant of each primitive; these replace the factories of cuda/.
namespace satdof::cuda {

std::unique_ptr<TableBuilder> makeTableBuilder(const TableOptions& options) { return makeFusedTableBuilder(options); }
std::unique_ptr<Compactor> makeCompactor(Compaction, std::uint32_t count, Scan) {
  return makeDecoupledLookbackCompactor(count);
}
std::unique_ptr<Sorter> makeSorter(Sort, std::uint32_t count, Scan) { return makeOnesweepSorter(count); }

}  // namespace satdof::cuda
