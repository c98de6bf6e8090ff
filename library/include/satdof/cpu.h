#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

// Summed-area tables, filters, scatters, scans, compaction, sorts and convolution on all cores.
//
// Every function checks its arguments before it writes anything, and throws std::invalid_argument with a
// message. Functions may be called from several threads at once. Results do not depend on the number of
// threads. The memory that a function allocates is stated; std::bad_alloc if there is not enough.
namespace satdof::cpu {

// Number of threads for the following calls, including the caller. Default: one per core. A call during
// another call uses only the calling thread.
int threads();
void setThreads(int threads);

// `height` rows of `width` pixels with `channels` interleaved elements. `stride`: elements from one row to
// the next; may be negative. Fewer than 2^31 pixels.
template <class T>
struct Image {
  T* data = nullptr;
  int width = 0, height = 0, channels = 1;
  std::ptrdiff_t stride = 0;

  T* row(int y) const { return data + y * stride; }
  std::size_t rowElements() const { return static_cast<std::size_t>(width) * static_cast<std::size_t>(channels); }
};

// Whether a sum includes its own element.
enum class Sums { inclusive, exclusive };

// Summed-area table t of an image, for each channel. Inclusive: t(x, y) is the sum over [0, x] x [0, y]; t
// has the size of the image. Exclusive: t(x, y) is the sum over [0, x) x [0, y); t has one more column and
// row. The sum over [x0, x1) x [y0, y1) is then t(x1, y1) - t(x0, y1) - t(x1, y0) + t(x0, y0), without
// special cases. Image and table must not overlap.
//
// T: an integer of 8, 16 or 32 bits, with S an integer of 32 or 64 bits of the same signedness: sums are exact.
// Throws if they could overflow with the largest value of T in every pixel. Or T: float or double, with S
// double: sums in a fixed order. Allocates a row of S for each thread; for floats one row and one column.
template <class T, class S>
void integralImage(Image<const T> image, Image<S> table, Sums sums = Sums::inclusive);

// Summed-area table in fixed point: exact sums of round(value * scale), to nearest. T: float or double.
// Throws if a value is not finite, if |value * scale| exceeds 2^51 for a value, or if the sum could exceed
// 2^63.
template <class T>
void integralImage(Image<const T> image, double scale, Image<std::int64_t> table, Sums sums = Sums::inclusive);

// Pixels outside an image. inside: none; means are over the part of the window that is inside. clamp: the
// nearest pixel. reflect: the image, mirrored at its edges as often as needed (dcba|abcd|dcba).
enum class Border { inside, clamp, reflect };

// The largest radius, in pixels, of boxes and discs with Border::clamp and Border::reflect.
inline constexpr float kMaxRadius = 32766.0f;

// Box filter: out(x, y) is the mean over the square of 2 r + 1 pixels a side around (x, y). The fraction of r
// is the weight of the outermost pixels: r = 1.25 gives the weights 0.25, 1, 1, 1, 0.25 on both axes. Cost:
// O(pixels), independent of r. `out` has the size of the image and must not overlap it.
//
// T: integers of 8, 16 or 32 bits, float or double. Integer means are rounded to nearest, ties to even. Sums
// are exact; floats are first rounded to multiples of a unit, at most max(2^-50, 2^-60 n) times the largest
// magnitude, with n the number of pixels of the image or, if larger, of the largest box. Throws if a radius
// is negative, NaN or too large, or if a float is not finite. Allocates an exclusive table: 4 bytes per
// element for up to 2^24 pixels of 8 bits, else 8 bytes. For a single whole radius of less than half the
// sides, only some rows.
template <class T>
void boxFilter(Image<const T> image, float radius, Image<T> out, Border border = Border::inside);
// A radius for each pixel; `radius` has one channel.
template <class T>
void boxFilter(Image<const T> image, Image<const float> radius, Image<T> out, Border border = Border::inside);

// The largest radius r of a tent. Its weights add up to (r + 1)^4; sums of integers fit 64 bits, and the unit
// of floats is at most 2^-22 times the largest magnitude. 16383 for int8, 13776 for uint8, 4095 for int16,
// 3443 for uint16, 255 for int32, 214 for uint32, 723 for float and double.
template <class T>
inline constexpr float kMaxTentRadius = [] {
  int bits = 63 - (std::is_floating_point_v<T> ? 25 : std::numeric_limits<T>::digits), radius = 0;
  const auto fits = [&](std::uint64_t side) { return side * side <= (std::uint64_t{1} << bits) / (side * side); };
  while (fits(static_cast<std::uint64_t>(radius) + 2)) ++radius;
  return static_cast<float>(radius);
}();

// As boxFilter(), weighted by a tent: a pixel at the distance (dx, dy) weighs (r + 1 - |dx|) (r + 1 - |dy|),
// where both factors are positive; r may be a fraction. Cost: O(pixels), independent of r. n: the sum of the
// weights of the largest tent, (ceil(r) + 1)^4. Throws if a radius is above kMaxTentRadius<T>. Allocates a
// table of 8 bytes per element.
template <class T>
void tentFilter(Image<const T> image, float radius, Image<T> out, Border border = Border::inside);
template <class T>
void tentFilter(Image<const T> image, Image<const float> radius, Image<T> out, Border border = Border::inside);

// As boxFilter(), over a disc: pixels at a distance of at most floor(r) weigh 1; those above, up to floor(r)
// + 1, weigh the fraction of r. Cost: O(r) per pixel, two look-ups for each row of the disc. Allocates 8
// bytes per element.
template <class T>
void discFilter(Image<const T> image, float radius, Image<T> out, Border border = Border::inside);
template <class T>
void discFilter(Image<const T> image, Image<const float> radius, Image<T> out, Border border = Border::inside);

// Scatter: spreads the value of every pixel over its own disc, in proportion to the weights of discFilter()
// (Kosloff et al. 2009). `out` has one more channel than the image: the sums of the values that arrive at a
// pixel, then the coverage, which is the sum for an image of ones. Sum divided by coverage is a mean. Values
// that fall outside the image are lost. Cost: O(r) per pixel.
//
// T: float or double. The contribution of one pixel to another is rounded to a multiple of a unit: at most
// 2^-50 times the largest magnitude, and 2^-50 for the coverage. Sums of these are exact. Throws if a radius
// is negative, NaN or above kMaxRadius, or if a float is not finite. Allocates 8 bytes per element of `out`.
template <class T>
void scatter(Image<const T> image, float radius, Image<T> out);
template <class T>
void scatter(Image<const T> image, Image<const float> radius, Image<T> out);

// An array of outer x length x inner elements, contiguous; `inner` varies fastest.
struct ScanShape {
  std::size_t outer = 1, length = 0, inner = 1;
};

// Prefix sums along the middle axis: out[o][i][k] = in[o][0][k] + ... + in[o][i][k], or up to in[o][i - 1][k]
// if exclusive. Fewer than 2^31 elements. `out` may equal `in` if the types are equal.
//
// T: an integer, with S the 64-bit integer of the same signedness: sums modulo 2^64. Or T and S: float, summed
// in double and rounded once. Or T and S: double. Allocates 8 bytes for every 32768 elements, or a row of
// `inner` sums for each thread.
template <class T, class S>
void scan(const T* in, S* out, const ScanShape& shape, Sums sums = Sums::inclusive);

// The number of bytes in `mask` that are not 0.
std::size_t count(std::span<const std::uint8_t> mask);
// Stream compaction: writes the items whose byte in `mask` is not 0 to `out`, in order. Returns count(mask).
// `items` has mask.size() items of `bytes` bytes; `out` has room for count(mask). The two must not overlap.
// Allocates 8 bytes for every 32768 items.
std::size_t compact(const void* items, std::size_t bytes, std::span<const std::uint8_t> mask, void* out);

// Stable sort in ascending order. K: integers, float or double; -0 equals 0, NaN comes last. Fewer than 2^32
// keys. `keys` and `sorted` must not overlap. Allocates at most one copy of the keys.
template <class K>
void sort(std::span<const K> keys, std::span<K> sorted);
// Also writes the order: sorted[i] = keys[order[i]]. Allocates at most one copy of the keys, and 4 bytes per
// key.
template <class K>
void sort(std::span<const K> keys, std::span<K> sorted, std::span<std::uint32_t> order);
// Writes only the order. Allocates at most two copies of the keys, and 4 bytes per key.
template <class K>
void sortOrder(std::span<const K> keys, std::span<std::uint32_t> order);
// out[i] = items[order[i]], with `count` items of `bytes` bytes. Throws if an index is not below `count`.
void gather(const void* items, std::size_t bytes, std::size_t count, std::span<const std::uint32_t> order, void* out);

// Weight (i, j) is weights[j * width + i].
template <class T>
struct Mask {
  int width = 1, height = 1;  // odd, at most 63
  std::vector<T> weights{T{1}};
};

// Convolution by a mask that is not flipped, with replicated edges:
//   out(x, y) = sum over i, j of weight(i, j) image(clamp(x + i - width / 2), clamp(y + j - height / 2)).
// T: float or double, rounded after each operation; std::int32_t, modulo 2^32. Image and `out` have equal
// sizes, 1 to 4 channels and contiguous rows, and must not overlap. Cost: one product per element and weight.
template <class T>
void convolve(Image<const T> image, const Mask<T>& mask, Image<T> out);

}  // namespace satdof::cpu
