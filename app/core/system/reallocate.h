#pragma once
#include <cstddef>
#include <vector>

namespace satdof {

// Resizes a vector whose contents are replaced next. In contrast to vector::resize(), frees the old elements first and
// releases memory when it shrinks.
template <class T>
void reallocate(std::vector<T>& values, std::size_t count) {
  if (values.size() == count) return;
  values = std::vector<T>();
  values.resize(count);
}

}  // namespace satdof
