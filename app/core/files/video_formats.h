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

// Extensions of the videos that ffmpeg writes for this program, without the dot.
inline constexpr std::array kVideoOutputs = {"mp4", "mov", "mkv", "webm", "gif"};

// Whether ffmpeg writes the format of `extension`, such as ".mp4", in lower case.
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

// The extensions of kVideoOutputs: ".mp4, .mov, .mkv, .webm or .gif".
inline std::string videoOutputNames() {
  std::vector<std::string> names;
  for (const char* const format : kVideoOutputs) names.push_back(std::string(".") + format);
  return listText(names, "or");
}

}  // namespace satdof
