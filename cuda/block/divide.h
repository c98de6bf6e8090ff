#pragma once
#include <cstdint>

namespace satdof::cuda {

// value / divisor, rounded up. value + divisor must not overflow.
template <class T>
constexpr T ceilDivide(T value, T divisor) {
  return (value + divisor - 1) / divisor;
}

// Blocks for `items`, of which each block takes `each`.
constexpr unsigned blocksFor(std::uint64_t items, unsigned each) {
  return static_cast<unsigned>(ceilDivide<std::uint64_t>(items, each));
}

}  // namespace satdof::cuda
