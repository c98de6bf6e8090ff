#include "device.h"

#include <cuda_runtime_api.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdlib>
#include <list>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <tuple>

#include "satdof/lens_cuda.h"

// Bindings of satdof/cuda.h for arrays that python/satdof/_device.py has checked and allocated. Pointers and
// streams are passed as integers.
namespace nb = nanobind;
using namespace satdof;

namespace {

void check(cudaError_t error, const char* what) {
  if (error != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

// Makes a device current during its lifetime.
class Current {
 public:
  explicit Current(int device) {
    check(cudaGetDevice(&before_), "cannot find the CUDA device");
    if (device != before_) check(cudaSetDevice(device), "cannot use the CUDA device");
  }
  ~Current() { (void)cudaSetDevice(before_); }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 private:
  int before_ = 0;
};

// The device and the stream of a call. The device is current during the lifetime.
struct Place {
  Place(int ofDevice, std::uintptr_t ofStream)
      : device(ofDevice), current(ofDevice), stream(reinterpret_cast<CUstream_st*>(ofStream)) {}
  int device;
  Current current;
  CUstream_st* stream;
};

template <class Plan>
constexpr std::size_t kMaxPlans = 4;

// A cache of the plans of recent calls, at most kMaxPlans. Events order the uses of a plan on different
// streams.
template <class Plan>
class Plans {
 public:
  using Key = std::vector<std::int64_t>;

  // Calls run(plan) with the plan for `key`, which make() creates if it is not in the cache. Throws while a
  // graph is captured if the plan is not in the cache.
  template <class Make, class Run>
  void use(const Place& place, Key key, const Make& make, const Run& run) {
    key.push_back(place.device);
    cudaStreamCaptureStatus capture;
    check(cudaStreamIsCapturing(place.stream, &capture), "cannot use the CUDA stream");
    const bool captures = capture != cudaStreamCaptureStatusNone;
    const std::lock_guard lock(mutex_);
    auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.key == key; });
    if (found == entries_.end()) {
      if (captures)
        throw std::invalid_argument("a graph is captured: call the function once before with arrays of this size");
      if (entries_.size() >= kMaxPlans<Plan>) entries_.pop_back();
      try {
        entries_.emplace_front(key, make());
      } catch (const std::runtime_error&) {  // probably out of memory: free all other plans
        entries_.clear();
        entries_.emplace_front(key, make());
      }
      found = entries_.begin();
    }
    entries_.splice(entries_.begin(), entries_, found);
    if (!captures) check(cudaStreamWaitEvent(place.stream, found->used, 0), "cannot use the CUDA stream");
    run(found->plan);
    if (!captures) check(cudaEventRecord(found->used, place.stream), "cannot use the CUDA stream");
  }
  void clear() {
    const std::lock_guard lock(mutex_);
    entries_.clear();
  }

 private:
  struct Entry {
    Entry(Key ofKey, Plan ofPlan) : key(std::move(ofKey)), plan(std::move(ofPlan)) {
      check(cudaEventCreateWithFlags(&used, cudaEventDisableTiming), "cannot make a CUDA event");
    }
    ~Entry() {
      (void)cudaEventSynchronize(used);
      (void)cudaEventDestroy(used);
    }
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;
    Key key;
    Plan plan;
    cudaEvent_t used = nullptr;
  };
  std::mutex mutex_;
  std::list<Entry> entries_;
};

// Never destroyed: the CUDA runtime may shut down first.
template <class Plan>
Plans<Plan>& plans() {
  static auto* const kept = new Plans<Plan>;
  return *kept;
}

template <class T>
T* pointer(std::uintptr_t address) {
  return reinterpret_cast<T*>(address);
}

cpu::Sums sumsOf(bool exclusive) { return exclusive ? cpu::Sums::exclusive : cpu::Sums::inclusive; }

// An image in device memory: address, cuda::Type, row stride in elements.
using Rows = std::tuple<std::uintptr_t, int, std::ptrdiff_t>;
struct Shape {
  int height, width, channels;
};
cuda::InputImage input(const Rows& rows, const Shape& of) {
  const auto [address, type, stride] = rows;
  return {cuda::Input(pointer<void>(address), static_cast<cuda::Type>(type)), of.width, of.height, of.channels, stride};
}
cuda::OutputImage output(const Rows& rows, const Shape& of, int more = 0) {
  const auto [address, type, stride] = rows;
  return {cuda::Output(pointer<void>(address), static_cast<cuda::Type>(type)), of.width + more, of.height + more,
          of.channels, stride};
}
template <class T>
cpu::Image<T> typed(const Rows& rows, const Shape& of) {
  return {pointer<T>(std::get<0>(rows)), of.width, of.height, of.channels, std::get<2>(rows)};
}

void table(int device, std::uintptr_t stream, std::tuple<int, int, int> size, const Rows& image, const Rows& sums,
           bool exclusive, std::optional<double> scale) {
  const Place place(device, stream);
  const auto [height, width, channels] = size;
  const Shape shape{height, width, channels};
  plans<cuda::TablePlan>().use(
      place, {height, width, channels, exclusive},
      [&] { return cuda::TablePlan(shape.width, shape.height, shape.channels, sumsOf(exclusive)); },
      [&](cuda::TablePlan& plan) {
        const auto from = input(image, shape);
        const auto to = output(sums, shape, exclusive ? 1 : 0);
        if (scale)
          plan.run(from, *scale, to, place.stream);
        else
          plan.run(from, to, place.stream);
      });
}

// Runs a filter or scatter plan with the image of radii if there is one, else with the single radius.
template <class Plan>
void runAround(Plan& plan, const cuda::InputImage& from, const cuda::OutputImage& to, float radius,
               const std::optional<Rows>& radii, const Place& place) {
  if (radii)
    plan.run(from, typed<const float>(*radii, {from.height, from.width, 1}), to, place.stream);
  else
    plan.run(from, radius, to, place.stream);
}

template <class Plan>
void filter(int device, std::uintptr_t stream, std::tuple<int, int, int> size, const Rows& image, const Rows& out,
            float radius, std::optional<Rows> radii, int border) {
  const Place place(device, stream);
  const auto [height, width, channels] = size;
  const Shape shape{height, width, channels};
  plans<Plan>().use(
      place, {height, width, channels, border},
      [&] { return Plan(shape.width, shape.height, shape.channels, static_cast<cpu::Border>(border)); },
      [&](Plan& plan) { runAround(plan, input(image, shape), output(out, shape), radius, radii, place); });
}

void scatter(int device, std::uintptr_t stream, std::tuple<int, int, int> size, const Rows& image, const Rows& out,
             float radius, std::optional<Rows> radii) {
  const Place place(device, stream);
  const auto [height, width, channels] = size;
  const Shape shape{height, width, channels};
  plans<cuda::ScatterPlan>().use(
      place, {height, width, channels}, [&] { return cuda::ScatterPlan(shape.width, shape.height, shape.channels); },
      [&](cuda::ScatterPlan& plan) {
        const auto to = output(out, {shape.height, shape.width, shape.channels + 1});
        runAround(plan, input(image, shape), to, radius, radii, place);
      });
}

void scan(int device, std::uintptr_t stream, std::uintptr_t in, int inType, std::uintptr_t out, int outType,
          std::size_t outer, std::size_t length, std::size_t inner, bool exclusive) {
  const Place place(device, stream);
  const auto number = [](std::size_t value) { return static_cast<std::int64_t>(value); };
  plans<cuda::ScanPlan>().use(
      place, {number(outer), number(length), number(inner), exclusive},
      [&] {
        return cuda::ScanPlan({outer, length, inner}, sumsOf(exclusive));
      },
      [&](cuda::ScanPlan& plan) {
        plan.run({pointer<void>(in), static_cast<cuda::Type>(inType)},
                 {pointer<void>(out), static_cast<cuda::Type>(outType)}, place.stream);
      });
}

// A word in mapped host memory, which the device writes and the processor reads. Words are reused.
class SharedWord {
 public:
  SharedWord() {
    const std::lock_guard lock(mutex());
    if (free().empty()) {
      check(cudaHostAlloc(&word_, sizeof(std::uint32_t), cudaHostAllocPortable | cudaHostAllocMapped),
            "cannot allocate memory for the CUDA device");
    } else {
      word_ = free().back();
      free().pop_back();
    }
  }
  ~SharedWord() {
    const std::lock_guard lock(mutex());
    free().push_back(word_);
  }
  SharedWord(const SharedWord&) = delete;
  SharedWord& operator=(const SharedWord&) = delete;
  std::uint32_t* get() const { return static_cast<std::uint32_t*>(word_); }

