#pragma once
#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

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
// At most one thread runs: a job for a key that is no longer wanted is cancelled, and the next job starts when
// that one has ended. All functions are for one thread and wait only if told so.
template <class Key, class Result>
class Loading {
 public:
  // Runs on the thread of the job. Exceptions of the standard library become failure().
  using Read = typename LastLoaded<Key, Result>::Read;

  explicit Loading(Read read) : read_(std::move(read)) {}
  // Takes at once what `files` has. `files` must outlive this.
  explicit Loading(LastLoaded<Key, Result>& files)
      : read_([&files](const Key& key, LoadProgress& progress) { return files.load(key, progress); }),
        find_([&files](const Key& key) { return files.find(key); }) {}

  // Asks for the result of `key`; call every frame. `wait`: returns only when result() or failure() belongs to
  // `key`. Returns whether result() changed. A key that failed or was cancelled is tried again only after
  // another key, or after retry().
  bool request(const Key& key, bool wait) {
    if (wanted_ != key) {
      wanted_ = key;
      failure_.reset();
    }
    bool changed = collect() || takeFound(key);
    if (job_ && job_->key != key) job_->stop.request_stop();
    if (wait) changed = join() || changed;
    if (!job_ && loadedKey_ != key && !failure_) start(key);
    if (wait) changed = join() || changed;
    return changed;
  }

  // Ends the job that runs. The last result stays.
  void cancel() {
    if (!job_) return;
    job_->stop.request_stop();
    if (wanted_ == job_->key) failure_ = {LoadFault::cancelled, "cancelled"};
  }

  // Wants nothing: ends the job that runs and releases the result.
  void forget() {
    if (job_) job_->stop.request_stop();
    wanted_.reset();
    loadedKey_.reset();
    failure_.reset();
    result_.reset();
  }

  // Loads the wanted key again, from a file that may have changed, say.
  void retry() {
    failure_.reset();
    if (loadedKey_ == wanted_) loadedKey_.reset();
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
  struct Job {
    explicit Job(Key wanted) : key(std::move(wanted)) {}
    ~Job() { stop.request_stop(); }  // the thread, destroyed first, joins
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

    Key key;
    std::stop_source stop;
    LoadProgress progress{stop.get_token()};
    std::shared_ptr<const Result> result;  // these two belong to the thread until `done`
    std::optional<LoadFailure> failure;
    std::atomic<bool> done{false};
    std::jthread thread;
  };

  void start(const Key& key) {
    job_ = std::make_unique<Job>(key);
    job_->thread = std::jthread([&job = *job_, read = read_] {
      try {
        job.result = read(job.key, job.progress);
      } catch (const LoadCancelled&) {
        job.failure = {LoadFault::cancelled, "cancelled"};
      } catch (const std::bad_alloc&) {
        job.failure = {LoadFault::unreadable, "out of memory"};
      } catch (const std::exception& error) {
        job.failure = {LoadFault::unreadable, error.what()};
      }
      job.done = true;
    });
  }

  bool join() {
    if (job_) job_->thread.join();
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
    if (!job_ || !job_->done) return false;
    const std::unique_ptr<Job> job = std::exchange(job_, nullptr);
    if (job->key != wanted_ || job->stop.stop_requested()) return false;
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
  std::unique_ptr<Job> job_;
};

}  // namespace satdof
