#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/core/settings.h"
#include "app/run/dropped.h"
#include "app/run/film/film_input.h"
#include "app/run/window/exchange.h"
#include "app/scene/loading.h"
#include "app/ui/session.h"
#include "app/ui/timeline.h"

namespace satdof {

// The window remembers paths beyond the folder where it runs. What names no file here stays.
void makePathsAbsolute(Settings& settings);

// Opens the files that an edit names for the scene. They are looked at and read on threads of their own, while the window goes
// on with what it shows: the edit waits for them. Files that cannot be read change nothing but the errors of the session.
class Opening {
 public:
  Opening();
  // Call before all edits of a frame. Makes the edit whose files are read; reports a failure in the session.
  void begin(Session& session);
  // Call after all edits of a frame. Takes an edit back that names other files, and begins to read them instead of those
  // that are being read; another scene ends those, too. A shot belongs to what is shown: anything else begins without.
  void end(Session& session);
  // Call between begin() and end(). Opens a shot, or edits the settings as the dropped files ask; several photographs become the
  // strip. Throws like dropped(), as far as the files answer within a moment; else begin() reports it.
  void drop(Session& session, const std::vector<std::filesystem::path>& files);
  // Calls find(the current settings), which owns what it uses, in the background, and the Use that it returns on this thread. Call between begin() and end().
  void find(Session& session, const std::filesystem::path& file,
            const std::function<Use(const Settings& asked)>& find);
  // What shows a file found with the settings `asked`.
  static Use use(const Settings& asked, const Dropped& found);
  void show(Session& session, const Dropped& found);
  // Call between begin() and end(), after an edit to files of an image that are read already.
  void useRead(const ImageSettings& image) {
    before_.settings.scene.image.file = image.file;
    before_.settings.scene.image.depth = image.depth;
  }
  // The film that the last edit shows, once.
  std::optional<InputFilm> takeFilm() { return std::exchange(film_, std::nullopt); }
  std::optional<LoadStatus> loading() const {
    const auto reads = loading_.status();
    return reads ? reads : inquiry_.status();
  }
  // What will be shown when the files are read; null if none are.
  const Settings* opened() const { return loading_.status() && waiting_ ? &waiting_->to.settings : nullptr; }
  void cancel(Session& session);

 private:
  // What an edit may change.
  struct Edited {
    Settings settings;
    std::optional<ChosenPreset> preset;
    LeftShot shot{};
    bool centreCamera = false;
  };
  struct Edit {
    Edited from, to;
    std::string notice, action;
  };
  using Scenes = std::pair<Settings, Settings>;  // to show, and shown
  struct Opened {
    std::shared_ptr<const void> files;  // holds what was read
    std::optional<InputFilm> film;
    Settings settings;  // to show: with whole paths, and the first frame of the film
  };

  static std::shared_ptr<const Opened> read(const Scenes& scenes, LoadProgress& progress);

  // What the dropped files ask for.
  static Use useOf(const Settings& asked, const std::vector<std::filesystem::path>& files,
                   const std::vector<RecentImage>& recent);
  // Makes the edit of a file that has answered, within the time.
  void useFound(Session& session, std::chrono::milliseconds most);
  // Looks whether the files are read.
  void advance(Session& session);
  static Edited editedOf(const Session& session) {
    return {session.settings, session.preferences.preset, leftShot(session), session.centreCamera};
  }

  Inquiry<Use> inquiry_;
  Loading<Scenes, Opened> loading_;
  FilePath filmBefore_;           // then
  Edited before_;                 // in begin()
  bool dropped_ = false;          // since begin(), files to read
  std::optional<LeftShot> shot_;  // of these
  std::optional<Edit> waiting_;   // for its files
  std::optional<InputFilm> film_;
};

}  // namespace satdof
