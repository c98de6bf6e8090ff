#pragma once
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace satdof {

// Returns the first `limit` bytes of an ordinary file. Waits for no writer: throws std::runtime_error with the system's
// reason if `path` is missing, unreadable, a folder, a pipe or a device. Waits for the file system like readWithTimeout().
std::string readFileHead(const std::filesystem::path& path, size_t limit);
std::string readFileHeadUntimed(const std::filesystem::path& path,
                                size_t limit);  // the same, however long it takes
// Returns the whole file like readFileHead(). Also throws if it is larger than `limit`.
std::string readWholeFile(const std::filesystem::path& path, size_t limit);

// Replaces `path`, or creates it, so that it is never incomplete, whatever ends the program: the bytes go to a
// new file, reach the disk, and take the name. Keeps the permissions of the old file; follows symbolic links.
// A file with several hard links, of others in a sticky folder, or mounted by itself is written in place once the
// new file is complete and the disk has room, so that a kill or a power failure can leave it half new. "-" is
// standard output. Throws std::runtime_error with the path and the system's reason.
void writeWholeFile(const std::filesystem::path& path, std::string_view bytes);

// Gives names for a new file, another one in each call. Throws if there is none left.
using NextName = std::function<std::filesystem::path()>;

// Writes a new file in `folder`, complete or absent like writeWholeFile(). It takes the first name that no file has: of
// several programs, one gets a name. Returns the name. Throws std::runtime_error, and what `next` throws.
std::filesystem::path writeNewFile(const std::filesystem::path& folder, std::string_view bytes,
                                   const NextName& next);

// Not on Windows. A file in `folder` that others write through a descriptor. It has no name before show(), replace() or take(),
// where the file system allows: nothing is left if the program ends earlier.
class PendingFile {
 public:
  // All functions throw std::runtime_error like writeWholeFile().
  explicit PendingFile(const std::filesystem::path& folder);
  ~PendingFile();
  int descriptor() const;
  // Gives the file the first free name, for those who read it if this program ends early. replace() and take() change the
  // name; without them, the destructor removes the file.
  void show(const NextName& next);
  // Puts the file in the place of `path`, which is in `folder` or a link to a file there, like writeWholeFile().
  void replace(const std::filesystem::path& path);
  // Names the file like writeNewFile().
  std::filesystem::path take(const NextName& next);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// A claim on the numbered files of a name, in its folder, among the programs of this machine. Ends with the program.
class NameClaim {
 public:
  // Throws std::runtime_error if another program has a claim, unless both are shared with the same text.
  explicit NameClaim(const std::filesystem::path& name, const std::optional<std::string>& sharedWith = {});
  ~NameClaim();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Throws UsageError if writeWholeFile() cannot create `path`. Leaves no file behind.
void requireWritable(const std::filesystem::path& path);

// Creates the folder and those above it, unless they exist. Throws std::runtime_error with the path and the system's
// reason.
void createFolders(const std::filesystem::path& folder);

}  // namespace satdof
