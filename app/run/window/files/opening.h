#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/core/settings.h"
#include "app/core/system/inquiry.h"
#include "app/core/system/loading.h"
#include "app/run/dropped.h"
#include "app/run/film/film_input.h"
#include "app/run/window/files/settings_edit.h"
#include "app/ui/session.h"
#include "app/ui/timeline/timeline.h"

namespace satdof {

// Makes the paths of existing files absolute: the settings outlive the current folder.
void makePathsAbsolute(Settings& settings);

// The file of the photograph or film that the settings show; empty for other scenes.
std::filesystem::path photographOf(const Settings& settings);

// Opens the files that an edit of the scene names. A thread reads them, and the window shows the old contents until
// then: the edit waits. If a file cannot be read, the session gets an error and nothing else changes.
class Opening {
 public:
  Opening();
  // Call before all edits of a frame. Makes the waiting edit if its files have been read, or reports why they cannot be
  // read.
  void beginEdits(Session& session);
  // Call after all edits of a frame. If they name other files, takes the edits back and begins to read the files;
  // other files and another scene end the reading of earlier ones. If something else is shown, the shot ends, too.
  void endEdits(Session& session);
  // Call between beginEdits() and endEdits(). Opens dropped files: a shot, settings, an image; several photographs
  // become the strip, and a folder of depths that are named as the photographs of the strip gives them to these. Throws
  // like dropped() if the files can be looked at within a moment; else a later beginEdits() reports the error.
  void drop(Session& session, const std::vector<std::filesystem::path>& files);
  // Call between beginEdits() and endEdits(). Calls find(current settings) in the background and then, on this thread,
  // the edit that it returns. `find` must own what it uses.
  void find(Session& session, const std::filesystem::path& file,
            const std::function<SessionEdit(const Settings& asked)>& find);
  // The edit that shows what was found with the settings `asked`.
  static SessionEdit showEdit(const Settings& asked, const Dropped& found);
  // Call between beginEdits() and endEdits().
  void show(Session& session, const Dropped& found);
  // Call between beginEdits() and endEdits(), after an edit to files of an image that have been read already:
  // endEdits() does not take it back.
  void markRead(const ImageSettings& image) {
    before_.settings.scene.image.file = image.file;
    before_.settings.scene.image.depth = image.depth;
  }
  // The film that the last edit opened; nothing in later calls.
  std::optional<InputFilm> takeFilm() { return std::exchange(film_, std::nullopt); }
  // The progress of reading; nothing if no edit waits.
  std::optional<LoadStatus> loading() const {
    const auto reads = loading_.status();
    return reads ? reads : inquiry_.status();
  }
  // The settings that the waiting edit will show; null if none waits.
  const Settings* awaited() const { return loading_.status() && waiting_ ? &waiting_->to.settings : nullptr; }
  void cancel(Session& session);

 private:
  // The state that an edit may change.
  struct State {
    Settings settings;
    std::optional<ChosenPreset> preset;
    LeftShot shot{};
    bool centreCamera = false;
  };
  struct Edit {
    State from, to;
    std::string notice, action;
  };
  struct Request {
    Settings wanted, shown;
    bool operator==(const Request&) const = default;
  };
  struct Opened {
    std::shared_ptr<const void> files;  // keeps what was read
    std::optional<InputFilm> film;
    Settings settings;  // to show, with absolute paths and the first frame of the film
  };

  // Reads the files. Runs on another thread.
  static std::shared_ptr<const Opened> read(const Request& request, LoadProgress& progress);

  // The edit that opens dropped files, while the photographs of `strip` are open together. Reads their heads.
  static SessionEdit dropEdit(const Settings& asked, const std::vector<std::filesystem::path>& files,
                              const std::vector<RecentImage>& recent, const std::vector<std::filesystem::path>& strip);
  // Makes the edit of find(), if it is found within `most`.
  void applyFound(Session& session, std::chrono::milliseconds most);
  // Makes the waiting edit, if its files have been read.
  void advance(Session& session);
  static State stateOf(const Session& session) {
    return {session.settings, session.preferences.preset, leftShot(session), session.centreCamera};
  }

  Inquiry<SessionEdit> inquiry_;
  Loading<Request, Opened> loading_;
  FilePath filmBefore_;                  // Preferences::film in beginEdits()
  State before_;                         // in beginEdits()
  bool showsFiles_ = false;              // since beginEdits(), files were shown that must be read
  bool closesStrip_ = false;             // the photograph that is read is not of the strip
  std::optional<LeftShot> shotOfFiles_;  // the shot of these files
  std::optional<Edit> waiting_;          // until its files have been read
  std::optional<InputFilm> film_;        // see takeFilm()
};

}  // namespace satdof
