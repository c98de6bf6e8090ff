#pragma once
#include <cstddef>

#include "app/device/cpu/vectorised.h"

namespace satdof {

// Prefix sums of `count` elements on one thread: out[i] = sum + in[0] + ... + in[i], or up to in[i - 1] if exclusive.
// Adds numbers of type A. `out` may be `in`. Returns `sum` plus all elements.
template <class A, class T, class S>
A scanFrom(A sum, const T* in, S* out, std::size_t count, bool inclusive) {
  if (inclusive) {
    for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<S>(sum += static_cast<A>(in[i]));
    return sum;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const A value = static_cast<A>(in[i]);
    out[i] = static_cast<S>(sum);
    sum += value;
  }
  return sum;
}

// The sum of `count` elements, by eight partial sums: independent additions, which vectorise.
template <class A, class T>
A sumOf(const T* in, std::size_t count) {
  constexpr std::size_t kLanes = 8;
  A sum{};
  vectorised([&]() SATDOF_INLINE {
    A lanes[kLanes] = {};
    std::size_t i = 0;
    for (; i + kLanes <= count; i += kLanes)
      for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += static_cast<A>(in[i + lane]);
    for (; i < count; ++i) lanes[0] += static_cast<A>(in[i]);
    for (const A lane : lanes) sum += lane;
  });
  return sum;
}

}  // namespace satdof
