#include "app/io/shot_file.h"

#include <stdexcept>
#include <string>

#include "app/core/files.h"
#include "app/core/shot_json.h"
#include "app/core/usage_error.h"

namespace satdof {

namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 24;

std::string textOf(const std::filesystem::path& path) {
  try {
    return readWholeFile(path, kMostBytes);
  } catch (const std::runtime_error& error) {
    throw UsageError(error.what());
  }
}

}  // namespace

Shot readShot(const std::filesystem::path& path, Notes& notes) {
  std::vector<std::string> found;
  Shot shot = shotFromJson(textOf(path), path.string(), found);
  addNotes(notes, inFile(path, found));
  return shot;
}

}  // namespace satdof
