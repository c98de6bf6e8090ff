#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <functional>
#include <stdexcept>

#include "app/core/files/descriptor_linux.h"
#include "app/core/files/file_identity.h"
#include "app/core/files/file_names.h"
#include "app/core/files/file_timeout.h"
#include "app/core/files/files.h"
#include "app/core/usage_error.h"

namespace satdof {

namespace {

namespace fs = std::filesystem;

constexpr mode_t kNewFile = 0666;  // before the umask
constexpr const char* kStandardOutput = "-";
constexpr std::size_t kAtOnce = std::size_t{4} << 20;

std::runtime_error failure(const char* verb, const fs::path& path, const char* reason) {
  return std::runtime_error(failureText(verb, path, reason));
}

bool writeAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    restartFileTimeout();
    const ssize_t count = ::write(file, bytes.data(), std::min(bytes.size(), kAtOnce));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

// Blocks the signals that end a program, while a temporary name exists that the destructor of NewFile must remove.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t ending;
    sigemptyset(&ending);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&ending, signal);
    pthread_sigmask(SIG_BLOCK, &ending, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

constexpr const char* kOpenFiles = "/proc/self/fd/";

// A new file in `folder`. Where the file system supports O_TMPFILE, it has no name before link(), so nothing remains if
// the program is killed.
class NewFile {
 public:
  explicit NewFile(const fs::path& folder) : folder_(folder) {
    const bool canLink = ::access(kOpenFiles, F_OK) == 0;
    if (canLink) file_ = Descriptor(::open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, kNewFile));
    if (!canLink || (!file_.open() && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL))) createNamed();
  }
  ~NewFile() {
    if (!name_.empty()) ::unlink(name_.c_str());
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  bool made() const { return file_.open(); }
  int get() const { return file_.get(); }
  // Renames the file to `target` and replaces that file.
  bool replace(const fs::path& target) {
    const SignalsBlocked blocked;
    if (name_.empty() && !linkTemporary()) return false;
    if (::rename(name_.c_str(), target.c_str()) != 0) return false;
    name_.clear();
    return true;
  }
  // Gives the file a name until replace(), take() or the destructor. Fails with EEXIST if a file has the name.
  bool show(const fs::path& name) {
    const bool shown = name_.empty() ? link(name) : renameNew(name);
    if (shown) name_ = name;
    return shown;
  }
  // Gives the file its final name. Fails with EEXIST if a file has the name.
  bool take(const fs::path& target) {
    const SignalsBlocked blocked;
    if (name_.empty()) return link(target);
    if (::link(name_.c_str(), target.c_str()) == 0) return true;  // the destructor removes the temporary name
    if (errno == EEXIST) return false;
    if (!renameNew(target)) return false;  // a file system without hard links
    name_.clear();
    return true;
  }

 private:
  bool renameNew(const fs::path& to) const {
    return ::renameat2(AT_FDCWD, name_.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0;
  }
  bool link(const fs::path& name) const {
    const std::string self = kOpenFiles + std::to_string(file_.get());
    return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
  }
  bool linkTemporary() {
    for (;;) {
      const fs::path name = temporaryName(folder_, getpid());
      if (link(name)) {
        name_ = name;
        return true;
      }
      if (errno != EEXIST) return false;
    }
  }
  void createNamed() {
    fs::path name;
    do {
      name = temporaryName(folder_, getpid());
      file_ = Descriptor(::open(name.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, kNewFile));
    } while (!file_.open() && errno == EEXIST);
    if (file_.open()) name_ = name;
  }

  fs::path folder_, name_;
  Descriptor file_;
};

constexpr const char* kNotOrdinary = "not an ordinary file; choose another name";

// Returns the status of the file to replace; st_nlink is 0 if it does not exist. Throws if it is read-only or not a
// regular file.
struct stat statusOf(const fs::path& path) {
  struct stat status {};
  if (!path.has_filename()) throw failure("write", path, kNotOrdinary);
  if (::stat(path.c_str(), &status) != 0) {
    if (errno != ENOENT) throw failure("write", path, std::strerror(errno));
    status.st_nlink = 0;
  } else if (!S_ISREG(status.st_mode)) {
    throw failure("write", path, kNotOrdinary);
  } else if ((status.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0 || ::access(path.c_str(), W_OK) != 0) {
    throw failure("write", path, "read-only; choose another name");
  }
  return status;
}

bool copyAll(int from, int to, off_t size) {
  for (off_t done = 0; done < size;) {
    const ssize_t count = ::sendfile(to, from, &done, static_cast<std::size_t>(size - done));
    if (count == 0) errno = EIO;
    if (count == 0 || (count < 0 && errno != EINTR)) return false;
  }
  return true;
}

// Copies the file `from` into the existing file `path`, which keeps its inode and all its names. Reserves the disk
// space first.
bool overwrite(const fs::path& path, int from) {
  const SignalsBlocked blocked;
  struct stat next {};
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.open() || ::fstat(from, &next) != 0) return false;
  const off_t size = next.st_size;
  const bool hasRoom = size == 0 || ::fallocate(file.get(), FALLOC_FL_KEEP_SIZE, 0, size) == 0 || errno == EOPNOTSUPP;
  return hasRoom && copyAll(from, file.get(), size) && ::ftruncate(file.get(), size) == 0 && ::fsync(file.get()) == 0;
}

void syncFolder(const fs::path& folder) {
  const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.open()) ::fsync(directory.get());
}

// Copies the access control list of `from` to `file`. With a list, the group bits of the mode are its mask: copying the
// mode alone would give the group more rights.
bool copyAccessList(const fs::path& from, int file) {
  constexpr const char* kName = "system.posix_acl_access";
  std::array<char, 65536> list{};
  const ssize_t size = ::getxattr(from.c_str(), kName, list.data(), list.size());
  return size <= 0 || ::fsetxattr(file, kName, list.data(), static_cast<std::size_t>(size), 0) == 0;
}

// Replaces `target` by the written file. Keeps the permissions and all hard links of the old file, whose status is
// `old`.
bool putInPlace(NewFile& next, const fs::path& target, const struct stat& old) {
  if (old.st_nlink > 0) {
    if (::fchmod(next.get(), old.st_mode & 07777) != 0 || !copyAccessList(target, next.get())) return false;
    // Only root may change the owner; otherwise the new file belongs to this user.
    [[maybe_unused]] const int ignored = ::fchown(next.get(), old.st_uid, old.st_gid);
  }
  if (::fsync(next.get()) != 0) return false;
  if (old.st_nlink > 1) return overwrite(target, next.get());
  if (!next.replace(target)) {
    // A file of another user in a sticky folder, or a mount point, cannot be renamed over.
    const bool cannotRename = old.st_nlink > 0 && (errno == EPERM || errno == EBUSY);
    return cannotRename && overwrite(target, next.get());
  }
  syncFolder(folderOf(target));
  return true;
}

// Gives a file the first free name by NewFile::take() or NewFile::show(). Returns the name.
fs::path giveFreeName(NewFile& file, bool (NewFile::*give)(const fs::path&), const NextName& next) {
  for (;;) {
    fs::path name = next();
    if ((file.*give)(name)) return name;
    if (errno != EEXIST) throw failure("write", name, std::strerror(errno));
  }
}

// Flushes a written file to the disk and gives it the first free name. Returns the name.
fs::path takeFreeName(NewFile& file, const fs::path& folder, const NextName& next) {
  if (::fsync(file.get()) != 0) throw failure("write a file in", folder, std::strerror(errno));
  fs::path name = giveFreeName(file, &NewFile::take, next);
  syncFolder(folder);
  return name;
}

}  // namespace

