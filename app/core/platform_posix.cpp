#include "app/core/platform.h"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

#include "app/core/file_names.h"

namespace satdof {

namespace fs = std::filesystem;

fs::path programFile() {
  const char* const link = "/proc/self/exe";
  std::error_code failed;
  fs::path found = fs::read_symlink(link, failed);
  if (failed) throw std::runtime_error(failureText("read", link, failed.message()));
  return found;
}

namespace {

fs::path absoluteOrNone(const char* text) {
  const fs::path path(text == nullptr ? "" : text);
  return path.is_absolute() ? path : fs::path();
}

}  // namespace

fs::path userHome() {
  fs::path home = absoluteOrNone(std::getenv("HOME"));
  if (const passwd* account = getpwuid(getuid()); home.empty() && account != nullptr)
    home = absoluteOrNone(account->pw_dir);
  return home;
}

fs::path userConfigFolder() {
  if (fs::path config = absoluteOrNone(std::getenv("XDG_CONFIG_HOME")); !config.empty()) return config;
  const fs::path home = userHome();
  return home.empty() ? fs::path() : home / ".config";
}

bool isTerminal(std::FILE* file) { return isatty(fileno(file)) == 1; }

}  // namespace satdof
