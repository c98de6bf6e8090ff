#include "app/core/system/loading.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <functional>
#include <future>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

#include "app/core/system/inquiry.h"

namespace satdof {
namespace {

// Jobs that end when the test lets them. Key n gives the result 10 n; negative keys fail.
class LoadingTest : public testing::Test {
 protected:
  std::shared_ptr<const int> read(const int& key, LoadProgress& progress) {
    ++started_;
    progress.report(0.25f, "reading");
    reported_ = true;
    while (!released_) {
      try {
        progress.throwIfCancelled();
      } catch (const LoadCancelled&) {
        ++cancelled_;
        throw;
      }
      std::this_thread::yield();
    }
    if (key == -1) throw std::runtime_error("no such file");
    if (key == -2) throw std::bad_alloc();
    return std::make_shared<const int>(10 * key);
  }

  // Waits until `condition` holds. The test's time limit ends it otherwise.
  static void until(const std::function<bool()>& condition) {
    while (!condition()) std::this_thread::yield();
  }

  std::atomic<int> started_ = 0, cancelled_ = 0;
  std::atomic<bool> reported_ = false, released_ = false;
  Loading<int, int> loading_{[this](const int& key, LoadProgress& progress) { return read(key, progress); }};
};

TEST_F(LoadingTest, WaitsIfAsked) {
  released_ = true;
  EXPECT_EQ(loading_.result(), nullptr);
  EXPECT_FALSE(loading_.status());
  EXPECT_TRUE(loading_.request(3, true));
  EXPECT_EQ(*loading_.result(), 30);
  EXPECT_FALSE(loading_.request(3, true));
  EXPECT_FALSE(loading_.request(3, false));
  EXPECT_EQ(started_, 1);
  EXPECT_FALSE(loading_.failure());
  EXPECT_FALSE(loading_.status());
}

TEST_F(LoadingTest, KeepsTheOldResultUntilTheNewOneIsReady) {
  released_ = true;
  loading_.request(1, true);
  released_ = false;
  reported_ = false;
  EXPECT_FALSE(loading_.request(2, false));
  until([&] { return reported_.load(); });
  EXPECT_FALSE(loading_.request(2, false));
  EXPECT_EQ(*loading_.result(), 10);
  ASSERT_TRUE(loading_.status());
  EXPECT_EQ(loading_.status()->part, 0.25f);
  EXPECT_EQ(loading_.status()->doing, "reading");
  released_ = true;
  until([&] { return loading_.request(2, false); });
  EXPECT_EQ(*loading_.result(), 20);
  EXPECT_FALSE(loading_.status());
  EXPECT_EQ(started_, 2);
}

TEST_F(LoadingTest, KeepsTheOldResultAndTheReasonIfTheNewOneFails) {
  released_ = true;
  loading_.request(1, true);
  EXPECT_FALSE(loading_.request(-1, true));
  EXPECT_EQ(*loading_.result(), 10);
  ASSERT_TRUE(loading_.failure());
  EXPECT_EQ(loading_.failure()->reason, "no such file");
  EXPECT_FALSE(loading_.status());
  EXPECT_FALSE(loading_.request(-1, true));
  EXPECT_EQ(started_, 2) << "a failed key is not tried every frame";
  EXPECT_FALSE(loading_.request(-2, true));
  ASSERT_TRUE(loading_.failure());
  EXPECT_EQ(loading_.failure()->reason, "out of memory");
  EXPECT_FALSE(loading_.request(1, true)) << "still there";
  EXPECT_FALSE(loading_.failure());
  EXPECT_EQ(*loading_.result(), 10);
  EXPECT_EQ(started_, 3);
}

TEST_F(LoadingTest, CancelsJobsThatAreNoLongerWanted) {
  loading_.request(1, false);
  until([&] { return reported_.load(); });
  loading_.request(2, false);
  until([&] { return cancelled_ == 1; });
  until([&] {
    EXPECT_FALSE(loading_.request(2, false));
    return started_ == 2;
  });
  released_ = true;
  EXPECT_TRUE(loading_.request(2, true));
  EXPECT_EQ(*loading_.result(), 20);
  EXPECT_FALSE(loading_.failure());
}

TEST_F(LoadingTest, TheLastOfManyWishesWins) {
  for (int key = 1; key <= 33; ++key) loading_.request(key, false);
  released_ = true;
  EXPECT_TRUE(loading_.request(34, true));
  EXPECT_EQ(*loading_.result(), 340);
}

TEST_F(LoadingTest, CancelKeepsTheOldResult) {
  released_ = true;
  loading_.request(1, true);
  released_ = false;
  loading_.request(2, false);
  loading_.cancel();
  ASSERT_TRUE(loading_.failure());
  EXPECT_EQ(loading_.failure()->fault, LoadFault::cancelled);
  EXPECT_FALSE(loading_.request(2, false));
  EXPECT_FALSE(loading_.status());
  EXPECT_EQ(*loading_.result(), 10);
  until([&] { return cancelled_ == 1 || started_ == 1; });
}

TEST_F(LoadingTest, ForgetsResultAndJob) {
  released_ = true;
  loading_.request(1, true);
  loading_.forget();
  EXPECT_EQ(loading_.result(), nullptr);
  EXPECT_TRUE(loading_.request(1, true));
  released_ = false;
  loading_.request(2, false);
  loading_.forget();
  EXPECT_FALSE(loading_.status());
  until([&] { return cancelled_ == 1 || started_ == 2; });
  released_ = true;
  EXPECT_TRUE(loading_.request(2, true));
  EXPECT_EQ(*loading_.result(), 20);
}

TEST_F(LoadingTest, SharesLoadedContents) {
  HeldResults<int, int> files([this](const int& key, LoadProgress& progress) { return read(key, progress); });
  Loading<int, int> other(files);
  released_ = true;
  LoadProgress progress;
  auto held = files.load(1, progress);
  EXPECT_TRUE(other.request(1, false));
  EXPECT_EQ(other.result(), held);
  EXPECT_EQ(started_, 1);
  EXPECT_EQ(files.find(2), nullptr);
  EXPECT_TRUE(other.request(2, true));
  EXPECT_EQ(files.find(1), nullptr) << "its file may have changed";
  EXPECT_EQ(files.findHeld(1), held);
  held.reset();
  EXPECT_EQ(files.findHeld(1), nullptr) << "nobody holds it";
  EXPECT_EQ(files.find(2), other.result());
  held = std::make_shared<const int>(4);
  files.put(4, held);
  EXPECT_EQ(files.find(4), held);
  EXPECT_EQ(files.findHeld(2), nullptr) << "one that is put is alone";
}

TEST(Loading, ReportsFaults) {
  Loading<int, int> loading([](const int& key, LoadProgress&) -> std::shared_ptr<const int> {
    if (key == 0) throw LoadCancelled();
    throw std::runtime_error("no file");
  });
  loading.request(0, true);
  EXPECT_EQ(loading.failure()->fault, LoadFault::cancelled);
  loading.request(1, true);
  EXPECT_EQ(loading.failure()->fault, LoadFault::unreadable);
}

TEST_F(LoadingTest, AnEndWithoutResultCancelsTheJob) {
  {
    Loading<int, int> other([this](const int& key, LoadProgress& progress) { return read(key, progress); });
    other.request(1, false);
    until([&] { return reported_.load(); });
  }
  EXPECT_EQ(cancelled_, 1);
}

TEST_F(LoadingTest, AJobThatDoesNotEndIsLeftAlone) {
  until([] { return unfinishedJobs == 0; });  // of other tests
  std::promise<void> answer;
  const auto read = [answered = answer.get_future().share()](const int& key, LoadProgress&) {
    if (key == 1) answered.wait();
    return std::make_shared<const int>(key);
  };
  {
    Loading<int, int> loading(read);
    loading.request(1, false);
    until([&] { return loading.request(2, false); });
    EXPECT_EQ(*loading.result(), 2);
    loading.request(1, false);
  }
  EXPECT_EQ(unfinishedJobs, 2);
  answer.set_value();
  until([] { return unfinishedJobs == 0; });
}

TEST(Inquiry, TakesTheLastAnswerOnce) {
  std::promise<void> answer;
  {
    Inquiry<int> inquiry;
    EXPECT_FALSE(inquiry.take());
    const auto answered = answer.get_future().share();
    for (int times = 0; times < 2; ++times)
      inquiry.ask("opening a.png", [answered] {
        answered.wait();
        return 1;
      });
    EXPECT_FALSE(inquiry.take());
    EXPECT_EQ(inquiry.status()->doing, "opening a.png");
    inquiry.ask("", [] { return 2; });
    EXPECT_EQ(inquiry.take(std::chrono::minutes(1)), 2);
    EXPECT_FALSE(inquiry.waits());
    inquiry.ask("", []() -> int { throw std::runtime_error("no such file"); });
    EXPECT_THROW(inquiry.take(std::chrono::minutes(1)), std::runtime_error);
    EXPECT_FALSE(inquiry.take());
    inquiry.ask("", [answered] {
      answered.wait();
      return 3;
    });
    inquiry.leave();
    EXPECT_FALSE(inquiry.waits());
  }
  answer.set_value();
}

TEST_F(LoadingTest, ReportsFromAnotherThread) {
  LoadProgress progress;
  std::thread writer([&] {
    for (int i = 0; i <= 1000; ++i) progress.report(float(i) / 1000.0f, std::to_string(i));
  });
  float last = 0.0f;
  while (last < 1.0f) {
    const LoadStatus status = progress.status();
    EXPECT_GE(status.part, last);
    if (status.part > 0.0f) {
      EXPECT_EQ(status.doing, std::to_string(std::lround(1000 * status.part)));
    }
    last = status.part;
  }
  writer.join();
}

}  // namespace
}  // namespace satdof
