#include "app/core/platform.h"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>

namespace satdof {

namespace fs = std::filesystem;

fs::path programFile() { return fs::read_symlink("/proc/self/exe"); }

fs::path userConfigFolder() {
  const auto folder = [](const char* text) {
    const fs::path path(text == nullptr ? "" : text);
    return path.is_absolute() ? path : fs::path();
  };
  if (fs::path config = folder(std::getenv("XDG_CONFIG_HOME")); !config.empty()) return config;
  fs::path home = folder(std::getenv("HOME"));
  if (const passwd* account = getpwuid(getuid()); home.empty() && account != nullptr)
    home = folder(account->pw_dir);
  return home.empty() ? fs::path() : home / ".config";
}

bool isTerminal(std::FILE* file) { return isatty(fileno(file)) == 1; }

}  // namespace satdof
