#include "app/core/files/cache.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <iterator>
#include <mutex>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "app/core/files/file_names.h"
#include "app/core/system/platform.h"
#include "app/core/text/formatted.h"

namespace satdof {

namespace fs = std::filesystem;

namespace {

// The size of a file, or of all files in a folder; 0 for what another program has removed.
std::uintmax_t bytesOf(const fs::path& entry) {
  std::error_code missing;
  if (!fs::is_directory(entry, missing)) {
    const std::uintmax_t bytes = fs::file_size(entry, missing);
    return missing ? 0 : bytes;
  }
  std::uintmax_t bytes = 0;
  for (const auto& each : fs::directory_iterator(entry, missing)) bytes += bytesOf(each.path());
  return bytes;
}

}  // namespace

std::string hashed(std::string_view bytes) {
  constexpr std::uint64_t kPrime = 0x100000001b3u;
  std::uint64_t high = 0xcbf29ce484222325u, low = 0x9e3779b97f4a7c15u;
  for (const char c : bytes) {
    high = (high ^ static_cast<unsigned char>(c)) * kPrime;
    low = (low ^ static_cast<unsigned char>(c)) * kPrime;
  }
  return formatted("%016llx%016llx", static_cast<unsigned long long>(high), static_cast<unsigned long long>(low));
}

fs::path cacheFolder(const char* kind) {
  const fs::path cache = userCacheFolder();
  if (cache.empty())
    throw std::runtime_error(std::string("there is no folder to keep ") + kind + ": set HOME or XDG_CACHE_HOME");
  return cache / "satdof" / kind;
}

fs::path cacheEntry(const fs::path& path) {
  const fs::path user = userCacheFolder(), cache = user / "satdof", within = path.lexically_relative(cache);
  if (user.empty() || std::distance(within.begin(), within.end()) < 2 || *within.begin() == "..") return {};
  return cache / *within.begin() / *std::next(within.begin());
}

bool isCached(const fs::path& path, const char* kind) {
  const fs::path entry = cacheEntry(path);
  return !entry.empty() && entry.parent_path() == cacheFolder(kind);
}

void holdCached(const fs::path& path) {
  constexpr std::size_t kMaxHeld = 16;
  static std::mutex mutex;
  static std::deque<std::pair<fs::path, std::shared_ptr<const void>>> held;  // the last one first
  const fs::path entry = cacheEntry(path);
  auto now = entry.empty() ? nullptr : heldFile(entry);
  if (!now) return;
  const std::scoped_lock lock(mutex);
  std::erase_if(held, [&](const auto& each) { return each.first == entry; });
  held.emplace_front(entry, std::move(now));
  if (held.size() > kMaxHeld) held.pop_back();
}

void touchCached(const fs::path& path) {
  holdCached(path);
  std::error_code missing;
  if (const fs::path entry = cacheEntry(path); !entry.empty())
    fs::last_write_time(entry, fs::file_time_type::clock::now(), missing);
}

bool pruneCache(const fs::path& folder, std::uintmax_t mostBytes, std::uintmax_t leastFreeBytes) {
  struct Entry {
    fs::file_time_type used;
    fs::path path;
    std::uintmax_t bytes = 0;
  };
  std::vector<Entry> entries;
  std::uintmax_t bytes = 0;
  std::error_code missing;
  const auto now = fs::file_time_type::clock::now();
  constexpr std::chrono::hours kDay(24);
  for (const auto& each : fs::directory_iterator(folder, missing)) {
    const auto used = each.last_write_time(missing);
    // A time in the future was written before the clock was set back.
    entries.push_back({used > now + kDay ? fs::file_time_type::min() : used, each.path(), bytesOf(each.path())});
    bytes += entries.back().bytes;
  }
  std::ranges::sort(entries, {}, &Entry::used);
  std::error_code unknown;
  const std::uintmax_t free = fs::space(folder, unknown).available;  // the greatest number if unknown
  std::uintmax_t lacking = leastFreeBytes - std::min(free, leastFreeBytes);
  const auto old = now - kDay;
  for (const Entry& entry : entries) {
    if (bytes <= mostBytes && lacking == 0) return true;
    const std::optional<bool> removed = removedUnheld(entry.path);
    if (removed == false || (!removed && entry.used > old)) continue;
    if (!removed) fs::remove_all(entry.path, missing);
    bytes -= entry.bytes;
    lacking -= std::min(lacking, entry.bytes);
  }
  return bytes <= mostBytes && lacking == 0;
}

void claimFolder(const fs::path& written, const fs::path& kept, const std::function<bool(const fs::path&)>& isWhole) {
  std::error_code failed, ignored;
  fs::rename(written, kept, failed);
  if (!failed || isWhole(kept)) return;
  fs::path damaged = written;
  fs::rename(kept, damaged += "-damaged", ignored);
  fs::rename(written, kept, failed);
  fs::remove_all(damaged, ignored);
  if (failed && !isWhole(kept)) throw std::runtime_error(failureText("create the folder", kept, failed.message()));
}

}  // namespace satdof
