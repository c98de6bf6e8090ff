#include "app/run/file_dialog.h"

namespace satdof {

std::unique_ptr<FileDialog> showFileDialog(DialogFor /*what*/, const std::filesystem::path& /*start*/) {
  return nullptr;
}

}  // namespace satdof
