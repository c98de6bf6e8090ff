#pragma once
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

// Names for writing files.
namespace satdof {

// The folder of a file.
std::filesystem::path folderOf(const std::filesystem::path& path);

// Functions that look at files wait for them like readWithTimeout().

// What the folder holds, in no order; what was found before a failure.
std::vector<std::filesystem::path> entriesOf(const std::filesystem::path& folder, std::error_code& failed);
inline std::vector<std::filesystem::path> entriesOf(const std::filesystem::path& folder) {
  std::error_code ignored;
  return entriesOf(folder, ignored);
}

// What the system cannot tell counts as no: reading or writing says why.
bool isThere(const std::filesystem::path& path);
bool isRegularFile(const std::filesystem::path& path);
bool isFolder(const std::filesystem::path& path);
// What changes if a file is replaced: path, bytes, time of the last write. Throws FileTimeout.
std::string fileState(const std::filesystem::path& path);
// From the root on; empty if the folder where the program runs is gone.
inline std::filesystem::path absolutePath(const std::filesystem::path& path) {
  std::error_code unknown;
  return std::filesystem::absolute(path, unknown);
}

// Whether the file or folder is in the folder, as their names say.
inline bool isBelow(const std::filesystem::path& path, const std::filesystem::path& folder) {
  const std::filesystem::path relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

// The file that `path` names, behind all symbolic links; the last of them may point to a file that does not exist yet.
// Throws std::runtime_error if the links have no end.
std::filesystem::path linkTarget(const std::filesystem::path& path);

// "shot-2.json" for the second copy of "shot.json", which is the first.
std::filesystem::path copyPath(const std::filesystem::path& path, int copy);

// A new name in `folder` in each call, short, so that it fits wherever the target's name fits.
std::filesystem::path temporaryName(const std::filesystem::path& folder, long process);

// "cannot write image.png: reason"
std::string failureText(const char* verb, const std::filesystem::path& path, const std::string& reason);
// The reason of a text about reading `path`, or another text as it is.
std::string readingReason(const std::filesystem::path& path, const std::string& text);

}  // namespace satdof
