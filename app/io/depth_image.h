#pragma once
#include <filesystem>
#include <glm/vec2.hpp>
#include <optional>
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
  float largest = 0.0f;         // largest possible integer, mostly 255 or 65535; 0: the file holds floats
  // The quantity, if the file states it; else `automatic`.
  DepthMeaning meaning = DepthMeaning::automatic;
  double scale = 0.0;  // DepthMeaning::inverseMetres: of the number 1; 0: unknown
  float baselineMm = 0.0f, focalLengthPx = 0.0f, offsetPx = 0.0f;  // DepthMeaning::disparity
  std::string origin{};               // source of `meaning`, such as "calib.txt"; empty: none
  std::optional<DepthFacts> facts{};  // of the first frame of its film, or its own; none: not computed yet
  bool corrected = false;             // written by satdof after corrections with brushes
  std::string paintedOn{};            // of a corrected depth: hashed() file of its photograph; empty: unknown
  Notes notes{};                      // what was assumed or left out
};

// Reads a depth file; the content tells the format. A calib.txt of the Middlebury data sets (`cam0`, `baseline`,
// `doffs`) beside floats, or beside a file that namesDisparity(), makes the numbers disparities, unless the file or
// `asked` states another meaning. Focal length and offset are scaled if `width` in calib.txt differs from the width of
// the image. Throws std::runtime_error that names the file and the cause.
DepthImage readDepth(const std::filesystem::path& path, DepthMeaning asked = DepthMeaning::automatic,
                     const FileLimits& limits = {});

// The same from memory. Throws std::runtime_error with only the reason.
DepthImage decodeDepth(std::string_view bytes, const FileLimits& limits = {});

// Whether "disp", as a word of its own, or "disparity" is in the name of the file.
bool namesDisparity(const std::filesystem::path& file);

// Returns the path of calib.txt beside a depth file; the file may not exist.
std::filesystem::path calibrationBeside(const std::filesystem::path& depth);

// Returns the depth file beside a photograph, found by its name: the corrected depth if `corrected`, "photo_depth.png",
// "photo.depth.exr"; for "shot-colour.exr", "shot-depth.exr". Empty if there is none.
std::filesystem::path depthBeside(const std::filesystem::path& photo, bool corrected = true);
// Returns the path of the depth of a photograph after corrections with brushes: "photo.jpg.corrected-depth.exr".
std::filesystem::path correctedDepthOf(const std::filesystem::path& photo);
// Returns the photograph of a depth file by its name: "a" for "a_depth.png"; "a.jpg" for "a.jpg.corrected-depth.exr"
// and its copies (copyPath()). Empty for other names.
std::filesystem::path photoOfDepth(const std::filesystem::path& file);
// Removes the depth files of other files in the list.
void leaveOutDepths(std::vector<std::filesystem::path>& files);

}  // namespace satdof
