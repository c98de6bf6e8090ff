#pragma once
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace satdof {

// Returns the first `limit` bytes of a regular file, with the timeout of readWithTimeout(). Throws std::runtime_error
// with the system's reason if `path` is missing, unreadable, a folder, a pipe or a device; never blocks on a pipe.
std::string readFileHead(const std::filesystem::path& path, std::size_t limit);
// The same without a timeout.
std::string readFileHeadUntimed(const std::filesystem::path& path, std::size_t limit);
// Returns the whole file. Throws like readFileHead(), and if the file is larger than `limit`.
std::string readWholeFile(const std::filesystem::path& path, std::size_t limit);

// Replaces or creates `path` atomically: writes a new file, flushes it to the disk, and renames it. Keeps the
// permissions of the old file; follows symbolic links. "-" is standard output. Throws std::runtime_error with the path
// and the system's reason. Three kinds of files are overwritten in place instead, after the new file is complete and
// disk space is reserved: files with several hard links, files of other users in a sticky folder, and mount points. A
// kill or a power failure can damage these.
void writeWholeFile(const std::filesystem::path& path, std::string_view bytes);

// Returns another candidate name for a new file in each call. Throws if no name is left.
using NextName = std::function<std::filesystem::path()>;

// Writes a new file in `folder` atomically under the first candidate name that no file has, even while other programs
// write there. Returns the name. Throws std::runtime_error, and what `next` throws.
std::filesystem::path writeNewFile(const std::filesystem::path& folder, std::string_view bytes, const NextName& next);

// A file that another process, such as ffmpeg, writes through a descriptor; not on Windows. Where the file system
// supports it, the file has no name before show(), replace() or take(), so nothing is left if the program ends earlier.
// All functions throw std::runtime_error like writeWholeFile().
class PendingFile {
 public:
  explicit PendingFile(const std::filesystem::path& folder);
  ~PendingFile();
  int descriptor() const;
  // Gives the unfinished file the first free name, so that it remains if this program is killed. replace() and take()
  // rename it; without them, the destructor removes it.
  void show(const NextName& next);
  // Replaces `path`, a file in `folder` or a link to one, like writeWholeFile().
  void replace(const std::filesystem::path& path);
  // Names the file like writeNewFile(). Returns the name.
  std::filesystem::path take(const NextName& next);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// A lock on the numbered files of `name`, such as "shot.png", among the programs of this machine. Ends with the
// program.
class NameClaim {
 public:
  // Throws std::runtime_error if another program holds a claim. Claims with the same text `sharedWith` do not conflict.
  explicit NameClaim(const std::filesystem::path& name, const std::optional<std::string>& sharedWith = {});
  ~NameClaim();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Throws UsageError if writeWholeFile() could not write `path`. Leaves no file behind.
void requireWritable(const std::filesystem::path& path);

// Creates the folder and its missing parents. Throws std::runtime_error with the path and the system's reason.
void createFolders(const std::filesystem::path& folder);

}  // namespace satdof
