#pragma once
#include <chrono>
#include <string>

namespace satdof {

// Shows progress on stderr, "frame 12 of 600": in place on a terminal, else as a line every ten seconds.
class Progress {
 public:
  Progress();
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `total`: 0: unknown.
  void show(const std::string& what, long done, long total);
  // Removes the line from a terminal.
  void clear();

 private:
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace satdof
