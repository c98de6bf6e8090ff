#include "app/run/file_dialog.h"

namespace satdof {

std::unique_ptr<FileDialog> showFileDialog(const std::filesystem::path& /*folder*/) { return nullptr; }

}  // namespace satdof
