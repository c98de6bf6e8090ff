#pragma once
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "library/src/box.h"
#include "library/src/pool.h"

// Vectorised row sums, for summed-area tables of any element type and number of channels. The program's
// CpuTableBuilder does the same for four channels of half floats.
namespace satdof::cpu {

// Vectors of 32 bytes. W: unsigned words of 32 or 64 bits, or double.
template <class W>
struct Lanes {
  static constexpr int kCount = 32 / sizeof(W);
  using Vector [[gnu::vector_size(32)]] = W;
  using Indices = std::make_integer_sequence<int, kCount>;

  // Lane i gets lane i - by, or 0.
  template <int by, int... i>
  SATDOF_INLINE static Vector up(Vector v, std::integer_sequence<int, i...>) {
    return __builtin_shufflevector(v, Vector{}, (i < by ? kCount : i - by)...);
  }
  // Repeats the last `channels` lanes.
  template <int channels, int... i>
  SATDOF_INLINE static Vector last(Vector v, std::integer_sequence<int, i...>) {
    return __builtin_shufflevector(v, v, (kCount - channels + i % channels)...);
  }
  // Inclusive scan of each channel: log2(kCount / channels) steps (Hillis and Steele 1986).
  template <int channels, int step = channels>
  SATDOF_INLINE static Vector scan(Vector v) {
    if constexpr (step < kCount)
      return scan<channels, 2 * step>(v + up<step>(v, Indices{}));
    else
      return v;
  }
};

// Two scans of eight byte differences at once, in words of 16 bits, which the sums of eight fit: half of the
// shuffles of Lanes.
template <class W>
struct ShortLanes {
  static constexpr int kCount = 16, kHalf = 8;
  using Vector [[gnu::vector_size(32)]] = std::int16_t;
  using Indices = std::make_integer_sequence<int, kCount>;

  template <class T>
  SATDOF_INLINE static Vector load(const T* from) {
    std::int16_t wide[kCount];
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): numbers
    for (int lane = 0; lane < kCount; ++lane) wide[lane] = from[lane];
    Vector v;
    std::memcpy(&v, wide, sizeof v);
    return v;
  }
  // Lane i of each half gets lane i - by of that half, or 0.
  template <int by, int... i>
  SATDOF_INLINE static Vector up(Vector v, std::integer_sequence<int, i...>) {
    return __builtin_shufflevector(Vector{}, v, (i % kHalf < by ? i + kHalf - by : kCount + i - by)...);
  }
  // Inclusive scan of each channel in each half.
  template <int channels, int step = channels>
  SATDOF_INLINE static Vector scan(Vector v) {
    if constexpr (step < kHalf)
      return scan<channels, 2 * step>(v + up<step>(v, Indices{}));
    else
      return v;
  }
  // The lanes from `from` on, widened.
  template <int from>
  SATDOF_INLINE static typename Lanes<W>::Vector part(const Vector& v) {
    std::int16_t narrow[kCount];
    std::memcpy(narrow, &v, sizeof v);
    W wide[Lanes<W>::kCount];
    for (int lane = 0; lane < Lanes<W>::kCount; ++lane)
      wide[lane] = static_cast<W>(std::make_signed_t<W>{narrow[from + lane]});
    typename Lanes<W>::Vector part;
    std::memcpy(&part, wide, sizeof part);
    return part;
  }
};

// Conversion of image elements T to table elements W: integers modulo the range of W, or to double.
template <class T, class W>
struct Widened {
  SATDOF_INLINE W at(const T* from) const {
    if constexpr (std::is_integral_v<W> && std::is_signed_v<T>)
      return static_cast<W>(std::make_signed_t<W>{*from});
    else
      return static_cast<W>(*from);
  }
  SATDOF_INLINE typename Lanes<W>::Vector vector(const T* from) const {
    W wide[Lanes<W>::kCount];
    for (int lane = 0; lane < Lanes<W>::kCount; ++lane) wide[lane] = at(from + lane);
    typename Lanes<W>::Vector v;
    std::memcpy(&v, wide, sizeof v);
    return v;
  }
};

// Conversion of floats to fixed point: fixedWord(value, scale).
template <class T>
struct Fixed {
  double scale;

  SATDOF_INLINE std::uint64_t at(const T* from) const { return fixedWord(static_cast<double>(*from), scale); }
  SATDOF_INLINE Lanes<std::uint64_t>::Vector vector(const T* from) const {
    const Lanes<double>::Vector sum = Widened<T, double>{}.vector(from) * scale + kRoundingBias;
    return reinterpret_cast<Lanes<std::uint64_t>::Vector>(sum) - kRoundingBiasBits;
  }
};

