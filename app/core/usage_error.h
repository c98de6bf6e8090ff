#pragma once
#include <stdexcept>

namespace satdof {

// An invalid option or settings file: the program ends with status 2. The message is one line with the value and the
// valid values.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace satdof