std::string readFileHeadUntimed(const fs::path& path, std::size_t limit) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (!file.open() || ::fstat(file.get(), &status) != 0) throw failure("read", path, std::strerror(errno));
  if (!S_ISREG(status.st_mode)) throw failure("read", path, "not an ordinary file");
  std::string bytes(std::min(limit, static_cast<std::size_t>(status.st_size)), '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    restartFileTimeout();
    const ssize_t count = ::read(file.get(), bytes.data() + done, std::min(bytes.size() - done, kAtOnce));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw failure("read", path, std::strerror(errno));
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  bytes.resize(done);
  return bytes;
}

void writeWholeFile(const fs::path& path, std::string_view bytes) {
  if (path == kStandardOutput) {
    if (!writeAll(STDOUT_FILENO, bytes)) throw failure("write", "standard output", std::strerror(errno));
    return;
  }
  const fs::path file = linkTarget(path);
  const struct stat old = statusOf(file);
  NewFile next(folderOf(file));
  if (!next.made() || !writeAll(next.get(), bytes) || !putInPlace(next, file, old))
    throw failure("write", path, std::strerror(errno));
}

fs::path writeNewFile(const fs::path& folder, std::string_view bytes, const NextName& next) {
  NewFile file(folder);
  if (!file.made() || !writeAll(file.get(), bytes)) throw failure("write a file in", folder, std::strerror(errno));
  return takeFreeName(file, folder, next);
}

