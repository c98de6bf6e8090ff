#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "app/core/settings.h"
#include "app/ui/photographs/strip.h"
#include "app/ui/preferences.h"

// What the window remembers of images: the reading of their depth, their focus, and looks of their own in a strip.
namespace satdof {

struct Session;

// The image or the film that is shown, for the list of recent images.
RecentImage shownImage(const Session& session);
// Moves the files to the front of the list of recent images.
void rememberFiles(std::vector<RecentImage>& recent, const RecentImage& files);
// Returns the image with the reading of its depth that was used last; for a new estimate of the depth command, the
// reading of the last estimate. Unchanged if the image is new.
ImageSettings withRememberedReading(const ImageSettings& image, const std::vector<RecentImage>& recent);

// Gives settings that frame a photograph or a film, with its depth, the focus that these files had last, and frames
// them no more.
void restoreFocus(Settings& settings, const RecentImage& files, const std::vector<RecentImage>& recent);

// The strip of these photographs, each with its remembered settings. Photographs have looks of their own if the one
// shown last had.
PhotoStrip stripOf(const std::vector<std::filesystem::path>& photos, const std::vector<RecentImage>& recent);
// The strip of the last window, without missing files; empty if `shown` is not part of it.
PhotoStrip lastStrip(const std::vector<std::string>& files, const FilePath& shown,
                     const std::vector<RecentImage>& recent);
// Gives settings that show a photograph the depth, focus and, if `ownLook`, the look of `left`.
void restoreLeft(Settings& settings, const Settings& left, bool ownLook);

}  // namespace satdof
