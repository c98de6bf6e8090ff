#include "app/io/settings_file.h"

#include <stdexcept>

#include "app/core/files.h"
#include "app/core/usage_error.h"
#include "app/io/image_file.h"

namespace satdof {

namespace {

// Settings take a few kilobytes; in an image they stand before the pixels.
constexpr size_t kMostBytes = size_t{1} << 20;

}  // namespace

std::string readSettingsText(const std::filesystem::path& path) {
  const std::string expected = "; give a JSON file, or a PNG, EXR or HDR captured by satdof";
  const auto refuse = [&](const std::string& why) {
    return UsageError("cannot read settings \"" + path.string() + "\": " + why + expected);
  };
  std::string bytes;
  try {
    bytes = readFileHead(path, kMostBytes + 1);
  } catch (const std::runtime_error& error) {
    throw UsageError(error.what() + expected);
  }
  if (const auto text = imageText(bytes, kSettingsKeyword)) return *text;
  const char* const format = imageFormatName(bytes);
  if (format != nullptr && std::string_view(format) == "PFM") throw refuse("a PFM holds no settings");
  if (format != nullptr) throw refuse("an image without satdof settings in its text");
  if (bytes.size() > kMostBytes) throw refuse("larger than 1 MB");
  return bytes;
}

}  // namespace satdof
