#include "app/run/termination.h"

namespace satdof {

void Termination::request(int signal) {
  if (signal_.exchange(signal) != 0) endBy(signal);
  wake_();
}

}  // namespace satdof
