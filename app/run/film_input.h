#pragma once
#include "app/run/command_line.h"

// Films as images to refocus: a video, or a folder of numbered images.
namespace satdof {

// Puts names of numbered files, "FOLDER/%06d.png", in the place of videos and, if a film is written, of folders that --image and
// --depth name. ffmpeg decodes a video into the cache folder, where the frames stay. Without --fps, the output has the rate of the
// video. Throws UsageError or std::runtime_error that begins with the option.
void useFilms(CommandLine& line);

}  // namespace satdof
