#include "app/core/system/platform.h"

#include <io.h>
#include <windows.h>

#include <array>
#include <cstdlib>
#include <initializer_list>
#include <stdexcept>

namespace satdof {

namespace fs = std::filesystem;

fs::path programFile() {
  std::array<wchar_t, 32768> name{};  // the longest path
  const DWORD length = GetModuleFileNameW(nullptr, name.data(), static_cast<DWORD>(name.size()));
  if (length == 0 || length == name.size()) throw std::runtime_error("cannot find the program's own file");
  return {name.data(), name.data() + length};
}

fs::path userHome() {
  const wchar_t* const home = _wgetenv(L"USERPROFILE");
  return home == nullptr ? L"" : home;
}

namespace {

fs::path firstFolder(std::initializer_list<const wchar_t*> variables) {
  for (const wchar_t* const name : variables)
    if (const wchar_t* const text = _wgetenv(name); text != nullptr && fs::path(text).is_absolute()) return text;
  return {};
}

}  // namespace

fs::path userConfigFolder() { return firstFolder({L"XDG_CONFIG_HOME", L"APPDATA"}); }
fs::path userCacheFolder() { return firstFolder({L"XDG_CACHE_HOME", L"LOCALAPPDATA"}); }
fs::path userStateFolder() { return firstFolder({L"XDG_STATE_HOME", L"LOCALAPPDATA"}); }

void placeShaderCache() {}

void runWithUsualStacks(const std::function<void()>& run) { run(); }

void reserveStandardStreams() {}

void ignoreBrokenPipes() {}

bool isTerminal(std::FILE* file) { return _isatty(_fileno(file)) != 0; }

}  // namespace satdof
