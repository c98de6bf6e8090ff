#pragma once
#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>

#include "app/core/letters.h"

namespace satdof {

// Extensions of the videos that ffmpeg writes for this program, without the dot.
inline constexpr std::array kVideoOutputs = {"mp4", "mov", "mkv", "webm", "gif"};

// `extension`: with its dot, in lower case.
inline bool isVideoOutput(std::string_view extension) {
  return extension.starts_with('.') &&
         std::ranges::find(kVideoOutputs, extension.substr(1)) != kVideoOutputs.end();
}

// Extensions of the videos that ffmpeg decodes for this program. A GIF is read as an image.
inline constexpr std::array<std::string_view, 6> kVideoInputs = {".mp4",  ".mov", ".mkv",
                                                                 ".webm", ".avi", ".m4v"};
inline bool isVideoInput(const std::filesystem::path& file) {
  const std::string extension = lowerCase(file.extension().string());
  return std::ranges::find(kVideoInputs, extension) != kVideoInputs.end();
}

// ".mp4, .mov or .gif"
inline std::string videoOutputNames() {
  std::string names;
  for (std::size_t i = 0; i < kVideoOutputs.size(); ++i)
    names += (i == 0 ? "." : i + 1 < kVideoOutputs.size() ? ", ." : " or .") + std::string(kVideoOutputs[i]);
  return names;
}

}  // namespace satdof
