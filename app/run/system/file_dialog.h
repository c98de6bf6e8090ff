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
  std::filesystem::path start;  // the folder, or the file to save
  std::string window;           // over which the dialog stays: "x11:1a"; may be empty
};

// The desktop's dialog to choose files, a process of its own that ends with the object.
class FileDialog {
 public:
  struct Answer {
    std::vector<std::filesystem::path> files;  // none: cancelled
    bool failed = false;                       // no dialog could be shown
  };

  virtual ~FileDialog() = default;
  // None while a dialog is open. Never waits. After a dialog that fails comes the next one.
  virtual std::optional<Answer> answer() = 0;
  // Why a dialog failed, once.
  bool hasNote() const { return !note_.empty(); }
  std::string takeNote() { return std::exchange(note_, {}); }

 protected:
  std::string note_;
};

// Shows the dialog of the desktop's portal, of zenity or of kdialog; null if there is none.
std::unique_ptr<FileDialog> showFileDialog(DialogRequest request);

}  // namespace satdof
