#pragma once
#include <sys/types.h>

#include <filesystem>
#include <glm/vec2.hpp>
#include <memory>
#include <string>
#include <vector>

#include "app/core/files.h"

namespace satdof {

// Throws UsageError if ffmpeg is not installed, if the extension of `path` is no video's, or if `path` cannot be
// written.
void requireVideo(const std::filesystem::path& path);

// A video that ffmpeg encodes, from frames in memory. ffmpeg writes to a file without a name, which finish()
// puts in place: if anything fails or the program ends earlier, nothing is left and an old file stays.
class Video {
 public:
  // `size` and the frame rate of all frames. An odd width or height grows by a line of black. Throws
  // std::runtime_error if ffmpeg cannot be started.
  Video(const std::filesystem::path& path, glm::ivec2 size, float framesPerSecond);
  ~Video();
  Video(const Video&) = delete;
  Video& operator=(const Video&) = delete;

  // `rgb`: sRGB, size.x * size.y * 3 bytes, bottom row first. Throws std::runtime_error with the last words of
  // ffmpeg if it has ended.
  void append(const std::vector<unsigned char>& rgb);
  // Waits for ffmpeg, then replaces `path`. Throws std::runtime_error.
  void finish();

 private:
  [[noreturn]] void fail();
  // Ends the input; returns the exit status of ffmpeg.
  int wait();

  std::filesystem::path path_;
  PendingFile file_;
  int input_ = -1;   // a socket
  int errors_ = -1;  // what ffmpeg says
  pid_t child_ = -1;
};

}  // namespace satdof
