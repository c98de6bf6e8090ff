#include "app/core/data_dir.h"

#include <cstdlib>
#include <stdexcept>

namespace satdof {

namespace {

namespace fs = std::filesystem;

bool holdsData(const fs::path& folder) {
  return fs::is_directory(folder / "shaders") && fs::is_directory(folder / "assets");
}

fs::path find() {
  if (const char* asked = std::getenv("SATDOF_DATA")) {
    if (holdsData(asked)) return asked;
    throw std::runtime_error(std::string("cannot read SATDOF_DATA=") + asked +
                             ": no folders shaders/ and assets/ in it; set SATDOF_DATA to their parent");
  }
  const fs::path start = fs::read_symlink("/proc/self/exe").parent_path();
  for (fs::path folder = start;; folder = folder.parent_path()) {
    for (const auto& candidate : {folder, folder / "share" / "satdof"})
      if (holdsData(candidate)) return candidate;
    if (folder == folder.parent_path()) break;
  }
  throw std::runtime_error("cannot find shaders/ and assets/ in or above " + start.string() +
                           "; set SATDOF_DATA to their parent");
}

}  // namespace

const std::filesystem::path& dataDir() {
  static const fs::path folder = find();
  return folder;
}

}  // namespace satdof
