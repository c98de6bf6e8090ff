#pragma once
#include <satdof/cpu.h>

#include <memory>

// Summed-area tables, filters, scatters, scans, compaction, sorts and convolution on a CUDA device, of arrays
// in device memory.
//
// A plan is made for one size and owns its scratch memory. The constructor allocates and waits. run()
// enqueues on `stream` (null: the default stream), neither allocates nor waits, and can be captured in a CUDA
// graph. A plan serves one stream at a time, on the device that was current in its constructor. Threads may
// use different plans at once, but not the same one.
//
// Errors: std::invalid_argument with a message for bad arguments, before anything is enqueued;
// std::runtime_error if CUDA fails or memory runs out. Values in device memory are not checked.
//
// Results: the same in every run and on every device. Integers, filters, scatters and convolutions give the
// bits of satdof::cpu. Floats are summed as multiples of a unit, at most max(2^-50, 2^-60 n) times the
// largest magnitude, with n the elements of a scanned row, the pixels of the image, or the weight of the
// largest window. If a float is infinite or NaN, every result is NaN.
struct CUstream_st;  // *cudaStream_t

namespace satdof::cuda {

enum class Type { uint8, int8, uint16, int16, uint32, int32, uint64, int64, float32, float64 };

template <class T>
constexpr Type typeOf() {
  if constexpr (std::is_floating_point_v<T>) {
    return sizeof(T) == 4 ? Type::float32 : Type::float64;
  } else {
    constexpr int kSize = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 2 : sizeof(T) == 4 ? 4 : 6;
    return static_cast<Type>(kSize + (std::is_signed_v<T> ? 1 : 0));
  }
}

// Pointers to device memory, with the element type; aligned to an element.
struct Input {
  Input(const void* elements, Type ofType) : data(elements), type(ofType) {}
  template <class T>
  Input(const T* elements) : Input(elements, typeOf<T>()) {}
  const void* data;
  Type type;
};
struct Output {
  Output(void* elements, Type ofType) : data(elements), type(ofType) {}
  template <class T>
  Output(T* elements) : Output(elements, typeOf<T>()) {}
  void* data;
  Type type;
};

// A cpu::Image whose elements are in device memory.
template <class Memory>
struct Pixels : Memory {
  Pixels(Memory memory, int ofWidth, int ofHeight, int ofChannels, std::ptrdiff_t ofStride)
      : Memory(memory), width(ofWidth), height(ofHeight), channels(ofChannels), stride(ofStride) {}
  template <class T>
  Pixels(const cpu::Image<T>& image) : Pixels(image.data, image.width, image.height, image.channels, image.stride) {}
  int width, height, channels;
  std::ptrdiff_t stride;
};
using InputImage = Pixels<Input>;
using OutputImage = Pixels<Output>;

// cpu::integralImage(), for images of 1 to 8 channels.
class TablePlan {
 public:
  TablePlan(int width, int height, int channels, cpu::Sums sums = cpu::Sums::inclusive);
  TablePlan(TablePlan&&) noexcept;
  TablePlan& operator=(TablePlan&&) noexcept;
  ~TablePlan();
  void run(const InputImage& image, const OutputImage& table, CUstream_st* stream);
  // In fixed point. Sums are modulo 2^64. The result is unspecified if |value * scale| exceeds 2^51.
  void run(const InputImage& image, double scale, const OutputImage& table, CUstream_st* stream);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// cpu::boxFilter(), tentFilter() and discFilter(), for images of 1 to 8 channels. Radii in device memory are
// limited: negative radii and NaN to 0, larger ones to cpu::kMaxRadius, or cpu::kMaxTentRadius for tents.
// Owns 8 bytes per element.
enum class Window { box, tent, disc };
template <Window window>
class FilterPlan {
 public:
  FilterPlan(int width, int height, int channels, cpu::Border border = cpu::Border::inside);
  FilterPlan(FilterPlan&&) noexcept;
  FilterPlan& operator=(FilterPlan&&) noexcept;
  ~FilterPlan();
  void run(const InputImage& image, float radius, const OutputImage& out, CUstream_st* stream);
  void run(const InputImage& image, const cpu::Image<const float>& radius, const OutputImage& out, CUstream_st* stream);

 private:
  struct State;
  std::unique_ptr<State> state_;
};
using BoxFilterPlan = FilterPlan<Window::box>;
using TentFilterPlan = FilterPlan<Window::tent>;
using DiscFilterPlan = FilterPlan<Window::disc>;

// cpu::scatter(), for images of 1 to 7 channels. Radii in device memory are limited: negative radii and NaN
// to 0, larger ones to cpu::kMaxRadius. Owns 8 bytes per element of the output.
class ScatterPlan {
 public:
  ScatterPlan(int width, int height, int channels);
  ScatterPlan(ScatterPlan&&) noexcept;
  ScatterPlan& operator=(ScatterPlan&&) noexcept;
  ~ScatterPlan();
  void run(const InputImage& image, float radius, const OutputImage& out, CUstream_st* stream);
  void run(const InputImage& image, const cpu::Image<const float>& radius, const OutputImage& out, CUstream_st* stream);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// cpu::scan(). `out` may equal `in` if the types are equal.
class ScanPlan {
 public:
  explicit ScanPlan(const cpu::ScanShape& shape, cpu::Sums sums = cpu::Sums::inclusive);
  ScanPlan(ScanPlan&&) noexcept;
  ScanPlan& operator=(ScanPlan&&) noexcept;
  ~ScanPlan();
  void run(Input in, Output out, CUstream_st* stream);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// cpu::compact(), for up to 2^30 items of `bytes` bytes. Owns 4 bytes per item.
class CompactPlan {
 public:
  CompactPlan(std::size_t count, std::size_t bytes);
  CompactPlan(CompactPlan&&) noexcept;
  CompactPlan& operator=(CompactPlan&&) noexcept;
  ~CompactPlan();
  // Writes the items whose byte in `mask` is not 0 to `out`, in order, and their number to *kept. All in
  // device memory, without overlap; `out` has room for the kept items.
  void run(const void* items, const std::uint8_t* mask, void* out, std::uint32_t* kept, CUstream_st* stream);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Stable sort of up to 2^30 keys, as cpu::sort(). Owns 16 to 28 bytes per key.
class SortPlan {
 public:
  SortPlan(Type keys, std::size_t count);
  SortPlan(SortPlan&&) noexcept;
  SortPlan& operator=(SortPlan&&) noexcept;
  ~SortPlan();
  // cpu::sortOrder().
  void order(const void* keys, std::uint32_t* order, CUstream_st* stream);
  // Writes the sorted keys.
  void run(const void* keys, void* sorted, CUstream_st* stream);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// out[i] = items[order[i]] for i < `size`, with `count` items of `bytes` bytes. out[i] stays unchanged if
// order[i] is not below `count`.
void gather(const void* items, std::size_t bytes, std::size_t count, const std::uint32_t* order, std::size_t size,
            void* out, CUstream_st* stream);

// cpu::convolve(), with the same bits. `image` has elements of T or uint8. Rows may have gaps. At most 2^20
// rows.
template <class T>
void convolve(const InputImage& image, const cpu::Mask<T>& mask, const cpu::Image<T>& out, CUstream_st* stream);

}  // namespace satdof::cuda
