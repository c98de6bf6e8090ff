#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/run/command_line.h"
#include "app/ui/session.h"

// Films as images to refocus: a video, or numbered images.
namespace satdof {

// Whether the name is one of a video, or of numbered files: "frames/%04d.png".
bool isFilm(const std::string& name);

// "folder/frame%04d.png" of files that have all its numbers, in any order.
std::optional<std::string> nameOfFrames(const std::vector<std::filesystem::path>& images);

// What the name of a film makes its depth: film-depth.mkv beside film.mp4, %04d_depth.png beside %04d.png. Empty if there is none.
// Throws UsageError if numbered files do not exist.
std::filesystem::path depthOfFilmBeside(const std::filesystem::path& film);

// How ffmpeg is watched while it decodes a video.
struct DecodeWatch {
  std::stop_token stop{};  // then ToolStopped is thrown
  // Called many times a second, with the frames that are decoded. What it throws ends the decoding.
  std::function<void(long frames)> told = [](long) {};
};

// A film as numbered files.
struct InputFilm {
  RecentImage asked;          // as the user names it, absolute
  FilePath file, depth;       // names of numbered files; the depth may be one file for all frames, or none
  int frames = 0;             // of the image
  float framesPerSecond = 0;  // 0: unknown
  Notes notes;                // of damaged videos

  // The image with the files of a frame, from 0 on. Throws UsageError if the depth has no such frame.
  ImageSettings frame(ImageSettings image, int number) const;
};

// The first frame of a video. Throws std::runtime_error.
Picture firstFrameOf(const std::string& video, const DecodeWatch& how);

// Decodes videos into the cache folder, where the frames stay. Throws UsageError or std::runtime_error with file and reason.
InputFilm openFilm(const RecentImage& asked, const DecodeWatch& how);

// Gives a film of --image the depthOfFilmBeside() it, unless --depth or a settings file says which.
void useDepthOfFilmBeside(CommandLine& line);

// Puts names of numbered files, "FOLDER/%06d.png", in the place of videos and, if a film is written, of folders that --image and
// --depth name. Without --fps, the output has the rate of the video. Throws UsageError or std::runtime_error that begins with the
// option.
void useFilms(CommandLine& line);

}  // namespace satdof
