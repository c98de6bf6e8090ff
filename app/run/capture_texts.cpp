#include "app/run/capture_texts.h"

#include <algorithm>
#include <ctime>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/core/fields.h"
#include "app/core/files/cache.h"
#include "app/core/files/file_names.h"
#include "app/core/files/file_timeout.h"
#include "app/core/files/files.h"
#include "app/core/settings_json.h"
#include "app/device/device.h"
#include "app/gl/gl.h"
#include "app/gl/software.h"
#include "app/io/codec.h"
#include "app/io/damage.h"
#include "app/io/picture.h"
#include "app/io/settings_file.h"
#include "app/render/resolve.h"
#include "app/run/inputs.h"
#include "app/scene/registry.h"
#include "app/scene/targets.h"

namespace satdof {

namespace {

constexpr const char* kLayersKeyword = "Layers";  // hashesOf() the files beside the image

constexpr const char* kContentKeyword = "Content";  // hash of the file in which kUnhashed is in place of the hash
constexpr std::string_view kUnhashed = "satdof:hash-of-the-whole-file---";

// Whether the file has the bytes that withHash() returned; true for a file without a hash.
bool hasItsHash(std::string bytes) {
  const auto hash = imageText(bytes, kContentKeyword);
  if (!hash) return true;
  const auto at = bytes.find(*hash);
  return at != bytes.npos && hashed(bytes.replace(at, hash->size(), kUnhashed)) == *hash;
}

// Returns settings that draw the same image on any machine: fixed time and focus, nothing automatic.
ResolvedSettings frozen(Settings settings, float timeS) {
  settings.scene.timeS = timeS;
  settings.lens.autofocus = false;
  if (FilePath& depth = settings.scene.image.depth; isCached(depth.text, "depth")) depth = {};
  return ResolvedSettings(settings);
}

// The texts of the file, without hashes.
std::vector<ImageText> textsOf(const Settings& settings, float timeS, const std::filesystem::path& path,
                               const CaptureOptions& options) {
  const Settings named = withoutUserPaths(frozen(settings, timeS), folderOf(path));
  const std::string device = std::string(name(named.technique.device)) + " (" +
                             availability(named.technique.device).reason + "), OpenGL on " +
                             gl::driverText(GL_RENDERER);
  std::vector<ImageText> texts{
      {"Software", "satdof " SATDOF_VERSION}, {"Source", device}, {kSettingsKeyword, settingsToJson(named)}};
  texts.insert(texts.end(), options.texts.begin(), options.texts.end());
  if (!options.dated) {  // frames of sequences: holdsCapture() compares this text, too
    texts.push_back({"Frame", std::to_string(options.bitDepth) + " bits, quality " + std::to_string(options.quality) +
                                  ", metadata " + name(options.keep) + ", moments " +
                                  std::to_string(options.moments.size()) + ", inputs " +
                                  (options.inputs.empty() ? InputHashes().of(settings) : options.inputs)});
    return texts;
  }
  const std::time_t now = std::time(nullptr);
  const std::tm utc = *std::gmtime(&now);  // captures are made on one thread
  char date[64];
  std::strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", &utc);
  texts.push_back({"Creation Time", date});
  return texts;
}

// The hashes of encoded layers.
std::string hashesOf(const std::vector<std::string>& layers) {
  std::string state;
  for (const std::string& bytes : layers) state += (state.empty() ? "" : " ") + hashed(bytes);
  return state;
}

// Whether an input file was written after `path`. Files in the cache do not count: their time is the time of
// their last use, and their names are hashes of their contents.
bool hasNewerInputs(const Settings& settings, const std::filesystem::path& path) {
  const auto timeOf = [](const std::filesystem::path& of) {
    return readWithTimeout(of, [of] {
      std::error_code unknown;  // that is long ago
      return std::filesystem::last_write_time(of, unknown);
    });
  };
  return std::ranges::any_of(inputsOf(settings), [&, written = timeOf(path)](const std::filesystem::path& file) {
    return cacheEntry(file).empty() && timeOf(file) > written;
  });
}

}  // namespace

Metadata metadataOf(const Settings& settings, float timeS, const std::filesystem::path& path,
                    const CaptureOptions& options) {
  Metadata metadata{textsOf(settings, timeS, path, options), {}};
  const SceneRow& row = sceneRow(settings.scene.kind);
  if (row.photographFacts == nullptr) return metadata;
  PhotographFacts facts = row.photographFacts(settings.scene, options.keep);
  metadata.texts.insert(metadata.texts.end(), facts.texts.begin(), facts.texts.end());
  metadata.exif = std::move(facts.exif);
  return metadata;
}

void addHashes(std::vector<ImageText>& texts, const std::vector<std::string>& layers, bool ofTheFile) {
  if (!layers.empty()) texts.push_back({kLayersKeyword, hashesOf(layers)});
  if (ofTheFile) texts.push_back({kContentKeyword, std::string(kUnhashed)});
}

std::string withHash(std::string bytes) {
  if (const auto at = bytes.find(kUnhashed); at != bytes.npos) bytes.replace(at, kUnhashed.size(), hashed(bytes));
  return bytes;
}

bool holdsCapture(const std::filesystem::path& path, const Settings& settings, float timeS,
                  const CaptureOptions& options) {
  try {
    const std::string bytes = readWholeFile(path, FileLimits().bytes);
    const Picture picture = decodePicture(bytes);
    if (lacksPixels(picture.notes) || picture.size != settings.size || hasNewerInputs(settings, path)) return false;
    std::vector<std::string> layers;
    for (const Layer layer : options.layers)
      layers.push_back(readWholeFile(layerPath(path, layer), FileLimits().bytes));
    if (!layers.empty() && imageText(bytes, kLayersKeyword) != hashesOf(layers)) return false;
    if (!hasItsHash(bytes)) return false;
    const auto texts = textsOf(settings, timeS, path, options);
    // Some formats replace line ends.
    const auto inOneLine = [](std::string text) {
      std::ranges::replace(text, '\n', ' ');
      return text;
    };
    return std::ranges::all_of(texts, [&](const ImageText& text) {
      const auto found = imageText(bytes, text.keyword);
      return found && inOneLine(*found) == inOneLine(text.text);
    });
  } catch (const std::runtime_error&) {
    return false;
  }
}

}  // namespace satdof
