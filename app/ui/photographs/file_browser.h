#pragma once
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/core/system/inquiry.h"
#include "app/ui/input.h"
#include "app/ui/photographs/text_line.h"

namespace satdof {

// State of the list in which files are chosen; drawFileBrowser() draws it. Folders are read on a thread: serve() takes
// their contents later.
class FileBrowser {
 public:
  enum class Kind { recent, folder, file };
  struct Entry {
    Kind kind;
    std::filesystem::path path;
  };

  // Call every frame. Takes the answers of the file system.
  void serve() { serve({}); }
  // Whether an answer is still to come.
  bool waits() const { return inquiry_.waits() || recentInquiry_.waits(); }

  // Shows the recent files that still exist, then the contents of `folder`. Without `depths`, depth images that belong
  // to a photograph are left out (leaveOutDepths()).
  void open(const std::filesystem::path& folder, const std::vector<std::filesystem::path>& recent, bool depths = false);
  // Why a file that exists must not be replaced; empty if it may. Called on a thread.
  using Refusal = std::function<std::string(const std::filesystem::path& file)>;
  // Asks for the name of a file to save. Proposes `file`, with its stem selected, in its folder or the nearest parent
  // that exists.
  void save(const std::filesystem::path& file, Refusal refusal = {});
  bool saves() const { return saves_; }
  // Returns once the file that enter() chose to save, or to open by its path.
  std::optional<std::filesystem::path> takeChosen() { return std::exchange(chosen_, std::nullopt); }
  // Shows the list again, with its name, because the chosen file is not saved.
  void refuse(const std::string& problem) {
    shown_ = true;
    problem_ = problem;
    replaceable_.clear();
  }
  void close() {
    shown_ = false;
    inquiry_.leave();
    recentInquiry_.leave();
  }
  bool shown() const { return shown_; }

  const std::filesystem::path& folder() const { return folder_; }
  const TextLine& filter() const { return filter_; }  // the name to save if saves()
  // Whether the filter is the absolute path of a file or folder to open.
  bool holdsPath() const { return !saves_ && std::filesystem::path(filter_.text()).is_absolute(); }
  // Why the folder is not listed or the file is not saved; usually empty.
  const std::string& problem() const { return problem_; }
  // Recent files, then folders, then files that scenes read, each sorted by name. A filter keeps the names that contain
  // it, ignoring case. If saves(), the filter is the name, and no entry is selected while it is typed.
  const std::vector<Entry>& entries() const { return entries_; }
  std::size_t selected() const { return selected_; }

  void select(std::size_t entry) { selected_ = entry; }
  // Moves the selection within the list. takeMoved() returns whether a key has moved it since the last call.
  void move(int steps);
  bool takeMoved() { return std::exchange(moved_, false); }
  // Enters the selected folder, or closes the list and returns the selected file. If holdsPath(), enters the folder or
  // chooses the file, if it exists, or the pattern of numbered files. If saves(), closes the list if the file does not
  // exist, or at the second call for the same file, unless it is refused.
  std::optional<std::filesystem::path> enter();
  // Goes to the parent folder and selects the folder that was shown.
  void up();
  // Types a printable ASCII character into the filter; ignores others.
  void type(int character);
  // TextLine::erase() on the filter.
  void erase(int side);
  // The filter, to move its cursor and selection. Edit it by type() and erase().
  TextLine& line() { return filter_; }
  // Runs a key while the list is shown. Returns the file that it opens, if any.
  std::optional<std::filesystem::path> press(const InputEvent& event);
  // Empties the filter; closes the list if the filter is empty or saves().
  void escape();

 private:
  // Contents of a folder.
  struct Listing {
    std::filesystem::path folder;
    std::vector<Entry> entries;
    std::string problem;
  };
  // An answer of the file system: what to do with the browser.
  using Answer = std::function<void(FileBrowser&)>;

  // `orParent`: shows the nearest parent if the folder does not exist.
  void show(const std::filesystem::path& folder, bool orParent = false);
  static Listing listed(const std::filesystem::path& folder, bool depths);
  void take(const Listing& listing);
  void serve(std::chrono::milliseconds timeout);
  // The file to save: a name, or a path relative to the folder, absolute or below ~.
  std::filesystem::path named() const;
  // Chooses the file to save; if it exists, only at the second call, and not if it is `refused`.
  void replaceOrSave(const std::filesystem::path& file, bool folderExists, bool exists,
                     const std::string& refused = {});
  void forgetRecent();
  void applyFilter();
  // Adds the proposed extension to a name without one. Removes it from a name that was typed with an extension of its
  // own: "a.jpg.png" becomes "a.jpg".
  void completeName();
  // Proposes the first name again, with its stem selected.
  void proposeName();
  void saveNamed();
  void openPath();
  // Forgets what is wrong with the name or path before it is edited.
  void forgetProblem();

  bool shown_ = false, moved_ = false, saves_ = false, depths_ = false;
  std::filesystem::path folder_;
  TextLine filter_;
  std::string problem_;
  std::filesystem::path proposed_;     // name of the file to save, without its folder
  std::filesystem::path replaceable_;  // existing file that the next enter() replaces
  Refusal refusal_;                    // of save()
  std::optional<std::filesystem::path> chosen_;
  std::vector<std::filesystem::path> recent_;
  std::filesystem::path leftFolder_;  // the folder that up() has left: selected in its parent
  std::vector<Entry> all_, entries_;  // without and with the filter
  std::size_t selected_ = 0;
  Inquiry<Answer> inquiry_;
  Inquiry<std::vector<std::filesystem::path>> recentInquiry_;  // recent files that exist
};

}  // namespace satdof
