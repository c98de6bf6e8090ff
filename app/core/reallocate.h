#pragma once
#include <cstddef>
#include <vector>

namespace satdof {

// Gives the vector `count` elements for other contents. In contrast to vector::resize(), a smaller vector takes less memory,
// and the old elements are freed first.
template <class T>
void reallocate(std::vector<T>& values, std::size_t count) {
  if (values.size() == count) return;
  values = std::vector<T>();
  values.resize(count);
}

}  // namespace satdof
