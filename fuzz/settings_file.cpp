// A settings file: JSON, or a PNG with settings in its text.
#include "app/io/settings_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "app/core/settings_json.h"
#include "app/core/usage_error.h"
#include "fuzz/fuzz.h"

using namespace satdof;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const int file = memfd_create("settings", MFD_CLOEXEC);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  fuzz::require(ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == static_cast<ssize_t>(size),
                "the input is a file");
  try {
    const std::string text = readSettingsText(path);
    fuzz::require(text.size() <= (std::size_t{1} << 20), "settings text has at most 1 MB");
    Settings settings;
    applySettingsJson(settings, text, path);
  } catch (const UsageError& error) {
    fuzz::requireReadable(error.what());
  }
  return 0;
}
