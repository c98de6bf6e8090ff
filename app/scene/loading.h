#pragma once
#include <chrono>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "app/core/answers.h"
#include "app/scene/load_status.h"

// Files of a scene, read on a thread of their own while the scene goes on with what it has.
namespace satdof {

enum class LoadFault { unreadable, cancelled };

// Why a file was not loaded.
struct LoadFailure {
  LoadFault fault = LoadFault::unreadable;
  std::string reason;
};

// Thrown by LoadProgress::report() to leave a cancelled job.
struct LoadCancelled {};

// Written by the thread of a job, read by others.
class LoadProgress {
 public:
  explicit LoadProgress(std::stop_token stop = {}) : stop_(std::move(stop)) {}
  // Call often: a job can be cancelled only here. Throws LoadCancelled.
  void report(float part, std::string doing) {
    throwIfCancelled();
    const std::lock_guard lock(mutex_);
    status_ = {part, std::move(doing)};
  }
  void throwIfCancelled() const {
    if (stop_.stop_requested()) throw LoadCancelled();
  }
  LoadStatus status() const {
    const std::lock_guard lock(mutex_);
    return status_;
  }

 private:
  std::stop_token stop_;
  mutable std::mutex mutex_;
  LoadStatus status_;
};

// Reads files for all that show them: finds the last result while somebody holds it. For any thread.
template <class Key, class Result>
class LastLoaded {
 public:
  using Read = std::function<std::shared_ptr<const Result>(const Key&, LoadProgress&)>;

  explicit LastLoaded(Read read) : read_(std::move(read)) {}

  // Null unless it is the last.
  std::shared_ptr<const Result> find(const Key& key) const {
    const std::lock_guard lock(mutex_);
    return key_ == key ? last_.lock() : nullptr;
  }
  // As if it had been read.
  void put(const Key& key, const std::shared_ptr<const Result>& result) {
    const std::lock_guard lock(mutex_);
    key_ = key;
    last_ = result;
  }
  // Throws what Read throws.
  std::shared_ptr<const Result> load(const Key& key, LoadProgress& progress) {
    if (auto found = find(key)) return found;
    auto result = read_(key, progress);
    put(key, result);
    return result;
  }

 private:
  Read read_;
  mutable std::mutex mutex_;
  std::optional<Key> key_;
  std::weak_ptr<const Result> last_;
};

// Loads the result that belongs to a key, such as a path. The last result stays until a newer one is ready.
// One thread runs: a job for a key that is no longer wanted is cancelled, and the next job starts when that one has ended. A
// cancelled job that does not end in time is left alone: its files may never answer. All functions are for one thread and
// wait only if told so. What Read refers to must outlive all jobs.
template <class Key, class Result>
class Loading {
 public:
  // Runs on the thread of the job. Exceptions of the standard library become failure().
  using Read = typename LastLoaded<Key, Result>::Read;

  explicit Loading(Read read) : read_(std::move(read)) {}
  // Takes at once what `files` has.
  explicit Loading(LastLoaded<Key, Result>& files)
      : read_([&files](const Key& key, LoadProgress& progress) { return files.load(key, progress); }),
        find_([&files](const Key& key) { return files.find(key); }) {}
  ~Loading() {
    stop();
    await(kPatience);
  }
  Loading(Loading&&) noexcept = default;
  Loading& operator=(Loading&&) noexcept = default;

  // Asks for the result of `key`; call every frame. `wait`: returns only when result() or failure() belongs to
  // `key`. Returns whether result() changed. A key that failed or was cancelled is tried again only after
  // another key.
  bool request(const Key& key, bool wait) {
    if (wanted_ != key) {
      wanted_ = key;
      failure_.reset();
    }
    bool changed = collect() || takeFound(key);
    if (job_ && job_->key != key) stop();
    if (wait) changed = join() || changed;
    if (!job_ && loadedKey_ != key && !failure_) start(key);
    if (wait) changed = join() || changed;
    return changed;
  }

  // Ends the job that runs. The last result stays.
  void cancel() {
    if (!job_) return;
    stop();
    if (wanted_ == job_->key) failure_ = {LoadFault::cancelled, "cancelled"};
  }

  // Wants nothing: ends the job that runs and releases the result.
  void forget() {
    stop();
    wanted_.reset();
    loadedKey_.reset();
    failure_.reset();
    result_.reset();
  }

  // Wants nothing, and leaves the job that runs alone.
  void leave() {
    forget();
    job_.reset();
  }
  // Waits for the job that runs, at most so long.
  void await(std::chrono::milliseconds most) const {
    if (job_) job_->ended.wait_for(most);
  }

