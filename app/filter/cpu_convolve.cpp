#include "app/filter/cpu_convolve.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

namespace satdof {

namespace {

// The type of sums. Integers are summed unsigned, so overflow is modulo 2^32.
template <class T>
using Word = std::conditional_t<std::is_integral_v<T>, std::uint32_t, T>;

constexpr int kPiecePx = 256, kMaxChannels = 4;
constexpr int kBlock = 32;  // elements whose sums stay in registers
constexpr std::size_t kSums = static_cast<std::size_t>(kPiecePx) * kMaxChannels;
constexpr std::size_t kInputs = static_cast<std::size_t>(kPiecePx + kMaxMaskSide - 1) * kMaxChannels;

// Adds a row of the mask to `count` sums, rounded up to whole blocks: sums[k] += weights[i] in[k + i step].
// Two copies of this function are compiled, one with AVX2.
template <class W>
[[gnu::always_inline]] inline void addRow(W* sums, const W* in, const W* weights, int taps, int step, int count) {
  using Vector [[gnu::vector_size(32)]] = W;
  constexpr int kLanes = 32 / sizeof(W), kVectors = kBlock / kLanes;
  for (int k = 0; k < count; k += kBlock) {
    Vector sum[kVectors];
    std::memcpy(sum, sums + k, sizeof sum);
    for (int i = 0; i < taps; ++i) {
      const W weight = weights[i];
      const W* const from = in + k + i * step;
      for (int v = 0; v < kVectors; ++v) {
        Vector value;
        std::memcpy(&value, from + v * kLanes, sizeof value);
        sum[v] += value * weight;
      }
    }
    std::memcpy(sums + k, sum, sizeof sum);
  }
}

template <class W>
using AddRow = void (*)(W*, const W*, const W*, int, int, int);

template <class W>
void addRowPlain(W* sums, const W* in, const W* weights, int taps, int step, int count) {
  addRow(sums, in, weights, taps, step, count);
}

#if defined(__x86_64__) && defined(__GNUC__)
template <class W>
__attribute__((target("avx2,fma"))) void addRowAvx2(W* sums, const W* in, const W* weights, int taps, int step,
                                                    int count) {
  addRow(sums, in, weights, taps, step, count);
}
template <class W>
AddRow<W> fastestAddRow() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? addRowAvx2<W> : addRowPlain<W>;
}
#else
template <class W>
AddRow<W> fastestAddRow() {
  return addRowPlain<W>;
}
#endif

// Convolves pixels [at.x, at.x + pixels) of row at.y.
template <class W>
void convolvePiece(AddRow<W> add, ArraySize size, int channels, const W* in, W* out, const W* weights, ArraySize mask,
                   ArraySize at, int pixels) {
  alignas(32) std::array<W, kSums> sums{};
  alignas(32) std::array<W, kInputs> inputs{};
  const auto texel = static_cast<std::size_t>(channels);
  for (int j = 0; j < mask.y; ++j) {
    const int row = std::clamp(at.y + j - mask.y / 2, 0, size.y - 1);
    const W* const from = in + static_cast<std::size_t>(row) * static_cast<std::size_t>(size.x) * texel;
    const int left = at.x - mask.x / 2, count = pixels + mask.x - 1;
    const int before = std::clamp(-left, 0, count), after = std::clamp(left + count - size.x, 0, count);
    for (int i = 0; i < before; ++i) std::copy_n(from, texel, &inputs[static_cast<std::size_t>(i) * texel]);
    if (before + after < count)
      std::copy_n(from + static_cast<std::size_t>(left + before) * texel,
                  static_cast<std::size_t>(count - before - after) * texel,
                  &inputs[static_cast<std::size_t>(before) * texel]);
    for (int i = std::max(before, count - after); i < count; ++i)
      std::copy_n(from + static_cast<std::size_t>(size.x - 1) * texel, texel,
                  &inputs[static_cast<std::size_t>(i) * texel]);
    add(sums.data(), inputs.data(), weights + static_cast<std::size_t>(j) * static_cast<std::size_t>(mask.x), mask.x,
        channels, pixels * channels);
  }
  const std::size_t first =
      (static_cast<std::size_t>(at.y) * static_cast<std::size_t>(size.x) + static_cast<std::size_t>(at.x)) * texel;
  std::copy_n(sums.begin(), static_cast<std::size_t>(pixels) * texel, out + first);
}

}  // namespace

template <class T>
void convolveSequential(ArraySize size, int channels, const T* in, T* out, const MaskPassOf<T>& mask) {
  const auto element = [&](int x, int y, int c) {
    return (static_cast<std::size_t>(y) * static_cast<std::size_t>(size.x) + static_cast<std::size_t>(x)) *
               static_cast<std::size_t>(channels) +
           static_cast<std::size_t>(c);
  };
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x)
      for (int c = 0; c < channels; ++c) {
        Word<T> sum{};
        for (int j = 0; j < mask.height; ++j)
          for (int i = 0; i < mask.width; ++i) {
            const int column = std::clamp(x + i - mask.width / 2, 0, size.x - 1);
            const int row = std::clamp(y + j - mask.height / 2, 0, size.y - 1);
            sum += static_cast<Word<T>>(mask.weights[static_cast<std::size_t>(j * mask.width + i)]) *
                   static_cast<Word<T>>(in[element(column, row, c)]);
          }
        out[element(x, y, c)] = static_cast<T>(sum);
      }
}

template <class T>
void convolveParallel(ThreadPool& pool, ArraySize size, int channels, const T* in, T* out, const MaskPassOf<T>& mask) {
  static const AddRow<Word<T>> add = fastestAddRow<Word<T>>();
  const int pieces = (size.x + kPiecePx - 1) / kPiecePx;
  const auto* const from = reinterpret_cast<const Word<T>*>(in);
  auto* const to = reinterpret_cast<Word<T>*>(out);
  const auto* const weights = reinterpret_cast<const Word<T>*>(mask.weights.data());
  pool.forEach(pieces * size.y, [&](int piece) {
    const ArraySize at{piece % pieces * kPiecePx, piece / pieces};
    convolvePiece<Word<T>>(add, size, channels, from, to, weights, {mask.width, mask.height}, at,
                           std::min(kPiecePx, size.x - at.x));
  });
}

template void convolveSequential(ArraySize, int, const float*, float*, const MaskPassOf<float>&);
template void convolveSequential(ArraySize, int, const double*, double*, const MaskPassOf<double>&);
template void convolveSequential(ArraySize, int, const std::int32_t*, std::int32_t*, const MaskPassOf<std::int32_t>&);
template void convolveParallel(ThreadPool&, ArraySize, int, const float*, float*, const MaskPassOf<float>&);
template void convolveParallel(ThreadPool&, ArraySize, int, const double*, double*, const MaskPassOf<double>&);
template void convolveParallel(ThreadPool&, ArraySize, int, const std::int32_t*, std::int32_t*,
                               const MaskPassOf<std::int32_t>&);

}  // namespace satdof
