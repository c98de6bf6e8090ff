#include "app/core/files/file_timeout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "app/core/files/file_names.h"
#include "tests/support/file_work.h"

namespace satdof {
namespace {

// Runs work that waits until the test lets it end.
class FileTimeoutTest : public testing::Test {
 protected:
  FileTimeoutTest() { takeLateWrites(); }
  ~FileTimeoutTest() override {
    letGo();
    test::waitForFileWork();
    takeLateWrites();
  }
  void letGo() {
    if (!std::exchange(gone_, true)) go_->set_value();
  }
  auto work(const std::string& result) {
    return [until = until_, result] {
      until.wait();
      if (result.empty()) throw std::runtime_error("no room");
      return std::filesystem::path(result);
    };
  }
  std::vector<LateWrite> ended() {
    letGo();
    test::waitForFileWork();
    return takeLateWrites();
  }

  std::shared_ptr<std::promise<void>> go_ = std::make_shared<std::promise<void>>();
  std::shared_future<void> until_ = go_->get_future().share();
  bool gone_ = false;
};

TEST_F(FileTimeoutTest, OthersDoTheWorkOfAnImpatientThread) {
  const auto here = std::this_thread::get_id();
  const auto thread = [] { return std::this_thread::get_id(); };
  EXPECT_EQ(readWithTimeout("a/x", thread), here);
  const FileTimeoutScope impatient;
  EXPECT_NE(readWithTimeout("a/x", thread), here);
  EXPECT_EQ(writeWithTimeout("a/x", [] { return "a/y"; }), "a/y");
  EXPECT_THROW(readWithTimeout("a/x", []() -> int { throw std::runtime_error("why"); }), std::runtime_error);
  EXPECT_EQ(unfinishedJobs, 0);
}

TEST_F(FileTimeoutTest, AFolderThatDoesNotAnswerIsNotAskedAgainUntilItDoes) {
  const FileTimeoutScope impatient;
  const int before = lateCompletions();
  EXPECT_THROW(readWithTimeout("a/x", work("x")), FileTimeout);
  EXPECT_THROW(readWithTimeout("a/y", [] { return 1; }), FileTimeout);
  EXPECT_FALSE(isThere("a/z"));
  EXPECT_EQ(readWithTimeout("b/y", [] { return 1; }), 1);
  EXPECT_EQ(lateCompletions(), before);
  EXPECT_TRUE(hasPendingFileWork());
  letGo();
  test::waitForFileWork();
  EXPECT_EQ(lateCompletions(), before + 1);
  EXPECT_EQ(readWithTimeout("a/y", [] { return 1; }), 1);
}

TEST_F(FileTimeoutTest, LateFilesAreStoredAndReported) {
  const FileTimeoutScope impatient;
  EXPECT_EQ(writeWithTimeout("a/x", work("a/x-1")), std::nullopt);
  EXPECT_EQ(writeWithTimeout("a/y", work("")), std::nullopt);
  EXPECT_THAT(pendingWrites(), testing::ElementsAre("a/x", "a/y"));
  EXPECT_THAT(takeLateWrites(), testing::IsEmpty());
  letGo();
  test::waitForFileWork();
  EXPECT_THAT(pendingWrites(), testing::ElementsAre("a/x-1", "a/y")) << "not told yet";
  const auto files = ended();
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].file, "a/x-1");
  EXPECT_EQ(files[0].failure, "");
  EXPECT_EQ(files[1].failure, "no room");
  EXPECT_THAT(pendingWrites(), testing::IsEmpty());
}

TEST_F(FileTimeoutTest, TheLastOfEqualNamesIsStoredLast) {
  const FileTimeoutScope impatient;
  const auto order = std::make_shared<std::string>();
  for (const char each : {'1', '2'})
    writeWithTimeout("a/x", [until = each == '1' ? until_ : std::shared_future<void>(), order, each] {
      if (until.valid()) until.wait();
      *order += each;
      return "a/x";
    });
  ended();
  EXPECT_EQ(*order, "12");
}

TEST_F(FileTimeoutTest, FewFilesAreHeldInMemory) {
  const FileTimeoutScope impatient;
  for (int i = 0; i < 8; ++i) EXPECT_EQ(writeWithTimeout("a/x", work("a/x")), std::nullopt);
  EXPECT_THROW(writeWithTimeout("a/x", work("a/x")), FileTimeout);
  EXPECT_EQ(ended().size(), 8u);
}

}  // namespace
}  // namespace satdof