struct PendingFile::Parts {
  explicit Parts(const fs::path& of) : folder(of), file(of) {}
  fs::path folder;
  NewFile file;
};

PendingFile::PendingFile(const fs::path& folder) : parts_(std::make_unique<Parts>(folder)) {
  if (!parts_->file.made()) throw failure("write a file in", folder, std::strerror(errno));
}

PendingFile::~PendingFile() = default;

int PendingFile::descriptor() const { return parts_->file.get(); }

void PendingFile::show(const NextName& next) { giveFreeName(parts_->file, &NewFile::show, next); }

void PendingFile::replace(const fs::path& path) {
  const fs::path file = linkTarget(path);
  if (!putInPlace(parts_->file, file, statusOf(file))) throw failure("write", path, std::strerror(errno));
}

fs::path PendingFile::take(const NextName& next) { return takeFreeName(parts_->file, parts_->folder, next); }

struct NameClaim::Parts {
  Descriptor folder;
};

// A claim is a read lock on one byte of the folder, far beyond its end. The hash of the name selects a range of 2^31
// bytes; an exclusive claim locks the first byte, a shared claim the byte of the hash of its text. Each claim takes its
// lock first and then tests the rest of the range for other locks, so of two concurrent claims at least one sees the
// other.
NameClaim::NameClaim(const fs::path& name, const std::optional<std::string>& sharedWith)
    : parts_(new Parts{Descriptor(::open(folderOf(name).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC))}) {
  constexpr int kBits = 31;  // of an offset in a range
  const auto shortHash = [](const std::string& text) {
    return static_cast<off_t>(std::hash<std::string>{}(text) >> (64 - kBits));
  };
  const off_t first = shortHash(name.filename().string()) << kBits, end = first + (off_t{1} << kBits);
  const off_t own = sharedWith ? first + std::max<off_t>(shortHash(*sharedWith), 1) : first;
  const auto lockOf = [](short type, off_t from, off_t to) {
    struct flock lock {};
    lock.l_type = type;
    lock.l_start = from;
    lock.l_len = to - from;
    return lock;
  };
  struct flock claimed = lockOf(F_RDLCK, own, own + 1);
  if (::fcntl(parts_->folder.get(), F_OFD_SETLK, &claimed) != 0)
    return;  // the file system has no locks: nothing is claimed
  const auto isLocked = [&](off_t from, off_t to) {
    struct flock others = lockOf(F_WRLCK, from, to);
    return from < to && ::fcntl(parts_->folder.get(), F_OFD_GETLK, &others) == 0 && others.l_type != F_UNLCK;
  };
  if (isLocked(first, own) || isLocked(sharedWith ? own + 1 : own, end))
    throw failure("write", name,
                  "another run of satdof writes images of this name; choose another name, or wait for its end");
}

NameClaim::~NameClaim() = default;

std::string fileIdentity(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) return std::to_string(status.st_dev) + ':' + std::to_string(status.st_ino);
  std::error_code unknown;
  const fs::path whole = fs::absolute(targetOf(path), unknown), found = fs::weakly_canonical(whole, unknown);
  return (unknown ? whole.lexically_normal() : found).string();
}

std::string fileVersion(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
  return std::to_string(status.st_ino) + ' ' + std::to_string(status.st_ctim.tv_sec) + ' ' +
         std::to_string(status.st_ctim.tv_nsec);
}

void requireWritable(const fs::path& path) {
  if (path == kStandardOutput) return;
  try {
    const fs::path file = linkTarget(path);
    statusOf(file);
    if (!NewFile(folderOf(file)).made()) throw failure("write", path, std::strerror(errno));
  } catch (const std::runtime_error& error) {
    throw UsageError(error.what());
  }
}

}  // namespace satdof
