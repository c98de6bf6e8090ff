#include "app/run/progress.h"

#include <cstdio>

#include "app/core/system/platform.h"

namespace satdof {

Progress::Progress() : terminal_(isTerminal(stderr)) {}

void Progress::show(const std::string& what, long done, long total) {
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < (terminal_ ? std::chrono::milliseconds(200) : std::chrono::seconds(10))) return;
  last_ = now;
  shown_ = true;
  const std::string of = total > 0 ? " of " + std::to_string(total) : "";
  std::fprintf(stderr, terminal_ ? "\r%s %ld%s\x1b[K" : "%s %ld%s\n", what.c_str(), done, of.c_str());
}

void Progress::clear() {
  if (shown_ && terminal_) std::fputs("\r\x1b[K", stderr);
  shown_ = false;
}

}  // namespace satdof
