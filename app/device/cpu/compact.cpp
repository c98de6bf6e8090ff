#include "app/device/cpu/compact.h"

#include "app/device/cpu/pieces.h"
#include "app/device/cpu/scan.h"

namespace satdof {

std::uint32_t compactSequential(ThreadPool&, std::span<const std::uint32_t> flags, std::span<std::uint32_t> indices) {
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < flags.size(); ++i)
    if (flags[i] != 0) indices[kept++] = i;
  return kept;
}

std::uint32_t compactOnAllCores(ThreadPool& pool, std::span<const std::uint32_t> flags,
                                std::span<std::uint32_t> indices) {
  const Pieces pieces(flags.size(), pool);
  std::uint32_t places[Pieces::kMax + 1] = {};
  pieces.forEach(pool, [&](std::size_t piece, std::size_t begin, std::size_t end) {
    std::uint32_t count = 0;
    for (std::size_t i = begin; i < end; ++i) count += flags[i];
    places[piece] = count;
  });
  const std::span used(places, pieces.pieces + 1);
  scanSequential<std::uint32_t>(pool, used, used, false);
  // Writes every index; the next write overwrites an index without a flag. The loop ends after the last flag, so no
  // write is past the piece.
  pieces.forEach(pool, [&](std::size_t piece, std::size_t begin, std::size_t) {
    const std::uint32_t end = places[piece + 1];
    auto i = static_cast<std::uint32_t>(begin);
    for (std::uint32_t place = places[piece]; place < end; ++i) {
      indices[place] = i;
      place += flags[i];
    }
  });
  return used.back();
}

}  // namespace satdof
