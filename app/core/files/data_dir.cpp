#include "app/core/files/data_dir.h"

#include <cstdlib>
#include <stdexcept>

#include "app/core/files/file_names.h"
#include "app/core/system/platform.h"
#include "app/core/text/foreign_text.h"

namespace satdof {

namespace {

namespace fs = std::filesystem;

bool holdsData(const fs::path& folder) { return isFolder(folder / "shaders") && isFolder(folder / "assets"); }

fs::path find() {
  if (const char* variable = std::getenv("SATDOF_DATA")) {
    if (holdsData(variable)) return variable;
    throw std::runtime_error(std::string("cannot read SATDOF_DATA=") + variable +
                             ": no folders shaders/ and assets/ in it; set SATDOF_DATA to their parent");
  }
  // bin/satdof of a build or an installation. Searching parent folders would load shaders that another user planted
  // there.
  const fs::path program = programFile().parent_path();
  fs::path data = program.parent_path() / "share" / "satdof";
  if (holdsData(data)) return data;
  throw std::runtime_error("cannot find shaders/ and assets/ in " + pathText(data) +
                           "; set SATDOF_DATA to their parent");
}

}  // namespace

const std::filesystem::path& dataDir() {
  static const fs::path folder = find();
  return folder;
}

fs::path lensesDir() { return dataDir() / "assets" / "lenses"; }

}  // namespace satdof
