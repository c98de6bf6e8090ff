#pragma once
#include <memory>

#include "app/run/file_dialog.h"
#include "app/run/window/opening.h"
#include "app/ui/session.h"

namespace satdof {

// Lets the user choose files to open: in the desktop's dialog or, without one, in Session::browser.
class Chooser {
 public:
  // Whether the desktop's dialog is open; whether it has an answer that serve() takes.
  bool open() const { return dialog_ != nullptr; }
  bool answered();
  // Call between Opening::begin() and end(). Throws like Opening::drop().
  void serve(Session& session, Opening& opening);

 private:
  std::unique_ptr<FileDialog> dialog_;
  std::optional<FileDialog::Answer> answer_;
};

}  // namespace satdof
