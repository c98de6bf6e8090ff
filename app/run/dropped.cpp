#include "app/run/dropped.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/core/count_text.h"
#include "app/core/file_names.h"
#include "app/core/files.h"
#include "app/core/settings_json.h"
#include "app/core/usage_error.h"
#include "app/io/codec.h"
#include "app/io/image_file.h"
#include "app/io/layer_file.h"
#include "app/io/picture.h"
#include "app/io/settings_file.h"
#include "app/scene/scene_files.h"

namespace satdof {

namespace fs = std::filesystem;

namespace {

bool holdsText(const fs::path& file, std::string_view keyword) {
  constexpr size_t kHead = size_t{1} << 20;
  return imageText(readFileHead(file, kHead), keyword).has_value();
}

bool holdsSettings(const fs::path& file) {
  return file.extension() == ".json" || holdsText(file, kSettingsKeyword);
}

bool isExportedDepth(const fs::path& file) {
  return holdsText(file, kDepthKeyword) || holdsText(file, kNearKeyword);
}

Dropped settingsOf(const Settings& current, const fs::path& file) {
  Dropped found{current, "Settings of " + file.filename().string()};
  applySettingsFile(found.settings, readSettingsText(file), file);
  return found;
}

// The settings with the file, if it joins what the scene shows, or if a scene shows it alone.
std::optional<Dropped> taken(const Settings& current, const fs::path& file) {
  for (const SceneRow& row : sceneRows())
    for (const SceneFile& each : row.files) {
      const bool joins = each.drop == SceneFile::Drop::joins;
      if (each.drop == SceneFile::Drop::asImage || !each.opens(file) ||
          (joins && row.kind != current.scene.kind))
        continue;
      Dropped found{current, std::string(each.notice) + ": " + file.filename().string(), true};
      useFile(found.settings, row, each, file);
      found.settings.scene.frame = !joins;
      if (joins) exposeAgain(found.settings.scene);
      return found;
    }
  return std::nullopt;
}

// "model or environment": the files that scenes take beside images.
std::string otherFiles() {
  std::vector<std::string> words;
  for (const SceneRow& row : sceneRows())
    for (const SceneFile& each : row.files)
      if (each.drop != SceneFile::Drop::asImage) words.push_back(lowerCase(each.notice));
  return listText(words, "or");
}

// Throws UsageError for a file that neither its name nor its head makes an image.
void requireImage(const fs::path& file) {
  if (codecNamed(file) != nullptr) return;
  try {
    pictureSize(file);
  } catch (const std::runtime_error&) {
    throw UsageError("cannot use \"" + file.filename().string() +
                     "\": drop settings, an image, an image and its depth, or a file of the kind " +
                     otherFiles());
  }
}

// The depth of a photo in its folder, by its name: "photo_depth.png", "photo.depth.exr". Empty: none.
fs::path depthBeside(const fs::path& photo) {
  // Formats of light have more exact numbers.
  std::vector<std::string> extensions;
  for (const bool light : {true, false})
    for (const Codec& codec : codecs())
      if (codec.depth != nullptr && (codec.content != Content::displayed) == light)
        extensions.insert(extensions.end(), codec.extensions.begin(), codec.extensions.end());
  std::error_code unknown;
  for (const char* const ending : {"_depth", "-depth", ".depth"})
    for (const std::string& extension : extensions) {
      fs::path depth = photo.parent_path() / (photo.stem().string() + ending + extension);
      if (fs::is_regular_file(depth, unknown)) return depth;
    }
  return {};
}

}  // namespace

bool looksLikeDepth(const fs::path& file) {
  constexpr size_t kHeader = 64;
  const std::string name = lowerCase(file.filename().string());
  if (name.find("depth") != name.npos || name.find("disp") != name.npos || isExportedDepth(file)) return true;
  const std::string bytes = readHead(file, kHeader);
  const Codec* const codec = codecOf(bytes);
  return codec != nullptr && codec->oneChannel != nullptr && codec->oneChannel(bytes);
}

Dropped dropped(const Settings& current, const std::vector<fs::path>& files) {
  if (files.empty()) throw UsageError("nothing was dropped");
  if (files.size() == 1 && holdsSettings(files[0]) && !(showsPhoto(current) && isExportedDepth(files[0])))
    return settingsOf(current, files[0]);
  if (files.size() > 2)
    throw UsageError(std::to_string(files.size()) +
                     " files were dropped: drop an image, or an image and its depth");
  Dropped found{current, {}, true};
  SceneSettings& scene = found.settings.scene;
  ImageSettings& image = scene.image;
  const auto names = [](const fs::path& file) { return file.filename().string(); };
  if (files.size() == 1)
    if (auto shown = taken(current, files[0])) return *std::move(shown);
  if (files.size() == 1 && looksLikeDepth(files[0]) && !image.file.none()) {
    image.depth.text = files[0].string();
    found.notice = "Depth: " + names(files[0]);
  } else {
    fs::path picture = files[0], depth = depthBeside(picture);
    if (files.size() == 2) {
      depth = files[1];
      if (looksLikeDepth(picture) && !looksLikeDepth(depth)) std::swap(picture, depth);
    }
    requireImage(picture);
    image.file.text = picture.string();
    image.depth.text = depth.string();
    found.notice = "Image: " + names(picture) + (depth.empty() ? "" : ", depth: " + names(depth));
  }
  applyOption(found.settings, "--image", image.file.text);  // selects the scene
  scene.frame = true;
  return found;
}

}  // namespace satdof
