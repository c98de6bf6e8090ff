#pragma once
#include <satdof/cpu.h>

#include <memory>

// Summed-area tables, filters, scatters, scans, compaction, sorts and convolution on a CUDA device, of arrays in its memory.
//
// A plan is made for a size and owns the working memory; making one allocates and waits. run() enqueues on the stream that it
// is given, null for the default one, and neither allocates nor waits; it can be captured in a graph. A plan works for one
// stream at a time and on the device that was current when it was made. Two threads may use two plans at once, not one.
//
// Arguments are checked before anything is enqueued: std::invalid_argument with a sentence. std::runtime_error if CUDA fails or
// memory runs out. Values are not checked. Integers, filters, scatters and convolutions are the bits of satdof::cpu. Floats are summed as
// integers in a unit of at most max(2^-50, 2^-60 n) times the largest magnitude, n: elements of a row of the array, or pixels of the
// image or the weight of the largest window; if one is infinite or not a number, every result is not a number. Results depend on neither the device
// nor the run.
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

// Device memory of elements of one type, aligned to an element.
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

// cpu::Image in device memory.
template <class Memory>
struct Pixels : Memory {
  Pixels(Memory memory, int ofWidth, int ofHeight, int ofChannels, std::ptrdiff_t ofStride)
      : Memory(memory), width(ofWidth), height(ofHeight), channels(ofChannels), stride(ofStride) {}
  template <class T>
  Pixels(const cpu::Image<T>& image)
      : Pixels(image.data, image.width, image.height, image.channels, image.stride) {}
  int width, height, channels;
  std::ptrdiff_t stride;
};
using InputImage = Pixels<Input>;
using OutputImage = Pixels<Output>;

// cpu::integralImage() of images of 1 to 8 channels.
class TablePlan {
 public:
  TablePlan(int width, int height, int channels, cpu::Sums sums = cpu::Sums::inclusive);
  TablePlan(TablePlan&&) noexcept;
  TablePlan& operator=(TablePlan&&) noexcept;
  ~TablePlan();
  void run(const InputImage& image, const OutputImage& table, CUstream_st* stream);
  // In fixed point. A sum that leaves 64 bits wraps around; a |value * scale| above 2^51 gives any number.
  void run(const InputImage& image, double scale, const OutputImage& table, CUstream_st* stream);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// cpu::boxFilter(), tentFilter() and discFilter() of images of 1 to 8 channels. A radius in `radius` that is negative or not a
// number counts as 0, one above the largest radius as that: cpu::kMaxRadius, of a tent cpu::kMaxTentRadius. Owns 8 bytes an element.
enum class Window { box, tent, disc };
template <Window window>
class FilterPlan {
 public:
  FilterPlan(int width, int height, int channels, cpu::Border border = cpu::Border::inside);
  FilterPlan(FilterPlan&&) noexcept;
  FilterPlan& operator=(FilterPlan&&) noexcept;
  ~FilterPlan();
  void run(const InputImage& image, float radius, const OutputImage& out, CUstream_st* stream);
  void run(const InputImage& image, const cpu::Image<const float>& radius, const OutputImage& out,
           CUstream_st* stream);

 private:
  struct State;
  std::unique_ptr<State> state_;
};
using BoxFilterPlan = FilterPlan<Window::box>;
using TentFilterPlan = FilterPlan<Window::tent>;
using DiscFilterPlan = FilterPlan<Window::disc>;

// cpu::scatter() of images of 1 to 7 channels. A radius that is negative or not a number counts as 0, one above cpu::kMaxRadius as
// that. Owns 8 bytes an element of the output.
class ScatterPlan {
 public:
  ScatterPlan(int width, int height, int channels);
  ScatterPlan(ScatterPlan&&) noexcept;
  ScatterPlan& operator=(ScatterPlan&&) noexcept;
  ~ScatterPlan();
  void run(const InputImage& image, float radius, const OutputImage& out, CUstream_st* stream);
  void run(const InputImage& image, const cpu::Image<const float>& radius, const OutputImage& out,
           CUstream_st* stream);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// cpu::scan(). n: elements of a row. `out` may be `in` if the types are equal.
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

// cpu::compact() of up to 2^30 items of `bytes` each. Owns 4 bytes an item.
class CompactPlan {
 public:
  CompactPlan(std::size_t count, std::size_t bytes);
  CompactPlan(CompactPlan&&) noexcept;
  CompactPlan& operator=(CompactPlan&&) noexcept;
  ~CompactPlan();
  // Writes the items whose byte in `mask` is not 0 to the front of `out`, which has room for them, and their number to *kept,
  // all in device memory without overlap.
  void run(const void* items, const std::uint8_t* mask, void* out, std::uint32_t* kept, CUstream_st* stream);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Stable sort of up to 2^30 keys. Owns 16 to 28 bytes a key.
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

// out[i] = items[order[i]] for i < `size`. Writes nothing where order[i] is not below `count`, the number of items.
void gather(const void* items, std::size_t bytes, std::size_t count, const std::uint32_t* order,
            std::size_t size, void* out, CUstream_st* stream);

// cpu::convolve(): the same bits. `image` is of T or uint8. Rows may have gaps. Up to 2^20 rows.
template <class T>
void convolve(const InputImage& image, const cpu::Mask<T>& mask, const cpu::Image<T>& out,
              CUstream_st* stream);

}  // namespace satdof::cuda
