#include "app/run/dropped.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

#include "app/core/files.h"
#include "app/core/settings_json.h"
#include "app/core/usage_error.h"
#include "app/io/pfm.h"
#include "app/io/png.h"
#include "app/io/settings_file.h"
#include "app/scene/registry.h"

namespace satdof {

namespace fs = std::filesystem;

namespace {

bool holdsSettings(const fs::path& file) {
  if (file.extension() == ".json") return true;
  constexpr size_t kHead = size_t{1} << 20;
  const std::string bytes = readFileHead(file, kHead);
  return isPng(bytes) && pngText(bytes, kSettingsKeyword).has_value();
}

Dropped settingsOf(const Settings& current, const fs::path& file) {
  Dropped found{current, "Settings of " + file.filename().string()};
  applySettingsJson(found.settings, readSettingsText(file), file.string());
  return found;
}

}  // namespace

bool looksLikeDepth(const fs::path& file) {
  constexpr size_t kHeader = 64, kColourType = 25;
  std::string name = file.filename().string();
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  if (name.find("depth") != name.npos || name.find("disp") != name.npos) return true;
  const std::string bytes = readFileHead(file, kHeader);
  if (isPfm(bytes)) return bytes[1] == 'f';
  return isPng(bytes) && bytes.size() > kColourType && bytes[kColourType] == 0;  // grey
}

Dropped dropped(const Settings& current, const std::vector<fs::path>& files) {
  if (files.empty()) throw UsageError("nothing was dropped");
  if (files.size() == 1 && holdsSettings(files[0])) return settingsOf(current, files[0]);
  if (files.size() > 2)
    throw UsageError(std::to_string(files.size()) +
                     " files were dropped: drop an image, or an image and its depth");
  Dropped found{current, {}};
  SceneSettings& scene = found.settings.scene;
  ImageSettings& image = scene.image;
  const auto names = [](const fs::path& file) { return file.filename().string(); };
  if (files.size() == 1 && looksLikeDepth(files[0]) && !image.file.none()) {
    image.depth.text = files[0].string();
    found.notice = "Depth: " + names(files[0]);
  } else {
    fs::path picture = files[0], depth;
    if (files.size() == 2) {
      depth = files[1];
      if (looksLikeDepth(picture) && !looksLikeDepth(depth)) std::swap(picture, depth);
    }
    image.file.text = picture.string();
    image.depth.text = depth.string();
    found.notice = "Image: " + names(picture) + (depth.empty() ? "" : ", depth: " + names(depth));
  }
  applyOption(found.settings, "--image", image.file.text);  // selects the scene
  scene.frame = true;
  return found;
}

}  // namespace satdof
