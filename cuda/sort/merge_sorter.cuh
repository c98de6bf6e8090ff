#pragma once
#include <utility>

#include "cuda/runtime/launch.cuh"
#include "cuda/sort/scratch_records.cuh"
#include "cuda/sort/tile_sort.cuh"

namespace satdof::cuda {

// The sort of GPU Gems 3, 39.3.3: sorts tiles by splits, then merges runs in pairs until one run is left.
// Merge has
//   kStopsWhenSorted   whether a tile stops splitting when its keys ascend;
//   enqueue(input, output, count, runLength, stream)   merges neighbouring ascending runs of `runLength`
//                      records, a multiple of the tile size, in pairs.
template <class Merge>
class MergeSorter : public Sorter {
 public:
  explicit MergeSorter(std::uint32_t count) : count_(count), scratch_(count) {}

 private:
  void enqueue(Records input, MutableRecords output, CUstream_st* stream) override {
    MutableRecords to = output, next = scratch_.like(input);
    for (std::uint32_t run = TileSort::tile; run < count_; run *= 2) std::swap(to, next);

    const auto sortTilesOfRecords = input.values != nullptr ? sortTiles<std::uint64_t, Merge::kStopsWhenSorted>
                                                            : sortTiles<std::uint32_t, Merge::kStopsWhenSorted>;
    launch(sortTilesOfRecords, {tileCount(count_), TileSort::threads, 0, stream}, input, to, count_);
    for (std::uint32_t run = TileSort::tile; run < count_; run *= 2) {
      Merge::enqueue(to, next, count_, run, stream);
      std::swap(to, next);
    }
  }

  std::uint32_t count_;
  ScratchRecords scratch_;
};

}  // namespace satdof::cuda
