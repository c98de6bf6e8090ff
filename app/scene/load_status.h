#pragma once
#include <string>

namespace satdof {

// How far a file has been loaded.
struct LoadStatus {
  float part = 0.0f;  // 0 to 1
  std::string doing;  // "decoding texture 3 of 12"
};

}  // namespace satdof
