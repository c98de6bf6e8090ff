#pragma once
#include <algorithm>
#include <cstddef>
#include <functional>

#include "app/core/system/thread_pool.h"

namespace satdof {

// [0, count) in contiguous pieces of at least kMinPiece elements, at most one for each thread of a pool.
struct Pieces {
  static constexpr std::size_t kMinPiece = 1 << 15;  // below, waking a thread costs more than it saves
  static constexpr std::size_t kMax = 256;

  Pieces(std::size_t elements, const ThreadPool& pool)
      : count(elements),
        pieces(std::clamp<std::size_t>(elements / kMinPiece, 1,
                                       std::min(kMax, static_cast<std::size_t>(pool.threads())))) {}
  std::size_t begin(std::size_t piece) const { return count * piece / pieces; }
  std::size_t end(std::size_t piece) const { return begin(piece + 1); }

  // Calls task(piece, begin, end) for every piece, on all threads.
  template <class Task>
  void forEach(ThreadPool& pool, const Task& task) const {
    const auto run = [&](int i) {
      const auto piece = static_cast<std::size_t>(i);
      task(piece, begin(piece), end(piece));
    };
    pool.forEach(static_cast<int>(pieces), std::cref(run));
  }

  std::size_t count, pieces;
};

}  // namespace satdof
