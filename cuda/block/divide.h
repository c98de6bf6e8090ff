#pragma once
#include <cstdint>

namespace satdof::cuda {

// value / divisor, rounded up. value + divisor - 1 must not overflow.
template <class T>
constexpr T ceilDivide(T value, T divisor) {
  return (value + divisor - 1) / divisor;
}

// The number of blocks for `items` items.
constexpr unsigned blocksFor(std::uint64_t items, unsigned itemsPerBlock) {
  return static_cast<unsigned>(ceilDivide<std::uint64_t>(items, itemsPerBlock));
}

}  // namespace satdof::cuda
