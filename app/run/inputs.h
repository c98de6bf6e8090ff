#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/core/settings.h"
#include "app/ui/preferences.h"

// The files that drawing an image reads.
namespace satdof {

// Files that are read together with a file: those that a model names, or calib.txt beside a depth.
std::vector<std::filesystem::path> filesReadWith(const std::filesystem::path& file);

// A file, or a pattern of frames and its frames. Throws UsageError that begins with `where` if there are none.
std::vector<std::filesystem::path> filesNamed(const std::string& where, const std::string& name);

// The files that the settings name, and filesReadWith() each.
std::vector<std::filesystem::path> inputsOf(Settings settings);

// Whether the settings name the file, also by a link or as a frame of `film`, a file that they name reads it, or it is
// one of `others` or the depth beside one.
bool isRead(const Settings& settings, const std::optional<RecentImage>& film,
            const std::vector<std::filesystem::path>& others, const std::filesystem::path& file);

// A hash of the contents of a file; empty if it cannot be read. Cached by fileState().
std::string contentOf(const std::filesystem::path& file);

// Hashes of the contents that files had when this object first saw them. Look before the files are read.
class InputHashes {
 public:
  // A hash of inputsOf() the settings.
  std::string of(const Settings& settings);

 private:
  std::map<std::filesystem::path, std::string> seen_;
};

}  // namespace satdof
