#include "app/core/settings_json.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <type_traits>

#include "app/core/field_json.h"
#include "app/core/usage_error.h"

namespace satdof {

using namespace json;

namespace {

Json::json_pointer pointer(const std::string& path) {
  std::string slashes(1, '/');
  slashes += path;
  std::ranges::replace(slashes, '.', '/');
  return Json::json_pointer(slashes);
}

constexpr std::size_t kMaxKeys = 2000;

Source sourceOf(const std::string& origin) { return {"settings", origin, kMaxKeys}; }

// Returns the scene of a path: "image" for "scene.image.file"; empty if the path belongs to no scene.
std::string sceneOf(const std::string& path) {
  constexpr std::string_view kScenes = "scene.";
  const auto end = path.rfind('.');
  return path.starts_with(kScenes) && end > kScenes.size() ? path.substr(kScenes.size(), end - kScenes.size()) : "";
}

// Appends the path of every value in `json` that is not a group. An empty group counts as a value.
void collectLeaves(const Json& json, const std::string& path, std::vector<std::string>& leaves) {
  if (!json.is_object() || (json.empty() && !path.empty())) {
    leaves.push_back(path);
    return;
  }
  for (const auto& [key, value] : json.items()) collectLeaves(value, path.empty() ? key : path + "." + key, leaves);
}

// Returns the known path to suggest for an unknown one: a path whose last name begins with `unknown`, else the nearest
// path.
std::string suggestion(const std::string& unknown, const std::vector<std::string>& known) {
  const auto longer = std::ranges::find_if(
      known, [&](const std::string& path) { return path.substr(path.rfind('.') + 1).starts_with(unknown); });
  return longer != known.end() ? *longer : nearest(unknown, known);
}

// Quotes a text as one word of a shell command line.
std::string shellWord(const std::string& text) {
  const bool plain = !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("_-+./:,").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

}  // namespace

std::string nearest(std::string_view text, const std::vector<std::string>& candidates) {
  // Bit-parallel Levenshtein distance (Hyyro 2003): `more` and `less` hold the vertical differences +1 and -1 of one
  // column of the dynamic-programming matrix, a bit a row. O(candidate length) for texts of up to 64 bytes.
  constexpr std::size_t kMaxLength = 64;
  text = text.substr(0, kMaxLength);
  std::array<std::uint64_t, 256> places{};  // of each character in `text`
  for (std::size_t i = 0; i < text.size(); ++i) places[static_cast<unsigned char>(text[i])] |= std::uint64_t{1} << i;
  const auto edits = [&](const std::string& candidate) {
    if (text.empty()) return candidate.size();
    const std::uint64_t last = std::uint64_t{1} << (text.size() - 1);
    std::uint64_t more = ~std::uint64_t{0}, less = 0;
    std::size_t distance = text.size();
    for (const char c : candidate) {
      const std::uint64_t same = places[static_cast<unsigned char>(c)];
      const std::uint64_t diagonal = (((same & more) + more) ^ more) | same | less;
      const std::uint64_t moreThanLeft = less | ~(diagonal | more), lessThanLeft = more & diagonal;
      distance += (moreThanLeft & last) != 0 ? 1 : 0;
      distance -= (lessThanLeft & last) != 0 ? 1 : 0;
      const std::uint64_t above = moreThanLeft << 1 | 1;
      more = lessThanLeft << 1 | ~(diagonal | above);
      less = above & diagonal;
    }
    return distance;
  };
  return *std::ranges::min_element(candidates, {}, edits);
}

namespace {

// Returns the value at a path such as "lens.kind"; null if it is missing.
const Json* find(const Json& json, std::string_view path) {
  const auto dot = path.find('.');
  const auto found = json.find(std::string(path.substr(0, dot)));
  if (found == json.end() || dot == path.npos) return found == json.end() ? nullptr : &*found;
  return find(*found, path.substr(dot + 1));
}

// Whether a look can contain the value: a look refers to no files.
template <class T>
bool fitsLook(const T& value) {
  if constexpr (std::is_same_v<T, MaskName>) return !value.isFile();
  if constexpr (std::is_same_v<T, FilePath>) return value.none();
  return true;
}

std::vector<std::string> knownPaths() {
  std::vector<std::string> known;
  const Settings defaults;
  describe(defaults, [&](const Field& field, const auto&) { known.push_back(field.path()); });
  return known;
}

// Sets the valid fields in `text`. Returns one reason for each of the others, at most `mostProblems`.
std::vector<std::string> readSettings(Settings& settings, std::string_view text, const std::string& origin,
                                      std::size_t mostProblems) {
  const Json json = parseObject(text, sourceOf(origin));
  std::vector<std::string> readPaths, found, problems;
  const auto refuse = [&](const std::string& why) {
    if (problems.size() < mostProblems) problems.emplace_back(cannotRead(sourceOf(origin), why).what());
  };
  describe(settings, [&]<class T>(const Field& field, T& value) {
    const std::string path = field.path();
    const Json* const entry = find(json, path);
    if (entry == nullptr) return;
    readPaths.push_back(path);
    const std::string why = readEntry(field, *entry, path, value);
    if (!why.empty()) refuse(why);
  });
  collectLeaves(json, "", found);
  std::erase_if(found, [&](const std::string& key) { return std::ranges::find(readPaths, key) != readPaths.end(); });
  if (found.empty()) return problems;

  const auto known = knownPaths();
  const auto isGroup = [&](const std::string& key) {
    return std::ranges::any_of(known, [&](const std::string& path) { return path.starts_with(key + "."); });
  };
  for (const auto& key : found)
    if (problems.size() < mostProblems && std::ranges::find(known, key) == known.end() &&
        !(isGroup(key) && find(json, key)->empty()))
      refuse("unknown setting " + inQuotes(key) + "; did you mean " + inQuotes(suggestion(key, known)) + "?");
  return problems;
}

}  // namespace

std::string settingsToJson(const Settings& settings) {
  Json json;
  describe(settings, [&](const Field& field, const auto& value) { json[pointer(field.path())] = toJson(value); });
  return json.dump(2, ' ', true) + "\n";
}

std::vector<std::string> applyReadableSettings(Settings& settings, std::string_view text, const std::string& origin) {
  constexpr std::size_t kMaxProblems = 5;
  return readSettings(settings, text, origin, kMaxProblems);
}

void applySettingsJson(Settings& settings, std::string_view text, const std::string& origin) {
  Settings changed = settings;
  const auto problems = readSettings(changed, text, origin, 1);
  if (!problems.empty()) throw UsageError(problems.front());
  settings = changed;
}

std::string lookToJson(const Settings& settings) {
  Json json;
  describe(settings, [&](const Field& field, const auto& value) {
    if (field.ofLook() && fitsLook(value)) json[pointer(field.path())] = toJson(value);
  });
  return json.dump(2, ' ', true) + "\n";
}

std::vector<std::string> applyLook(Settings& settings, std::string_view text, const std::string& origin) {
  const Json json = parseObject(text, sourceOf(origin));
  std::vector<std::string> others;
  collectLeaves(json, "", others);
  Settings changed = settings;
  describe(changed, [&]<class T>(const Field& field, T& value) {
    const std::string path = field.path();
    const Json* const entry = find(json, path);
    if (entry == nullptr || !field.ofLook()) return;
    T found = value;
    const std::string why = readEntry(field, *entry, path, found);
    if (!why.empty()) throw cannotRead(sourceOf(origin), why);
    if (!fitsLook(found)) return;
    value = found;
    std::erase(others, path);
  });
  settings = changed;
  return others;
}

bool sameLook(const Settings& a, const Settings& b) { return lookToJson(a) == lookToJson(b); }

void applyOption(Settings& settings, std::string_view option, const std::string& text) {
  std::string scene;
  describe(settings, [&]<class T>(const Field& field, T& value) {
    if (field.flag == nullptr || field.option() != option) return;
    value = parsed<T>(field.option(), field, text);
    if constexpr (std::is_same_v<T, FilePath>) scene = sceneOf(field.path());
  });
  for (const auto& entry : entries(SceneKind{}))
    if (entry.name == scene) settings.scene.kind = entry.value;
}

std::string optionsText(const Settings& settings) {
  const Json given = Json::parse(settingsToJson(settings)), initial = Json::parse(settingsToJson({}));
  std::string options;
  bool hasFile = false;
  forEachFile(settings, [&](const Field&, const FilePath& file) { hasFile |= !file.none(); });
  describe(settings, [&]<class T>(const Field& field, const T&) {
    const Json& value = given.at(pointer(field.path()));
    // The option of a file also selects the scene: only an explicit --scene keeps the default one.
    const bool needsScene = hasFile && std::is_same_v<T, SceneKind>;
    if (field.flag == nullptr || (value == initial.at(pointer(field.path())) && !needsScene)) return;
    options += options.empty() ? "" : " ";
    if (value.is_boolean())
      options += value.get<bool>() ? field.option() : "--no-" + field.option().substr(2);
    else
      options += field.option() + " " + shellWord(value.is_string() ? value.get<std::string>() : value.dump());
  });
  return options;
}

std::string optionRange(std::string_view option) {
  std::string range;
  const Settings defaults;
  describe(defaults, [&]<class T>(const Field& field, const T& value) {
    if (field.flag == nullptr || field.option() != option) return;
    const Json initial = toJson(value);
    const std::string shown = initial.is_string() ? initial.get<std::string>() : initial.dump();
    range = expectation(field, T{}) + (shown.empty() ? "" : "; " + shown);
  });
  return range;
}

bool parseBool(const std::string& where, const std::string& text) { return parsed<bool>(where, {}, text); }

int parseInt(const std::string& where, const std::string& text, int min, int max) {
  return parsed<int>(where, {.min = static_cast<double>(min), .max = static_cast<double>(max)}, text);
}

float parseFloat(const std::string& where, const std::string& text, double min, double max) {
  return parsed<float>(where, {.min = min, .max = max}, text);
}

}  // namespace satdof
