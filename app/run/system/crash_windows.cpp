#include "app/run/system/crash.h"

namespace satdof {

void reportCrashes(const std::filesystem::path&) {}

}  // namespace satdof
