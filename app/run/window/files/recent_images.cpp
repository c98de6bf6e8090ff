#include "app/run/window/files/recent_images.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "app/core/files/cache.h"
#include "app/core/files/file_names.h"
#include "app/core/settings_json.h"
#include "app/run/dropped.h"
#include "app/run/film/film_input.h"
#include "app/scene/image/depth_map.h"
#include "app/ui/session.h"

namespace satdof {

RecentImage shownImage(const Session& session) {
  const ImageSettings& image = session.settings.scene.image;
  const auto& film = session.preferences.film;
  const auto& recent = session.preferences.recentImages;
  RecentImage shown = film.value_or(RecentImage{image.file, image.depth, withReading({}, image)});
  const auto known = std::ranges::find(recent, shown.file, &RecentImage::file);
  if (!film && session.strip.shown() && session.strip.has(image.file.text)) {
    shown.hasLook = session.strip.ownLooks;
    shown.left = shown.hasLook ? session.settings : Settings{};
  } else {
    shown.hasLook = known != recent.end() && known->hasLook;
    shown.left = known != recent.end() && known->left ? *known->left : Settings{};
  }
  shown.left->lens.focusDistanceM = session.settings.lens.focusDistanceM;
  return shown;
}

void rememberFiles(std::vector<RecentImage>& recent, const RecentImage& files) {
  if (!recent.empty() && recent.front() == files) return;
  std::erase_if(recent, [&](const RecentImage& shown) {
    return std::pair(shown.file, shown.depth) == std::pair(files.file, files.depth);
  });
  recent.insert(recent.begin(), files);
  recent.resize(std::min(recent.size(), Preferences::kRecentImages));
}

ImageSettings withRememberedReading(const ImageSettings& image, const std::vector<RecentImage>& recent) {
  const auto whole = [](const FilePath& file) {
    return file.none() ? std::filesystem::path() : absolutePath(file.text);
  };
  const auto isEstimate = [](const FilePath& depth) { return isCached(depth.text, "depth"); };
  const std::pair files(whole(image.file), whole(image.depth));
  auto known = std::ranges::find_if(
      recent, [&](const RecentImage& shown) { return std::pair(whole(shown.file), whole(shown.depth)) == files; });
  if (known == recent.end() && isEstimate(image.depth))
    known = std::ranges::find_if(recent, isEstimate, &RecentImage::depth);
  return known == recent.end() ? image : withReading(image, known->reading);
}

void restoreFocus(Settings& settings, const RecentImage& files, const std::vector<RecentImage>& recent) {
  const auto known = std::ranges::find_if(recent, [&](const RecentImage& shown) {
    return std::pair(shown.file, shown.depth) == std::pair(files.file, files.depth);
  });
  if (!settings.scene.frame || known == recent.end() || !known->left) return;
  settings.lens.focusDistanceM = known->left->lens.focusDistanceM;
  settings.scene.frame = false;
}

PhotoStrip stripOf(const std::vector<std::filesystem::path>& photos, const std::vector<RecentImage>& recent) {
  PhotoStrip strip;
  strip.film = nameOfFrames(photos).value_or("");
  std::optional<std::ptrdiff_t> last;  // in `recent`
  for (const auto& file : photos) {
    strip.photos.push_back({file, {}});
    PhotoStrip::Photo& photo = strip.photos.back();
    const auto known = std::ranges::find(recent, FilePath{file.string()}, &RecentImage::file);
    if (known == recent.end()) continue;
    const auto at = known - recent.begin();
    if (!last || at < *last) strip.ownLooks = known->hasLook;
    last = std::min(at, last.value_or(at));
    photo.hasLook = known->hasLook;
    if (!(photo.left = known->left)) continue;
    ImageSettings& image = photo.left->scene.image;
    image = withReading({}, known->reading);
    image.file = known->file;
    if (isRegularFile(known->depth.text)) image.depth = known->depth;
    photo.left->scene.frame = false;
  }
  return strip;
}

PhotoStrip lastStrip(const std::vector<std::string>& files, const FilePath& shown,
                     const std::vector<RecentImage>& recent) {
  if (std::ranges::find(files, shown.text) == files.end()) return {};
  std::vector<std::filesystem::path> photos;
  for (const std::string& file : files)
    if (file == shown.text || isRegularFile(file)) photos.emplace_back(file);
  return stripOf(photos, recent);
}

void restoreLeft(Settings& settings, const Settings& left, bool ownLook) {
  ImageSettings& image = settings.scene.image;
  if (image.depth.none()) image.depth = left.scene.image.depth;
  image = gainsCorrection(image, left.scene.image) ? withAutomaticDepth(image) : withReading(image, left.scene.image);
  if (ownLook) applyLook(settings, lookToJson(left), "");
  settings.lens.focusDistanceM = left.lens.focusDistanceM;
  settings.scene.frame = left.scene.frame;
}

}  // namespace satdof
