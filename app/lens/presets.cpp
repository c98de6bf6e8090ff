#include "app/lens/presets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <system_error>
#include <type_traits>

#include "app/core/field_json.h"
#include "app/core/files/data_dir.h"
#include "app/core/files/file_names.h"
#include "app/core/files/files.h"
#include "app/core/settings_json.h"
#include "app/core/text/foreign_text.h"
#include "app/core/usage_error.h"
#include "app/io/settings_file.h"
#include "app/lens/prescription/prescription.h"

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
constexpr std::array kPrescriptions = {".txt", ".dat"};
constexpr std::size_t kMaxBytes = 1 << 20;

bool belongsToLens(const Field& field) {
  return std::ranges::any_of(kOfLenses, [&](const Field& each) { return each.path() == field.path(); });
}

json::Json readLens(const std::filesystem::path& file) {
  return json::parseObject(readWholeFile(file, kMaxBytes), {"lens", pathText(file), 100});
}

// Returns work(). Puts the name of the file in front of a UsageError that work() throws.
auto naming(const std::filesystem::path& file, const auto& work) {
  try {
    return work();
  } catch (const UsageError& error) {
    throw json::cannotRead({"lens", pathText(file), 0}, error.what());
  }
}

Prescription readPrescriptionFile(const std::filesystem::path& file) {
  return naming(file, [&] { return readPrescription(readWholeFile(file, kMaxBytes)); });
}

// The number with four significant digits, so that all machines give the same settings.
float roundedTo4(double number) {
  const double unit = std::pow(10.0, 4.0 - std::ceil(std::log10(std::abs(number))));
  return number == 0.0 ? 0.0f : static_cast<float>(std::round(number * unit) / unit);
}

// Sets the nine fields of a lens that fitLens() finds for a prescription, clamped to their ranges. Returns notes on
// fields that the fit describes badly or that were clamped.
Notes applyPrescription(Settings& settings, const std::filesystem::path& file) {
  const Prescription table = readPrescriptionFile(file);
  const LensFit fit = naming(file, [&] { return fitLens(table); });
  Notes notes = fit.notes;
  Settings fitted = settings;
  LensSettings& lens = fitted.lens;
  lens.focalLengthMm = roundedTo4(fit.focalLengthMm);
  lens.fNumber = roundedTo4(fit.fNumber);
  lens.spherical = roundedTo4(fit.spherical);
  lens.catEye = roundedTo4(fit.catEye);
  lens.vignetting = roundedTo4(fit.vignetting);
  lens.fieldCurvature = roundedTo4(fit.fieldCurvature);
  lens.breathing = roundedTo4(fit.breathing);
  lens.axialColour = roundedTo4(fit.axialColour);
  lens.lateralColour = roundedTo4(fit.lateralColour);
  describe(fitted, [&]<class T>(const Field& field, T& value) {
    if constexpr (std::is_same_v<T, float>)
      if (belongsToLens(field) && !(value >= field.min && value <= field.max)) {
        const std::string is = field.option() + " is " + json::numberText(value) + ", not within " +
                               json::numberText(field.min) + " to " + json::numberText(field.max);
        if (field.isAt("lens.focalLengthMm") || field.isAt("lens.fNumber"))
          throw json::cannotRead({"lens", pathText(file), 0}, is);
        addNote(notes, is);
        value = std::clamp(value, static_cast<float>(field.min), static_cast<float>(field.max));
      }
  });
  settings = fitted;
  return inFile(file, notes);
}

void requireOfLens(const std::filesystem::path& file, const std::string& group, const std::string& key) {
  const std::string path = key.empty() ? group : group + "." + key;
  if (std::ranges::none_of(kOfLenses, [&](const Field& each) { return each.path() == path; }))
    throw json::cannotRead({"lens", pathText(file), 0}, '"' + path + "\" is no part of a lens");
}

// The image that the file of a lens names: relative to the file, else to lensesDir().
std::filesystem::path imageNamed(const std::string& name, const std::filesystem::path& lens) {
  const auto beside = lens.parent_path() / name, alongProgram = lensesDir() / name;
  return isRegularFile(beside) || !isRegularFile(alongProgram) ? beside : alongProgram;
}

// Sets the fields of `settings` that the JSON file of a lens gives.
void applyLensFile(Settings& settings, const std::filesystem::path& file) {
  json::Json lens = readLens(file);
  lens.erase("title");
  lens.erase("source");
  Settings read = settings;
  applySettingsJson(read, lens.dump(), file.string());
  for (const auto& group : lens.items())
    for (const auto& field : group.value().items()) requireOfLens(file, group.key(), field.key());
  std::string& image = read.lens.apertureImage.text;
  if (!image.empty()) image = imageNamed(image, file).string();
  settings.lens = read.lens;
}

