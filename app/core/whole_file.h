#pragma once
#include <filesystem>
#include <string_view>

namespace satdof {

// Writes a temporary file beside `path` and renames it: the file is there whole or not at all. Throws
// std::runtime_error naming the path and the system's reason.
void writeWholeFile(const std::filesystem::path& path, std::string_view bytes);

// Throws UsageError unless writeWholeFile() could make `path` now; leaves nothing.
void requireWritable(const std::filesystem::path& path);

}  // namespace satdof
