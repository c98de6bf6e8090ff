#include "app/run/system/termination.h"

#include <stdexcept>

namespace satdof {

namespace {

std::atomic<bool> exists = false;

}  // namespace

Termination::Only::Only() {
  if (exists.exchange(true)) throw std::logic_error("the signals that end the program have a handler already");
}

Termination::Only::~Only() { exists = false; }

void Termination::request(int signal) {
  signal_ = signal;
  if (++requests_ > 2) endBy(signal);
  wake_();
}

}  // namespace satdof
