#pragma once
#include <cstdint>
#include <memory>

#include "cuda/compact/variants.h"

struct CUstream_st;

namespace satdof::cuda {

// Stream compaction: the indices of the flagged elements, in order. Made for one number of elements; owns its
// scratch memory, so one object serves one stream at a time.
class Compactor {
 public:
  virtual ~Compactor() = default;
  // Enqueues on `stream`: indices[0 .. *kept) become the i with flags[i] == 1, ascending; the rest of
  // `indices` stays as it was. Device memory: `flags` a word for each element, 0 or 1, aligned to 16 bytes;
  // `indices` room for all flagged; `kept` one word. No two may overlap. Neither allocates nor waits.
  virtual void run(const std::uint32_t* flags, std::uint32_t* indices, std::uint32_t* kept,
                   CUstream_st* stream) = 0;
};

// For `count` elements, at most 2^30. Throws std::runtime_error beyond, or when memory runs out.
std::unique_ptr<Compactor> makeCompactor(Compaction compaction, std::uint32_t count);

}  // namespace satdof::cuda
