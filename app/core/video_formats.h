#pragma once
#include <array>
#include <filesystem>
#include <string>
#include <string_view>

#include "app/core/letters.h"

namespace satdof {

// Endings of the videos that ffmpeg writes for this program.
inline constexpr std::array kVideoFormats = {"mp4", "mov", "mkv", "webm", "gif"};

inline bool isVideoName(std::string_view extension) {
  for (const std::string_view format : kVideoFormats)
    if (extension.size() == format.size() + 1 && extension.front() == '.' && extension.substr(1) == format)
      return true;
  return false;
}

// Whether the name is one of a film that ffmpeg decodes for this program. A GIF is an image.
inline bool isVideoFile(const std::filesystem::path& file) {
  const std::string extension = lowerCase(file.extension().string());
  return extension != ".gif" && (isVideoName(extension) || extension == ".avi" || extension == ".m4v");
}

// ".mp4, .mov or .gif".
inline std::string videoNames() {
  std::string names;
  for (std::size_t i = 0; i < kVideoFormats.size(); ++i)
    names += (i == 0 ? "." : i + 1 < kVideoFormats.size() ? ", ." : " or .") + std::string(kVideoFormats[i]);
  return names;
}

}  // namespace satdof
