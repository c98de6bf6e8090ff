#pragma once
#include <cstdint>
#include <memory>

#include "cuda/sort/variants.h"

struct CUstream_st;

namespace satdof::cuda {

// Device arrays of 32-bit keys with a 32-bit value each; values null: keys alone.
struct Records {
  const std::uint32_t* keys = nullptr;
  const std::uint32_t* values = nullptr;
};

struct MutableRecords {
  std::uint32_t* keys = nullptr;
  std::uint32_t* values = nullptr;
  operator Records() const { return {keys, values}; }
};

// Sorts by ascending unsigned key. Stable: equal keys keep their order. So records whose number only the
// device knows can be padded with keys 0xffffffff, which end up last, and floats that are not negative sort
// by their bits. Made for one number of records; owns its scratch memory, so one object serves one stream at
// a time.
class Sorter {
 public:
  virtual ~Sorter() = default;
  // Enqueues on `stream`: `output` becomes `input` sorted; `input` is left as it is. Both have values or
  // neither has; no two arrays may overlap. Neither allocates nor waits. Throws std::runtime_error when only
  // one has values.
  void run(Records input, MutableRecords output, CUstream_st* stream);

 private:
  virtual void enqueue(Records input, MutableRecords output, CUstream_st* stream) = 0;
};

// For `count` records, at most 2^30. Throws std::runtime_error beyond, or when memory runs out.
std::unique_ptr<Sorter> makeSorter(Sort sort, std::uint32_t count);

}  // namespace satdof::cuda
