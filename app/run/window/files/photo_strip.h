#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "app/run/window/depth/depth_estimator.h"
#include "app/run/window/files/opening.h"
#include "app/ui/session.h"

namespace satdof {

// Opens the photographs of Session::strip, and exports all of them, one after the other.
class StripController {
 public:
  // Call between Opening::beginEdits() and endEdits().
  void serve(Session& session, Opening& opening);
  // The next serve() opens the photograph that is `photos` after the shown one. Does nothing during an export.
  void step(const PhotoStrip& strip, int photos);
  // Sets PhotoStrip::planned, which names the files that exportAll() will write.
  static void plan(Session& session);
  void exportAll(Session& session);
  void cancel(Session& session);
  // Whether photographs are being exported, or the photograph shown before is being restored. What is shown meanwhile
  // is no edit.
  bool exports() const { return step_ != Step::none; }

  // Call when toWrite() names a file. Begins to estimate the depth of the photograph by Preferences::depthCommand if it
  // lacks one. Returns whether writing must wait for the depth.
  bool estimates(Session& session, DepthEstimator& depth);
  // The file that the image must be written to now; call wrote() then. `showsFile`: the image shows the photograph.
  std::optional<std::filesystem::path> toWrite(const Session& session, bool showsFile) const;
  // `written`: the file, which may be still being written; empty if writing failed, which the session has as an
  // error, or was cancelled.
  void wrote(Session& session, const std::filesystem::path& written);

 private:
  // Of an export: the next photograph is read; its depth is estimated; its image is drawn and written; the file is
  // stored late; the export ends; the photograph before it is read again.
  enum class Step { none, read, estimate, write, store, end, back };

  // Counts a photograph as written or failed, and goes on with the next one.
  void count(Session& session, bool written);
  void next(Session& session);
  void end(Session& session);

  Step step_ = Step::none;
  std::optional<std::size_t> goTo_;  // photograph to open
  bool estimated_ = false;           // the depth command was tried for the photograph of the export
  FilePath shown_;                   // in the last serve()
  // Before the export:
  Settings before_;
  std::optional<ChosenPreset> presetBefore_;
  LeftShot shotBefore_;
  std::filesystem::path written_;   // last file of wrote()
  std::filesystem::path complete_;  // last file that is complete
  std::string summary_;             // of the export
};

}  // namespace satdof
