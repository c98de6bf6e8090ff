#include "app/run/system/crash.h"

#include <algorithm>
#include <chrono>
#include <system_error>

#include "app/core/files/file_names.h"
#include "app/core/system/platform.h"

namespace satdof {

namespace fs = std::filesystem;

fs::path stateFolder() {
  const fs::path folder = userStateFolder();
  return folder.empty() ? fs::path() : folder / "satdof";
}

std::vector<fs::path> crashReports(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const fs::path& path : entriesOf(folder))
    if (path.filename().string().starts_with("crash-") && path.extension() == ".txt") found.push_back(path.filename());
  std::ranges::sort(found);
  const auto latest = fs::file_time_type::clock::now() + std::chrono::hours(24);
  std::stable_partition(found.begin(), found.end(), [&](const fs::path& report) {
    std::error_code gone;
    return fs::last_write_time(folder / report, gone) > latest;  // the clock was set back since
  });
  return found;
}

}  // namespace satdof
