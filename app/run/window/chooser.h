#pragma once
#include <memory>
#include <utility>

#include "app/run/file_dialog.h"
#include "app/run/window/opening.h"
#include "app/ui/session.h"

namespace satdof {

// Lets the user choose files to open: in the desktop's dialog or, without one, in Session::browser; and the file of a
// capture or of the settings to save.
class Chooser {
 public:
  // Whether the desktop's dialog is open; whether it has an answer that serve() takes.
  bool open() const { return dialog_ != nullptr; }
  bool answered();
  // Call between Opening::begin() and end(). Throws like Opening::drop().
  void serve(Session& session, Opening& opening);
  // The file that the image is to be saved as; none: not asked.
  std::optional<std::filesystem::path> takeSaveAs() { return std::exchange(saveAs_, std::nullopt); }

 private:
  void ask(Session& session, DialogFor what);
  void take(Session& session, std::filesystem::path file);

  std::unique_ptr<FileDialog> dialog_;
  DialogFor asked_ = DialogFor::opening;  // dialog_
  std::optional<FileDialog::Answer> answer_;
  std::optional<std::filesystem::path> saveAs_;
};

}  // namespace satdof
