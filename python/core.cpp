#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

#include "device.h"

// Bindings of satdof/cpu.h and satdof/lens.h for arrays that python/satdof/__init__.py has checked and
// allocated: images of shape (height, width[, channels]) with contiguous rows. The functions release the GIL.
namespace nb = nanobind;
using namespace satdof::cpu;

namespace {

using In = nb::ndarray<nb::ro, nb::device::cpu>;
using Out = nb::ndarray<nb::device::cpu>;

template <class... Types>
struct List {};
using Bytes = List<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, std::uint32_t, std::int32_t>;
using Floats = List<float, double>;
using Words = List<std::uint64_t, std::int64_t>;

// Calls task(T{}) with the element type of an array. Throws if the type is in none of the lists.
template <class Task, class... Types, class... Others>
void withType(nb::dlpack::dtype type, const Task& task, List<Types...>, Others... others) {
  if (((type == nb::dtype<Types>() && (task(Types{}), true)) || ...)) return;
  if constexpr (sizeof...(Others) != 0)
    withType(type, task, others...);
  else
    throw std::invalid_argument("the array has a type that this function does not take");
}

template <class T, class Array>
Image<T> imageOf(const Array& array) {
  if (array.ndim() != 2 && array.ndim() != 3) throw std::invalid_argument("an image has two or three axes");
  return {static_cast<T*>(const_cast<void*>(static_cast<const void*>(array.data()))), static_cast<int>(array.shape(1)),
          static_cast<int>(array.shape(0)), array.ndim() == 3 ? static_cast<int>(array.shape(2)) : 1, array.stride(0)};
}

Sums sumsOf(bool exclusive) { return exclusive ? Sums::exclusive : Sums::inclusive; }

// Calls run() with the image of radii if there is one, else with the single radius.
template <class Run>
void withRadius(float radius, const std::optional<In>& radii, const Run& run) {
  radii ? run(imageOf<const float>(*radii)) : run(radius);
}

template <class Filter>
void bindFilter(nb::module_& m, const char* name, const Filter& filter) {
  m.def(
      name,
      [filter](In image, float radius, const std::optional<In>& radii, Out out, int border) {
        withType(
            image.dtype(),
            [&]<class T>(T) {
              withRadius(radius, radii, [&](const auto& reach) {
                filter(imageOf<const T>(image), reach, imageOf<T>(out), static_cast<Border>(border));
              });
            },
            Bytes{}, Floats{});
      },
      nb::arg("image"), nb::arg("radius"), nb::arg("radii").none(), nb::arg("out"), nb::arg("border"),
      nb::call_guard<nb::gil_scoped_release>());
}

void bindImages(nb::module_& m) {
  const nb::call_guard<nb::gil_scoped_release> unlocked;
  m.def(
      "integral_image",
      [](In image, Out table, bool exclusive, std::optional<double> scale) {
        withType(
            image.dtype(),
            [&]<class T>(T) {
              const auto from = imageOf<const T>(image);
              const auto build = [&]<class S>(S) {
                if (table.dtype() != nb::dtype<S>()) return false;
                integralImage<T, S>(from, imageOf<S>(table), sumsOf(exclusive));
                return true;
              };
              if constexpr (std::is_floating_point_v<T>) {
                if (scale) {
                  if (table.dtype() != nb::dtype<std::int64_t>())
                    throw std::invalid_argument("a table in fixed point is int64");
                  return integralImage<T>(from, *scale, imageOf<std::int64_t>(table), sumsOf(exclusive));
                }
                if (build(double{})) return;
              } else if constexpr (std::is_signed_v<T>) {
                if (build(std::int32_t{}) || build(std::int64_t{})) return;
              } else {
                if (build(std::uint32_t{}) || build(std::uint64_t{})) return;
              }
              throw std::invalid_argument("the table has a type that does not fit the image");
            },
            Bytes{}, Floats{});
      },
      nb::arg("image"), nb::arg("table"), nb::arg("exclusive"), nb::arg("scale").none(), unlocked);
  bindFilter(m, "box_filter", [](const auto&... given) { boxFilter(given...); });
  bindFilter(m, "tent_filter", [](const auto&... given) { tentFilter(given...); });
  bindFilter(m, "disc_filter", [](const auto&... given) { discFilter(given...); });
  m.def(
      "scatter",
      [](In image, float radius, const std::optional<In>& radii, Out out) {
        withType(
            image.dtype(),
            [&]<class T>(T) {
              withRadius(radius, radii,
                         [&](const auto& reach) { scatter<T>(imageOf<const T>(image), reach, imageOf<T>(out)); });
            },
            Floats{});
      },
      nb::arg("image"), nb::arg("radius"), nb::arg("radii").none(), nb::arg("out"), unlocked);
  m.def(
      "convolve",
      [](In image, In mask, Out out) {
        withType(
            image.dtype(),
            [&]<class T>(T) {
              const auto* const weights = static_cast<const T*>(mask.data());
              const Mask<T> plain{
                  static_cast<int>(mask.shape(1)), static_cast<int>(mask.shape(0)), {weights, weights + mask.size()}};
              convolve<T>(imageOf<const T>(image), plain, imageOf<T>(out));
            },
            List<float, double, std::int32_t>{});
      },
      nb::arg("image"), nb::arg("mask"), nb::arg("out"), unlocked);
}

std::span<const std::uint8_t> maskOf(const In& mask) {
  return {static_cast<const std::uint8_t*>(mask.data()), mask.size()};
}
std::span<std::uint32_t> orderOf(const Out& order) { return {static_cast<std::uint32_t*>(order.data()), order.size()}; }

void bindArrays(nb::module_& m) {
  const nb::call_guard<nb::gil_scoped_release> unlocked;
  m.def(
      "scan",
      [](In in, Out out, std::size_t outer, std::size_t length, std::size_t inner, bool exclusive) {
        withType(
            in.dtype(),
            [&]<class T>(T) {
              using S = std::conditional_t<std::is_floating_point_v<T>, T,
                                           std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;
              scan(static_cast<const T*>(in.data()), static_cast<S*>(out.data()), {outer, length, inner},
                   sumsOf(exclusive));
            },
            Bytes{}, Floats{}, Words{});
      },
      nb::arg("x"), nb::arg("out"), nb::arg("outer"), nb::arg("length"), nb::arg("inner"), nb::arg("exclusive"),
      unlocked);
  m.def(
      "count", [](In mask) { return count(maskOf(mask)); }, nb::arg("mask"), unlocked);
  m.def(
      "compact",
      [](In items, std::size_t bytes, In mask, Out out) {
        return compact(items.data(), bytes, maskOf(mask), out.data());
      },
      nb::arg("items"), nb::arg("bytes"), nb::arg("mask"), nb::arg("out"), unlocked);
  m.def(
      "sort",
      [](In keys, Out sorted, std::optional<Out> order) {
        withType(
            keys.dtype(),
            [&]<class K>(K) {
              const std::span<const K> from{static_cast<const K*>(keys.data()), keys.size()};
              const std::span<K> to{static_cast<K*>(sorted.data()), sorted.size()};
              order ? sort<K>(from, to, orderOf(*order)) : sort<K>(from, to);
            },
            Bytes{}, Floats{}, Words{});
      },
      nb::arg("keys"), nb::arg("sorted"), nb::arg("order").none(), unlocked);
  m.def(
      "gather",
      [](In items, std::size_t bytes, std::size_t count, Out order, Out out) {
        gather(items.data(), bytes, count, orderOf(order), out.data());
      },
      nb::arg("items"), nb::arg("bytes"), nb::arg("count"), nb::arg("order"), nb::arg("out"), unlocked);
}

}  // namespace

