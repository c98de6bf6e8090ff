#pragma once
#include <cstddef>

namespace satdof::gl {

// Returns the number of live programs.
std::size_t programCount();

// Waits until all live programs after the first `count` are linked. Throws std::runtime_error with the driver's log if
// one fails.
void requirePrograms(std::size_t count);

// Returns make() after all programs that it creates are linked. Throws std::runtime_error if one fails.
template <class Make>
auto withBuiltPrograms(Make&& make) {
  const std::size_t before = programCount();
  auto made = make();
  requirePrograms(before);
  return made;
}

}  // namespace satdof::gl
