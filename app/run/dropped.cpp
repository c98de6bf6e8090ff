#include "app/run/dropped.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/core/file_names.h"
#include "app/core/files.h"
#include "app/core/settings_json.h"
#include "app/core/usage_error.h"
#include "app/io/codec.h"
#include "app/io/image_file.h"
#include "app/io/layer_file.h"
#include "app/io/picture.h"
#include "app/io/settings_file.h"
#include "app/scene/registry.h"

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

// The kinds of file of the scene `model`: a model chooses the scene, an environment lights the model that is shown.
struct ModelFile {
  std::string_view extension;
  const char* option;
  const char* notice;
  bool lights = false;
};
constexpr ModelFile kModelFiles[] = {
    {".gltf", "--model", "Model: "}, {".glb", "--model", "Model: "}, {".obj", "--model", "Model: "}};
constexpr ModelFile kLight{"", "--environment", "Environment: ", true};

// The settings with the file as model, or, if that keeps the scene, as environment.
std::optional<Dropped> modelOf(const Settings& current, const fs::path& file) {
  const auto* kind =
      std::ranges::find(kModelFiles, lowerCase(file.extension().string()), &ModelFile::extension);
  if (const Codec* codec = codecNamed(file); codec != nullptr && codec->isLight) kind = &kLight;
  if (kind == std::end(kModelFiles)) return std::nullopt;
  Dropped found{current, kind->notice + file.filename().string(), true};
  SceneSettings& scene = found.settings.scene;
  applyOption(found.settings, kind->option, file.string());
  if (kind->lights && scene.kind != current.scene.kind) return std::nullopt;
  scene.frame = !kind->lights;
  return found;
}

// Throws UsageError for a file that neither its name nor its head makes an image.
void requireImage(const fs::path& file) {
  if (codecNamed(file) != nullptr) return;
  try {
    pictureSize(file);
  } catch (const std::runtime_error&) {
    throw UsageError("cannot use \"" + file.filename().string() +
                     "\": drop settings, an image, an image and its depth, a model or an environment");
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
  const std::string bytes = readFileHead(file, kHeader);
  const Codec* const codec = codecOf(bytes);
  return codec != nullptr && codec->oneChannel != nullptr && codec->oneChannel(bytes);
}

Dropped dropped(const Settings& current, const std::vector<fs::path>& files) {
  if (files.empty()) throw UsageError("nothing was dropped");
  const bool showsImage =
      sceneRow(current.scene.kind).imageSize != nullptr && !current.scene.image.file.none();
  if (files.size() == 1 && holdsSettings(files[0]) && !(showsImage && isExportedDepth(files[0])))
    return settingsOf(current, files[0]);
  if (files.size() > 2)
    throw UsageError(std::to_string(files.size()) +
                     " files were dropped: drop an image, or an image and its depth");
  Dropped found{current, {}, true};
  SceneSettings& scene = found.settings.scene;
  ImageSettings& image = scene.image;
  const auto names = [](const fs::path& file) { return file.filename().string(); };
  if (files.size() == 1)
    if (auto model = modelOf(current, files[0])) return *std::move(model);
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
