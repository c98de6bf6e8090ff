#include <windows.h>

#include <csignal>
#include <utility>

#include "app/run/termination.h"

namespace satdof {

namespace {

std::atomic<Termination*> current = nullptr;

// On a thread of the system.
BOOL WINAPI consoleEvent(DWORD event) {
  Termination* const termination = current;
  if (termination == nullptr) return FALSE;
  const bool interrupts = event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT;
  termination->request(interrupts ? SIGINT : SIGTERM);
  if (!interrupts) Sleep(INFINITE);  // the system ends the program when this returns
  return TRUE;
}

}  // namespace

Termination::Termination(std::function<void()> wake) : wake_(std::move(wake)) {
  current = this;
  SetConsoleCtrlHandler(consoleEvent, TRUE);
}

Termination::~Termination() {
  SetConsoleCtrlHandler(consoleEvent, FALSE);
  current = nullptr;
}

void endBy(int) { ExitProcess(STATUS_CONTROL_C_EXIT); }

}  // namespace satdof
