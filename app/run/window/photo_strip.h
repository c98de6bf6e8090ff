#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "app/run/window/opening.h"
#include "app/ui/session.h"

namespace satdof {

// Opens the photographs of Session::strip, and exports all of them, one after the other.
class StripServer {
 public:
  // Call between Opening::begin() and end().
  void serve(Session& session, Opening& opening);
  // The next serve() opens the photograph so many after the one that is shown, unless all are exported.
  void step(const PhotoStrip& strip, int photos);
  // Sets PhotoStrip::planned.
  static void plan(Session& session);
  void exportAll(Session& session);
  void cancel(Session& session);
  // Whether photographs are being exported, or the one shown before comes back: what is shown is no edit.
  bool exports() const { return step_ != Step::none; }

  // The file to write from the image, if it `showsFile`: then call wrote().
  std::optional<std::filesystem::path> toWrite(const Session& session, bool showsFile) const;
  // `written`: perhaps late; empty if that failed, which the session has as an error, or was cancelled.
  void wrote(Session& session, const std::filesystem::path& written);

 private:
  enum class Step { none, read, write, store, end, back };

  void count(Session& session, bool written);
  void next(Session& session);
  void end(Session& session);

  Step step_ = Step::none;
  std::optional<std::size_t> goTo_;
  FilePath shown_;   // in the last serve()
  Settings before_;  // the export
  std::optional<ChosenPreset> presetBefore_;
  LeftShot shotBefore_;
  std::filesystem::path written_, folder_;  // the last file, and of the last that is complete
  std::string summary_;
};

}  // namespace satdof
