// The command line. Input: arguments, one per line.
#include "app/run/command_line/command_line.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "app/core/settings_json.h"
#include "app/core/usage_error.h"
#include "fuzz/fuzz.h"

using namespace satdof;

// Arguments can only name files in an empty folder: slashes become full stops.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  char folder[] = "/tmp/satdof-fuzz-XXXXXX";
  fuzz::require(mkdtemp(folder) != nullptr && chdir(folder) == 0, "there is an empty folder");
  static const std::string made = folder;
  std::atexit([] { std::filesystem::remove_all(made); });
  return 0;
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::string> words{"satdof", ""};
  for (const char c : fuzz::textOf(data, size))
    if (c == '\n' || c == '\0')
      words.emplace_back();
    else
      words.back() += c == '/' ? '.' : c;
  std::vector<const char*> arguments;
  for (const auto& word : words) arguments.push_back(word.c_str());
  try {
    const CommandLine line = parse(static_cast<int>(arguments.size()), arguments.data());
    (void)settingsToJson(line.settings());
  } catch (const UsageError&) {  // main() escapes the arguments in the message
  }
  return 0;
}
