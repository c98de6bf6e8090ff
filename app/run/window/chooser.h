#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "app/run/system/file_dialog.h"
#include "app/run/window/opening.h"
#include "app/scene/loading.h"
#include "app/ui/session.h"

namespace satdof {

// Lets the user choose files to open, and the file of a capture or of the settings to save: in the desktop's dialog or,
// without one, in Session::browser.
class Chooser {
 public:
  // Whether the desktop's dialog is open, or a folder is asked; whether one has an answer that serve() takes.
  bool open() const { return dialog_ != nullptr || exists_.waits(); }
  bool answered();
  // `window`: DialogRequest::window. `field`: path of the field that takes the file to open; empty: the file decides.
  // Once more while the desktop's dialog is open: takes Session::browser in its place.
  void choose(Session& session, DialogFor what, const std::string& window, std::string field = {});
  // Asks the window for what has been chosen.
  void serve(Session& session);
  // Opens chosen files. Call between Opening::begin() and end(). Throws like Opening::drop().
  void open(Session& session, Opening& opening, const std::vector<std::filesystem::path>& files);

 private:
  void take(Session& session, std::filesystem::path file);
  // Takes the answer of exists_.
  void takeExtended(Session& session, std::chrono::milliseconds most);
  void save(Session& session, const std::filesystem::path& file) const;

  std::unique_ptr<FileDialog> dialog_;
  DialogFor asked_ = DialogFor::opening;  // dialog_
  std::optional<FileDialog::Answer> answer_;
  std::string field_;
  std::filesystem::path extended_;  // a chosen name, with an extension
  Inquiry<bool> exists_;            // extended_
};

}  // namespace satdof
