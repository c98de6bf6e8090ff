#include "app/run/window/ending.h"

#include <cstdio>
#include <utility>

namespace satdof {

namespace {

constexpr double kLateFilesS = 2.0;    // a longer wait for files is reported
constexpr double kLongestEndS = 10.0;  // wait for images

}  // namespace

bool Ending::ends(int requests, bool capturing) {
  if (requests != 1 || !capturing) return requests > 0;
  if (!std::exchange(told_, true))
    std::fputs("satdof: ends when the capture is written; close or interrupt again to abandon it\n", stderr);
  return false;
}

bool FileWait::gaveUp(const std::string& file, bool videos, int requests, double nowS) {
  const double waitedS = nowS - beganS_;
  if (requests > requests_ || (!videos && waitedS > kLongestEndS)) return true;
  if (waitedS > kLateFilesS && !std::exchange(told_, true))
    std::fprintf(stderr, "satdof: ends when %s is written; close or interrupt again to abandon it\n", file.c_str());
  return false;
}

}  // namespace satdof