// A row of image elements, converted by `element` (Widened or Fixed).
template <class Element, class T>
struct Row {
  static constexpr bool kBytes = sizeof(T) == 1;
  const Element& element;
  const T* in;

  SATDOF_INLINE auto at(std::ptrdiff_t i) const { return element.at(in + i); }
  SATDOF_INLINE auto vector(std::ptrdiff_t i) const { return element.vector(in + i); }
  template <class L>
  SATDOF_INLINE auto shorts(std::ptrdiff_t i) const {
    return L::load(in + i);
  }
};
template <class Element, class T>
Row(const Element&, const T*) -> Row<Element, T>;

// The difference of two rows, element by element.
template <class R>
struct Difference {
  static constexpr bool kBytes = R::kBytes;
  R row, less;

  SATDOF_INLINE auto at(std::ptrdiff_t i) const { return row.at(i) - less.at(i); }
  SATDOF_INLINE auto vector(std::ptrdiff_t i) const { return row.vector(i) - less.vector(i); }
  template <class L>
  SATDOF_INLINE auto shorts(std::ptrdiff_t i) const {
    return row.template shorts<L>(i) - less.template shorts<L>(i);
  }
};
template <class R>
Difference(const R&, const R&) -> Difference<R>;

// For every element in turn: carry[channel] += element, out = above + carry[channel]. C: number of channels
// if known, else 0. `above` may equal `out`.
template <int C, class R, class W>
SATDOF_INLINE inline void sumRow(const R& row, int channels, std::ptrdiff_t elements, W* carry, const W* above,
                                 W* out) {
  std::ptrdiff_t i = 0;
  if constexpr (C != 0) {
    using L = Lanes<W>;
    W first[L::kCount];
    for (int lane = 0; lane < L::kCount; ++lane) first[lane] = carry[lane % C];
    typename L::Vector left;
    std::memcpy(&left, first, sizeof left);
    // last: whether `sums` are the last part of a scan, so that the carry must advance.
    const auto add = [&](typename L::Vector sums, bool last) SATDOF_INLINE {
      typename L::Vector column;
      std::memcpy(&column, above + i, sizeof column);
      column += left + sums;
      std::memcpy(out + i, &column, sizeof column);
      if constexpr (L::kCount % C != 0)
        left = L::template last<C>(left + sums, typename L::Indices{});
      else if (last)
        left += L::template last<C>(sums, typename L::Indices{});
      i += L::kCount;
    };
    using S = ShortLanes<W>;
    if constexpr (R::kBytes && (L::kCount == S::kHalf || L::kCount % C == 0)) {
      const auto addParts = [&]<int... part>(const auto& sums, std::integer_sequence<int, part...>) SATDOF_INLINE {
        (add(S::template part<part * L::kCount>(sums), (part + 1) * L::kCount % S::kHalf == 0), ...);
      };
      while (i + S::kCount <= elements)
        addParts(S::template scan<C>(row.template shorts<S>(i)),
                 std::make_integer_sequence<int, S::kCount / L::kCount>{});
    }
    while (i + L::kCount <= elements) add(L::template scan<C>(row.vector(i)), true);
    for (int lane = 0; lane < C; ++lane) carry[(i + lane) % C] = left[lane];
  }
  const int period = C != 0 ? C : channels;
  for (int c = static_cast<int>(i % period); i < elements; ++i, c = c + 1 < period ? c + 1 : 0)
    out[i] = above[i] + (carry[c] += row.at(i));
}

// Calls task(C) with C a std::integral_constant: the number of channels, or 0 for more than 4.
template <class Task>
void withChannels(int channels, const Task& task) {
  switch (channels) {
    case 1:
      return task(std::integral_constant<int, 1>{});
    case 2:
      return task(std::integral_constant<int, 2>{});
    case 3:
      return task(std::integral_constant<int, 3>{});
    case 4:
      return task(std::integral_constant<int, 4>{});
    default:
      return task(std::integral_constant<int, 0>{});
  }
}

// Exclusive table: zeros in the first row and column, the inclusive table in the rest.
template <class W, class Element, class T>
void sumExclusive(const Element& element, const Image<const T>& image, const Image<W>& table);

// Replaces `table` by its inclusive summed-area table, in place.
void sumInPlace(const Image<std::uint64_t>& table);

// The largest magnitude of all elements; infinity if an element is not finite.
template <class T>
double largest(const Image<const T>& image);

}  // namespace satdof::cpu
