#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "app/core/system/loading.h"

namespace satdof {

// Computes one answer at a time on a thread, for work that takes long or may block, such as questions to the file
// system. A new question abandons an unanswered one.
template <class Answer>
class Inquiry {
 public:
  using Find = std::function<Answer()>;
  static constexpr std::chrono::milliseconds kMoment{100};  // a wait that users do not notice

  Inquiry() = default;
  ~Inquiry() { loading_.leave(); }
  Inquiry(Inquiry&&) noexcept = default;
  Inquiry& operator=(Inquiry&&) noexcept = default;

  // Calls `find` on a thread. `doing`: the status, such as "opening a.png". `find` must own all that it uses: an
  // abandoned question may outlive the caller.
  void ask(std::string doing, Find find) {
    loading_.leave();
    question_ = {question_.number + 1, std::move(doing), std::move(find)};
    loading_.request(question_, false);
  }
  // Whether a question was asked whose answer take() has not returned.
  bool waits() const { return question_.find != nullptr; }
  // Whether the answer is ready for take().
  bool ended() const { return waits() && loading_.ended(); }
  // Returns the answer once; none if it is not ready within `timeout`. Throws std::runtime_error with the reason if
  // `find` threw.
  std::optional<Answer> take(std::chrono::milliseconds timeout = {}) {
    if (!waits()) return std::nullopt;
    loading_.await(timeout);
    loading_.request(question_, false);
    if (loading_.status()) return std::nullopt;
    const auto failure = loading_.failure();
    const auto answer = loading_.result();
    leave();
    if (failure) throw std::runtime_error(failure->reason);
    return *answer;
  }
  void leave() {
    question_.find = nullptr;
    loading_.leave();
  }
  std::optional<LoadStatus> status() const {
    return waits() ? std::optional(LoadStatus{0.0f, question_.doing}) : std::nullopt;
  }

 private:
  struct Question {
    long number = 0;
    std::string doing;
    Find find;
    bool operator==(const Question& other) const { return number == other.number; }
  };

  Loading<Question, Answer> loading_{
      [](const Question& question, LoadProgress&) { return std::make_shared<const Answer>(question.find()); }};
  Question question_;
};

}  // namespace satdof
