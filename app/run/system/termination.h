#pragma once
#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

namespace satdof {

// Turns SIGINT, SIGTERM and SIGHUP, on Windows the console's events, into requests that the main loop reads. The
// third signal ends the program at once. Construct it before other threads start, because they inherit the blocked
// signals.
class Termination {
 public:
  // `wake` is called from another thread when a signal arrives. Throws std::logic_error if there is another object:
  // each would take signals of the other.
  // `patience`: ends the program after a signal if for so long requests() is not called and the program computes
  // nothing, such as in a call to a display that does not answer; not on Windows. 0: never.
  explicit Termination(std::function<void()> wake, std::chrono::milliseconds patience = {});
  ~Termination();
  Termination(const Termination&) = delete;
  Termination& operator=(const Termination&) = delete;

  // The last signal, or 0.
  int signal() const { return signal_; }
  int requests() const {
    ++polls_;
    return requests_;
  }
  // Counts a request, as if the signal had arrived.
  void request(int signal);

 private:
  // At most one exists.
  struct Only {
    Only();
    ~Only();
    Only(const Only&) = delete;
    Only& operator=(const Only&) = delete;
  };

  void wait(const std::stop_token& stop);
  void endIfUnanswered(const std::stop_token& stop) const;

  Only only_;
  std::function<void()> wake_;
  std::chrono::milliseconds patience_;
  std::atomic<int> signal_ = 0, requests_ = 0;
  mutable std::atomic<long> polls_ = 0;  // calls of requests()
  // Not on Windows:
  std::jthread watch_;   // after the first signal
  std::jthread thread_;  // waits for signals
};

// Ends the program as the signal does by default.
void endBy(int signal);

}  // namespace satdof
