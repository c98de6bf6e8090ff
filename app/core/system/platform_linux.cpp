#include "app/core/system/platform.h"

#include <fcntl.h>
#include <pthread.h>
#include <pwd.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "app/core/files/file_names.h"

namespace satdof {

namespace fs = std::filesystem;

fs::path programFile() {
  std::error_code failed;
  fs::path found = fs::read_symlink("/proc/self/exe", failed);
  if (!failed) return found;
  const auto* const started = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));  // without /proc
  found = fs::canonical(started == nullptr ? "" : started, failed);
  if (failed) throw std::runtime_error(failureText("find", "this program", failed.message()));
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

namespace {

// Returns the folder in the environment variable, else `inHome` in the home folder.
fs::path userFolder(const char* variable, const char* inHome) {
  if (fs::path named = absoluteOrNone(std::getenv(variable)); !named.empty()) return named;
  const fs::path home = userHome();
  return home.empty() ? fs::path() : home / inHome;
}

}  // namespace

fs::path userConfigFolder() { return userFolder("XDG_CONFIG_HOME", ".config"); }
fs::path userCacheFolder() { return userFolder("XDG_CACHE_HOME", ".cache"); }
fs::path userStateFolder() { return userFolder("XDG_STATE_HOME", ".local/state"); }

void placeShaderCache() {
  const char* const relative = std::getenv("XDG_CACHE_HOME");
  if (absoluteOrNone(relative).empty()) ::unsetenv("XDG_CACHE_HOME");
  constexpr std::uintmax_t kMinBytes = std::uintmax_t{8} << 20;  // the index of the cache takes 1.3 MiB
  const char* const named = std::getenv("MESA_SHADER_CACHE_DIR");
  fs::path folder = named != nullptr ? fs::path(named) : userCacheFolder();
  std::error_code unknown;
  while (!folder.empty() && !fs::exists(folder, unknown) && folder.has_relative_path()) folder = folder.parent_path();
  const fs::space_info space = fs::space(folder, unknown);
  if (!unknown && space.available < kMinBytes) ::setenv("MESA_SHADER_CACHE_DISABLE", "true", 0);
}

void runWithUsualStacks(const std::function<void()>& run) {
  constexpr std::size_t kBytes = std::size_t{8} << 20;
  rlimit limit{};
  pthread_attr_t threads{};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kBytes) return run();
  limit.rlim_cur = std::min(limit.rlim_max, rlim_t{kBytes});
  if (::pthread_attr_init(&threads) != 0 || ::pthread_attr_setstacksize(&threads, kBytes) != 0 ||
      ::pthread_setattr_default_np(&threads) != 0 || ::setrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == kBytes)
    return run();
  std::thread(run).join();
}

void reserveStandardStreams() {
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(standard, F_GETFD) < 0)
      (void)::open("/dev/null",
                   standard == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // takes the lowest free descriptor
}

void ignoreBrokenPipes() { std::signal(SIGPIPE, SIG_IGN); }

bool isTerminal(std::FILE* file) { return isatty(fileno(file)) == 1; }

}  // namespace satdof
