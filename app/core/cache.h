#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

// Files and folders in the cache of the user, which the program makes again if they are gone.
namespace satdof {

// 32 hex digits of the bytes, to name a file in a cache: FNV-1a from two starts.
std::string hashed(std::string_view bytes);

// "satdof/KIND" in the cache. Throws std::runtime_error if the user has none.
std::filesystem::path cacheFolder(const char* kind);

// The cache entry that holds the path; empty: the path is outside the cache.
std::filesystem::path cacheEntry(const std::filesystem::path& path);
// Whether the path is an entry of cacheFolder(kind), or in one.
bool isCached(const std::filesystem::path& path, const char* kind);
// Sets the time of use of the entry. Paths outside the cache are ignored.
void touchCached(const std::filesystem::path& path);

// Removes the least recently used entries of the folder until at most `mostBytes` are left. Entries used within a day stay.
void pruneCache(const std::filesystem::path& folder, std::uintmax_t mostBytes);

// Gives the folder `written` the name `kept`. What has that name stays if it isWhole(): another program was first, and may read
// it. Throws std::runtime_error.
void claimFolder(const std::filesystem::path& written, const std::filesystem::path& kept,
                 const std::function<bool(const std::filesystem::path&)>& isWhole);

}  // namespace satdof