 private:
  // Never destroyed, like plans().
  static std::mutex& mutex() {
    static auto* const kept = new std::mutex;
    return *kept;
  }
  static std::vector<void*>& free() {
    static auto* const kept = new std::vector<void*>;
    return *kept;
  }
  void* word_ = nullptr;
};

// Waits for the result. Returns the number of kept items.
std::uint32_t compact(int device, std::uintptr_t stream, std::uintptr_t items, std::size_t count, std::size_t bytes,
                      std::uintptr_t mask, std::uintptr_t out) {
  const Place place(device, stream);
  const SharedWord kept;
  plans<cuda::CompactPlan>().use(
      place, {static_cast<std::int64_t>(count), static_cast<std::int64_t>(bytes)},
      [&] { return cuda::CompactPlan(count, bytes); },
      [&](cuda::CompactPlan& plan) {
        plan.run(pointer<void>(items), pointer<std::uint8_t>(mask), pointer<void>(out), kept.get(), place.stream);
      });
  check(cudaStreamSynchronize(place.stream), "the CUDA device failed");
  return *kept.get();
}

// Writes the order to `order` if it is not 0, else the sorted keys to `out`.
void sort(int device, std::uintptr_t stream, std::uintptr_t keys, int type, std::size_t count, std::uintptr_t out,
          std::uintptr_t order) {
  const Place place(device, stream);
  plans<cuda::SortPlan>().use(
      place, {type, static_cast<std::int64_t>(count)},
      [&] { return cuda::SortPlan(static_cast<cuda::Type>(type), count); },
      [&](cuda::SortPlan& plan) {
        if (order != 0)
          plan.order(pointer<void>(keys), pointer<std::uint32_t>(order), place.stream);
        else
          plan.run(pointer<void>(keys), pointer<void>(out), place.stream);
      });
}

template <class T>
void convolveAs(const Place& place, const Shape& shape, const Rows& image, const Rows& out, int maskWidth,
                const std::vector<double>& weights) {
  const cpu::Mask<T> mask{maskWidth, static_cast<int>(weights.size()) / maskWidth, {weights.begin(), weights.end()}};
  cuda::convolve<T>(input(image, shape), mask, typed<T>(out, shape), place.stream);
}

void convolve(int device, std::uintptr_t stream, std::tuple<int, int, int> size, const Rows& image, const Rows& out,
              int maskWidth, const std::vector<double>& weights) {
  const Place place(device, stream);
  const auto [height, width, channels] = size;
  const Shape shape{height, width, channels};
  const auto type = static_cast<cuda::Type>(std::get<1>(out));
  const auto run = type == cuda::Type::float32   ? convolveAs<float>
                   : type == cuda::Type::float64 ? convolveAs<double>
                                                 : convolveAs<std::int32_t>;
  run(place, shape, image, out, maskWidth, weights);
}

// A lens plan and device memory for its depth. Large, so only the latest is kept.
struct KeptLens {
  KeptLens(int height, int width) : plan(width, height) {
    void* memory = nullptr;
    check(cudaMalloc(&memory, sizeof(float) * static_cast<std::size_t>(width) * height),
          "cannot allocate memory of the CUDA device");
    depth.reset(static_cast<float*>(memory));
  }
  struct Free {
    void operator()(float* memory) const { (void)cudaFree(memory); }
  };
  cuda::LensPlan plan;
  std::unique_ptr<float, Free> depth;
};
template <>
constexpr std::size_t kMaxPlans<KeptLens> = 1;

// A copy in main memory of an image in device or main memory.
template <class T>
struct Copied {
  Copied(const Place& place, const Rows& rows, const Shape& of)
      : elements(static_cast<std::size_t>(of.height) * of.width * of.channels) {
    const std::ptrdiff_t row = std::ptrdiff_t{of.width} * of.channels, stride = std::get<2>(rows), last = of.height - 1;
    const T* const first = pointer<const T>(std::get<0>(rows)) + std::min<std::ptrdiff_t>(last * stride, 0);
    const auto bytes = [](std::ptrdiff_t number) { return static_cast<std::size_t>(number) * sizeof(T); };
    check(cudaMemcpy2DAsync(elements.data(), bytes(row), first, bytes(std::max(std::abs(stride), row)), bytes(row),
                            static_cast<std::size_t>(of.height), cudaMemcpyDefault, place.stream),
          "cannot read from the CUDA device");
    check(cudaStreamSynchronize(place.stream), "the CUDA device failed");
    image = {elements.data() + (stride < 0 ? last * row : 0), of.width, of.height, of.channels,
             stride < 0 ? -row : row};
  }
  std::vector<T> elements;
  cpu::Image<const T> image;
};

// Calls task(T{}) with the element type of an image or depth for refocus().
template <class Task>
void withLensType(const Rows& rows, const Task& task) {
  const auto type = static_cast<cuda::Type>(std::get<1>(rows));
  type == cuda::Type::uint8 ? task(std::uint8_t{}) : type == cuda::Type::uint16 ? task(std::uint16_t{}) : task(float{});
}

void refocus(int device, std::uintptr_t stream, std::tuple<int, int> size, const Rows& image,
             std::tuple<int, int> depthSize, const Rows& depth, const nb::dict& given, const Rows& out) {
  std::deque<std::string> texts;
  const auto options = optionsOf(given, texts);
  const nb::gil_scoped_release unlocked;
  const Place place(device, stream);
  const auto [height, width] = size;
  const Shape shape{height, width, 3};
  const Shape ofDepth{std::get<0>(depthSize), std::get<1>(depthSize), 1};
  std::vector<float> prepared(static_cast<std::size_t>(height) * width);
  lens::DepthRange range{};
  withLensType(image, [&]<class T>(T) {
    withLensType(depth, [&]<class D>(D) {
      range = lens::prepareDepth<T, D>(Copied<T>(place, image, shape).image, Copied<D>(place, depth, ofDepth).image,
                                       options, {prepared.data(), shape.width, shape.height, 1, shape.width});
    });
  });
  plans<KeptLens>().use(
      place, {height, width}, [&] { return KeptLens(shape.height, shape.width); },
      [&](KeptLens& kept) {
        kept.plan.set(range, options);
        check(cudaMemcpyAsync(kept.depth.get(), prepared.data(), sizeof(float) * prepared.size(),
                              cudaMemcpyHostToDevice, place.stream),
              "cannot write to the CUDA device");
        check(cudaStreamSynchronize(place.stream), "the CUDA device failed");
        kept.plan.run(input(image, shape), {kept.depth.get(), shape.width, shape.height, 1, shape.width},
                      output(out, shape), place.stream);
      });
}

void waitFor(int device, std::uintptr_t stream) {
  const Place place(device, stream);
  check(cudaStreamSynchronize(place.stream), "the CUDA device failed");
}

// Allocates device memory for an array. Returns the array as a DLPack capsule, and its address.
nb::tuple allocate(int device, const std::vector<std::size_t>& shape, int code, int bits) {
  const Current current(device);
  std::size_t bytes = static_cast<std::size_t>(bits) / 8;
  for (const std::size_t side : shape) bytes *= side;
  void* memory = nullptr;
  check(cudaMalloc(&memory, std::max<std::size_t>(bytes, 1)), "cannot allocate memory of the CUDA device");
  const nb::capsule owner(memory, [](void* held) noexcept { (void)cudaFree(held); });
  const nb::dlpack::dtype type{static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(bits), 1};
  nb::ndarray<nb::device::cuda> array(memory, shape.size(), shape.data(), owner, nullptr, type, nb::device::cuda::value,
                                      device);
  return nb::make_tuple(nb::cast(array), reinterpret_cast<std::uintptr_t>(memory));
}

}  // namespace