  // Whether the job that ran has ended, and request() takes its result.
  bool ended() const {
    return job_ && job_->ended.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  }

  // Of the last key that loaded; null before the first.
  const std::shared_ptr<const Result>& result() const { return result_; }
  // Why there is no result for the wanted key; none if there is, or if its job runs.
  const std::optional<LoadFailure>& failure() const { return failure_; }
  // None if no job runs for the wanted key.
  std::optional<LoadStatus> status() const {
    if (!wanted_ || failure_ || loadedKey_ == wanted_) return std::nullopt;
    if (!job_ || job_->key != *wanted_) return LoadStatus{0.0f, "waiting"};
    return job_->progress.status();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kPatience{3};  // with a cancelled job

  struct Job {
    explicit Job(Key wanted) : key(std::move(wanted)) { ++unfinishedJobs; }
    ~Job() { --unfinishedJobs; }
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

    Key key;
    std::stop_source stop;
    std::optional<Clock::time_point> stoppedAt;
    LoadProgress progress{stop.get_token()};
    std::shared_ptr<const Result> result;  // these two belong to the thread until it has ended
    std::optional<LoadFailure> failure;
    std::promise<void> end;
    std::future<void> ended = end.get_future();
  };

  void start(const Key& key) {
    auto begun = std::make_shared<Job>(key);
    std::thread([job = begun, read = read_] {
      try {
        job->result = read(job->key, job->progress);
      } catch (const LoadCancelled&) {
        job->failure = {LoadFault::cancelled, "cancelled"};
      } catch (const std::bad_alloc&) {
        job->failure = {LoadFault::unreadable, "out of memory"};
      } catch (const std::exception& error) {
        job->failure = {LoadFault::unreadable, error.what()};
      }
      job->end.set_value();
    }).detach();
    job_ = std::move(begun);
  }

  void stop() {
    if (!job_ || job_->stoppedAt) return;
    job_->stop.request_stop();
    job_->stoppedAt = Clock::now();
  }

  bool join() {
    if (job_) job_->ended.wait();
    return collect();
  }

  // Returns whether result() changed.
  bool takeFound(const Key& key) {
    if (loadedKey_ == key || !find_) return false;
    auto found = find_(key);
    if (!found) return false;
    result_ = std::move(found);
    loadedKey_ = key;
    failure_.reset();
    return true;
  }

  // Takes what a job left that is done. Returns whether result() changed.
  bool collect() {
    if (!job_) return false;
    if (!ended()) {
      if (job_->stoppedAt && Clock::now() - *job_->stoppedAt > kPatience) job_.reset();
      return false;
    }
    const std::shared_ptr<Job> job = std::exchange(job_, nullptr);
    if (job->key != wanted_ || job->stoppedAt) return false;
    failure_ = job->failure;
    if (failure_) return false;
    result_ = std::move(job->result);
    loadedKey_ = job->key;
    return true;
  }

  Read read_;
  std::function<std::shared_ptr<const Result>(const Key&)> find_;
  std::optional<Key> wanted_, loadedKey_;
  std::optional<LoadFailure> failure_;  // of the wanted key
  std::shared_ptr<const Result> result_;
  std::shared_ptr<Job> job_;
};

// Asks files for what is no result of a scene: one question at a time, on a thread of its own. A question that is not answered is
// left alone if another one follows.
template <class Answer>
class Inquiry {
 public:
  using Find = std::function<Answer()>;
  static constexpr std::chrono::milliseconds kMoment{100};  // too short to be noticed

  Inquiry() = default;
  ~Inquiry() { loading_.leave(); }
  Inquiry(Inquiry&&) noexcept = default;
  Inquiry& operator=(Inquiry&&) noexcept = default;

  // `doing`: "opening a.png". What `find` refers to must outlive the process: give it copies.
  void ask(std::string doing, Find find) {
    loading_.leave();
    question_ = {question_.number + 1, std::move(doing), std::move(find)};
    loading_.request(question_, false);
  }
  // Whether a question waits for take().
  bool waits() const { return question_.find != nullptr; }
  // Whether take() has an answer, or throws.
  bool ended() const { return waits() && loading_.ended(); }
  // The answer, once; waits for it at most so long. Throws std::runtime_error with the reason if `find` has thrown.
  std::optional<Answer> take(std::chrono::milliseconds most = {}) {
    if (!waits()) return std::nullopt;
    loading_.await(most);
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

  Loading<Question, Answer> loading_{[](const Question& question, LoadProgress&) {
    return std::make_shared<const Answer>(question.find());
  }};
  Question question_;
};

}  // namespace satdof
