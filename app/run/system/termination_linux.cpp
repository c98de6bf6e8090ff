#include "app/run/system/termination.h"

#include <pthread.h>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <mutex>
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

Termination::Termination(std::function<void()> wake, std::chrono::milliseconds patience)
    : wake_(std::move(wake)), patience_(patience) {
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
  for (int signal = 0; sigwait(&set, &signal) == 0 && !stop.stop_requested();) {
    if (patience_.count() > 0 && !watch_.joinable())
      watch_ = std::jthread([this](const std::stop_token& end) { endIfUnanswered(end); });
    request(signal);
  }
}

void Termination::endIfUnanswered(const std::stop_token& stop) const {
  constexpr double kIdle = 0.02;  // of the time of a processor
  const double idleTicks = kIdle * std::chrono::duration<double>(patience_).count() * CLOCKS_PER_SEC;
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  long polls = 0;
  std::clock_t ticks = 0;
  do {
    polls = polls_;
    ticks = std::clock();
    stopped.wait_for(lock, stop, patience_, [] { return false; });
    if (stop.stop_requested()) return;
  } while (polls_ != polls || static_cast<double>(std::clock() - ticks) > idleTicks);
  std::fputs("satdof: ended without saving: the window does not answer\n", stderr);
  endBy(signal_);
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