void bindDevice(nb::module_& m) {
  const nb::call_guard<nb::gil_scoped_release> unlocked;
  m.def("device_integral_image", &table, nb::arg("device"), nb::arg("stream"), nb::arg("shape"), nb::arg("image"),
        nb::arg("table"), nb::arg("exclusive"), nb::arg("scale").none(), unlocked);
  const auto bindFilter = [&](const char* name, auto filter) {
    m.def(name, filter, nb::arg("device"), nb::arg("stream"), nb::arg("shape"), nb::arg("image"), nb::arg("out"),
          nb::arg("radius"), nb::arg("radii").none(), nb::arg("border"), unlocked);
  };
  bindFilter("device_box_filter", &filter<cuda::BoxFilterPlan>);
  bindFilter("device_tent_filter", &filter<cuda::TentFilterPlan>);
  bindFilter("device_disc_filter", &filter<cuda::DiscFilterPlan>);
  m.def("device_scatter", &scatter, nb::arg("device"), nb::arg("stream"), nb::arg("shape"), nb::arg("image"),
        nb::arg("out"), nb::arg("radius"), nb::arg("radii").none(), unlocked);
  m.def("device_scan", &scan, nb::arg("device"), nb::arg("stream"), nb::arg("x"), nb::arg("x_type"), nb::arg("out"),
        nb::arg("out_type"), nb::arg("outer"), nb::arg("length"), nb::arg("inner"), nb::arg("exclusive"), unlocked);
  m.def("device_compact", &compact, nb::arg("device"), nb::arg("stream"), nb::arg("items"), nb::arg("count"),
        nb::arg("bytes"), nb::arg("mask"), nb::arg("out"), unlocked);
  m.def("device_sort", &sort, nb::arg("device"), nb::arg("stream"), nb::arg("keys"), nb::arg("type"), nb::arg("count"),
        nb::arg("out"), nb::arg("order"), unlocked);
  m.def(
      "device_gather",
      [](int device, std::uintptr_t stream, std::uintptr_t items, std::size_t bytes, std::size_t count,
         std::uintptr_t order, std::uintptr_t out) {
        const Place place(device, stream);
        cuda::gather(pointer<void>(items), bytes, count, pointer<std::uint32_t>(order), count, pointer<void>(out),
                     place.stream);
      },
      nb::arg("device"), nb::arg("stream"), nb::arg("items"), nb::arg("bytes"), nb::arg("count"), nb::arg("order"),
      nb::arg("out"), unlocked);
  m.def("device_convolve", &convolve, nb::arg("device"), nb::arg("stream"), nb::arg("shape"), nb::arg("image"),
        nb::arg("out"), nb::arg("mask_width"), nb::arg("weights"), unlocked);
  m.def("device_refocus", &refocus, nb::arg("device"), nb::arg("stream"), nb::arg("shape"), nb::arg("image"),
        nb::arg("depth_shape"), nb::arg("depth"), nb::arg("options"), nb::arg("out"));
  m.def("device_wait", &waitFor, nb::arg("device"), nb::arg("stream"), unlocked);
  m.def("device_allocate", &allocate, nb::arg("device"), nb::arg("shape"), nb::arg("code"), nb::arg("bits"));
  m.def(
      "device_forget",
      [] {
        plans<cuda::TablePlan>().clear();
        plans<cuda::BoxFilterPlan>().clear();
        plans<cuda::TentFilterPlan>().clear();
        plans<cuda::DiscFilterPlan>().clear();
        plans<cuda::ScatterPlan>().clear();
        plans<cuda::ScanPlan>().clear();
        plans<cuda::CompactPlan>().clear();
        plans<cuda::SortPlan>().clear();
        plans<KeptLens>().clear();
      },
      unlocked);
}