// Gives the lens this focal length. The f-number keeps the diameter of the aperture.
void changeFocalLength(LensSettings& lens, float focalLengthMm) {
  if (lens.focalLengthMm == focalLengthMm) return;
  const double diameterMm = double(lens.focalLengthMm) / double(lens.fNumber);
  lens.focalLengthMm = focalLengthMm;
  constexpr Field kFNumber = fieldOf("lens.fNumber");
  lens.fNumber = std::clamp(roundedTo4(double(focalLengthMm) / diameterMm), static_cast<float>(kFNumber.min),
                            static_cast<float>(kFNumber.max));
}

std::string textOf(const json::Json& lens, const char* key) {
  const auto found = lens.find(key);
  return found != lens.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// The path of the aperture image in the file of the lens: relative to lensesDir() if it lies below, else as
// withoutUserPaths() says.
std::string storedImage(const Settings& settings, const std::filesystem::path& lens) {
  const auto path = std::filesystem::absolute(settings.lens.apertureImage.text).lexically_normal();
  const auto below = path.lexically_relative(std::filesystem::absolute(lensesDir()).lexically_normal());
  if (!below.empty() && *below.begin() != "..") return below.generic_string();
  return withoutUserPaths(settings, folderOf(lens)).lens.apertureImage.text;
}

}  // namespace

bool namesPrescription(const std::filesystem::path& file) {
  return std::ranges::find(kPrescriptions, file.extension()) != kPrescriptions.end();
}

bool namesLensFile(const std::filesystem::path& nameOrFile) {
  return nameOrFile.extension() == kExtension || namesPrescription(nameOrFile);
}

bool holdsLens(const std::filesystem::path& file) try {
  return namesPrescription(file) || (file.extension() == kExtension && readLens(file).contains("title"));
} catch (const std::runtime_error&) {  // whoever reads the file reports the error
  return false;
}

const std::vector<LensPreset>& lensPresets() {
  static const std::vector<LensPreset> presets = [] {
    std::vector<LensPreset> found;
    for (const auto& entry : std::filesystem::directory_iterator(lensesDir())) {
      const std::string name = entry.path().stem().string();
      if (namesPrescription(entry.path())) {
        const Prescription lens = readPrescriptionFile(entry.path());
        found.push_back({name, lens.title, lens.source});
      } else if (namesLensFile(entry.path())) {
        const json::Json lens = readLens(entry.path());
        found.push_back({name, textOf(lens, "title"), textOf(lens, "source")});
      }
    }
    std::ranges::sort(found, {}, &LensPreset::name);
    return found;
  }();
  return presets;
}

Notes applyLensPreset(Settings& settings, const std::string& nameOrFile) {
  std::filesystem::path file = nameOrFile;
  if (!namesLensFile(file)) {
    std::vector<std::string> names;
    for (const LensPreset& preset : lensPresets()) names.push_back(preset.name);
    if (std::ranges::find(names, nameOrFile) == names.end())
      throw UsageError("no lens is called " + excerpt(nameOrFile) + "; did you mean " + nearest(nameOrFile, names) +
                       "? --list names them; a file ends in .json, .txt or .dat");
    file = lensesDir() / (nameOrFile + kExtension);
    if (!std::filesystem::exists(file)) file.replace_extension(kPrescriptions.front());
  }
  Settings changed = settings;
  const Settings defaults;
  describe(changed, defaults, [](const Field& field, auto& value, const auto& initial) {
    if (belongsToLens(field)) value = initial;
  });
  Notes notes;
  if (namesPrescription(file))
    notes = applyPrescription(changed, file);
  else
    applyLensFile(changed, file);
  changeFocalLength(changed.lens, settings.lens.focalLengthMm);
  settings = changed;
  return notes;
}

Notes saveLensPreset(const Settings& settings, const std::filesystem::path& file) {
  if (file.extension() != kExtension)
    throw UsageError("cannot save lens \"" + pathText(file) + "\": give a name ending in " + kExtension);
  json::Json lens;
  Notes notes;
  const Settings defaults;
  describe(settings, defaults, [&]<class T>(const Field& field, const T& value, const T& initial) {
    if (value == initial || !belongsToLens(field)) return;
    json::Json& saved = lens[field.path().substr(kGroup.size())];
    if constexpr (std::is_same_v<T, FilePath>) {
      const std::string image = storedImage(settings, file);
      saved = toJsonText(image);
      std::error_code unknown;
      if (!std::filesystem::equivalent(imageNamed(image, file), value.text, unknown))
        addNote(notes,
                "it names its aperture image " + excerpt(image) + " without the folder: copy the image beside it");
    } else {
      saved = json::toJson(value);
    }
  });
  writeWholeFile(file, json::Json{{"title", toJsonText(file.stem().string())},
                                  {"source", "Saved by satdof"},
                                  {"lens", lens.is_null() ? json::Json::object() : lens}}
                               .dump(2, ' ', true) +
                           "\n");
  return inFile(file, notes);
}

}  // namespace satdof
