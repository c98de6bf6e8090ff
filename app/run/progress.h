#pragma once
#include <chrono>
#include <string>

namespace satdof {

// "frame 12 of 600" on stderr: in place on a terminal, else a line every ten seconds.
class Progress {
 public:
  Progress();
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `total`: 0 if it is unknown.
  void show(const std::string& what, long done, long total);
  // Removes the line from a terminal.
  void clear();

 private:
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace satdof
