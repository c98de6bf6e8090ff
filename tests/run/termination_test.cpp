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

constexpr std::chrono::milliseconds kPatience{200};

TEST(TerminationTest, EndsAProgramThatDoesNotAnswer) {
  EXPECT_EXIT(
      {
        const Termination termination([] {}, kPatience);
        send(SIGTERM);
        std::this_thread::sleep_for(std::chrono::seconds(60));
      },
      testing::KilledBySignal(SIGTERM), "the window does not answer");
}

TEST(TerminationTest, EndsAProgramThatIsNotEvenWoken) {
  EXPECT_EXIT(
      {
        const Termination termination([] { std::this_thread::sleep_for(std::chrono::seconds(60)); }, kPatience);
        send(SIGTERM);
        std::this_thread::sleep_for(std::chrono::seconds(60));
      },
      testing::KilledBySignal(SIGTERM), "the window does not answer");
}

// Runs `work` for five times the patience after a signal.
template <class Work>
void expectNoEndOf(const Work& work) {
  EXPECT_EXIT(
      {
        const Termination termination([] {}, kPatience);
        send(SIGTERM);
        const auto end = std::chrono::steady_clock::now() + 5 * kPatience;
        while (std::chrono::steady_clock::now() < end) work(termination);
        std::_Exit(3);
      },
      testing::ExitedWithCode(3), "");
}

TEST(TerminationTest, WaitsForAProgramThatAnswersOrComputes) {
  expectNoEndOf([](const Termination& termination) {
    (void)termination.requests();
    pause();
  });
  expectNoEndOf([](const Termination&) {});
}

}  // namespace
}  // namespace satdof
