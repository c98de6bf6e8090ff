#include <windows.h>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "app/core/files/file_identity.h"
#include "app/core/files/file_names.h"
#include "app/core/files/files.h"
#include "app/core/usage_error.h"

namespace satdof {

namespace {

namespace fs = std::filesystem;

constexpr const char* kStandardOutput = "-";
constexpr const char* kNotOrdinary = "not an ordinary file; choose another name";
constexpr DWORD kShareAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
constexpr std::size_t kMaxAtOnce = std::size_t{1} << 30;

std::string lastReason() { return std::error_code(static_cast<int>(GetLastError()), std::system_category()).message(); }

std::runtime_error failure(const char* verb, const fs::path& path, const std::string& reason = lastReason()) {
  return std::runtime_error(failureText(verb, path, reason));
}

class File {
 public:
  File() = default;
  // Opens a file. On failure, open() is false and GetLastError() tells the reason.
  File(const fs::path& path, DWORD access, DWORD disposition)
      : handle_(
            CreateFileW(path.c_str(), access, kShareAll, nullptr, disposition, FILE_FLAG_BACKUP_SEMANTICS, nullptr)) {}
  File(File&& other) noexcept : handle_(std::exchange(other.handle_, INVALID_HANDLE_VALUE)) {}
  File& operator=(File&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~File() {
    if (open()) CloseHandle(handle_);
  }
  HANDLE get() const { return handle_; }
  bool open() const { return handle_ != INVALID_HANDLE_VALUE; }

  // Whether this is a regular file: no folder, pipe or device.
  bool ordinary() const {
    BY_HANDLE_FILE_INFORMATION found{};
    return GetFileType(handle_) == FILE_TYPE_DISK && GetFileInformationByHandle(handle_, &found) != 0 &&
           (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) == 0;
  }
  // The number of hard links.
  DWORD links() const {
    BY_HANDLE_FILE_INFORMATION found{};
    return GetFileInformationByHandle(handle_, &found) != 0 ? found.nNumberOfLinks : 1;
  }

 private:
  HANDLE handle_ = INVALID_HANDLE_VALUE;
};

bool writeAll(HANDLE file, std::string_view bytes) {
  while (!bytes.empty()) {
    DWORD count = 0;
    if (WriteFile(file, bytes.data(), static_cast<DWORD>(std::min(bytes.size(), kMaxAtOnce)), &count, nullptr) == 0)
      return false;
    bytes.remove_prefix(count);
  }
  return true;
}

// A new file in `folder`. The destructor deletes it unless replace() or take() succeeded.
class NewFile {
 public:
  explicit NewFile(const fs::path& folder) {
    do {
      name_ = temporaryName(folder, static_cast<long>(GetCurrentProcessId()));
      file_ = File(name_, GENERIC_WRITE, CREATE_NEW);
    } while (!file_.open() && GetLastError() == ERROR_FILE_EXISTS);
  }
  ~NewFile() {
    const bool made = std::exchange(file_, File()).open();
    if (made || closed_) DeleteFileW(name_.c_str());
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  bool made() const { return file_.open(); }
  HANDLE get() const { return file_.get(); }
  // Renames the file to `target`. If that file exists, replaces it and takes over its attributes and access rights.
  bool replace(const fs::path& target, bool exists) {
    std::exchange(file_, File());
    closed_ = true;
    if (exists &&
        ReplaceFileW(target.c_str(), name_.c_str(), nullptr, REPLACEFILE_IGNORE_MERGE_ERRORS, nullptr, nullptr) != 0) {
      closed_ = false;
      return true;
    }
    closed_ = MoveFileExW(name_.c_str(), target.c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) == 0;
    return !closed_;
  }
  // Gives the file its final name. Fails if a file has the name: see GetLastError().
  bool take(const fs::path& target) {
    std::exchange(file_, File());
    closed_ = MoveFileExW(name_.c_str(), target.c_str(), MOVEFILE_WRITE_THROUGH) == 0;
    return !closed_;
  }

 private:
  fs::path name_;
  File file_;
  bool closed_ = false;  // closed, but not renamed
};

// Returns the number of hard links of the file to replace; 0 if it does not exist. Throws if it is not a regular file.
DWORD linksOf(const fs::path& path) {
  if (!path.has_filename()) throw failure("write", path, kNotOrdinary);
  const File file(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING);
  if (!file.open()) {
    if (GetLastError() != ERROR_FILE_NOT_FOUND) throw failure("write", path);
    return 0;
  }
  if (!file.ordinary()) throw failure("write", path, kNotOrdinary);
  return file.links();
}

void overwrite(const fs::path& path, std::string_view bytes) {
  const File file(path, GENERIC_WRITE, TRUNCATE_EXISTING);
  if (!file.open() || !writeAll(file.get(), bytes) || FlushFileBuffers(file.get()) == 0) throw failure("write", path);
}

}  // namespace

std::string readFileHeadUntimed(const fs::path& path, std::size_t limit) {
  const File file(path, GENERIC_READ, OPEN_EXISTING);
  if (!file.open()) throw failure("read", path);
  LARGE_INTEGER size{};
  if (!file.ordinary()) throw failure("read", path, "not an ordinary file");
  if (GetFileSizeEx(file.get(), &size) == 0) throw failure("read", path);
  std::string bytes(std::min(limit, static_cast<std::size_t>(size.QuadPart)), '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    DWORD count = 0;
    const auto wanted = static_cast<DWORD>(std::min(bytes.size() - done, kMaxAtOnce));
    if (ReadFile(file.get(), bytes.data() + done, wanted, &count, nullptr) == 0) throw failure("read", path);
    if (count == 0) break;
    done += count;
  }
  bytes.resize(done);
  return bytes;
}

void writeWholeFile(const fs::path& path, std::string_view bytes) {
  if (path == kStandardOutput) {
    if (!writeAll(GetStdHandle(STD_OUTPUT_HANDLE), bytes)) throw failure("write", "standard output");
    return;
  }
  const fs::path file = linkTarget(path);
  const DWORD links = linksOf(file);
  NewFile next(folderOf(file));
  if (!next.made() || !writeAll(next.get(), bytes) || FlushFileBuffers(next.get()) == 0) throw failure("write", path);
  if (links > 1)
    overwrite(file, bytes);
  else if (!next.replace(file, links > 0))
    throw failure("write", path);
}

struct NameClaim::Parts {
  std::vector<HANDLE> files;
  ~Parts() {
    for (const HANDLE file : files) CloseHandle(file);
  }
};

// A claim holds files that Windows deletes with their last handle: one for the name and, if shared, one for the text.
NameClaim::NameClaim(const fs::path& name, const std::optional<std::string>& sharedWith)
    : parts_(std::make_unique<Parts>()) {
  const std::wstring start = L".satdof-" + name.filename().wstring() + L".", end = L".film";
  const DWORD share = sharedWith ? FILE_SHARE_READ | FILE_SHARE_DELETE : 0;
  const auto isOpened = [&](const fs::path& file) {
    const HANDLE opened = CreateFileW(file.c_str(), GENERIC_READ | DELETE, share, nullptr, OPEN_ALWAYS,
                                      FILE_ATTRIBUTE_HIDDEN | FILE_FLAG_DELETE_ON_CLOSE, nullptr);
    if (opened == INVALID_HANDLE_VALUE) return GetLastError() != ERROR_SHARING_VIOLATION;
    parts_->files.push_back(opened);
    return true;
  };
  bool claimed = isOpened(folderOf(name) / (start + L"claim"));
  if (sharedWith) {
    const std::wstring own = start + std::to_wstring(std::hash<std::string>{}(*sharedWith)) + end;
    claimed = claimed && isOpened(folderOf(name) / own);
    for (const fs::path& file : entriesOf(folderOf(name))) {
      const std::wstring found = file.filename().wstring();
      claimed &= found == own || !found.starts_with(start) || !found.ends_with(end);
    }
  }
  if (!claimed)
    throw failure("write", name,
                  "another run of satdof writes images of this name; choose another name, or wait for its end");
}

NameClaim::~NameClaim() = default;

std::string fileIdentity(const fs::path& path) {
  std::error_code unknown;
  return fs::weakly_canonical(fs::absolute(targetOf(path), unknown), unknown).string();
}

std::string fileVersion(const fs::path&) { return {}; }

void requireWritable(const fs::path& path) {
  if (path == kStandardOutput) return;
  try {
    const fs::path file = linkTarget(path);
    linksOf(file);
    if (!NewFile(folderOf(file)).made()) throw failure("write", path);
  } catch (const std::runtime_error& error) {
    throw UsageError(error.what());
  }
}

fs::path writeNewFile(const fs::path& folder, std::string_view bytes, const NextName& next) {
  NewFile file(folder);
  if (!file.made() || !writeAll(file.get(), bytes) || FlushFileBuffers(file.get()) == 0)
    throw failure("write a file in", folder);
  for (;;) {
    const fs::path name = next();
    if (file.take(name)) return name;
    const DWORD error = GetLastError();
    if (error != ERROR_ALREADY_EXISTS && error != ERROR_FILE_EXISTS) throw failure("write", name);
  }
}

}  // namespace satdof
