#include <windows.h>

#include <csignal>
#include <mutex>
#include <utility>

#include "app/run/system/termination.h"

namespace satdof {

namespace {

std::mutex mutex;
Termination* current = nullptr;  // with `mutex`

// On a thread of the system.
BOOL WINAPI consoleEvent(DWORD event) {
  const bool interrupts = event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT;
  {
    const std::scoped_lock lock(mutex);
    if (current == nullptr) return FALSE;
    current->request(interrupts ? SIGINT : SIGTERM);
  }
  if (!interrupts) Sleep(INFINITE);  // the system ends the program when this returns
  return TRUE;
}

}  // namespace

Termination::Termination(std::function<void()> wake, std::chrono::milliseconds patience)
    : wake_(std::move(wake)), patience_(patience) {
  {
    const std::scoped_lock lock(mutex);
    current = this;
  }
  SetConsoleCtrlHandler(consoleEvent, TRUE);
}

Termination::~Termination() {
  SetConsoleCtrlHandler(consoleEvent, FALSE);
  const std::scoped_lock lock(mutex);
  current = nullptr;
}

void endBy(int) { ExitProcess(STATUS_CONTROL_C_EXIT); }

}  // namespace satdof
