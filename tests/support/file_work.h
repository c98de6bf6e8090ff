#pragma once
#include <thread>

#include "app/core/files/file_timeout.h"

namespace satdof::test {

// Waits until hasPendingFileWork() is false.
inline void waitForFileWork() {
  while (hasPendingFileWork()) std::this_thread::yield();
}

}  // namespace satdof::test
