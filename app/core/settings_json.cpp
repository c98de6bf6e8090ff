#include "app/core/settings_json.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <type_traits>

#include "app/core/fields.h"
#include "app/core/foreign_text.h"
#include "app/core/usage_error.h"

namespace satdof {

namespace {

using Json = nlohmann::ordered_json;

template <class T>
std::string numberText(T value) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

template <class T>
bool parseNumber(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

std::string range(const Field& field) {
  return "from " + numberText(field.min) + " to " + numberText(field.max);
}

// One overload per type of value: expectation() describes the accepted texts, read() parses a text and
// returns false if it is invalid, toJson() writes the value.

std::string expectation(const Field&, bool) { return "true or false"; }
std::string expectation(const Field& field, int) {
  return (field.powerOfTwo ? "a power of two " : "a whole number ") + range(field);
}
std::string expectation(const Field& field, float) { return "a number " + range(field); }
std::string expectation(const Field& field, glm::ivec2) { return "WIDTHxHEIGHT, each " + range(field); }
std::string expectation(const Field&, const MaskName&) {
  std::string names = "one of";
  for (const MaskEntry& entry : filterMasks()) names.append(" ").append(entry.name).append(",");
  return names + " or a .json file with a mask";
}
std::string expectation(const Field&, const FilePath&) { return "the path of a file, as UTF-8"; }
template <class E>
requires std::is_enum_v<E> std::string expectation(const Field&, E) {
  std::string names;
  for (const auto& entry : entries(E{})) names.append(names.empty() ? "one of " : ", ").append(entry.name);
  return names;
}

bool read(const Field&, std::string_view text, bool& value) {
  value = text == "true";
  return value || text == "false";
}
bool read(const Field& field, std::string_view text, int& value) {
  return parseNumber(text, value) && value >= field.min && value <= field.max &&
         (!field.powerOfTwo || std::has_single_bit(static_cast<unsigned>(value)));
}
bool read(const Field& field, std::string_view text, float& value) {
  return parseNumber(text, value) && value >= static_cast<float>(field.min) &&
         value <= static_cast<float>(field.max);
}
bool read(const Field& field, std::string_view text, glm::ivec2& value) {
  const auto cross = text.find('x');
  return cross != text.npos && read(field, text.substr(0, cross), value.x) &&
         read(field, text.substr(cross + 1), value.y);
}
bool isUtf8(std::string_view text) {
  try {
    return !Json(text).dump().empty();
  } catch (const Json::exception&) {
    return false;
  }
}
bool read(const Field&, std::string_view text, MaskName& value) {
  value.text = text;
  return (value.isFile() && isUtf8(text)) ||
         std::ranges::any_of(filterMasks(), [&](const MaskEntry& entry) { return entry.name == text; });
}
bool read(const Field&, std::string_view text, FilePath& value) {
  value.text = text;
  return isUtf8(text) && text.find('\0') == text.npos;
}
template <class E>
requires std::is_enum_v<E>
bool read(const Field&, std::string_view text, E& value) {
  for (const auto& entry : entries(E{}))
    if (text == entry.name) {
      value = entry.value;
      return true;
    }
  return false;
}

template <class T>
void readOrThrow(const std::string& where, const Field& field, std::string_view text, T& value) {
  T parsed{};
  if (!read(field, text, parsed))
    throw UsageError(where + " " + (text.empty() ? "''" : excerpt(text)) + ": expected " +
                     expectation(field, T{}));
  value = parsed;
}

Json toJson(bool value) { return value; }
Json toJson(int value) { return value; }
Json toJson(float value) { return Json::parse(numberText(value)); }
Json toJson(glm::ivec2 value) { return numberText(value.x) + "x" + numberText(value.y); }
Json toJson(const MaskName& value) { return value.text; }
Json toJson(const FilePath& value) { return value.text; }
template <class E>
requires std::is_enum_v<E> Json toJson(E value) {
  for (const auto& entry : entries(E{}))
    if (entry.value == value) return entry.name;
  throw std::logic_error("an enumeration value without a name");
}

template <class T>
bool hasTypeOf(const Json& json) {
  if constexpr (std::is_same_v<T, bool>) return json.is_boolean();
  if constexpr (std::is_same_v<T, int>) return json.is_number_integer();
  if constexpr (std::is_same_v<T, float>) return json.is_number();
  return json.is_string();
}

Json::json_pointer pointer(const std::string& path) {
  std::string slashes(1, '/');
  slashes += path;
  std::ranges::replace(slashes, '.', '/');
  return Json::json_pointer(slashes);
}

UsageError cannotRead(const std::string& origin, const std::string& why) {
  return UsageError("cannot read settings" + (origin.empty() ? "" : " " + inQuotes(origin, 300)) + ": " +
                    why);
}

// Limits of a settings file, against damaged ones: far above what settings need.
constexpr int kMostLevels = 16;
constexpr size_t kMostKeys = 2000;

// Checks the structure while nlohmann::json parses: levels, number of keys, keys given twice, keys with dots.
class StructureCheck {
 public:
  explicit StructureCheck(const std::string& origin) : origin_(origin) {}

  bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
    if (depth > kMostLevels)
      throw cannotRead(origin_, "more than " + std::to_string(kMostLevels) + " levels of groups");
    if (event == Json::parse_event_t::object_start) {
      keys_.emplace_back();
    } else if (event == Json::parse_event_t::object_end) {
      keys_.pop_back();
    } else if (event == Json::parse_event_t::key) {
      const auto& key = parsed.get_ref<const std::string&>();
      if (++count_ > kMostKeys)
        throw cannotRead(origin_, "more than " + std::to_string(kMostKeys) + " settings");
      if (key.empty()) throw cannotRead(origin_, "a setting has an empty name");
      if (key.find('.') != key.npos)
        throw cannotRead(origin_, inQuotes(key) + " contains a dot; write groups as nested objects");
      if (!keys_.back().insert(key).second)
        throw cannotRead(origin_, inQuotes(key) + " stands twice in its group");
    }
    return true;
  }

 private:
  const std::string& origin_;
  std::vector<std::set<std::string>> keys_;
  size_t count_ = 0;
};

Json parseJson(std::string_view text, const std::string& origin) {
  try {
    return Json::parse(text, StructureCheck(origin));
  } catch (const Json::parse_error& error) {
    const auto before = text.substr(0, error.byte);
    throw cannotRead(origin, "line " + std::to_string(1 + std::ranges::count(before, '\n')) +
                                 ": not valid JSON; correct the line");
  } catch (const Json::exception&) {  // has no position
    throw cannotRead(origin, "not valid JSON: a number is too large");
  }
}

Json parseObject(std::string_view text, const std::string& origin) {
  Json json = parseJson(text, origin);
  if (!json.is_object()) throw cannotRead(origin, "it must be a JSON object of settings");
  return json;
}

// "scene.image.file" -> "image"; empty for a path that belongs to no scene.
std::string sceneOf(const std::string& path) {
  constexpr std::string_view kScenes = "scene.";
  const auto end = path.rfind('.');
  return path.starts_with(kScenes) && end > kScenes.size() ? path.substr(kScenes.size(), end - kScenes.size())
                                                           : "";
}

// Appends the path of every value in `json` that is not a group. An empty group counts as a value.
void collectLeaves(const Json& json, const std::string& path, std::vector<std::string>& leaves) {
  if (!json.is_object() || (json.empty() && !path.empty())) {
    leaves.push_back(path);
    return;
  }
  for (const auto& [key, value] : json.items())
    collectLeaves(value, path.empty() ? key : path + "." + key, leaves);
}

}  // namespace

namespace {

// The path that an unknown one may stand for: whose last name begins with it, else the nearest.
std::string meant(const std::string& unknown, const std::vector<std::string>& known) {
  const auto longer = std::ranges::find_if(
      known, [&](const std::string& path) { return path.substr(path.rfind('.') + 1).starts_with(unknown); });
  return longer != known.end() ? *longer : nearest(unknown, known);
}

}  // namespace

std::string nearest(std::string_view text, const std::vector<std::string>& candidates) {
  // The column of the edit distances of all prefixes of `text` is kept as bits: whether a distance is one more, or
  // one less, than the distance before it (Hyyro 2003).
  constexpr size_t kMostLength = 64;
  text = text.substr(0, kMostLength);
  std::array<std::uint64_t, 256> places{};  // of each character in `text`
  for (size_t i = 0; i < text.size(); ++i)
    places[static_cast<unsigned char>(text[i])] |= std::uint64_t{1} << i;
  const auto edits = [&](const std::string& candidate) {
    if (text.empty()) return candidate.size();
    const std::uint64_t last = std::uint64_t{1} << (text.size() - 1);
    std::uint64_t more = ~std::uint64_t{0}, less = 0;
    size_t distance = text.size();
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

// Returns the value that `path`, such as "lens.kind", has in groups of `json`, or null.
const Json* find(const Json& json, std::string_view path) {
  const auto dot = path.find('.');
  const auto found = json.find(std::string(path.substr(0, dot)));
  if (found == json.end() || dot == path.npos) return found == json.end() ? nullptr : &*found;
  return find(*found, path.substr(dot + 1));
}

// Sets the value. Returns why that is impossible; empty if it is set.
template <class T>
std::string readEntry(const Field& field, const Json& entry, const std::string& path, T& value) {
  const std::string shown = entry.is_string() ? entry.get<std::string>() : entry.dump();
  T readable{};
  if (!hasTypeOf<T>(entry) || !read(field, shown, readable))
    return inQuotes(path) + " must be " + expectation(field, T{}) + ", not " +
           (entry.is_string() ? inQuotes(shown) : excerpt(shown));
  value = readable;
  return {};
}

// Whether a look can hold the value: it holds no file.
template <class T>
bool fitsLook(const T& value) {
  if constexpr (std::is_same_v<T, MaskName>) return !value.isFile();
  return true;
}

std::vector<std::string> knownPaths() {
  std::vector<std::string> known;
  const Settings defaults;
  describe(defaults, [&](const Field& field, const auto&) { known.push_back(field.path()); });
  return known;
}

// Sets the fields that `text` contains and that are valid. Returns the first reasons of those that are not.
std::vector<std::string> readSettings(Settings& settings, std::string_view text, const std::string& origin,
                                      size_t mostProblems) {
  const Json json = parseObject(text, origin);
  std::vector<std::string> readPaths, found, problems;
  const auto refuse = [&](const std::string& why) {
    if (problems.size() < mostProblems) problems.emplace_back(cannotRead(origin, why).what());
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
  std::erase_if(found,
                [&](const std::string& key) { return std::ranges::find(readPaths, key) != readPaths.end(); });
  if (found.empty()) return problems;

  const auto known = knownPaths();
  const auto isGroup = [&](const std::string& key) {
    return std::ranges::any_of(known, [&](const std::string& path) { return path.starts_with(key + "."); });
  };
  for (const auto& key : found)
    if (problems.size() < mostProblems && std::ranges::find(known, key) == known.end() &&
        !(isGroup(key) && find(json, key)->empty()))
      refuse("unknown setting " + inQuotes(key) + "; did you mean " + inQuotes(meant(key, known)) + "?");
  return problems;
}

}  // namespace

std::string settingsToJson(const Settings& settings) {
  Json json;
  describe(settings,
           [&](const Field& field, const auto& value) { json[pointer(field.path())] = toJson(value); });
  return json.dump(2, ' ', true) + "\n";
}

std::vector<std::string> applyReadableSettings(Settings& settings, std::string_view text,
                                               const std::string& origin) {
  constexpr size_t kMostProblems = 5;
  return readSettings(settings, text, origin, kMostProblems);
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
  const Json json = parseObject(text, origin);
  std::vector<std::string> others;
  collectLeaves(json, "", others);
  Settings changed = settings;
  describe(changed, [&]<class T>(const Field& field, T& value) {
    const std::string path = field.path();
    const Json* const entry = find(json, path);
    if (entry == nullptr || !field.ofLook()) return;
    T found = value;
    const std::string why = readEntry(field, *entry, path, found);
    if (!why.empty()) throw cannotRead(origin, why);
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
    readOrThrow(field.option(), field, text, value);
    if constexpr (std::is_same_v<T, FilePath>) scene = sceneOf(field.path());
  });
  for (const auto& entry : entries(SceneKind{}))
    if (entry.name == scene) settings.scene.kind = entry.value;
}

// One word of a command line.
std::string shellWord(const std::string& text) {
  const bool plain = !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_-+./:,").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain) return text;
  const std::string quote = text.find('\'') == text.npos ? "'" : "\"";
  return quote + text + quote;
}

std::string optionsText(const Settings& settings) {
  const Json given = Json::parse(settingsToJson(settings)), initial = Json::parse(settingsToJson({}));
  std::string options;
  bool hasFile = false;
  describe(settings, [&]<class T>(const Field&, const T& value) {
    if constexpr (std::is_same_v<T, FilePath>) hasFile |= !value.none();
  });
  describe(settings, [&]<class T>(const Field& field, const T&) {
    const Json& value = given.at(pointer(field.path()));
    // The option of a file selects its scene; --scene keeps another.
    const bool kept = hasFile && std::is_same_v<T, SceneKind>;
    if (field.flag == nullptr || (value == initial.at(pointer(field.path())) && !kept)) return;
    options += options.empty() ? "" : " ";
    if (value.is_boolean())
      options += value.get<bool>() ? field.option() : "--no-" + field.option().substr(2);
    else
      options +=
          field.option() + " " + shellWord(value.is_string() ? value.get<std::string>() : value.dump());
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

bool parseBool(const std::string& where, const std::string& text) {
  bool value = false;
  readOrThrow(where, {}, text, value);
  return value;
}

LensKind parseLens(const std::string& where, const std::string& text) {
  LensKind lens{};
  readOrThrow(where, {}, text, lens);
  return lens;
}

int parseInt(const std::string& where, const std::string& text, int min, int max) {
  int value = 0;
  readOrThrow(where, {.min = static_cast<double>(min), .max = static_cast<double>(max)}, text, value);
  return value;
}

float parseFloat(const std::string& where, const std::string& text, double min, double max) {
  float value = 0;
  readOrThrow(where, {.min = min, .max = max}, text, value);
  return value;
}

}  // namespace satdof
