#include "app/run/system/pipes_linux.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "app/core/text/formatted.h"

namespace satdof {

std::pair<Descriptor, Descriptor> makePipe() {
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0 || ::fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0)
    throw std::runtime_error(std::string("cannot make a pipe: ") + std::strerror(errno));
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

bool PipeText::read() {
  constexpr std::size_t kKept = 4000;
  constexpr int kMaxParts = 64;
  bool any = false;
  std::array<char, 4096> part{};
  for (int i = 0; i < kMaxParts; ++i) {
    const ssize_t count = ::read(pipe_.get(), part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return any;
    any = true;
    text_.append(part.data(), static_cast<std::size_t>(count));
    if (text_.size() > kKept) text_.erase(0, text_.size() - kKept);
  }
  return any;
}

std::string PipeText::lastLine() const {
  const std::string line = lastLines(1);
  return line.empty() ? "it gave no reason" : line;
}

std::string PipeText::lastLines(std::size_t most) const {
  std::vector<std::string> lines;
  std::istringstream text(text_);
  for (std::string line; std::getline(text, line);) {
    // A progress bar overwrites its line after each \r.
    while (line.ends_with('\r')) line.pop_back();
    line.erase(0, line.rfind('\r') + 1);
    if (!line.empty()) lines.push_back(line);
  }
  std::string last;
  for (std::size_t i = lines.size() - std::min(most, lines.size()); i < lines.size(); ++i)
    last.append(last.empty() ? "" : "\n").append(lines[i]);
  return last;
}

void StallTimer::wait(std::vector<pollfd> descriptors) {
  constexpr int kSliceMs = 20;
  constexpr double kMaxAtOnce = 0.125;  // part of the stall time that one wait can count
  if (stop_.stop_requested()) throw StopRequested();
  const auto now = Clock::now();
  waited_ += std::min<std::chrono::duration<double>>(now - std::exchange(last_, now), kMaxAtOnce * stall_);
  if (waited_ > stall_) throw std::runtime_error(formatted("made no progress for %g s", stall_.count()));
  const auto isReady = [](const pollfd& each) { return (each.revents & (POLLIN | POLLOUT)) != 0; };
  // A pipe that the program has closed makes poll() return at once.
  if (::poll(descriptors.data(), descriptors.size(), kSliceMs) > 0 && std::ranges::none_of(descriptors, isReady))
    std::this_thread::sleep_for(std::chrono::milliseconds(kSliceMs));
}

namespace {

std::vector<Child::Redirection> withOutput(const Descriptor& output, const Descriptor& errors,
                                           std::vector<Child::Redirection> redirections) {
  redirections.insert(redirections.begin(), {{output.get(), STDOUT_FILENO}, {errors.get(), STDERR_FILENO}});
  return redirections;
}

}  // namespace

PipedChild::PipedChild(Pipe output, Pipe errors, const std::vector<std::string>& command,
                       std::vector<Child::Redirection> redirections, bool errorsApart)
    : child_(command, withOutput(output.second, (errorsApart ? errors : output).second, std::move(redirections))),
      output_(std::move(output.first)),
      errors_(std::move(errors.first)) {}

int PipedChild::finish(StallTimer& stall, const std::function<void(bool grown)>& look) {
  std::optional<int> status;
  while (!(status = child_.status())) {
    errors_.read();
    look(output_.read());
    stall.wait({{output_.descriptor(), POLLIN, 0}});
  }
  output_.read();
  errors_.read();
  return *status;
}

}  // namespace satdof
