#pragma once
#include <string>

namespace satdof {

// Progress of a job.
struct LoadStatus {
  float part = 0.0f;  // done, 0 to 1
  std::string doing;  // "decoding texture 3 of 12"
};

}  // namespace satdof
