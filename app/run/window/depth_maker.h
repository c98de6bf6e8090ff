#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "app/run/system/depth_command.h"
#include "app/run/window/opening.h"
#include "app/scene/loading.h"
#include "app/ui/session.h"

namespace satdof {

// Estimates the depth of the photograph that is shown by Preferences::depthCommand, in the background.
class DepthMaker {
 public:
  // `estimatesMissing`: of all photographs without depth; else their depth is looked up in the cache.
  explicit DepthMaker(bool estimatesMissing);
  // Whether serve() waits for a program, or for a look into the cache.
  bool busy() const { return asked_.has_value(); }
  // Whether serve() has something to tell.
  bool hasNews() const;
  // Call between Opening::begin() and end(). Throws like Opening::drop().
  void serve(Session& session, Opening& opening);
  // Throws UsageError for a command that cannot run.
  void estimate(Session& session);
  void cancel() { loading_.cancel(); }

 private:
  // A program that runs, or a look into the cache alone.
  struct Asked {
    DepthCommand command;
    std::filesystem::path photograph;
    bool runs;
    bool operator==(const Asked&) const = default;
  };

  void ask(const DepthCommand& command, const std::string& photograph, bool runs);
  // The last lines that the program has said.
  std::string lines() const;
  void finish(Session& session, Opening& opening);

  const bool estimatesMissing_;
  Loading<Asked, std::filesystem::path> loading_;
  std::optional<Asked> asked_;
  std::string told_;                              // Session::estimating
  std::pair<std::string, std::string> lookedUp_;  // photograph and command
};

}  // namespace satdof
