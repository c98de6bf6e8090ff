#include "app/run/system/termination.h"

#include <pthread.h>
#include <csignal>
#include <utility>

namespace satdof {

namespace {

// SIGHUP counts unless the program was told to ignore it, as nohup does.
sigset_t endingSignals() {
  static const bool hangsUp = [] {
    struct sigaction action {};
    return ::sigaction(SIGHUP, nullptr, &action) == 0 && action.sa_handler != SIG_IGN;
  }();
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  if (hangsUp) sigaddset(&set, SIGHUP);
  return set;
}

}  // namespace

Termination::Termination(std::function<void()> wake) : wake_(std::move(wake)) {
  const sigset_t set = endingSignals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  thread_ = std::jthread([this](const std::stop_token& stop) { wait(stop); });
}

Termination::~Termination() {
  thread_.request_stop();
  // The thread waits for the signal in sigwait().
  pthread_kill(thread_.native_handle(), SIGTERM);  // NOLINT(bugprone-bad-signal-to-kill-thread)
  thread_.join();
  const sigset_t set = endingSignals();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void Termination::wait(const std::stop_token& stop) {
  const sigset_t set = endingSignals();
  for (int signal = 0; sigwait(&set, &signal) == 0 && !stop.stop_requested();) request(signal);
}

void endBy(int signal) {
  std::signal(signal, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  std::raise(signal);
}

}  // namespace satdof
