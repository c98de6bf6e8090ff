#include "app/run/system/termination.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <stdexcept>
#include <thread>

namespace satdof {
namespace {

// Each part is a process of its own: a signal may reach any thread that does not block it.
void send(int signal) { ::kill(::getpid(), signal); }

void pause() { std::this_thread::sleep_for(std::chrono::milliseconds(5)); }

TEST(TerminationTest, ASecondObjectIsRefusedAndLeavesTheSignalsToTheFirst) {
  EXPECT_EXIT(
      {
        const Termination first([] {});
        try {
          const Termination second([] {});
          std::_Exit(1);
        } catch (const std::logic_error&) {
        }
        send(SIGTERM);
        while (first.requests() == 0) pause();
        std::_Exit(first.signal() == SIGTERM ? 3 : 2);
      },
      testing::ExitedWithCode(3), "");
}

TEST(TerminationTest, TheNextObjectTakesTheSignals) {
  EXPECT_EXIT(
      {
        {
          const Termination before([] {});
        }
        const Termination next([] {});
        send(SIGINT);
        while (next.requests() == 0) pause();
        std::_Exit(3);
      },
      testing::ExitedWithCode(3), "");
}

TEST(TerminationTest, WithoutAnObjectASignalEndsTheProgram) {
  EXPECT_EXIT(
      {
        {
          const Termination before([] {});
        }
        send(SIGTERM);
      },
      testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace satdof
