#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

// Summed-area tables, filters, scatters, scans, compaction, sorts and convolution on all cores.
//
// Every function checks its arguments and throws std::invalid_argument with a sentence, before it writes anything.
// Calls from several threads may overlap. Results do not depend on the number of threads. Memory that a function
// allocates is stated; std::bad_alloc if there is none.
namespace satdof::cpu {

// Threads of the following calls, the caller included. Default: one a core. A call that finds them busy runs on the
// caller alone.
int threads();
void setThreads(int threads);

// `height` rows of `width` pixels of `channels` neighbouring elements. Rows lie `stride` elements apart, which may be
// negative. Fewer than 2^31 pixels.
template <class T>
struct Image {
  T* data = nullptr;
  int width = 0, height = 0, channels = 1;
  std::ptrdiff_t stride = 0;

  T* row(int y) const { return data + y * stride; }
  std::size_t rowElements() const {
    return static_cast<std::size_t>(width) * static_cast<std::size_t>(channels);
  }
};

// Whether a sum includes its own element.
enum class Sums { inclusive, exclusive };

// Summed-area table. Inclusive: T(x, y) = sum of the image over [0, x] x [0, y], in the size of the image. Exclusive: over
// [0, x) x [0, y), one column and one row larger, so the sum over [x0, x1) x [y0, y1) is
// T(x1, y1) - T(x0, y1) - T(x1, y0) + T(x0, y0) without a branch. Image and table must not overlap.
// (T, S): integers of 8, 16 or 32 bits and integers of 32 or 64 bits with the same sign: exact. float or double and double:
// sums of doubles, in a fixed order. Throws if the largest value of T in every pixel would exceed S.
// Allocates a row of S for each thread; for floats one row and one column.
template <class T, class S>
void integralImage(Image<const T> image, Image<S> table, Sums sums = Sums::inclusive);

// The same in fixed point: the table sums round(value * scale), to nearest, and is exact in these integers. T: float or
// double. Throws if a value is not finite, if a |value * scale| exceeds 2^51, or if the sum could exceed 2^63.
template <class T>
void integralImage(Image<const T> image, double scale, Image<std::int64_t> table,
                   Sums sums = Sums::inclusive);

// What lies outside an image. inside: nothing, the mean is of the part inside. clamp: the nearest pixel. reflect: the image
// mirrored at its edges, edge pixels twice (dcba|abcd|dcba), as often as needed.
enum class Border { inside, clamp, reflect };

// Largest radius in pixels of boxes and discs with Border::clamp and Border::reflect.
inline constexpr float kMaxRadius = 32766.0f;

// Replaces every pixel by the mean over the square of width 2 r + 1 pixels around it. A fraction of r weighs the pixels at
// the rim: r = 1.25 weighs 0.25, 1, 1, 1, 0.25 in both directions. Cost: independent of r. T: integers of 8, 16 or 32 bits,
// float or double; integers are rounded to nearest, half to even. The sums are exact: of integers, or of floats rounded to a
// unit of at most max(2^-50, 2^-60 n) times the largest magnitude, n: pixels of the image or of the largest box.
// Throws if a radius is negative, not a number, or too large; if a float is not finite. `out` has the size of `image`
// and may not overlap it. Allocates an exclusive table, 4 bytes an element for up to 2^24 pixels of 8 bits, else 8;
// for one whole radius below half of the sides, rows instead.
template <class T>
void boxFilter(Image<const T> image, float radius, Image<T> out, Border border = Border::inside);
// One radius a pixel; `radius` has one channel.
template <class T>
void boxFilter(Image<const T> image, Image<const float> radius, Image<T> out, Border border = Border::inside);

// Largest radius r of a tent, whose weights add up to (r + 1)^4: the largest sums of integers fit into 64 bits, and of floats
// leave a unit of 2^-22 times the largest magnitude. 16383 and 13776 for 8 bits with and without sign, 4095 and 3443 for 16, 255
// and 214 for 32, 723 for floats.
template <class T>
inline constexpr float kMaxTentRadius = [] {
  int bits = 63 - (std::is_floating_point_v<T> ? 25 : std::numeric_limits<T>::digits), radius = 0;
  const auto fits = [&](std::uint64_t side) {
    return side * side <= (std::uint64_t{1} << bits) / (side * side);
  };
  while (fits(static_cast<std::uint64_t>(radius) + 2)) ++radius;
  return static_cast<float>(radius);
}();

// The same under a tent: pixels weigh (r + 1 - |dx|) (r + 1 - |dy|), where that is positive; r may be a fraction. Cost:
// independent of r. n: the sum of the weights of the largest tent, (ceil(r) + 1)^4. Throws if a radius is above
// kMaxTentRadius<T>. Allocates a table of 8 bytes an element.
template <class T>
void tentFilter(Image<const T> image, float radius, Image<T> out, Border border = Border::inside);
template <class T>
void tentFilter(Image<const T> image, Image<const float> radius, Image<T> out,
                Border border = Border::inside);

// The same over a disc: pixels whose centres are at most r away weigh 1. A fraction of r weighs the pixels whose distance is
// above floor(r) and at most floor(r) + 1. Cost: proportional to r, two sums of each row of the disc. Allocates 8 bytes an element.
template <class T>
void discFilter(Image<const T> image, float radius, Image<T> out, Border border = Border::inside);
template <class T>
void discFilter(Image<const T> image, Image<const float> radius, Image<T> out,
                Border border = Border::inside);

// The reverse of a disc filter: spreads the value of every pixel evenly over its own disc, of weights as for discFilter(). `out`
// has one channel more than the image: the sums of what arrives at a pixel, then the coverage, the sum for an image of ones; sum
// by coverage is a mean. What leaves the image is lost. T: float or double. What one pixel adds to another is rounded to a unit of
// at most 2^-50 times the largest magnitude, 2^-50 for the coverage; sums are exact in these units.
// Throws if a radius is negative, not a number, or above kMaxRadius; if a float is not finite. Cost: proportional to the radii.
// Allocates 8 bytes an element of `out`.
template <class T>
void scatter(Image<const T> image, float radius, Image<T> out);
template <class T>
void scatter(Image<const T> image, Image<const float> radius, Image<T> out);

// An array of outer x length x inner elements without gaps.
struct ScanShape {
  std::size_t outer = 1, length = 0, inner = 1;
};

// Prefix sums along the middle axis: out[o][i][k] = in[o][0][k] + ... + in[o][i][k], or up to in[o][i - 1][k] if exclusive.
// Fewer than 2^31 elements.
// (T, S): integers up to 64 bits and integers of 64 bits with the same sign, modulo 2^64; float and float, summed in double
// and rounded once; double and double. `out` may be `in` if the types are equal. Allocates 8 bytes for every 32768 elements, or a
// row of `inner` sums for each thread.
template <class T, class S>
void scan(const T* in, S* out, const ScanShape& shape, Sums sums = Sums::inclusive);

// Number of bytes in `mask` that are not 0.
std::size_t count(std::span<const std::uint8_t> mask);
// Writes the items whose byte in `mask` is not 0 to the front of `out`, in order, and returns count(mask). `items` has
// mask.size() items of `bytes` each; `out` has room for count(mask). The two must not overlap. Allocates 8 bytes for every 32768 items.
std::size_t compact(const void* items, std::size_t bytes, std::span<const std::uint8_t> mask, void* out);

// Writes the keys ascending and keeps equal keys in order. K: integers, float or double; -0 equals 0, NaN comes last. Fewer than
// 2^32 keys. The two must not overlap. Allocates at most as many keys.
template <class K>
void sort(std::span<const K> keys, std::span<K> sorted);
// Also writes their order: keys[order[0]] is the least. Allocates at most as many keys, and 4 bytes a key.
template <class K>
void sort(std::span<const K> keys, std::span<K> sorted, std::span<std::uint32_t> order);
// Writes the order alone. Allocates at most twice as many keys, and 4 bytes a key.
template <class K>
void sortOrder(std::span<const K> keys, std::span<std::uint32_t> order);
// out[i] = items[order[i]], items of `bytes` each. Throws if an index is not below `count`, the number of items.
void gather(const void* items, std::size_t bytes, std::size_t count, std::span<const std::uint32_t> order,
            void* out);

// Weight (i, j) is weights[j * width + i].
template <class T>
struct Mask {
  int width = 1, height = 1;  // odd, at most 63
  std::vector<T> weights{T{1}};
};

// out(x, y) = sum over i, j of weight(i, j) image(clamp(x + i - width / 2), clamp(y + j - height / 2)): the mask is not
// flipped, the edge is replicated. T: float or double, rounded after each operation; std::int32_t, modulo 2^32. Image and
// `out` have equal sizes, 1 to 4 channels and rows without gaps, and must not overlap. Cost: a product an element and weight.
template <class T>
void convolve(Image<const T> image, const Mask<T>& mask, Image<T> out);

}  // namespace satdof::cpu
