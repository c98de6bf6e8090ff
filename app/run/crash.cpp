#include "app/run/crash.h"

#include <algorithm>

#include "app/core/file_names.h"
#include "app/core/platform.h"

namespace satdof {

namespace fs = std::filesystem;

fs::path stateFolder() {
  const fs::path folder = userStateFolder();
  return folder.empty() ? fs::path() : folder / "satdof";
}

std::vector<fs::path> crashReports(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const fs::path& path : entriesOf(folder))
    if (path.filename().string().starts_with("crash-") && path.extension() == ".txt")
      found.push_back(path.filename());
  std::ranges::sort(found);
  return found;
}

}  // namespace satdof
