#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "app/core/system/loading.h"
#include "app/run/system/depth_command.h"
#include "app/run/window/files/opening.h"
#include "app/ui/session.h"

namespace satdof {

// Runs Preferences::depthCommand in the background for the photograph that is shown.
class DepthEstimator {
 public:
  // `estimatesMissing`: the command runs for every photograph without depth; else only the cache is searched.
  explicit DepthEstimator(bool estimatesMissing);
  // Whether a program runs, or the cache is searched.
  bool busy() const { return request_.has_value(); }
  // Whether serve() has something to do.
  bool hasNews() const;
  // Call between Opening::beginEdits() and endEdits(). `isShown`: Session::shown describes the photograph of the
  // settings. Throws like Opening::drop().
  void serve(Session& session, Opening& opening, bool isShown);
  // Runs the command. Throws UsageError if it is no valid command.
  void estimate(Session& session);
  void cancel() { loading_.cancel(); }

 private:
  struct Request {
    DepthCommand command;
    std::filesystem::path photograph;
    bool runs;  // else the cache is searched
    bool operator==(const Request&) const = default;
  };

  struct Found {
    std::filesystem::path depth;  // empty: the cache holds none
    bool flat;                    // isFlatDepth()
  };

  void ask(const DepthCommand& command, const std::string& photograph, bool runs);
  // The last lines that the program has written.
  std::string lines() const;
  void finish(Session& session, Opening& opening);

  const bool estimatesMissing_;
  Loading<Request, Found> loading_;
  std::optional<Request> request_;
  std::string told_;                              // lines() in the last serve()
  std::pair<std::string, std::string> lookedUp_;  // photograph and command
};

}  // namespace satdof
