#pragma once
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

// Paths and file status. Functions that access the file system are subject to the timeout of readWithTimeout().
namespace satdof {

// Returns the parent folder; "." if the path has none.
std::filesystem::path folderOf(const std::filesystem::path& path);

// Returns the entries of a folder, unsorted. After an error: the entries found before it.
std::vector<std::filesystem::path> entriesOf(const std::filesystem::path& folder, std::error_code& failed);
inline std::vector<std::filesystem::path> entriesOf(const std::filesystem::path& folder) {
  std::error_code ignored;
  return entriesOf(folder, ignored);
}

// False if the status is unknown: reading or writing then reports the reason.
bool isThere(const std::filesystem::path& path);
bool isRegularFile(const std::filesystem::path& path);
bool isFolder(const std::filesystem::path& path);
// Returns a text that changes when the file is replaced or changed: path, size, time of the last write, fileVersion().
// Throws FileTimeout.
std::string fileState(const std::filesystem::path& path);
// Returns the absolute path without "." and "..", so that a file has one; empty if the working directory was removed.
std::filesystem::path absolutePath(const std::filesystem::path& path);

// Whether `path` lies inside `folder`, by their texts alone.
inline bool isBelow(const std::filesystem::path& path, const std::filesystem::path& folder) {
  const std::filesystem::path relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

// Follows symbolic links. Returns the file at their end, which may not exist yet. Throws std::runtime_error for a cycle
// of links and for links to open files, such as /dev/stdout.
std::filesystem::path linkTarget(const std::filesystem::path& path);
// linkTarget(), but the path itself for links that cannot be followed.
std::filesystem::path targetOf(const std::filesystem::path& path);

// Returns the path of copy n: "shot.json" for 1, "shot-2.json" for 2.
std::filesystem::path copyPath(const std::filesystem::path& path, int copy);

// Returns another temporary path in `folder` in each call. The name is short: file systems limit the length of names.
std::filesystem::path temporaryName(const std::filesystem::path& folder, long process);

// "cannot write image.png: reason"
std::string failureText(const char* verb, const std::filesystem::path& path, const std::string& reason);
// Removes "cannot read PATH: " from the front of a message; returns other texts unchanged.
std::string readingReason(const std::filesystem::path& path, const std::string& text);

}  // namespace satdof
