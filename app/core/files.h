#pragma once
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace satdof {

// Returns the first `limit` bytes of an ordinary file. Never waits: throws std::runtime_error with the system's
// reason if `path` is missing, unreadable, a folder, a pipe or a device.
std::string readFileHead(const std::filesystem::path& path, size_t limit);
// Returns the whole file. Also throws if it is larger than `limit`.
std::string readWholeFile(const std::filesystem::path& path, size_t limit);

// Replaces `path`, or creates it, so that it is never incomplete, whatever ends the program: the bytes go to a
// new file, reach the disk, and take the name. Keeps the permissions of the old file; follows symbolic links;
// a file with several hard links is written in place. "-" is standard output. Throws std::runtime_error with
// the path and the system's reason.
void writeWholeFile(const std::filesystem::path& path, std::string_view bytes);

// Not on Windows. A file that others write through a descriptor. It has no name before replace(), where the file system allows:
// nothing is left if the program ends earlier.
class PendingFile {
 public:
  // Throws std::runtime_error like writeWholeFile().
  explicit PendingFile(const std::filesystem::path& path);
  ~PendingFile();
  int descriptor() const;
  // Puts the file in the place of `path`, with the permissions of the old file.
  void replace();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Throws UsageError if writeWholeFile() cannot create `path`. Leaves no file behind.
void requireWritable(const std::filesystem::path& path);

// Creates the folder and those above it, unless they exist. Throws std::runtime_error with the path and the system's
// reason.
void createFolders(const std::filesystem::path& folder);

// Creates `path`, empty, unless it exists. Returns whether it did: of several programs, one gets a name.
// Throws std::runtime_error if `path` cannot be created.
bool claimFile(const std::filesystem::path& path);

}  // namespace satdof
