#include "app/run/film/single_frame.h"

#include <optional>
#include <string>

#include "app/core/files/file_names.h"
#include "app/core/text/count_text.h"
#include "app/core/text/foreign_text.h"
#include "app/core/text/number.h"
#include "app/core/usage_error.h"
#include "app/io/settings_file.h"
#include "app/run/film/film_input.h"
#include "app/scene/scene_files.h"

namespace satdof {

namespace {

// The number of the decoded frame of a video, whose path ends in "HASH/000001.png"; nothing for other paths.
std::optional<int> decodedFrame(const std::filesystem::path& path) {
  constexpr std::size_t kHashDigits = 32;
  const std::string folder = path.parent_path().filename().string();
  const bool isHash = folder.size() == kHashDigits && folder.find_first_not_of("0123456789abcdef") == folder.npos;
  return isHash ? numberInText<int>(path.stem().string()) : std::nullopt;
}

void requireFrame(const FilePath& file, const char* option) {
  const auto number = decodedFrame(file.text);
  if (!number || isThere(file.text)) return;
  throw UsageError("cannot read " + pathText(file.text) + ": it is frame " + std::to_string(*number) +
                   " of a video, and the cache of this user does not hold the frames; open the video once more (" +
                   option + " VIDEO), then these settings");
}

}  // namespace

Notes notesOnFrame(const Settings& settings) {
  if (!showsPhoto(settings)) return {};
  const ImageSettings& image = settings.scene.image;
  requireFrame(image.file, "--image");
  requireFrame(image.depth, "--depth");
  if (image.smoothFrames == 0 || isFilm(image.file.text)) return {};
  return inFile(image.file.text,
                {"its depth is not averaged over " +
                 countText(static_cast<std::size_t>(image.smoothFrames), "earlier frame") + ": it is a single image"});
}

Notes useSettingsFile(Settings& settings, const std::filesystem::path& file) {
  Notes notes;
  applySettingsFile(settings, readSettingsText(file, &notes), file);
  addNotes(notes, notesOnFrame(settings));
  return notes;
}

}  // namespace satdof
