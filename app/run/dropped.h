#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/core/settings.h"
#include "app/ui/strip.h"

namespace satdof {

// What files dropped on the window ask for.
struct Dropped {
  Settings settings;
  std::string notice;      // what was taken from which file
  bool showsFile = false;  // SceneRow::load must read what settings.scene names; else the settings are read
  std::optional<LeftShot> shot{};  // of a photograph that was left
};

// A JSON file, or a PNG that a capture wrote, holds settings; a prescription is a lens; an exported depth dropped on an image is its depth. Other
// files are an image and its depth: of two, the depth is the one that looksLikeDepth(). A depth dropped alone joins the
// image that is shown, and an image dropped alone takes a depth beside it: photo_depth.png, photo.depth.exr. A video stands for an
// image, or for a depth. Reads the heads of images, depths, models and environments. Throws UsageError or std::runtime_error with the
// file and the reason, also for a file of another kind.
Dropped dropped(const Settings& current, const std::vector<std::filesystem::path>& files);

// The photographs of several files or of folders, to be opened together: folders stand for their images, by name, and a depth
// that its name gives to another of the photographs is left out. None for a file alone, and for a photograph and its
// depth. Throws UsageError for a folder that has no image or cannot be read.
std::vector<std::filesystem::path> photosOf(const std::vector<std::filesystem::path>& files);

// A photograph, with the depth beside it. Throws like dropped().
Dropped droppedPhoto(const Settings& current, const std::filesystem::path& file);
// The same with a depth.
Dropped droppedPhoto(const Settings& current, const std::filesystem::path& file,
                     const std::filesystem::path& depth, const std::string& notice);

// The image with depth whose numbers mean what the file says, without levels.
ImageSettings withAutomaticDepth(ImageSettings image);

// The image with its depth from a file of depth as it is shown: corrected, at the edges of the image, after the levels.
ImageSettings withCorrectedDepth(ImageSettings image, const std::filesystem::path& depth);

// Whether a file has one channel (PFM, PNG), is an exported depth, or has "depth" or "disp" in its name.
bool looksLikeDepth(const std::filesystem::path& file);

}  // namespace satdof
