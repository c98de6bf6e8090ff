#pragma once
#include <filesystem>
#include <glm/vec2.hpp>
#include <memory>
#include <vector>

namespace satdof {

// "ffmpeg is not installed", or empty if it is.
std::string videoMissing();

// Throws UsageError if ffmpeg is not installed, if the extension of `path` is no video's, or if `path` cannot be
// written; on Windows always.
void requireVideo(const std::filesystem::path& path);

// A video that ffmpeg encodes, from frames in memory. ffmpeg writes to a file without a name, which finish()
// puts in place: if anything fails or the program ends earlier, nothing is left and an old file stays.
class Video {
 public:
  virtual ~Video() = default;
  // `rgb`: sRGB, three bytes a pixel, bottom row first. Throws std::runtime_error with the last words of ffmpeg if it has
  // ended.
  virtual void append(const std::vector<unsigned char>& rgb) = 0;
  // Waits for ffmpeg, then names the file. Returns its path. Throws std::runtime_error.
  virtual std::filesystem::path finish() = 0;
};

struct VideoFormat {
  glm::ivec2 size;  // of all frames; an odd width or height grows by a line of black
  float framesPerSecond;
};

// The video replaces `path`, or gets the first free name of numberedNames(). Throws std::runtime_error if ffmpeg cannot be
// started.
std::unique_ptr<Video> startVideo(const std::filesystem::path& path, const VideoFormat& format,
                                  bool numbered = false);

}  // namespace satdof
