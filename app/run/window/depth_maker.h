#pragma once
#include <memory>
#include <string>
#include <utility>

#include "app/run/window/opening.h"
#include "app/ui/session.h"

namespace satdof {

// Estimates the depth of the photograph that is shown by Preferences::depthCommand, in the background.
class DepthMaker {
 public:
  // `estimatesMissing`: of all photographs without depth; else their depth is looked up in the cache.
  explicit DepthMaker(bool estimatesMissing);
  ~DepthMaker();  // ends the program that runs
  // Whether serve() waits for a program, or for a look into the cache.
  bool busy() const { return job_ != nullptr; }
  // Whether serve() has something to tell.
  bool hasNews() const;
  // Call between Opening::begin() and end(). Throws like Opening::drop().
  void serve(Session& session, Opening& opening);
  // Throws UsageError for a command that cannot run.
  void estimate(Session& session);
  void cancel();

 private:
  class Job;
  void finish(Session& session, Opening& opening);

  const bool estimatesMissing_;
  std::unique_ptr<Job> job_;
  std::string told_;                              // Session::estimating
  std::pair<std::string, std::string> lookedUp_;  // photograph and command
};

}  // namespace satdof
