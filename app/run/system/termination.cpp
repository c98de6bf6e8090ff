#include "app/run/system/termination.h"

namespace satdof {

void Termination::request(int signal) {
  signal_ = signal;
  if (++requests_ > 2) endBy(signal);
  wake_();
}

}  // namespace satdof
