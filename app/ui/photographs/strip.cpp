#include "app/ui/photographs/strip.h"

#include <algorithm>
#include <map>
#include <utility>

namespace satdof {

namespace fs = std::filesystem;

bool PhotoStrip::has(const fs::path& file) const {
  return std::ranges::find(photos, file, &Photo::file) != photos.end();
}

void PhotoStrip::replaceBy(PhotoStrip next) {
  constexpr std::size_t kMaxStrips = 20;
  next.before = std::exchange(before, {});
  std::erase_if(next.before, [&](const PhotoStrip& strip) {
    return std::ranges::equal(strip.photos, photos, {}, &Photo::file, &Photo::file);
  });
  if (next.before.size() == kMaxStrips) next.before.erase(next.before.begin());
  if (!photos.empty()) {
    PhotoStrip& last = next.before.emplace_back();
    last.photos = std::move(photos);
    last.film = std::move(film);
    last.firstLook = std::move(firstLook);
    last.closes = closes;
  }
  next.ownLooks |= ownLooks;
  std::map<std::string, const Photo*> left;
  for (const PhotoStrip& strip : next.before)
    for (const Photo& photo : strip.photos)
      if (photo.left) left[photo.file.string()] = &photo;
  for (Photo& photo : next.photos)
    if (const auto known = left.find(photo.file.string()); known != left.end()) photo = *known->second;
  *this = std::move(next);
}

void PhotoStrip::follow(const fs::path& file) {
  if (has(file)) return;
  const auto found = std::find_if(before.rbegin(), before.rend(),
                                  [&](const PhotoStrip& strip) { return !strip.closes && strip.has(file); });
  closes = false;
  replaceBy(found == before.rend() ? PhotoStrip() : PhotoStrip(*found));
}

}  // namespace satdof