std::vector<satdof::lens::Option> optionsOf(const nb::dict& given, std::deque<std::string>& texts) {
  std::vector<satdof::lens::Option> options;
  for (const auto& [key, value] : given) {
    satdof::lens::Option option{texts.emplace_back(nb::cast<std::string>(key)), false};
    if (nb::isinstance<nb::bool_>(value))
      option.value = nb::cast<bool>(value);
    else if (nb::isinstance<nb::str>(value))
      option.value = std::string_view(texts.emplace_back(nb::cast<std::string>(value)));
    else
      option.value = nb::cast<double>(value);
    options.push_back(option);
  }
  return options;
}

namespace {

void bindLens(nb::module_& m) {
  m.def(
      "refocus",
      [](In image, In depth, const nb::dict& given, Out out) {
        std::deque<std::string> texts;
        const auto options = optionsOf(given, texts);
        const nb::gil_scoped_release unlocked;
        const List<float, std::uint8_t, std::uint16_t> types;
        withType(
            image.dtype(),
            [&]<class T>(T) {
              withType(
                  depth.dtype(),
                  [&]<class D>(D) {
                    satdof::lens::refocus<T, D>(imageOf<const T>(image), imageOf<const D>(depth), std::span(options),
                                                imageOf<T>(out));
                  },
                  types);
            },
            types);
      },
      nb::arg("image"), nb::arg("depth"), nb::arg("options"), nb::arg("out"));
  m.def("lens_options", [] {
    std::vector<std::string> names;
    for (const std::string_view name : satdof::lens::optionNames()) names.emplace_back(name);
    return names;
  });
}

}  // namespace

NB_MODULE(_core, m) {
  bindImages(m);
  bindArrays(m);
  bindLens(m);
#ifdef SATDOF_CUDA
  bindDevice(m);
#endif
  m.def("threads", &threads);
  m.def("set_threads", &setThreads, nb::arg("threads"));
}
