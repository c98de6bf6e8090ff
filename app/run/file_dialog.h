#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace satdof {

// The desktop's dialog to choose files, a program of its own that ends with the object.
class FileDialog {
 public:
  struct Answer {
    std::vector<std::filesystem::path> files;  // none: cancelled
    bool failed = false;                       // the dialog could not be shown
  };

  virtual ~FileDialog() = default;
  // None while the dialog is open. Never waits.
  virtual std::optional<Answer> answer() = 0;
};

enum class DialogFor { opening, savingImage, savingSettings };

// Shows zenity or else kdialog; null if neither is installed. `start`: the folder, or the file to save.
std::unique_ptr<FileDialog> showFileDialog(DialogFor what, const std::filesystem::path& start);

}  // namespace satdof
