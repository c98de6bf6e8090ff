#include "app/io/shot_file.h"

#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "app/core/files/file_names.h"
#include "app/core/files/files.h"
#include "app/core/shot/shot_json.h"
#include "app/core/text/foreign_text.h"
#include "app/core/text/letters.h"
#include "app/core/usage_error.h"

namespace satdof {

namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 24;

std::string textOf(const std::filesystem::path& path) {
  try {
    return readWholeFile(path, kMaxBytes);
  } catch (const std::runtime_error& error) {
    throw UsageError(error.what());
  }
}

// Returns shotKind() of a file; empty if the file cannot be read.
std::string_view kindOf(const std::filesystem::path& path) try {
  return lowerCase(path.extension().string()) == ".json" ? shotKind(textOf(path)) : "";
} catch (const std::runtime_error&) {
  return {};
}

bool holds(const std::filesystem::path& path, const std::string& text) try {
  return textOf(path) == text;
} catch (const std::runtime_error&) {
  return false;
}

}  // namespace

Shot readShot(const std::filesystem::path& path, Notes& notes, std::string* text) {
  std::vector<std::string> found;
  const std::string read = textOf(path);
  Shot shot = shotFromJson(read, pathText(path), found);
  if (text) *text = read;
  addNotes(notes, inFile(path, found));
  return shot;
}

bool holdsShot(const std::filesystem::path& path) { return !kindOf(path).empty(); }

std::filesystem::path writeShot(std::filesystem::path path, const std::string& json, const std::string& replaced) {
  const auto refuse = [&](const std::string& why) {
    return std::runtime_error(failureText("save the shot to", path, why));
  };
  if (path.has_filename() && !path.has_extension()) path += ".json";
  if (lowerCase(path.extension().string()) != ".json") throw refuse("give a name ending in .json");
  try {
    std::vector<std::string> notes;
    shotFromJson(json, "", notes);
  } catch (const UsageError& error) {
    throw refuse(error.what());
  }
  createFolders(folderOf(path));
  if (shotKind(replaced) != shotKind(json) || !holds(path, replaced))
    return writeNewFile(folderOf(path), json, [path, copy = 0]() mutable { return copyPath(path, ++copy); });
  writeWholeFile(path, json);
  return path;
}

}  // namespace satdof
