#pragma once
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/scene/loading.h"
#include "app/ui/text_line.h"

namespace satdof {

// A list of files and folders to choose from: its state and its keys. drawFileBrowser() shows it. Folders are read on a thread
// of its own: what they hold may come later, by serve().
class FileBrowser {
 public:
  enum class Kind { recent, folder, file };
  struct Entry {
    Kind kind;
    std::filesystem::path path;
  };

  // Call every frame: takes what the file system has told.
  void serve() { serve({}); }
  // Whether it has not told all yet.
  bool waits() const { return inquiry_.waits() || recentInquiry_.waits(); }

  // Shows `folder`, below the recent files that still exist; without `depths` leaves out leaveOutDepths().
  void open(const std::filesystem::path& folder, const std::vector<std::filesystem::path>& recent,
            bool depths = false);
  // Asks for the name of a file to save, at first its own with the stem selected, in the folder of `file`, or the nearest above
  // that exists.
  void save(const std::filesystem::path& file);
  bool saves() const { return saves_; }
  // The file that enter() chose to save.
  std::optional<std::filesystem::path> takeSaved() { return std::exchange(saved_, std::nullopt); }
  void close() {
    shown_ = false;
    inquiry_.leave();
    recentInquiry_.leave();
  }
  bool shown() const { return shown_; }

  const std::filesystem::path& folder() const { return folder_; }
  const TextLine& filter() const { return filter_; }  // or the name to save
  // Why the folder is not listed or the file not saved yet; usually empty.
  const std::string& problem() const { return problem_; }
  // Recent files first, then folders, then files that scenes read, each by name; with a filter, those whose name
  // contains it, whatever the case of its letters. None is selected while a name is typed.
  const std::vector<Entry>& entries() const { return entries_; }
  std::size_t selected() const { return selected_; }

  void select(std::size_t entry) { selected_ = entry; }
  // Moves the selection within the list. takeMoved(): whether a key has moved it since the last call.
  void move(int steps);
  bool takeMoved() { return std::exchange(moved_, false); }
  // Goes into the selected folder, or closes the list and returns the selected file. To save, closes the list if the file does
  // not exist, or at the second call for it.
  std::optional<std::filesystem::path> enter();
  // Goes to the folder above and selects the one that was shown.
  void up();
  // Types a printable character of ASCII; ignores others.
  void type(int character);
  // Deletes in the filter: see TextLine::erase().
  void erase(int side);
  // Moves the cursor of the filter and selects in it. Edit it by type() and erase().
  TextLine& line() { return filter_; }
  // Empties the filter; without one, or to save, closes the list.
  void escape();

 private:
  // What a folder holds.
  struct Listing {
    std::filesystem::path folder;
    std::vector<Entry> entries;
    std::string problem;
  };
  using Told = std::function<void(FileBrowser&)>;

  // `nearest`: shows the nearest folder above if this one does not exist.
  void show(const std::filesystem::path& folder, bool nearest = false);
  static Listing listed(const std::filesystem::path& folder, bool depths);
  void take(const Listing& listing);
  void serve(std::chrono::milliseconds most);
  void replaceOrSave(const std::filesystem::path& file, bool exists);
  void leaveRecent();
  void applyFilter();
  void dropProposed();  // after an extension that was typed with the name
  void saveNamed();

  bool shown_ = false, moved_ = false, saves_ = false, depths_ = false;
  std::filesystem::path folder_;
  TextLine filter_;
  std::string problem_;
  std::filesystem::path proposed_;  // extension
  std::filesystem::path replaced_;  // the file that the next call may replace
  std::optional<std::filesystem::path> saved_;
  std::vector<std::filesystem::path> recent_;
  std::filesystem::path from_;  // the folder below that was shown
  std::vector<Entry> all_, entries_;
  std::size_t selected_ = 0;
  Inquiry<Told> inquiry_;
  Inquiry<std::vector<std::filesystem::path>> recentInquiry_;  // those that exist
};

}  // namespace satdof
