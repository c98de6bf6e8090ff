#include "app/run/system/file_dialog.h"

namespace satdof {

std::unique_ptr<FileDialog> showFileDialog(DialogRequest /*request*/) { return nullptr; }

}  // namespace satdof
