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

// Why a video of this name would not keep the transparent background of frames, as a note; empty if it does. Throws UsageError if the
// extension is no video's.
std::string alphaMissing(const std::filesystem::path& path);

// Throws UsageError if ffmpeg is not installed, if the extension of `path` is no video's, or if `path` cannot be
// written; on Windows always.
void requireVideo(const std::filesystem::path& path);

// Whether a killed program has left the file of the video.
bool isUnfinished(const std::filesystem::path& file, const std::filesystem::path& video);

// A video that ffmpeg encodes, from frames in memory, on a thread of its own: no function but those with `waitS` waits for
// ffmpeg. The file gets its name when it holds every frame; if anything fails, nothing is left and an old file stays. If the
// program is killed, NAME-unfinished-0001.mp4 and the like plays what was encoded, until a video replaces NAME.mp4. The
// destructor ends ffmpeg.
class Video {
 public:
  virtual ~Video() = default;
  // Waits at most `waitS` seconds. Returns whether append() may be called.
  virtual bool ready(double waitS) = 0;
  // `rgb`: sRGB, three bytes a pixel, or four with alpha, bottom row first. Throws std::runtime_error with the reason if ffmpeg has failed.
  virtual void append(std::vector<unsigned char> rgb) = 0;
  // Ends the video after the frames so far.
  virtual void end() = 0;
  // After end(): waits at most `waitS` seconds. Returns the path once every frame is counted in the file and the file has
  // its name. Throws std::runtime_error.
  virtual std::optional<std::filesystem::path> finished(double waitS) = 0;
};

struct VideoFormat {
  glm::ivec2 size;  // of all frames; an odd width or height grows by a line of black
  float framesPerSecond;
  double stallS = 60.0;  // ffmpeg that does not go on for so long has failed
  bool alpha = false;    // if alphaMissing() is empty. Alpha does not multiply the colours
  long frames = 1;       // at least; a GIF is refused that has too many
};

// The video replaces `path`, or gets the first free name of numberedNames(). Throws std::runtime_error if ffmpeg cannot be
// started.
std::unique_ptr<Video> startVideo(const std::filesystem::path& path, const VideoFormat& format,
                                  bool numbered = false);

}  // namespace satdof
