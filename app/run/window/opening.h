#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "app/run/dropped.h"
#include "app/scene/loading.h"
#include "app/ui/session.h"

namespace satdof {

// Files dropped on a window. They are read on a thread of their own, while the window goes on with what it shows. Files
// that cannot be read change nothing but the errors of the session.
class Opening {
 public:
  Opening();
  // Begins to open the files, instead of those that are being read. Uses settings at once. Throws like dropped(), and
  // goes on with what it reads. A depth joins the image that was refused because it lacks one.
  void open(Session& session, const std::vector<std::filesystem::path>& files);
  // Call once a frame. Uses the files once they are read; reports a failure in the session.
  void advance(Session& session);
  std::optional<LoadStatus> loading() const { return loading_.status(); }
  void cancel() { loading_.cancel(); }

 private:
  Loading<SceneSettings, void> loading_;
  std::optional<Dropped> wanted_;            // being read
  std::optional<SceneSettings> lacksDepth_;  // of an image
};

}  // namespace satdof
