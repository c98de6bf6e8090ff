#pragma once
#include <stdexcept>

namespace satdof {

// Something asked for that cannot be done: main ends with status 2 instead of 1. The message is one line that
// names the value and what would be accepted.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace satdof
