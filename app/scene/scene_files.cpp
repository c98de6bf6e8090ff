#include "app/scene/scene_files.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "app/core/fields.h"
#include "app/core/files/video_formats.h"
#include "app/core/settings_json.h"
#include "app/core/text/letters.h"

namespace satdof {

namespace {

constexpr const char* kSettings = ".json";

FilePath firstFile(const Settings& settings, const SceneRow& row) {
  return row.files.empty() ? FilePath{} : *fileAt(settings, row.files.front().field);
}

}  // namespace

bool isSceneFile(const std::filesystem::path& file) {
  return std::ranges::any_of(sceneRows(), [&](const SceneRow& row) {
    return std::ranges::any_of(row.files, [&](const SceneFile& each) { return each.opens(file); });
  });
}

bool opens(const std::filesystem::path& file) {
  return isSceneFile(file) || isVideoInput(file) || lowerCase(file.extension().string()) == kSettings;
}

std::vector<std::string> openedExtensions() {
  std::vector<std::string> all(kVideoInputs.begin(), kVideoInputs.end());
  all.emplace_back(kSettings);
  for (const SceneRow& row : sceneRows())
    for (const SceneFile& file : row.files) std::ranges::copy(file.extensions(), std::back_inserter(all));
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

FilePath shownFile(const Settings& settings) { return firstFile(settings, sceneRow(settings.scene.kind)); }

std::vector<FilePath> shownFiles(const Settings& settings) {
  std::vector<FilePath> files;
  for (const SceneRow& row : sceneRows()) files.push_back(firstFile(settings, row));
  return files;
}

bool showsPhoto(const Settings& settings) {
  return sceneRow(settings.scene.kind).showsPhotographs() && !shownFile(settings).none();
}

ImageSettings withFiles(ImageSettings image, const ImageSettings& frame) {
  image.file = frame.file;
  image.depth = frame.depth;
  image.filmFrame = frame.filmFrame;
  return image;
}

bool showsAnother(const Settings& from, const Settings& to, const FilePath& film) {
  const FilePath shown = shownFile(to);
  return from.scene.kind != to.scene.kind || (shown != shownFile(from) && (film.none() || shown != film));
}

void useFile(Settings& settings, const SceneRow& row, const SceneFile& file, const std::filesystem::path& path) {
  std::string option;
  describe(settings, [&](const Field& field, const auto&) {
    if (field.isAt(file.field)) option = field.option();
  });
  applyOption(settings, option, path.string());
  settings.scene.kind = row.kind;
}

}  // namespace satdof
