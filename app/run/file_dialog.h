#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace satdof {

// The desktop's dialog to open files, a program of its own that ends with the object.
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

// Shows zenity or else kdialog in `folder`; null if neither is installed.
std::unique_ptr<FileDialog> showFileDialog(const std::filesystem::path& folder);

}  // namespace satdof
