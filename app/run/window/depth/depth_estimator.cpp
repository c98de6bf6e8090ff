#include "app/run/window/depth/depth_estimator.h"

#include <stdexcept>

#include "app/run/dropped.h"
#include "app/run/window/files/recent_images.h"
#include "app/scene/scene_files.h"

namespace satdof {

DepthEstimator::DepthEstimator(bool estimatesMissing)
    : estimatesMissing_(estimatesMissing), loading_([](const Request& request, LoadProgress& progress) {
        const auto report = [&](const std::string& lines) { progress.report(0.0f, lines); };
        const std::filesystem::path depth =
            request.runs ? estimatedDepth(request.command, request.photograph, {.onOutput = report})
                         : cachedDepth(request.command, request.photograph);
        return std::make_shared<const Found>(Found{depth, !depth.empty() && isFlatDepth(depth)});
      }) {}

std::string DepthEstimator::lines() const {
  const auto status = request_ ? loading_.status() : std::nullopt;
  return status ? status->doing : "";
}

bool DepthEstimator::hasNews() const {
  return request_ && (!loading_.status() || loading_.ended() || lines() != told_);
}

void DepthEstimator::ask(const DepthCommand& command, const std::string& photograph, bool runs) {
  request_ = {command, photograph, runs};
  loading_.forget();
  loading_.request(*request_, false);
}

void DepthEstimator::estimate(Session& session) {
  if (!showsPhoto(session.settings) || (request_ && request_->runs)) return;
  session.forget("depth");
  ask(depthCommand("Depth command", session.preferences.depthCommand), shownFile(session.settings).text, true);
  session.estimating = "";
}

void DepthEstimator::serve(Session& session, Opening& opening, bool isShown) {
  const std::string photo = showsPhoto(session.settings) ? shownFile(session.settings).text : "";
  const std::string& command = session.preferences.depthCommand;
  if (request_) finish(session, opening);
  told_ = lines();
  session.estimating = request_ && request_->runs ? std::optional(told_) : std::nullopt;
  if (photo.empty() || request_ || !isShown || !session.shown.lacksDepth || command.empty() || opening.loading() ||
      session.strip.exporting || lookedUp_ == std::pair(photo, command))
    return;
  lookedUp_ = {photo, command};
  try {
    ask(depthCommand("", command), photo, estimatesMissing_);
  } catch (const std::runtime_error&) {  // the button that runs the command reports it
  }
}

void DepthEstimator::finish(Session& session, Opening& opening) {
  loading_.request(*request_, false);
  if (loading_.status()) return;
  const auto [command, photo, ran] = *std::exchange(request_, std::nullopt);
  const auto failure = loading_.failure();
  const std::string name = photo.filename().string();
  if (failure && failure->fault == LoadFault::cancelled) {
    session.say("The depth of " + name + " is cancelled");
  } else if (failure) {
    if (ran) session.report("depth", failure->reason);
  } else if (loading_.result()->depth.empty()) {
    return;  // the cache holds none
  } else if (shownFile(session.settings).text != photo.string()) {
    session.say("The depth of " + name + " is ready");
    lookedUp_ = {};
  } else {
    const auto& [depth, flat] = *loading_.result();
    Dropped found = droppedPhoto(session.settings, photo, depth,
                                 "Depth of " + name + (ran ? " estimated" : " found in the cache") +
                                     (flat ? ": it is the same everywhere, and so is the blur" : ""));
    ImageSettings& image = found.settings.scene.image;
    image = withRememberedReading(image, session.preferences.recentImages);
    opening.show(session, found);
  }
}

}  // namespace satdof
