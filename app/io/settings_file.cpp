#include "app/io/settings_file.h"

#include <stdexcept>

#include "app/core/files.h"
#include "app/core/usage_error.h"
#include "app/io/png.h"

namespace satdof {

namespace {

// Settings take a few kilobytes; in a PNG they stand before the image.
constexpr size_t kMostBytes = size_t{1} << 20;

}  // namespace

std::string readSettingsText(const std::filesystem::path& path) {
  const auto refuse = [&](const std::string& why) {
    return UsageError("cannot read settings \"" + path.string() + "\": " + why +
                      "; give a JSON file or a PNG captured by satdof");
  };
  std::string bytes;
  try {
    bytes = readFileHead(path, kMostBytes + 1);
  } catch (const std::runtime_error& error) {
    throw UsageError(std::string(error.what()) + "; give a JSON file or a PNG captured by satdof");
  }
  if (!isPng(bytes)) {
    if (bytes.size() > kMostBytes) throw refuse("larger than 1 MB");
    return bytes;
  }
  if (const auto text = pngText(bytes, kSettingsKeyword)) return *text;
  throw refuse("an image without satdof settings in its text");
}

}  // namespace satdof
