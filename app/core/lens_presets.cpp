#include "app/core/lens_presets.h"

#include <algorithm>
#include <array>

#include "app/core/data_dir.h"
#include "app/core/field_json.h"
#include "app/core/files.h"
#include "app/core/settings_json.h"
#include "app/core/usage_error.h"

namespace satdof {

namespace {

constexpr std::array kOfLenses = {
    fieldOf("lens.focalLengthMm"),  fieldOf("lens.fNumber"),        fieldOf("lens.anamorphicRatio"),
    fieldOf("lens.blades"),         fieldOf("lens.bladeCurvature"), fieldOf("lens.bladeRotationDegrees"),
    fieldOf("lens.apertureImage"),  fieldOf("lens.spherical"),      fieldOf("lens.catEye"),
    fieldOf("lens.vignetting"),     fieldOf("lens.tiltXDegrees"),   fieldOf("lens.tiltYDegrees"),
    fieldOf("lens.fieldCurvature"), fieldOf("lens.breathing"),      fieldOf("lens.axialColour"),
    fieldOf("lens.lateralColour")};

constexpr std::string_view kGroup = "lens.";
constexpr const char* kExtension = ".json";
constexpr std::size_t kMostBytes = 1 << 20;

std::filesystem::path folder() { return dataDir() / "assets" / "lenses"; }

json::Json readLens(const std::filesystem::path& file) {
  return json::parseObject(readWholeFile(file, kMostBytes), {"lens", file.string(), 100});
}

std::string textOf(const json::Json& lens, const char* key) {
  const auto found = lens.find(key);
  return found != lens.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

// The path as the lens names it: from its folder, if it lies below that; else from the root.
std::string besideOf(const std::filesystem::path& lens, const std::filesystem::path& path) {
  const auto whole = std::filesystem::absolute(path).lexically_normal();
  const auto below =
      whole.lexically_relative(std::filesystem::absolute(lens).lexically_normal().parent_path());
  return (below.empty() || *below.begin() == ".." ? whole : below).generic_string();
}

bool describesLens(const Field& field) {
  return std::ranges::any_of(kOfLenses, [&](const Field& each) { return each.path() == field.path(); });
}

const std::vector<LensPreset>& lensPresets() {
  static const std::vector<LensPreset> presets = [] {
    std::vector<LensPreset> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder())) {
      if (entry.path().extension() != kExtension) continue;
      const json::Json lens = readLens(entry.path());
      found.push_back({entry.path().stem().string(), textOf(lens, "title"), textOf(lens, "source")});
    }
    std::ranges::sort(found, {}, &LensPreset::name);
    return found;
  }();
  return presets;
}

void applyLensPreset(Settings& settings, const std::string& nameOrFile) {
  std::filesystem::path file = nameOrFile;
  if (file.extension() != kExtension) {
    std::vector<std::string> names;
    for (const LensPreset& preset : lensPresets()) names.push_back(preset.name);
    if (std::ranges::find(names, nameOrFile) == names.end())
      throw UsageError("no lens is called " + excerpt(nameOrFile) + "; did you mean " +
                       nearest(nameOrFile, names) + "? --list names them; a file ends in .json");
    file = folder() / (nameOrFile + kExtension);
  }
  json::Json lens = readLens(file);
  lens.erase("title");
  lens.erase("source");
  Settings changed = settings;
  const Settings defaults;
  describe(changed, defaults, [](const Field& field, auto& value, const auto& initial) {
    if (describesLens(field)) value = initial;
  });
  Settings read = changed;
  applySettingsJson(read, lens.dump(), file.string());
  std::string& image = read.lens.apertureImage.text;  // beside the file of the lens
  if (!image.empty()) image = (file.parent_path() / image).string();
  describe(changed, read, [&](const Field& field, auto& value, const auto& wanted) {
    if (value == wanted) return;
    if (!describesLens(field))
      throw UsageError("cannot read lens \"" + file.string() + "\": \"" + field.path() +
                       "\" is no part of a lens");
    value = wanted;
  });
  settings = changed;
}

void saveLensPreset(const Settings& settings, const std::filesystem::path& file) {
  if (file.extension() != kExtension)
    throw UsageError("cannot save lens \"" + file.string() + "\": give a name ending in " + kExtension);
  json::Json lens;
  const Settings defaults;
  describe(settings, defaults, [&]<class T>(const Field& field, const T& value, const T& initial) {
    if (value == initial || !describesLens(field)) return;
    if constexpr (std::is_same_v<T, FilePath>)
      lens[field.path().substr(kGroup.size())] = besideOf(file, value.text);
    else
      lens[field.path().substr(kGroup.size())] = json::toJson(value);
  });
  writeWholeFile(file, json::Json{{"title", file.stem().string()},
                                  {"source", "Saved by satdof"},
                                  {"lens", lens.is_null() ? json::Json::object() : lens}}
                               .dump(2, ' ', true) +
                           "\n");
}

}  // namespace satdof
