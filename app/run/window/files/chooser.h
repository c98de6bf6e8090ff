#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "app/core/system/inquiry.h"
#include "app/run/system/file_dialog.h"
#include "app/run/window/files/opening.h"
#include "app/ui/session.h"

namespace satdof {

// Lets the user choose files to open, and the file to save an image or settings in: in the desktop's dialog or, without
// one, in Session::browser.
class Chooser {
 public:
  // Whether the desktop's dialog is open, or the folder of a chosen file is looked at.
  bool open() const { return dialog_ != nullptr || exists_.waits(); }
  // Whether serve() has something to do.
  bool answered();
  // Opens a dialog. `window`: DialogRequest::window. `field`: path of the field that takes the file to open; if
  // empty, the kind of file decides. If the desktop's dialog is already open, replaces it by Session::browser.
  void choose(Session& session, DialogFor what, const std::string& window, std::string field = {});
  // Adds a request for the chosen files to Session::commands.
  void serve(Session& session);
  // Opens chosen files. Call between Opening::beginEdits() and endEdits(). Throws like Opening::drop().
  void open(Session& session, Opening& opening, const std::vector<std::filesystem::path>& files);

 private:
  // Saves in the chosen file. Adds an extension if it has none.
  void take(Session& session, std::filesystem::path file);
  // Saves in extended_, once it is known whether the file exists.
  void takeExtended(Session& session, std::chrono::milliseconds most);
  void save(Session& session, const std::filesystem::path& file) const;

  std::unique_ptr<FileDialog> dialog_;
  DialogFor asked_ = DialogFor::opening;  // purpose of the last dialog
  std::optional<FileDialog::Answer> answer_;
  std::string field_;
  std::filesystem::path extended_;  // chosen name with an added extension
  Inquiry<bool> exists_;            // whether extended_ exists
};

}  // namespace satdof
