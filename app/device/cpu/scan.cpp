#include "app/device/cpu/scan.h"

#include "app/device/cpu/pieces.h"
#include "app/device/cpu/sums.h"

namespace satdof {

template <class T>
void scanSequential(ThreadPool&, std::span<const T> in, std::span<T> out, bool inclusive) {
  scanFrom(T{0}, in.data(), out.data(), in.size(), inclusive);
}

template <class T>
void scanOnAllCores(ThreadPool& pool, std::span<const T> in, std::span<T> out, bool inclusive) {
  const Pieces pieces(in.size(), pool);
  T carries[Pieces::kMax] = {};
  if (pieces.pieces > 1)
    pieces.forEach(pool, [&](std::size_t piece, std::size_t begin, std::size_t end) {
      carries[piece] = sumOf<T>(in.data() + begin, end - begin);
    });
  scanFrom(T{0}, carries, carries, pieces.pieces, false);
  pieces.forEach(pool, [&](std::size_t piece, std::size_t begin, std::size_t end) {
    scanFrom(carries[piece], in.data() + begin, out.data() + begin, end - begin, inclusive);
  });
}

template void scanSequential(ThreadPool&, std::span<const std::uint32_t>, std::span<std::uint32_t>, bool);
template void scanSequential(ThreadPool&, std::span<const float>, std::span<float>, bool);
template void scanOnAllCores(ThreadPool&, std::span<const std::uint32_t>, std::span<std::uint32_t>, bool);
template void scanOnAllCores(ThreadPool&, std::span<const float>, std::span<float>, bool);

}  // namespace satdof
