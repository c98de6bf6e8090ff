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
    throw std::runtime_error(std::string("SATDOF_DATA is ") + asked +
                             ", which holds no shaders/ and assets/");
  }
  const fs::path start = fs::read_symlink("/proc/self/exe").parent_path();
  for (fs::path folder = start;; folder = folder.parent_path()) {
    for (const auto& candidate : {folder, folder / "share" / "satdof"})
      if (holdsData(candidate)) return candidate;
    if (folder == folder.parent_path()) break;
  }
  throw std::runtime_error("no folder with shaders/ and assets/ at or above " + start.string() +
                           "; set SATDOF_DATA to it");
}

}  // namespace

const std::filesystem::path& dataDir() {
  static const fs::path folder = find();
  return folder;
}

}  // namespace satdof
