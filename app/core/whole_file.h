#pragma once
#include <filesystem>
#include <string_view>

namespace satdof {

// Writes a temporary file next to `path` and renames it, so `path` is never incomplete. Throws
// std::runtime_error with the path and the system's reason.
void writeWholeFile(const std::filesystem::path& path, std::string_view bytes);

// Throws UsageError if writeWholeFile() cannot create `path`. Leaves no file behind.
void requireWritable(const std::filesystem::path& path);

}  // namespace satdof
