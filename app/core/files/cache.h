#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

// The user's cache folder. The program makes its entries again if they are missing.
namespace satdof {

// Returns a hash as 32 hex digits, to name a cache entry: two 64-bit FNV-1a hashes with different offset bases.
std::string hashed(std::string_view bytes);

// Returns the folder satdof/KIND of the user's cache. Throws std::runtime_error if the user has no cache folder.
std::filesystem::path cacheFolder(const char* kind);

// Returns the cache entry that contains `path`; empty if the path is outside the cache.
std::filesystem::path cacheEntry(const std::filesystem::path& path);
// Whether `path` is an entry of cacheFolder(kind) or lies inside one.
bool isCached(const std::filesystem::path& path, const char* kind);
// Holds the entry that contains `path`: pruneCache() of any program keeps it while it is one of the last entries that
// this program held. Ignores paths outside the cache.
void holdCached(const std::filesystem::path& path);
// The same; also marks the entry as used now.
void touchCached(const std::filesystem::path& path);

// Bytes of a disk that caches leave free.
constexpr std::uintmax_t kMinFreeBytes = std::uintmax_t{1} << 30;

// Removes the least recently used entries of the folder until at most `mostBytes` are left, and the disk has
// `leastFreeBytes`. Keeps entries that a program holds; where this is unknown, those used within a day. Returns whether
// both limits hold.
bool pruneCache(const std::filesystem::path& folder, std::uintmax_t mostBytes,
                std::uintmax_t leastFreeBytes = kMinFreeBytes);

// Holds a file or folder until the result ends. Null if it is missing, and on Windows.
std::shared_ptr<const void> heldFile(const std::filesystem::path& path);
// Removes a file or folder unless a program holds it. Returns whether it is removed; nothing if it is unknown whether
// a program holds it, as on Windows.
std::optional<bool> removedUnheld(const std::filesystem::path& path);

// Renames the folder `written` to `kept`. Keeps an existing folder `kept` if isWhole(kept): another program was first
// and may be reading it. Replaces it otherwise. Throws std::runtime_error if `kept` is not whole afterwards.
void claimFolder(const std::filesystem::path& written, const std::filesystem::path& kept,
                 const std::function<bool(const std::filesystem::path&)>& isWhole);

}  // namespace satdof
