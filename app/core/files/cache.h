#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
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
// Marks the entry that contains `path` as used now. Ignores paths outside the cache.
void touchCached(const std::filesystem::path& path);

// Removes the least recently used entries of the folder until at most `mostBytes` are left. Keeps entries used within a
// day.
void pruneCache(const std::filesystem::path& folder, std::uintmax_t mostBytes);

// Renames the folder `written` to `kept`. Keeps an existing folder `kept` if isWhole(kept): another program was first
// and may be reading it. Replaces it otherwise. Throws std::runtime_error if `kept` is not whole afterwards.
void claimFolder(const std::filesystem::path& written, const std::filesystem::path& kept,
                 const std::function<bool(const std::filesystem::path&)>& isWhole);

}  // namespace satdof
