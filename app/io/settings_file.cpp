#include "app/io/settings_file.h"

#include <stdexcept>
#include <type_traits>
#include <vector>

#include "app/core/fields.h"
#include "app/core/files/cache.h"
#include "app/core/files/data_dir.h"
#include "app/core/files/file_names.h"
#include "app/core/files/file_timeout.h"
#include "app/core/files/files.h"
#include "app/core/settings_json.h"
#include "app/core/system/platform.h"
#include "app/core/text/foreign_text.h"
#include "app/core/usage_error.h"
#include "app/io/codec.h"
#include "app/io/image_file.h"

namespace satdof {

namespace {

namespace fs = std::filesystem;

// Settings take a few kilobytes; in an image they precede the pixels.
constexpr std::size_t kMaxBytes = std::size_t{1} << 20;

bool isSettingsFile(const std::filesystem::path& path) {
  try {
    Settings read;
    applySettingsJson(read, readWholeFile(path, kMaxBytes), path.string());
    return true;
  } catch (const std::runtime_error&) {
    return false;
  }
}

template <class T>
constexpr bool isPath = std::is_same_v<T, FilePath> || std::is_same_v<T, MaskName>;
bool isFile(const FilePath& path) { return !path.none(); }
bool isFile(const MaskName& mask) { return mask.isFile(); }

std::vector<std::string> pathsOf(const Settings& settings) {
  std::vector<std::string> paths;
  describe(settings, [&]<class T>(const Field&, const T& value) {
    if constexpr (isPath<T>) paths.push_back(value.text);
  });
  return paths;
}

Notes notesOnCapture(std::string_view bytes) {
  constexpr std::size_t kMaxText = 200;
  Notes notes;
  if (const auto shutter = imageText(bytes, kShutterKeyword))
    addNote(notes, "its motion blur is not drawn again: " + excerpt(*shutter, kMaxText));
  if (const auto film = imageText(bytes, kFilmKeyword))
    addNote(notes, "it is a frame of a film, and is drawn again as a single image: " + excerpt(*film, kMaxText));
  return notes;
}

// The decoded frame of a video in the user's cache, by its folder and name; empty if the cache does not hold it.
fs::path cachedFrame(const fs::path& path) try {
  constexpr const char* kFilms = "films";
  fs::path frame = cacheFolder(kFilms) / path.parent_path().filename() / path.filename();
  if (!isCached(frame, kFilms) || !isRegularFile(frame)) return {};
  touchCached(frame);
  return frame;
} catch (const std::runtime_error&) {  // the user has no cache
  return {};
}

}  // namespace

std::string namesWithText() {
  return codecNames([](const Codec& codec) { return codec.text != nullptr; }, "or");
}

std::string readSettingsText(const std::filesystem::path& path, Notes* notes) {
  const std::string expected = "; give a JSON file, or a " + namesWithText() + " captured by satdof";
  const auto refuse = [&](const std::string& why) {
    return UsageError("cannot read settings \"" + pathText(path) + "\": " + why + expected);
  };
  std::string bytes;
  try {
    bytes = readFileHead(path, kMaxBytes + 1);
  } catch (const std::runtime_error& error) {
    throw UsageError(error.what() + expected);
  }
  if (const auto text = imageText(bytes, kSettingsKeyword)) {
    if (notes != nullptr) addNotes(*notes, inFile(path, notesOnCapture(bytes)));
    return *text;
  }
  const Codec* const codec = codecByContent(bytes);
  if (codec != nullptr && codec->text == nullptr) throw refuse(std::string("a ") + codec->name + " holds no settings");
  if (codec != nullptr) throw refuse("an image without satdof settings in its text");
  if (bytes.size() > kMaxBytes) throw refuse("larger than 1 MB");
  return bytes;
}

std::filesystem::path saveSettings(std::filesystem::path path, const std::string& json) {
  const auto refuse = [&](const char* why) { return std::runtime_error(failureText("save settings to", path, why)); };
  if (codecByExtension(path) != nullptr) throw refuse("the name of an image; give a name ending in .json");
  if (path.has_filename() && !path.has_extension()) path += ".json";
  if (isRegularFile(path) && !isSettingsFile(path))
    throw refuse("the file exists and holds no settings that can be read; choose another name");
  createFolders(folderOf(path));
  writeWholeFile(path, json);
  return path;
}

void applySettingsFile(Settings& settings, std::string_view text, const fs::path& file) {
  const std::vector<std::string> before = pathsOf(settings);
  applySettingsJson(settings, text, pathText(file));
  auto shown = before.begin();
  describe(settings, [&]<class T>(const Field& field, T& value) {
    if constexpr (isPath<T>) {
      const std::string& old = *shown++;
      const fs::path path = value.text;
      if (value.text == old || !isFile(value) || path.is_absolute()) return;
      const fs::path beside = (folderOf(file) / path).lexically_normal();
      const auto isOther = [&](const fs::path& found) {
        std::error_code unknown;
        return isRegularFile(found) && !fs::equivalent(found, file, unknown);
      };
      const auto find = [&](bool captures) {
        const bool isBeside = isOther(beside) && holdsText(beside, kSettingsKeyword) == captures;
        if (isBeside) value.text = beside.string();
        return isBeside || (isOther(path) && holdsText(path, kSettingsKeyword) == captures);
      };
      if (find(false)) return;
      if (const fs::path frame = cachedFrame(path); !frame.empty())
        value.text = frame.string();
      else if (fs::path(old).filename() == path)
        value.text = old;
      else if (const fs::path own = lensesDir() / path.filename();
               field.isAt("lens.apertureImage") && isRegularFile(own))
        value.text = own.string();
      else if (!find(true) && (isRegularFile(path) || isRegularFile(beside)))  // the capture itself
        value.text = (folderOf(file) / "elsewhere" / path).string();
    }
  });
}

namespace {

// The file name; for a frame of a decoded film, with the folder: others have equal numbers.
std::string nameAlone(const fs::path& path) {
  const fs::path entry = cacheEntry(path);
  return (entry.empty() ? path.filename() : path.lexically_relative(entry.parent_path())).generic_string();
}

// Rewrites the paths of files for withoutUserPaths().
Settings relativeTo(Settings settings, const fs::path& folder) {
  std::error_code unknown;
  const fs::path from = fs::weakly_canonical(fs::absolute(folder, unknown), unknown),
                 home = fs::weakly_canonical(userHome(), unknown);
  describe(settings, [&]<class T>(const Field&, T& value) {
    if constexpr (isPath<T>) {
      if (!isFile(value)) return;
      const fs::path named = fs::absolute(value.text, unknown);
      if (!fs::path(value.text).is_absolute() && !fs::is_regular_file(named, unknown)) return;
      const fs::path path = fs::weakly_canonical(named.parent_path(), unknown) / named.filename();
      const bool bothAtHome = !home.empty() && isBelow(from, home) && isBelow(path, home);
      value.text =
          isBelow(path, from) || bothAtHome ? path.lexically_relative(from).generic_string() : nameAlone(named);
    }
  });
  return settings;
}

}  // namespace

Settings withoutUserPaths(Settings settings, const fs::path& folder) try {
  return readWithTimeout(folder / "", [=] { return relativeTo(settings, folder); });
} catch (const FileTimeout&) {
  describe(settings, [&]<class T>(const Field&, T& value) {
    if constexpr (isPath<T>)
      if (isFile(value)) value.text = nameAlone(value.text);
  });
  return settings;
}

}  // namespace satdof
