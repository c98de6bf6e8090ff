#pragma once
#include <cstddef>

namespace satdof {

// list[index]. Indices of models are int: -1 means none.
template <class List>
decltype(auto) entry(List& list, int index) {
  return list[static_cast<std::size_t>(index)];
}

}  // namespace satdof
