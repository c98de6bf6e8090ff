#include "app/core/answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "app/core/file_names.h"

namespace satdof {
namespace {

// Runs work that waits until the test lets it end.
class AnswersTest : public testing::Test {
 protected:
  AnswersTest() { takeLateFiles(); }
  ~AnswersTest() override {
    letGo();
    while (awaitsAnswers()) std::this_thread::yield();
    takeLateFiles();
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
  std::vector<LateFile> ended() {
    letGo();
    while (awaitsAnswers()) std::this_thread::yield();
    return takeLateFiles();
  }

  std::shared_ptr<std::promise<void>> go_ = std::make_shared<std::promise<void>>();
  std::shared_future<void> until_ = go_->get_future().share();
  bool gone_ = false;
};

TEST_F(AnswersTest, OthersDoTheWorkOfAnImpatientThread) {
  const auto here = std::this_thread::get_id();
  const auto thread = [] { return std::this_thread::get_id(); };
  EXPECT_EQ(answered("a/x", thread), here);
  const Impatient impatient;
  EXPECT_NE(answered("a/x", thread), here);
  EXPECT_EQ(writeInTime("a/x", [] { return "a/y"; }), "a/y");
  EXPECT_THROW(answered("a/x", []() -> int { throw std::runtime_error("why"); }), std::runtime_error);
  EXPECT_EQ(unfinishedJobs, 0);
}

TEST_F(AnswersTest, AFolderThatDoesNotAnswerIsNotAskedAgainUntilItDoes) {
  const Impatient impatient;
  const int before = lateAnswers();
  EXPECT_THROW(answered("a/x", work("x")), NoAnswer);
  EXPECT_THROW(answered("a/y", [] { return 1; }), NoAnswer);
  EXPECT_FALSE(isThere("a/z"));
  EXPECT_EQ(answered("b/y", [] { return 1; }), 1);
  EXPECT_EQ(lateAnswers(), before);
  EXPECT_TRUE(awaitsAnswers());
  letGo();
  while (awaitsAnswers()) std::this_thread::yield();
  EXPECT_EQ(lateAnswers(), before + 1);
  EXPECT_EQ(answered("a/y", [] { return 1; }), 1);
}

TEST_F(AnswersTest, LateFilesAreStoredAndTold) {
  const Impatient impatient;
  EXPECT_EQ(writeInTime("a/x", work("a/x-1")), std::nullopt);
  EXPECT_EQ(writeInTime("a/y", work("")), std::nullopt);
  EXPECT_THAT(pendingFiles(), testing::ElementsAre("a/x", "a/y"));
  EXPECT_THAT(takeLateFiles(), testing::IsEmpty());
  letGo();
  while (awaitsAnswers()) std::this_thread::yield();
  EXPECT_THAT(pendingFiles(), testing::ElementsAre("a/x-1", "a/y")) << "not told yet";
  const auto files = ended();
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].file, "a/x-1");
  EXPECT_EQ(files[0].failure, "");
  EXPECT_EQ(files[1].failure, "no room");
  EXPECT_THAT(pendingFiles(), testing::IsEmpty());
}

TEST_F(AnswersTest, TheLastOfEqualNamesIsStoredLast) {
  const Impatient impatient;
  const auto order = std::make_shared<std::string>();
  for (const char each : {'1', '2'})
    writeInTime("a/x", [until = each == '1' ? until_ : std::shared_future<void>(), order, each] {
      if (until.valid()) until.wait();
      *order += each;
      return "a/x";
    });
  ended();
  EXPECT_EQ(*order, "12");
}

TEST_F(AnswersTest, FewFilesAreHeldInMemory) {
  const Impatient impatient;
  for (int i = 0; i < 8; ++i) EXPECT_EQ(writeInTime("a/x", work("a/x")), std::nullopt);
  EXPECT_THROW(writeInTime("a/x", work("a/x")), NoAnswer);
  EXPECT_EQ(ended().size(), 8u);
}

}  // namespace
}  // namespace satdof
