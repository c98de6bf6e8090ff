#include <algorithm>
#include <functional>

#include "app/device/cpu/sums.h"
#include "app/device/cpu/vectorised.h"
#include "library/src/check.h"
#include "library/src/pool.h"

namespace satdof::cpu {

namespace {

constexpr std::size_t kBlock = 1 << 15;

template <class T>
using Accumulator = std::conditional_t<std::is_integral_v<T>, std::uint64_t, double>;

// Reduce, then scan: sums of blocks, a scan of these sums, a scan of each block from its carry. A row of one
// block is scanned directly. The path depends only on the row length, so floats round alike with any number
// of threads. Cost: 2 reads, 1 write per element.
template <class A, class T, class S>
void scanRows(ThreadPool& pool, const T* in, S* out, const ScanShape& shape, Sums sums) {
  const std::size_t blocks = (shape.length + kBlock - 1) / kBlock, tasks = shape.outer * blocks;
  std::vector<A> carries(blocks == 1 ? 0 : tasks);
  const auto forEachPart = [&](const auto& task) {  // short rows are grouped into one part
    const std::size_t parts = std::min(tasks, std::max<std::size_t>(1, shape.outer * shape.length / kBlock));
    pool.forEach(static_cast<int>(parts), [&](int part) {
      const auto p = static_cast<std::size_t>(part);
      for (std::size_t i = tasks * p / parts; i < tasks * (p + 1) / parts; ++i) {
        const std::size_t row = i / blocks, from = i % blocks * kBlock;
        task(i, row * shape.length + from, std::min(kBlock, shape.length - from));
      }
    });
  };
  if (blocks > 1) {
    forEachPart([&](std::size_t i, std::size_t first, std::size_t count) { carries[i] = sumOf<A>(in + first, count); });
    for (std::size_t row = 0; row < shape.outer; ++row)
      scanFrom(A{}, carries.data() + row * blocks, carries.data() + row * blocks, blocks, false);
  }
  forEachPart([&](std::size_t i, std::size_t first, std::size_t count) {
    scanFrom(blocks > 1 ? carries[i] : A{}, in + first, out + first, count, sums == Sums::inclusive);
  });
}

// Scans along an axis that is not the innermost: adds row after row to a row of sums, in parallel over pieces
// of the inner axes. Cost: 1 read, 1 write per element.
template <class A, class T, class S>
void scanColumns(ThreadPool& pool, const T* in, S* out, const ScanShape& shape, Sums sums) {
  constexpr std::size_t kPiece = 1024;
  const std::size_t pieces = (shape.inner + kPiece - 1) / kPiece;
  pool.forEach(static_cast<int>(shape.outer * pieces), [&](int task) {
    const std::size_t begin = static_cast<std::size_t>(task) % pieces * kPiece,
                      count = std::min(kPiece, shape.inner - begin);
    std::vector<A> running(count);
    vectorised([&]() SATDOF_INLINE {
      std::size_t first = static_cast<std::size_t>(task) / pieces * shape.length * shape.inner + begin;
      for (std::size_t i = 0; i < shape.length; ++i, first += shape.inner)
        for (std::size_t k = 0; k < count; ++k) {
          const A before = running[k], sum = before + static_cast<A>(in[first + k]);
          running[k] = sum;
          out[first + k] = static_cast<S>(sums == Sums::inclusive ? sum : before);
        }
    });
  });
}

}  // namespace

template <class T, class S>
void scan(const T* in, S* out, const ScanShape& shape, Sums sums) {
  constexpr std::size_t kLimit = std::size_t{1} << 31;
  if (shape.outer == 0 || shape.length == 0 || shape.inner == 0) return;
  require(shape.outer < kLimit / shape.length && shape.outer * shape.length < kLimit / shape.inner, "a scan of ",
          shape.outer, " x ", shape.length, " x ", shape.inner, " elements: the limit is 2^31 - 1");
  const std::size_t elements = shape.outer * shape.length * shape.inner;
  require(in != nullptr && out != nullptr, "the scan has no data");
  withPool(elements, [&](ThreadPool& pool) {
    if (shape.inner == 1)
      scanRows<Accumulator<T>>(pool, in, out, shape, sums);
    else
      scanColumns<Accumulator<T>>(pool, in, out, shape, sums);
  });
}

template void scan(const std::uint8_t*, std::uint64_t*, const ScanShape&, Sums);
template void scan(const std::uint16_t*, std::uint64_t*, const ScanShape&, Sums);
template void scan(const std::uint32_t*, std::uint64_t*, const ScanShape&, Sums);
template void scan(const std::uint64_t*, std::uint64_t*, const ScanShape&, Sums);
template void scan(const std::int8_t*, std::int64_t*, const ScanShape&, Sums);
template void scan(const std::int16_t*, std::int64_t*, const ScanShape&, Sums);
template void scan(const std::int32_t*, std::int64_t*, const ScanShape&, Sums);
template void scan(const std::int64_t*, std::int64_t*, const ScanShape&, Sums);
template void scan(const float*, float*, const ScanShape&, Sums);
template void scan(const double*, double*, const ScanShape&, Sums);

}  // namespace satdof::cpu
