#include "app/run/window/depth_maker.h"

#include <exception>
#include <mutex>
#include <thread>

#include "app/run/depth_command.h"
#include "app/run/dropped.h"
#include "app/run/window/exchange.h"
#include "app/scene/scene_files.h"

namespace satdof {

// A thread that runs the command, or looks into the cache alone.
class DepthMaker::Job {
 public:
  Job(DepthCommand command, std::filesystem::path photo, bool runs)
      : command_(std::move(command)),
        photograph_(std::move(photo)),
        runs_(runs),
        thread_([this](const std::stop_token& stop) { run(stop); }) {}

  const std::filesystem::path& photograph() const { return photograph_; }
  bool runs() const { return runs_; }
  void cancel() { thread_.request_stop(); }
  std::string lines() const {
    const std::scoped_lock lock(mutex_);
    return lines_;
  }
  struct End {
    std::filesystem::path depth;  // empty: none is in the cache, or the job was cancelled
    std::string failure;
  };
  std::optional<End> end() const {
    const std::scoped_lock lock(mutex_);
    return end_;
  }

 private:
  void run(const std::stop_token& stop) {
    End end;
    try {
      const auto told = [this](const std::string& lines) {
        const std::scoped_lock lock(mutex_);
        lines_ = lines;
      };
      end.depth = runs_ ? estimatedDepth(command_, photograph_, {.stop = stop, .told = told})
                        : cachedDepth(command_, photograph_);
    } catch (const ToolStopped&) {
    } catch (const std::exception& error) {
      if (runs_) end.failure = error.what();
    }
    const std::scoped_lock lock(mutex_);
    end_ = std::move(end);
  }

  const DepthCommand command_;
  const std::filesystem::path photograph_;
  const bool runs_;
  mutable std::mutex mutex_;
  std::string lines_;
  std::optional<End> end_;
  std::jthread thread_;
};

DepthMaker::DepthMaker(bool estimatesMissing) : estimatesMissing_(estimatesMissing) {}
DepthMaker::~DepthMaker() = default;

bool DepthMaker::hasNews() const { return job_ && (job_->end() || job_->lines() != told_); }

void DepthMaker::cancel() {
  if (job_) job_->cancel();
}

void DepthMaker::estimate(Session& session) {
  if (!showsPhoto(session.settings) || (job_ && job_->runs())) return;
  session.forget("depth");
  job_ = std::make_unique<Job>(depthCommand("Depth command", session.preferences.depthCommand),
                               shownFile(session.settings).text, true);
}

void DepthMaker::serve(Session& session, Opening& opening) {
  const std::string photo = showsPhoto(session.settings) ? shownFile(session.settings).text : "";
  const std::string& command = session.preferences.depthCommand;
  if (job_) finish(session, opening);
  told_ = job_ ? job_->lines() : "";
  session.estimating = job_ && job_->runs() ? std::optional(told_) : std::nullopt;
  if (photo.empty() || job_ || !session.shown.lacksDepth || command.empty() || opening.loading() ||
      session.strip.exporting || lookedUp_ == std::pair(photo, command))
    return;
  lookedUp_ = {photo, command};
  try {
    job_ = std::make_unique<Job>(depthCommand("", command), photo, estimatesMissing_);
  } catch (const std::runtime_error&) {  // the button says what is wrong
  }
}

void DepthMaker::finish(Session& session, Opening& opening) {
  const auto end = job_->end();
  if (!end) return;
  const std::filesystem::path photo = job_->photograph();
  const bool ran = job_->runs();
  job_.reset();
  const std::string name = photo.filename().string();
  if (!end->failure.empty()) {
    session.report("depth", end->failure);
  } else if (end->depth.empty()) {
    if (ran) session.say("The depth of " + name + " is cancelled");
  } else if (shownFile(session.settings).text != photo.string()) {
    session.say("The depth of " + name + " is ready");
    lookedUp_ = {};
  } else {
    Dropped found = droppedPhoto(session.settings, photo, end->depth,
                                 "Depth of " + name + (ran ? " estimated" : " found in the cache"));
    ImageSettings& image = found.settings.scene.image;
    image = readAsBefore(image, session.preferences.recentImages);
    opening.show(session, found);
  }
}

}  // namespace satdof
