#pragma once
#include <cstdint>
#include <filesystem>

// Files and folders in the cache of the user, which the program makes again if they are gone.
namespace satdof {

// "satdof/KIND" in the cache. Throws std::runtime_error if the user has none.
std::filesystem::path cacheFolder(const char* kind);

// Counts as a use of the entry of a cacheFolder() that the path is or lies in; another path is none.
void useCached(const std::filesystem::path& path);

// Removes entries of the folder, those first that were used longest ago, until the others have at most `mostBytes`. What was
// used within a day stays.
void pruneCache(const std::filesystem::path& folder, std::uintmax_t mostBytes);

}  // namespace satdof
