#pragma once
#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/core/text/count_text.h"
#include "app/core/text/letters.h"

namespace satdof {

// Extensions, in lower case, of the videos that ffmpeg writes for this program.
inline constexpr std::array<std::string_view, 5> kVideoOutputs = {".mp4", ".mov", ".mkv", ".webm", ".gif"};

inline bool isVideoOutput(std::string_view extension) {
  return std::ranges::find(kVideoOutputs, extension) != kVideoOutputs.end();
}

// Extensions of the videos that ffmpeg decodes for this program. A GIF is read as an image.
inline constexpr std::array<std::string_view, 6> kVideoInputs = {".mp4", ".mov", ".mkv", ".webm", ".avi", ".m4v"};
inline bool isVideoInput(const std::filesystem::path& file) {
  const std::string extension = lowerCase(file.extension().string());
  return std::ranges::find(kVideoInputs, extension) != kVideoInputs.end();
}

// ".mp4, .mov, .mkv, .webm or .gif".
inline std::string videoOutputNames() { return listText({kVideoOutputs.begin(), kVideoOutputs.end()}, "or"); }

}  // namespace satdof
