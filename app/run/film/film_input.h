#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/core/settings.h"
#include "app/io/picture.h"
#include "app/run/command_line/command_line.h"
#include "app/ui/preferences.h"

// Films to refocus, which are videos or numbered images.
namespace satdof {

// Whether the name is a video that ffmpeg reads, or a pattern of numbered files such as "frames/%04d.png".
bool isFilm(const std::string& name);

// The pattern "folder/frame%04d.png" if the images are numbered without a gap; in any order. Else nothing.
std::optional<std::string> nameOfFrames(const std::vector<std::filesystem::path>& images);

// The depth beside a film, by its name: film-depth.mkv for film.mp4, %04d_depth.png for %04d.png. Empty if there is
// none. Throws UsageError if numbered files do not exist.
std::filesystem::path depthOfFilmBeside(const std::filesystem::path& film);

// Watches ffmpeg decode a video.
struct DecodeWatch {
  std::stop_token stop{};  // ends the decoding with ToolStopped
  // Called many times a second with the number of decoded frames. An exception ends the decoding.
  std::function<void(long frames)> onFrames = [](long) {};
};

// A film as numbered files.
struct InputFilm {
  RecentImage asked;          // absolute paths of the videos or patterns that the user named
  FilePath file, depth;       // patterns of numbered files; `depth` may be one file for all frames, or empty
  int frames = 0;             // number of files of `file`
  float framesPerSecond = 0;  // 0: unknown
  Notes notes;                // what ffmpeg reported of damaged videos

  // Returns `image` with the files of frame `number`, from 0 on. Throws UsageError if the depth has no such frame.
  ImageSettings frame(ImageSettings image, int number) const;
};

// The first frame of a video. Throws std::runtime_error.
Picture firstFrameOf(const std::string& video, const DecodeWatch& how);

// Opens a film; its depth may be a folder of numbered images. Decodes videos into the cache folder unless their frames
// are there. Throws UsageError or std::runtime_error with file and reason.
InputFilm openFilm(const RecentImage& asked, const DecodeWatch& how);

// Sets the depth of a film of --image to depthOfFilmBeside(), unless --depth or a settings file chooses one.
void useDepthOfFilmBeside(CommandLine& line);

// Replaces videos that --image and --depth name by patterns of decoded frames, "FOLDER/%06d.png"; if a film is written,
// folders, too. Without --fps, the output gets the frame rate of the video. Throws UsageError or std::runtime_error
// that begins with the option.
void useFilms(CommandLine& line);

}  // namespace satdof
