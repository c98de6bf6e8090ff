#include "app/core/files/files.h"

#include <algorithm>
#include <atomic>
#include <stdexcept>

#include "app/core/files/file_identity.h"
#include "app/core/files/file_names.h"
#include "app/core/files/file_timeout.h"
#include "app/core/text/foreign_text.h"

namespace satdof {

namespace fs = std::filesystem;

namespace {

// Returns test(path); false after a timeout.
bool holds(const fs::path& path, bool (*test)(const fs::path&, std::error_code&)) try {
  return readWithTimeout(path, [=] {
    std::error_code unknown;
    return test(path, unknown);
  });
} catch (const FileTimeout&) {
  return false;
}

}  // namespace

fs::path absolutePath(const fs::path& path) {
  std::error_code unknown;
  const fs::path whole = fs::absolute(path, unknown);
  if (std::ranges::find(whole, "..") == whole.end()) return whole.lexically_normal();
  // ".." of a link is not the link's folder. The file may be a link.
  const bool endsUp = whole.filename() == "..";
  const fs::path folder = fs::weakly_canonical(endsUp ? whole : whole.parent_path(), unknown);
  return unknown ? whole : endsUp ? folder : folder / whole.filename();
}

bool isThere(const fs::path& path) { return holds(path, fs::exists); }
bool isRegularFile(const fs::path& path) { return holds(path, fs::is_regular_file); }
bool isFolder(const fs::path& path) { return holds(path, fs::is_directory); }

std::string fileState(const fs::path& path) {
  return readWithTimeout(path, [path] {
    std::error_code missing;
    return fs::absolute(path, missing).string() + ' ' + std::to_string(fs::file_size(path, missing)) + ' ' +
           std::to_string(fs::last_write_time(path, missing).time_since_epoch().count()) + ' ' + fileVersion(path);
  });
}

std::string readFileHead(const fs::path& path, std::size_t limit) {
  return readWithTimeout(path, [=] { return readFileHeadUntimed(path, limit); });
}

std::string readWholeFile(const fs::path& path, std::size_t limit) {
  return readWithTimeout(path, [=] {
    const auto refuse = [&] {
      return std::runtime_error(failureText("read", path, "larger than " + std::to_string(limit) + " bytes"));
    };
    std::error_code unknown;  // a pipe has no size: the bytes read decide
    if (const auto size = fs::file_size(path, unknown); !unknown && size > limit) throw refuse();
    std::string bytes = readFileHeadUntimed(path, limit + 1);
    if (bytes.size() > limit) throw refuse();
    return bytes;
  });
}

void createFolders(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw std::runtime_error(failureText("create the folder", folder, error.message()));
}

fs::path folderOf(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

std::vector<fs::path> entriesOf(const fs::path& folder, std::error_code& failed) try {
  auto found = readWithTimeout(folder / "", [folder] {
    std::pair<std::vector<fs::path>, std::error_code> entries;
    auto& [paths, problem] = entries;
    for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end; entry.increment(problem)) {
      paths.push_back(entry->path());
      restartFileTimeout();
    }
    return entries;
  });
  failed = found.second;
  return std::move(found.first);
} catch (const FileTimeout&) {
  failed = std::make_error_code(std::errc::timed_out);
  return {};
}

fs::path linkTarget(const fs::path& path) {
  constexpr int kMaxLinks = 40;
  fs::path found = path;
  std::error_code error;
  for (int i = 0; fs::is_symlink(fs::symlink_status(found, error)); ++i) {
    if (i == kMaxLinks) throw std::runtime_error(failureText("write", path, "too many symbolic links"));
    if (isBelow(fs::weakly_canonical(folderOf(found), error), "/proc"))
      throw std::runtime_error(failureText("write", path, "not the name of a file; - is standard output"));
    const fs::path next = fs::read_symlink(found, error);
    if (error) throw std::runtime_error(failureText("write", path, error.message()));
    found = next.is_absolute() ? next : folderOf(found) / next;
  }
  return found;
}

fs::path targetOf(const fs::path& path) try {
  return linkTarget(path);
} catch (const std::runtime_error&) {  // writing the file reports it
  return path;
}

fs::path copyPath(const fs::path& path, int copy) {
  return copy == 1
             ? path
             : path.parent_path() / (path.stem().string() + "-" + std::to_string(copy) + path.extension().string());
}

fs::path temporaryName(const fs::path& folder, long process) {
  static std::atomic<unsigned> count{0};
  return folder / (".satdof-" + std::to_string(process) + "-" + std::to_string(count++) + ".part");
}

std::string readingReason(const fs::path& path, const std::string& text) {
  const std::string known = failureText("read", path, "");
  return text.starts_with(known) ? text.substr(known.size()) : text;
}

std::string failureText(const char* verb, const fs::path& path, const std::string& reason) {
  return std::string("cannot ") + verb + " " + pathText(path) + ": " + reason;
}

}  // namespace satdof
