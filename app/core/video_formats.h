#pragma once
#include <algorithm>
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

// Names of films that ffmpeg decodes for this program. A GIF is an image.
inline constexpr std::array<std::string_view, 6> kReadVideos = {".mp4",  ".mov", ".mkv",
                                                                ".webm", ".avi", ".m4v"};
inline bool isVideoFile(const std::filesystem::path& file) {
  const std::string extension = lowerCase(file.extension().string());
  return std::ranges::find(kReadVideos, extension) != kReadVideos.end();
}

// ".mp4, .mov or .gif".
inline std::string videoNames() {
  std::string names;
  for (std::size_t i = 0; i < kVideoFormats.size(); ++i)
    names += (i == 0 ? "." : i + 1 < kVideoFormats.size() ? ", ." : " or .") + std::string(kVideoFormats[i]);
  return names;
}

}  // namespace satdof
