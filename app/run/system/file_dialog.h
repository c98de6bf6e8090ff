#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace satdof {

enum class DialogFor { opening, savingImage, savingSettings };

struct DialogRequest {
  DialogFor what;
  std::filesystem::path start;  // folder where the dialog opens, or proposed file to save
  std::string window;           // parent of the dialog, portalWindow(); may be empty
};

// The desktop's file dialog, in a process of its own, which the destructor ends.
class FileDialog {
 public:
  struct Answer {
    std::vector<std::filesystem::path> files;  // none: cancelled
    bool failed = false;                       // no dialog could be shown
  };

  virtual ~FileDialog() = default;
  // The answer; nothing while a dialog is open. Never waits. If a kind of dialog fails, the next kind opens.
  virtual std::optional<Answer> answer() = 0;
  // Why a kind of dialog failed.
  bool hasNote() const { return !note_.empty(); }
  std::string takeNote() { return std::exchange(note_, {}); }

 protected:
  std::string note_;
};

// Opens the dialog of the desktop's portal, zenity or kdialog, the first that starts; null if none does.
std::unique_ptr<FileDialog> showFileDialog(DialogRequest request);

}  // namespace satdof
