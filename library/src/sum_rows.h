#pragma once
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/device/cpu/vectorised.h"
#include "library/src/pool.h"
#include "satdof/cpu.h"

// Inclusive summed-area tables of any element and number of channels: CpuTableBuilder for the four channels of the program.
namespace satdof::cpu {

// W: unsigned words of 32 or 64 bits, or double.
template <class W>
struct Lanes {
  static constexpr int kCount = 32 / sizeof(W);
  using Vector [[gnu::vector_size(32)]] = W;
  using Indices = std::make_integer_sequence<int, kCount>;

  // Moves lanes up by `by`, zeros first.
  template <int by, int... i>
  SATDOF_INLINE static Vector up(Vector v, std::integer_sequence<int, i...>) {
    return __builtin_shufflevector(v, Vector{}, (i < by ? kCount : i - by)...);
  }
  // The last `channels` lanes, repeated.
  template <int channels, int... i>
  SATDOF_INLINE static Vector last(Vector v, std::integer_sequence<int, i...>) {
    return __builtin_shufflevector(v, v, (kCount - channels + i % channels)...);
  }
  // Inclusive scan of each channel.
  template <int channels, int step = channels>
  SATDOF_INLINE static Vector scan(Vector v) {
    if constexpr (step < kCount)
      return scan<channels, 2 * step>(v + up<step>(v, Indices{}));
    else
      return v;
  }
};

// Sixteen bytes as words of 16 bits, which hold the sums of eight: half of the shuffles. Written as GCC finds single instructions for.
template <class T, class W>
struct ByteLanes {
  using Short = std::conditional_t<std::is_signed_v<T>, std::int16_t, std::uint16_t>;
  using Shorts [[gnu::vector_size(32)]] = Short;
  using Wide [[gnu::vector_size(32)]] = std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>;
  using Indices = std::make_integer_sequence<int, 16>;

  SATDOF_INLINE static Shorts load(const T* from) {
    Short wide[16];
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): numbers
    for (int lane = 0; lane < 16; ++lane) wide[lane] = from[lane];
    Shorts v;
    std::memcpy(&v, wide, sizeof v);
    return v;
  }
  // Moves lanes up by `by` in each half, zeros first.
  template <int by, int... i>
  SATDOF_INLINE static Shorts up(Shorts v, std::integer_sequence<int, i...>) {
    return __builtin_shufflevector(Shorts{}, v, (i % 8 < by ? i + 8 - by : 16 + i - by)...);
  }
  // Inclusive scan of each channel in each half.
  template <int channels, int step = channels>
  SATDOF_INLINE static Shorts scan(Shorts v) {
    if constexpr (step < 8)
      return scan<channels, 2 * step>(v + up<step>(v, Indices{}));
    else
      return v;
  }
  // The lanes of the half that begins at `from`.
  template <int from, int... i>
  SATDOF_INLINE static typename Lanes<W>::Vector half(Shorts v, std::integer_sequence<int, i...>) {
    const auto high = reinterpret_cast<Wide>(
        __builtin_shufflevector(Shorts{}, v, (i % 2 == 0 ? i / 2 : 16 + from + i / 2)...));
    return reinterpret_cast<typename Lanes<W>::Vector>(high >> 16);
  }
};

// How an image element becomes a table element.
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

// round(value * scale), at most 2^51 in magnitude: the sum with 1.5 2^52 has it in its low bits.
template <class T>
struct Fixed {
  static constexpr double kMagic = 0x1.8p52;
  static constexpr std::uint64_t kMagicBits = 0x4338000000000000;
  double scale;

  SATDOF_INLINE std::uint64_t at(const T* from) const {
    const double sum = static_cast<double>(*from) * scale + kMagic;
    std::uint64_t bits;
    std::memcpy(&bits, &sum, sizeof bits);
    return bits - kMagicBits;
  }
  SATDOF_INLINE Lanes<std::uint64_t>::Vector vector(const T* from) const {
    const Lanes<double>::Vector sum = Widened<T, double>{}.vector(from) * scale + kMagic;
    return reinterpret_cast<Lanes<std::uint64_t>::Vector>(sum) - kMagicBits;
  }
};

// For every element in turn: carry[channel] += element, out = above + carry[channel]. C: channels, or 0 for any number.
template <int C, class W, class Element, class T>
SATDOF_INLINE inline void sumRow(const Element& element, int channels, const T* in, std::ptrdiff_t elements,
                                 W* carry, const W* above, W* out) {
  std::ptrdiff_t i = 0;
  if constexpr (C != 0) {
    using L = Lanes<W>;
    W first[L::kCount];
    for (int lane = 0; lane < L::kCount; ++lane) first[lane] = carry[lane % C];
    typename L::Vector left, column;
    std::memcpy(&left, first, sizeof left);
    if constexpr (sizeof(T) == 1 && std::is_same_v<Element, Widened<T, W>> && sizeof(W) == 4 &&
                  L::kCount % C == 0) {
      using Lane = ByteLanes<T, W>;
      for (; i + 16 <= elements; i += 16) {
        const auto sums = Lane::template scan<C>(Lane::load(in + i));
        const auto add = [&](typename L::Vector half, const W* from, W* to) SATDOF_INLINE {
          std::memcpy(&column, from, sizeof column);
          column += left + half;
          std::memcpy(to, &column, sizeof column);
          left += L::template last<C>(half, typename L::Indices{});
        };
        add(Lane::template half<0>(sums, typename Lane::Indices{}), above + i, out + i);
        add(Lane::template half<8>(sums, typename Lane::Indices{}), above + i + 8, out + i + 8);
      }
    }
    for (; i + L::kCount <= elements; i += L::kCount) {
      const typename L::Vector sums = L::template scan<C>(element.vector(in + i));
      std::memcpy(&column, above + i, sizeof column);
      column += left + sums;
      std::memcpy(out + i, &column, sizeof column);
      if constexpr (L::kCount % C == 0)
        left += L::template last<C>(sums, typename L::Indices{});
      else
        left = L::template last<C>(left + sums, typename L::Indices{});
    }
    for (int lane = 0; lane < C; ++lane) carry[(i + lane) % C] = left[lane];
  }
  const int period = C != 0 ? C : channels;
  for (int c = static_cast<int>(i % period); i < elements; ++i, c = c + 1 < period ? c + 1 : 0)
    out[i] = above[i] + (carry[c] += element.at(in + i));
}

// Calls task(C) with the number of channels as a type, 0 for more than 4.
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

// Writes zeros to the first row and column, and the inclusive table beside them.
template <class W, class Element, class T>
void sumExclusive(const Element& element, const Image<const T>& image, const Image<W>& table);

// Replaces a table by its own inclusive table: sumExclusive() and this one read an element before they write it.
void sumInPlace(const Image<std::uint64_t>& table);

// The largest magnitude of the elements; infinity if one is not finite.
template <class T>
double largest(const Image<const T>& image);

}  // namespace satdof::cpu
