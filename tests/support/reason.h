#pragma once
#include <stdexcept>
#include <string>

namespace satdof::test {

// The message of the exception that the function throws; "accepted" without one.
template <class Exception = std::runtime_error, class Function>
std::string reasonOf(const Function& function) {
  try {
    function();
  } catch (const Exception& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace satdof::test
