#pragma once
#include <poll.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "app/core/files/descriptor_linux.h"
#include "app/run/system/child_linux.h"

// Reads from a Child and notices that it hangs. Include only in files named NAME_linux.cpp.
namespace satdof {

// Returns the read end, which does not block, and the write end of a pipe. Throws std::runtime_error with the system's
// reason.
std::pair<Descriptor, Descriptor> makePipe();

// The last 4000 bytes of what a program writes to a pipe.
class PipeText {
 public:
  explicit PipeText(Descriptor pipe) : pipe_(std::move(pipe)) {}
  int descriptor() const { return pipe_.get(); }
  const std::string& text() const { return text_; }
  // Reads what has arrived, at most 256 KiB. Returns whether there was anything.
  bool read();
  // "it gave no reason" if there is none.
  std::string lastLine() const;
  // At most `most` lines that are not empty.
  std::string lastLines(std::size_t most) const;

 private:
  Descriptor pipe_;
  std::string text_;
};

// Thrown by StallTimer::wait().
class StopRequested {};

// Notices that a program makes no progress. Time in which this program was suspended counts little: the other program
// may have been suspended, too.
class StallTimer {
 public:
  StallTimer(const std::stop_token& stop, double stallS) : stop_(stop), stall_(stallS) { renew(); }
  // Call on progress.
  void renew() {
    last_ = Clock::now();
    waited_ = {};
  }
  // Waits at most 20 ms for one of the descriptors. Throws StopRequested on the request to stop, and std::runtime_error
  // if `stallS` seconds have passed since renew().
  void wait(std::vector<pollfd> descriptors);

 private:
  using Clock = std::chrono::steady_clock;
  const std::stop_token& stop_;
  std::chrono::duration<double> stall_, waited_{};
  Clock::time_point last_;
};

// A Child whose output is read.
class PipedChild {
 public:
  // Starts the program like Child. Its output and errors go into pipes, unless `redirections` redirect them. Without
  // `errorsApart`, output() holds the errors, too.
  PipedChild(const std::vector<std::string>& command, std::vector<Child::Redirection> redirections, bool errorsApart)
      : PipedChild(makePipe(), makePipe(), command, std::move(redirections), errorsApart) {}
  // Waits until it ends. Returns its status of waitpid(). Calls look(whether the output has grown) many times a second.
  // Throws what `look` and StallTimer::wait() throw.
  int finish(StallTimer& stall, const std::function<void(bool grown)>& look);
  const PipeText& output() const { return output_; }
  const PipeText& errors() const { return errors_; }

 private:
  using Pipe = std::pair<Descriptor, Descriptor>;
  PipedChild(Pipe output, Pipe errors, const std::vector<std::string>& command,
             std::vector<Child::Redirection> redirections, bool errorsApart);

  Child child_;
  PipeText output_, errors_;
};

}  // namespace satdof
