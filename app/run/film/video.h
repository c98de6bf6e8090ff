#pragma once
#include <filesystem>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace satdof {

// "ffmpeg is not installed", or empty if it is.
std::string videoMissing();

// Says why a video with this extension would not keep the transparent background of frames; empty if it keeps it.
// Throws UsageError for an extension that is no video's.
std::string alphaMissing(const std::filesystem::path& path);

// Throws UsageError if ffmpeg is not installed, if the extension of `path` is no video's, or if `path` cannot be
// written. On Windows always throws.
void requireVideo(const std::filesystem::path& path);

// The files that killed programs left of `video`, which writing it removes.
std::vector<std::filesystem::path> unfinishedOf(const std::filesystem::path& video);

// A video that ffmpeg encodes from frames in memory. A thread feeds ffmpeg, so that only functions with `waitS` wait
// for it. The file gets its name when it holds every frame. After a failure nothing is left, and an old file stays.
// If the program is killed, a file such as NAME-unfinished-0001.mp4 plays what was encoded; the next video named
// NAME.mp4 removes it. The destructor ends ffmpeg.
class Video {
 public:
  virtual ~Video() = default;
  // Waits at most `waitS` seconds. Returns whether append() may be called.
  virtual bool ready(double waitS) = 0;
  // Adds a frame. `rgb`: sRGB, three bytes a pixel, or four with alpha, bottom row first. Throws
  // std::runtime_error with the reason if ffmpeg has failed.
  virtual void append(std::vector<unsigned char> rgb) = 0;
  // Ends the video after the frames so far.
  virtual void end() = 0;
  // Call after end(). Waits at most `waitS` seconds. Returns the path once the frames in the file have been
  // counted and the file has its name. Throws std::runtime_error.
  virtual std::optional<std::filesystem::path> finished(double waitS) = 0;
};

struct VideoFormat {
  glm::ivec2 size;  // of all frames; an odd width or height grows by a line of black
  float framesPerSecond;
  double stallS = 60.0;  // ffmpeg has failed if it makes no progress for so long
  bool alpha = false;    // frames have alpha, not premultiplied; needs an empty alphaMissing()
  long frames = 1;       // least number of frames: too many for a GIF are refused
};

// The options of ffmpeg with which startVideo() encodes, for programs that join frames themselves: filter, colours and
// encoder, without input and container. The top row of their frames comes first. Throws std::runtime_error if the
// format allows no such video.
std::vector<std::string> encoderOptions(const std::filesystem::path& path, const VideoFormat& format);

// Starts a video that replaces `path` or, if `numbered`, gets the first free name of numberedNames(path). Throws
// std::runtime_error if ffmpeg cannot be started.
std::unique_ptr<Video> startVideo(const std::filesystem::path& path, const VideoFormat& format, bool numbered = false);

}  // namespace satdof
