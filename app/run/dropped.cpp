#include "app/run/dropped.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/core/files/file_names.h"
#include "app/core/files/files.h"
#include "app/core/files/video_formats.h"
#include "app/core/settings_json.h"
#include "app/core/text/count_text.h"
#include "app/core/text/foreign_text.h"
#include "app/core/text/letters.h"
#include "app/core/usage_error.h"
#include "app/io/codec.h"
#include "app/io/depth_image.h"
#include "app/io/image_file.h"
#include "app/io/layer_file.h"
#include "app/io/picture.h"
#include "app/lens/presets.h"
#include "app/run/film/film_input.h"
#include "app/run/film/frame_files.h"
#include "app/run/film/single_frame.h"
#include "app/run/system/depth_command.h"
#include "app/scene/image/depth_map.h"
#include "app/scene/image/image.h"
#include "app/scene/scene_files.h"
#include "app/ui/edit.h"

namespace satdof {

namespace fs = std::filesystem;

namespace {

bool holdsSettings(const fs::path& file) { return file.extension() == ".json" || holdsText(file, kSettingsKeyword); }

bool isExportedDepth(const fs::path& file) { return holdsText(file, kDepthKeyword) || holdsText(file, kNearKeyword); }

Dropped settingsOf(const Settings& current, const fs::path& file) {
  Dropped found{current, "Settings of " + file.filename().string()};
  for (const std::string& note : useSettingsFile(found.settings, file)) found.notice += "\n" + withoutFolder(note);
  return found;
}

// The settings with a file of a scene that is no image; nothing if no scene takes it. A file that joins others is
// taken only by the shown scene.
std::optional<Dropped> sceneFile(const Settings& current, const fs::path& file) {
  for (const SceneRow& row : sceneRows())
    for (const SceneFile& each : row.files) {
      const bool joins = each.drop == SceneFile::Drop::joins;
      if (each.drop == SceneFile::Drop::asImage || !each.opens(file) || (joins && row.kind != current.scene.kind))
        continue;
      Dropped found{current, std::string(each.notice) + ": " + file.filename().string(), true};
      useFile(found.settings, row, each, file);
      found.settings.scene.frame = !joins;
      if (joins) exposeAgain(found.settings.scene);
      return found;
    }
  return std::nullopt;
}

// The files that scenes take besides images: "model (.gltf or .obj) or environment (.hdr)".
std::string otherFiles() {
  std::vector<std::string> words;
  for (const SceneRow& row : sceneRows())
    for (const SceneFile& each : row.files) {
      if (each.drop == SceneFile::Drop::asImage) continue;
      words.push_back(lowerCase(each.notice) + " (" + listText(each.extensions(), "or") + ")");
    }
  return listText(words, "or");
}

std::string refusal(const fs::path& file) {
  const std::string what = "cannot use \"" + pathText(file.filename()) + "\": ";
  if (isRegularFile(file) && readHead(file, 1).empty()) return what + "it is empty";
  constexpr std::array kRaw = {".arw", ".cr2", ".cr3", ".dng", ".nef", ".orf", ".raf", ".rw2"};
  if (std::ranges::find(kRaw, lowerCase(file.extension().string())) != kRaw.end())
    return what + "it is a raw file; develop it first, to TIFF or JPEG";
  return what + "drop settings, a shot or a camera path (.json), a lens (.json or .txt), an image (" +
         codecExtensions([](const Codec& codec) { return codec.picture != nullptr; }, "or") +
         ") or a film (such as .mp4), one with its depth, or a file of the kind " + otherFiles();
}

Dropped lensOf(const Settings& current, const fs::path& file) try {
  Dropped found{current, "Lens: " + file.filename().string()};
  for (const std::string& note : applyLensPreset(found.settings, file.string()))
    found.notice += "\n" + withoutFolder(note);
  return found;
} catch (const UsageError& error) {  // a .txt file need not be a prescription
  if (!namesPrescription(file)) throw;
  throw UsageError(refusal(file) + ".\nAs a lens: " + withoutFolder(error.what()));
}

// Throws UsageError for a file that is no image by name or contents.
void requireImage(const fs::path& file) {
  if (codecByExtension(file) != nullptr || isVideoInput(file)) return;
  try {
    pictureSize(file);
  } catch (const std::runtime_error&) {
    throw UsageError(refusal(file));
  }
}

std::vector<fs::path> imagesIn(const fs::path& folder) {
  std::error_code failed;
  std::vector<fs::path> images = entriesOf(folder, failed);
  if (failed) throw UsageError(failureText("read the folder", folder, failed.message()));
  std::erase_if(images, [&](const fs::path& file) {
    return file.filename().string().starts_with('.') || codecByExtension(file) == nullptr || !isRegularFile(file);
  });
  if (images.empty()) throw UsageError("no image is in the folder " + pathText(folder));
  std::ranges::sort(images, {},
                    [](const fs::path& file) { return std::pair(lowerCase(file.filename().string()), file); });
  return images;
}

bool isPicture(const fs::path& file) try {
  return pictureSize(file) != glm::ivec2(0);
} catch (const std::runtime_error&) {
  return false;
}

// Settings that show an image or video with a depth, which may be empty.
Dropped photograph(const Settings& current, const fs::path& file, const fs::path& depth) {
  const std::string name = file.filename().string();
  Dropped found{current,
                (isFilm(file.string()) ? "Film: " : "Image: ") + name +
                    (depth.empty() ? "" : ", depth: " + depth.filename().string()),
                true};
  found.settings.scene.image.depth.text = depth.string();
  applyOption(found.settings, "--image", file.string());  // selects the scene
  found.settings.scene.frame = true;
  return found;
}

Dropped droppedFile(const Settings& current, const fs::path& file) {
  if (isFrameName(file.string())) return droppedPhoto(current, file);
  if (holdsLens(file)) return lensOf(current, file);
  if (holdsSettings(file) && !(showsPhoto(current) && isExportedDepth(file))) return settingsOf(current, file);
  if (auto shown = sceneFile(current, file)) return *std::move(shown);
  if (looksLikeDepth(file) && !current.scene.image.file.none())
    return droppedPhoto(current, current.scene.image.file.text, file, "Depth: " + file.filename().string());
  return droppedPhoto(current, file);
}

}  // namespace

ImageSettings withAutomaticDepth(ImageSettings image) { return withReading(std::move(image), {}); }

ImageSettings withCorrectedDepth(ImageSettings image, const fs::path& depth) {
  image.depth.text = depth.string();
  return withAutomaticDepth(std::move(image));
}

bool gainsCorrection(const ImageSettings& image, const ImageSettings& before) {
  return isCorrection(image) && image.depth != before.depth;
}

std::size_t leaveOutCaptures(std::vector<fs::path>& files) {
  std::set<std::string> names;
  for (const fs::path& file : files) names.insert(refocusedName(file));
  return std::erase_if(files, [&](const fs::path& file) {
    const std::string stem = file.stem().string();
    const std::size_t end = stem.find_last_not_of("0123456789");
    const bool numbered = end != stem.npos && end + 1 < stem.size() && stem[end] == '-';
    return names.contains(stem) || (numbered && names.contains(stem.substr(0, end)));
  });
}

std::vector<fs::path> photosOf(const std::vector<fs::path>& files, std::size_t* captures) {
  std::vector<fs::path> photos;
  bool folders = false;
  for (const fs::path& file : files) {
    if (isFolder(file)) {
      auto found = imagesIn(file);
      const std::size_t left = leaveOutCaptures(found);
      if (captures != nullptr) *captures += left;
      photos.insert(photos.end(), found.begin(), found.end());
      folders = true;
    } else if (codecByExtension(file) != nullptr) {
      photos.push_back(file);
    }
  }
  leaveOutDepths(photos);
  const auto lacksDepth = [](const fs::path& file) { return depthBeside(file).empty(); };
  const bool pair = files.size() == 2 && !folders &&
                    (photos.size() < 2 || (std::ranges::any_of(photos, lacksDepth) &&
                                           (std::ranges::any_of(photos, looksLikeDepth) || holdsDepth(photos[1]))));
  return pair || (files.size() < 2 && !folders) ? std::vector<fs::path>() : photos;
}

Dropped droppedPhoto(const Settings& current, const fs::path& file, const fs::path& depth, const std::string& notice) {
  Dropped found = photograph(current, file, depth);
  found.notice = notice;
  return found;
}

Dropped droppedPhoto(const Settings& current, const fs::path& file) {
  requireImage(file);
  return photograph(current, file, isFilm(file.string()) ? depthOfFilmBeside(file) : depthBeside(file));
}

bool looksLikeDepth(const fs::path& file) {
  constexpr std::size_t kHeader = 64;
  if (!photoOfDepth(file).empty() || isExportedDepth(file)) return true;
  const std::string name = lowerCase(file.filename().string());
  if (name.find("depth") != name.npos || namesDisparity(file))
    return isVideoInput(file) || !isPicture(file) || holdsDepth(file);
  const std::string bytes = readHead(file, kHeader);
  const Codec* const codec = codecByContent(bytes);
  return codec != nullptr && codec->oneChannel != nullptr && codec->oneChannel(bytes);
}

Dropped dropped(const Settings& current, const std::vector<fs::path>& files) {
  if (files.empty()) throw UsageError("nothing was dropped");
  if (files.size() == 1) return droppedFile(current, files[0]);
  if (files.size() > 2)
    throw UsageError(std::to_string(files.size()) + " files were dropped: drop an image, or an image and its depth");
  const std::size_t depth = looksLikeDepth(files[0]) && !looksLikeDepth(files[1]) ? 0 : 1;
  requireImage(files[1 - depth]);
  return photograph(current, files[1 - depth], files[depth]);
}

}  // namespace satdof
