#include "app/io/settings_file.h"

#include <fstream>
#include <iterator>

#include "app/core/usage_error.h"
#include "app/io/png.h"

namespace satdof {

std::string readSettingsText(const std::filesystem::path& path) {
  const auto refuse = [&](const char* why) {
    return UsageError("cannot read settings " + path.string() + ": " + why +
                      "; give a JSON file or a PNG captured by satdof");
  };
  std::ifstream file(path, std::ios::binary);
  if (!std::filesystem::is_regular_file(path) || !file) throw refuse("no such file, or not readable");
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!isPng(bytes)) return bytes;
  if (const auto text = pngText(bytes, kSettingsKeyword)) return *text;
  throw refuse("an image without satdof settings in its text");
}

}  // namespace satdof
