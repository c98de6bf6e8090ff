#pragma once
#include <chrono>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/core/files/file_timeout.h"
#include "app/core/system/load_status.h"

// Computes results on a thread, such as what a file contains. The last result stays until the next one is ready.
namespace satdof {

enum class LoadFault { unreadable, cancelled };

// Why a result was not loaded.
struct LoadFailure {
  LoadFault fault = LoadFault::unreadable;
  std::string reason;
};

// Thrown by LoadProgress::report() to leave a cancelled job.
struct LoadCancelled {};

// Progress of a job: the thread of the job writes, other threads read.
class LoadProgress {
 public:
  explicit LoadProgress(std::stop_token stop = {}) : stop_(std::move(stop)) {}
  // Sets the status. Call often: cancels the job by throwing LoadCancelled.
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

// A cache of one entry for the result that was read last, so that a file that has changed is read again after another
// one. Also knows the results before it that callers still hold. The cache does not own a result: the entry is gone
// once no caller holds it. Thread-safe.
template <class Key, class Result>
class HeldResults {
 public:
  using Read = std::function<std::shared_ptr<const Result>(const Key&, LoadProgress&)>;

  explicit HeldResults(Read read) : read_(std::move(read)) {}

  // Returns the result that was read last if it is of `key`, or null.
  std::shared_ptr<const Result> find(const Key& key) const {
    const std::lock_guard lock(mutex_);
    return !held_.empty() && held_.back().first == key ? held_.back().second.lock() : nullptr;
  }
  // Returns a result of `key` that callers hold, or null.
  std::shared_ptr<const Result> findHeld(const Key& key) const {
    const std::lock_guard lock(mutex_);
    for (const auto& [of, result] : held_)
      if (of == key) return result.lock();
    return nullptr;
  }
  // Caches this result alone.
  void put(const Key& key, const std::shared_ptr<const Result>& result) {
    const std::lock_guard lock(mutex_);
    held_.assign(1, {key, result});
  }
  // Returns find(), or reads. Throws what Read throws.
  std::shared_ptr<const Result> load(const Key& key, LoadProgress& progress) {
    if (auto found = find(key)) return found;
    auto result = read_(key, progress);
    const std::lock_guard lock(mutex_);
    std::erase_if(held_, [&](const auto& each) { return each.first == key || each.second.expired(); });
    held_.emplace_back(key, result);
    return result;
  }

 private:
  Read read_;
  mutable std::mutex mutex_;
  std::vector<std::pair<Key, std::weak_ptr<const Result>>> held_;  // the last one read is last
};

// Loads the result of a key, such as a path, on a thread. result() keeps the last result until the next one is ready.
// One job runs at a time: if the wanted key changes, the job is cancelled and the next job starts when it has ended. A
// cancelled job that does not end within kPatience is abandoned, because reading a file may block forever. Not
// thread-safe. The functions do not block unless their comments say so. Objects that Read references must outlive all
// jobs.
template <class Key, class Result>
class Loading {
 public:
  // Called on the thread of the job. A std::exception becomes failure().
  using Read = typename HeldResults<Key, Result>::Read;

  explicit Loading(Read read) : read_(std::move(read)) {}
  // Reads through `files`: request() takes a cached result at once.
  explicit Loading(HeldResults<Key, Result>& files)
      : read_([&files](const Key& key, LoadProgress& progress) { return files.load(key, progress); }),
        find_([&files](const Key& key) { return files.find(key); }) {}
  // Cancels the job and waits for its end, up to kPatience.
  ~Loading() {
    stop();
    await(kPatience);
  }
  Loading(Loading&&) noexcept = default;
  Loading& operator=(Loading&&) noexcept = default;

  // Requests the result of `key`; call every frame. Returns whether result() changed. `wait`: blocks until result() or
  // failure() belongs to `key`. Retries a failed or cancelled key only after a request for another key.
  bool request(const Key& key, bool wait) {
    if (wanted_ != key) {
      wanted_ = key;
      failure_.reset();
    }
    bool changed = collect() || takeCached(key);
    if (job_ && job_->key != key) stop();
    if (wait) changed = join() || changed;
    if (!job_ && loadedKey_ != key && !failure_) start(key);
    if (wait) changed = join() || changed;
    return changed;
  }

  // Cancels the job. result() stays.
  void cancel() {
    if (!job_) return;
    stop();
    if (wanted_ == job_->key) failure_ = {LoadFault::cancelled, "cancelled"};
  }

  // Cancels the job and releases the result.
  void forget() {
    stop();
    wanted_.reset();
    loadedKey_.reset();
    failure_.reset();
    result_.reset();
  }

  // Like forget(), and does not wait for the cancelled job, neither in the destructor nor before the next job.
  void leave() {
    forget();
    job_.reset();
  }
  // Blocks until the job has ended, or for `timeout`.
  void await(std::chrono::milliseconds timeout) const {
    if (job_) job_->ended.wait_for(timeout);
  }

  // Whether the job has ended; the next request() takes its result.
  bool ended() const { return job_ && job_->ended.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }

  // The last result; null before the first.
  const std::shared_ptr<const Result>& result() const { return result_; }
  // Why the wanted key failed; none if it is loaded or loading.
  const std::optional<LoadFailure>& failure() const { return failure_; }
  // Progress of the wanted key; none if it is loaded or failed.
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
    // Before `ended`, only the thread of the job accesses result and failure.
    std::shared_ptr<const Result> result;
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

  // Takes a cached result. Returns whether result() changed.
  bool takeCached(const Key& key) {
    if (loadedKey_ == key || !find_) return false;
    auto found = find_(key);
    if (!found) return false;
    result_ = std::move(found);
    loadedKey_ = key;
    failure_.reset();
    return true;
  }

  // Takes the result or the failure of an ended job. Returns whether result() changed.
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

}  // namespace satdof
