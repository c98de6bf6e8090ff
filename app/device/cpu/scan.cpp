#include "app/device/cpu/scan.h"

#include <numeric>

#include "app/device/cpu/pieces.h"

namespace satdof {

namespace {

// Scans on one thread, from `carry` on.
template <class T>
void scanFrom(T carry, std::span<const T> in, std::span<T> out, bool inclusive) {
  if (inclusive) {
    for (std::size_t i = 0; i < in.size(); ++i) out[i] = carry += in[i];
    return;
  }
  for (std::size_t i = 0; i < in.size(); ++i) {
    const T value = in[i];
    out[i] = carry;
    carry += value;
  }
}

// Eight partial sums, so that additions overlap.
template <class T>
T sumOf(std::span<const T> values) {
  constexpr std::size_t kLanes = 8;
  T lanes[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= values.size(); i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += values[i + lane];
  for (; i < values.size(); ++i) lanes[0] += values[i];
  return std::accumulate(std::begin(lanes), std::end(lanes), T{0});
}

}  // namespace

template <class T>
void scanSequential(ThreadPool&, std::span<const T> in, std::span<T> out, bool inclusive) {
  scanFrom(T{0}, in, out, inclusive);
}

template <class T>
void scanOnAllCores(ThreadPool& pool, std::span<const T> in, std::span<T> out, bool inclusive) {
  const Pieces pieces(in.size(), pool);
  T carries[Pieces::kMax] = {};
  if (pieces.pieces > 1)
    pieces.forEach(pool, [&](std::size_t piece, std::size_t begin, std::size_t end) {
      carries[piece] = sumOf(in.subspan(begin, end - begin));
    });
  scanFrom<T>(T{0}, std::span(carries, pieces.pieces), std::span(carries, pieces.pieces), false);
  pieces.forEach(pool, [&](std::size_t piece, std::size_t begin, std::size_t end) {
    scanFrom(carries[piece], in.subspan(begin, end - begin), out.subspan(begin, end - begin), inclusive);
  });
}

template void scanSequential(ThreadPool&, std::span<const std::uint32_t>, std::span<std::uint32_t>, bool);
template void scanSequential(ThreadPool&, std::span<const float>, std::span<float>, bool);
template void scanOnAllCores(ThreadPool&, std::span<const std::uint32_t>, std::span<std::uint32_t>, bool);
template void scanOnAllCores(ThreadPool&, std::span<const float>, std::span<float>, bool);

}  // namespace satdof
