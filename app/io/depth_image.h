#pragma once
#include <filesystem>
#include <glm/vec2.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "app/core/settings.h"
#include "app/io/file_limits.h"
#include "app/io/notes.h"

namespace satdof {

// The numbers of a depth file.
struct DepthImage {
  glm::ivec2 size{0};
  std::vector<float> values{};  // as stored, bottom row first; may be infinite or NaN
  float largest = 0.0f;  // that the integers of the file reach: mostly 255 or 65535; 0: the file holds floats
  // What the file says; `automatic`: nothing. Of inverse metres also the scale, of a disparity its three numbers.
  DepthMeaning meaning = DepthMeaning::automatic;
  double scale = 0.0;  // inverse metres of the number 1; 0: the file says nothing
  float baselineMm = 0.0f, focalLengthPx = 0.0f, offsetPx = 0.0f;
  std::string origin{};    // who says so, such as "calib.txt"; empty: nobody
  bool corrected = false;  // by brushes, at the edges of the image: written by satdof
  Notes notes{};           // what was assumed or left out
};

// Formats by content: codecs() with depth. A file calib.txt of the Middlebury data sets beside a
// PFM, or beside a file with "disp" in its name, makes it a disparity: `cam0`, `baseline` and `doffs`; its focal length
// and offset are scaled if `width` differs from the image's. Throws std::runtime_error that names the file and the
// cause.
DepthImage readDepth(const std::filesystem::path& path, const FileLimits& limits = {});

// The same from memory. Throws std::runtime_error with the reason alone.
DepthImage decodeDepth(std::string_view bytes, const FileLimits& limits = {});

// The file calib.txt in the folder of a depth, which may not exist.
std::filesystem::path calibrationBeside(const std::filesystem::path& depth);

// The depth of a photo in its folder, by its name: its corrected depth if wanted, "photo_depth.png", "photo.depth.exr"; "shot-depth.exr" of
// "shot-colour.exr". Empty: none.
std::filesystem::path depthBeside(const std::filesystem::path& photo, bool corrected = true);
// "photo.jpg.corrected-depth.exr": what brushes made of the depth of a photograph.
std::filesystem::path correctedDepthOf(const std::filesystem::path& photo);
// "a_depth.png" -> "a", "a.jpg.corrected-depth.exr", or a copyPath() of it -> "a.jpg"; empty for other names.
std::filesystem::path photoOfDepth(const std::filesystem::path& file);
// Leaves out the depths that their names give to others of the files.
void leaveOutDepths(std::vector<std::filesystem::path>& files);

}  // namespace satdof
