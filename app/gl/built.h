#pragma once
#include <cstddef>

namespace satdof::gl {

// Returns the number of live programs.
size_t programCount();

// Waits until all live programs after the first `count` are linked. Throws std::runtime_error with the driver's log if
// one fails.
void requirePrograms(size_t count);

// Returns make() after all programs that it creates are linked. Throws std::runtime_error if one fails.
template <class Make>
auto withBuiltPrograms(Make&& make) {
  const size_t before = programCount();
  auto made = make();
  requirePrograms(before);
  return made;
}

}  // namespace satdof::gl
