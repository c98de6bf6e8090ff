#pragma once
#include <cstddef>

namespace satdof::gl {

// Programs that are alive.
size_t programCount();

// Waits for the programs made after `count` others. Throws std::runtime_error with the driver's log if one cannot be built.
void requirePrograms(size_t count);

// Returns make(), once the programs that it makes are built. Throws std::runtime_error if one cannot be built.
template <class Make>
auto built(Make&& make) {
  const size_t before = programCount();
  auto made = make();
  requirePrograms(before);
  return made;
}

}  // namespace satdof::gl
