#pragma once
#include <poll.h>

#include <chrono>
#include <cstddef>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "app/core/descriptor_posix.h"

// Watches a Child without waiting for it longer than a moment. For files named NAME_posix.cpp.
namespace satdof {

// Both ends of a pipe; reading does not wait. Throws std::runtime_error with the system's reason.
std::pair<Descriptor, Descriptor> makePipe();

// What a program says on a pipe; the last part of it.
class Said {
 public:
  explicit Said(Descriptor pipe) : pipe_(std::move(pipe)) {}
  int descriptor() const { return pipe_.get(); }
  const std::string& text() const { return text_; }
  // Reads what is there, of a flood a part. Returns whether there was any.
  bool read();
  std::string lastLine() const;
  // At most so many lines, without empty ones.
  std::string lastLines(std::size_t most) const;

 private:
  Descriptor pipe_;
  std::string text_;
};

// Thrown by Patience on the request to stop.
class Abandoned {};

// Watches that a program goes on. Time in which this program was stopped counts little: the other one may have been, too.
class Patience {
 public:
  Patience(const std::stop_token& stop, double stallS) : stop_(stop), stall_(stallS) { renew(); }
  void renew() {
    last_ = Clock::now();
    waited_ = {};
  }
  // Waits a little for one of the descriptors. Throws Abandoned on the request to stop, std::runtime_error if nothing
  // has renewed the patience for the time of a stall.
  void wait(std::vector<pollfd> descriptors);

 private:
  using Clock = std::chrono::steady_clock;
  const std::stop_token& stop_;
  std::chrono::duration<double> stall_, waited_{};
  Clock::time_point last_;
};

}  // namespace satdof
