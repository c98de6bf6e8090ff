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
  bool open() const { return dialog_ != nullptr || known_.waits(); }
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
  struct Known {
    bool exists, isRead;  // isRead: the image is made from the file
  };
  // Takes the file to save in, chosen in Session::browser or in the desktop's dialog. Adds an extension if it has none.
  void take(Session& session, std::filesystem::path file, bool inBrowser);
  // Saves in file_ once known_ has its answer. Replaces no input, and no file that nobody was asked about.
  void saveIfKnown(Session& session, std::chrono::milliseconds most);
  void save(Session& session, const std::filesystem::path& file) const;
  // Says why file_ is not saved, and shows the browser again if it was chosen there.
  void refuse(Session& session, const std::string& why) const;

  std::unique_ptr<FileDialog> dialog_;
  DialogFor asked_ = DialogFor::opening;  // purpose of the last dialog
  std::optional<FileDialog::Answer> answer_;
  std::string field_;
  std::filesystem::path file_;   // the file to save in
  bool lacksExtension_ = false;  // its name was chosen without one
  bool inBrowser_ = false;       // it was chosen in Session::browser
  Inquiry<Known> known_;
};

}  // namespace satdof
