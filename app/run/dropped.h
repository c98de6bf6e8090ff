#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/core/settings.h"
#include "app/ui/photographs/strip.h"

namespace satdof {

// The settings that show dropped or opened files.
struct Dropped {
  Settings settings;
  std::string notice;              // what was taken from which file
  bool showsFile = false;          // settings.scene names a file that SceneRow::load must read
  std::optional<LeftShot> shot{};  // remembered shot of a photograph of a strip
};

// Returns settings that show dropped files, by what they are:
// - one JSON file, or an image with settings in it: these settings; one lens prescription: this lens;
// - one file of a scene, such as a model or an environment: the scene with it;
// - one depth, while an image is shown: the image with this depth;
// - one image or video: with the depth beside it, photo_depth.png or photo.depth.exr;
// - two files: an image and its depth, which is the one that looksLikeDepth().
// Reads the heads of files; see looksLikeDepth(). Throws UsageError or std::runtime_error with file and reason, also
// for files of other kinds.
Dropped dropped(const Settings& current, const std::vector<std::filesystem::path>& files);

// Removes captures of other photographs in a folder, also numbered ones: "a-refocused.png" and "a-refocused-0001.png"
// beside "a.jpg". Returns their number.
std::size_t leaveOutCaptures(std::vector<std::filesystem::path>& files);

// The photographs among several files, to be opened as a strip. A folder stands for its images, sorted by name.
// Leaves out depths that are named after another of the photographs and, of a folder, leaveOutCaptures();
// adds their number to `captures`. Empty for one file, and for a photograph and its depth: of two
// images, the one that looksLikeDepth(), else the second if it holdsDepth(). Throws UsageError for a folder that has no
// image or cannot be read.
std::vector<std::filesystem::path> photosOf(const std::vector<std::filesystem::path>& files,
                                            std::size_t* captures = nullptr);

// Settings that show a photograph with the depth beside it. Throws like dropped().
Dropped droppedPhoto(const Settings& current, const std::filesystem::path& file);
// Settings that show a photograph with this depth.
Dropped droppedPhoto(const Settings& current, const std::filesystem::path& file, const std::filesystem::path& depth,
                     const std::string& notice);

// Returns the image with the default reading of its depth: the meaning that the file states, without levels.
ImageSettings withAutomaticDepth(ImageSettings image);

// Returns the image with a corrected depth, which is read by default: edges are aligned and levels applied in the file.
ImageSettings withCorrectedDepth(ImageSettings image, const std::filesystem::path& depth);

// Whether `image` has a corrected depth that `before` did not name: the reading of the depth before does not apply.
bool gainsCorrection(const ImageSettings& image, const ImageSettings& before);

// Whether a file has one channel (PFM, PNG), is an exported depth, has a photoOfDepth(), or has "depth" in its name or
// namesDisparity() and is a video, holdsDepth() or no image. Reads the whole file only for holdsDepth().
bool looksLikeDepth(const std::filesystem::path& file);

}  // namespace satdof
