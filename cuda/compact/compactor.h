#pragma once
#include <cstdint>
#include <memory>

#include "cuda/compact/variants.h"
#include "cuda/scan/variants.h"

struct CUstream_st;

namespace satdof::cuda {

// Elements in device memory, aligned to their size of 4, 8 or 16 bytes.
struct Elements {
  const void* data = nullptr;
  unsigned bytes = 4;  // of one element
};

// Stream compaction of a fixed number of elements: writes the indices of the flagged elements, or the
// elements, in order. Owns its scratch memory, so one object serves one stream at a time.
class Compactor {
 public:
  virtual ~Compactor() = default;
  // Enqueues on `stream`: writes every i with flags[i] == 1, ascending, to indices[0 .. *kept), and nothing
  // behind them. All in device memory, without overlap. `flags`: one word per element, 0 or 1, aligned to 16
  // bytes; `indices`: at least as many words as there are set flags; `kept`: one word. Does not allocate or
  // wait.
  virtual void run(const std::uint32_t* flags, std::uint32_t* indices, std::uint32_t* kept, CUstream_st* stream) = 0;
  // As above, but writes the flagged elements. Throws std::runtime_error unless elements.bytes is 4, 8 or 16.
  virtual void run(const std::uint32_t* flags, Elements elements, void* compacted, std::uint32_t* kept,
                   CUstream_st* stream) = 0;
};

// For `count` elements. `scan` is used by variants with CompactionInfo::usesScan; Scan::fused stands for
// decoupled look-back. Throws std::runtime_error if `count` exceeds 2^30 or memory runs out.
std::unique_ptr<Compactor> makeCompactor(Compaction compaction, std::uint32_t count, Scan scan = Scan::fused);

}  // namespace satdof::cuda
