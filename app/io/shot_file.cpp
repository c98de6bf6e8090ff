#include "app/io/shot_file.h"

#include <stdexcept>
#include <utility>
#include <vector>

#include "app/core/file_names.h"
#include "app/core/files.h"
#include "app/core/foreign_text.h"
#include "app/core/letters.h"
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
  Shot shot = shotFromJson(textOf(path), pathText(path), found);
  addNotes(notes, inFile(path, found));
  return shot;
}

bool holdsShot(const std::filesystem::path& path) {
  try {
    return lowerCase(path.extension().string()) == ".json" && looksLikeShot(textOf(path));
  } catch (const std::runtime_error&) {
    return false;
  }
}

std::filesystem::path saveShot(std::filesystem::path path, const Shot& shot) {
  return saveShotText(std::move(path), shotToJson(shot));
}

std::filesystem::path saveShotText(std::filesystem::path path, const std::string& json) {
  const auto refuse = [&](const std::string& why) {
    return std::runtime_error(failureText("save the shot to", path, why));
  };
  if (path.has_filename() && !path.has_extension()) path += ".json";
  if (lowerCase(path.extension().string()) != ".json") throw refuse("give a name ending in .json");
  if (isRegularFile(path) && !holdsShot(path))
    throw refuse("the file exists and is no shot; choose another name");
  try {
    std::vector<std::string> notes;
    shotFromJson(json, "", notes);
  } catch (const UsageError& error) {
    throw refuse(error.what());
  }
  createFolders(folderOf(path));
  writeWholeFile(path, json);
  return path;
}

}  // namespace satdof
