#include "app/core/field_json.h"

#include <algorithm>
#include <bit>
#include <set>
#include <vector>

#include "app/core/text/foreign_text.h"
#include "app/core/text/number.h"

namespace satdof::json {

namespace {

template <class T>
bool parseNumber(std::string_view text, T& value) {
  const auto number = numberInText<T>(text);
  value = number.value_or(value);
  return number.has_value();
}

std::string range(const Field& field) { return "from " + numberText(field.min) + " to " + numberText(field.max); }

constexpr std::size_t kMaxLevels = 16;
constexpr std::size_t kMaxKeysOfGroup = 2000;

// Checks nesting depth, number of keys, duplicate keys and keys with dots before nlohmann::json builds the document:
// building takes O(n^2) for n keys of a group. A SAX pass, because the parser callbacks of nlohmann::json take O(n^2)
// for n items of a list.
class StructureCheck : public nlohmann::json_sax<Json> {
 public:
  explicit StructureCheck(const Source& source) : source_(source) {}

  bool null() override { return item(); }
  bool boolean(bool) override { return item(); }
  bool number_integer(number_integer_t) override { return item(); }
  bool number_unsigned(number_unsigned_t) override { return item(); }
  bool number_float(number_float_t, const string_t&) override { return item(); }
  bool string(string_t&) override { return item(); }
  bool binary(binary_t&) override { return item(); }
  bool start_object(std::size_t) override { return start(false); }
  bool start_array(std::size_t) override { return start(true); }
  bool end_object() override { return end(); }
  bool end_array() override { return end(); }
  // Json::parse() runs next and reports the error.
  bool parse_error(std::size_t, const std::string&, const Json::exception&) override { return false; }
  bool key(string_t& key) override {
    requireShallow();
    if (++count_ > source_.mostKeys) refuse("more than " + std::to_string(source_.mostKeys) + " keys");
    if (key.empty()) refuse(where() + "a setting has an empty name");
    if (key.find('.') != key.npos) refuse(where() + inQuotes(key) + " contains a dot; write groups as nested objects");
    Level& level = levels_.back();
    level.key = key;
    if (!level.keys.insert(key).second) refuse(where() + inQuotes(key) + " stands twice in its group");
    if (level.keys.size() > kMaxKeysOfGroup)
      refuse(where() + "more than " + std::to_string(kMaxKeysOfGroup) + " keys in a group");
    return true;
  }

 private:
  struct Level {
    bool isList = false;
    int items = 0;  // started so far
    std::string key{};
    std::set<std::string> keys{};
  };

  bool item() {
    requireShallow();
    if (!levels_.empty()) ++levels_.back().items;
    return true;
  }
  bool start(bool isList) {
    item();
    levels_.push_back({.isList = isList});
    return true;
  }
  bool end() {
    levels_.pop_back();
    return true;
  }
  void requireShallow() const {
    if (levels_.size() > kMaxLevels) refuse("more than " + std::to_string(kMaxLevels) + " levels of groups");
  }
  [[noreturn]] void refuse(const std::string& why) const { throw cannotRead(source_, why); }

  // The place in the open lists: "tracks 1, keys 2: ".
  std::string where() const {
    std::string text;
    for (std::size_t i = 1; i < levels_.size(); ++i)
      if (levels_[i].isList)
        text += (text.empty() ? "" : ", ") + excerpt(levels_[i - 1].key) + ' ' + std::to_string(levels_[i].items);
    return text.empty() ? text : text + ": ";
  }

  const Source& source_;
  std::vector<Level> levels_;
  std::size_t count_ = 0;
};

Json parseJson(std::string_view text, const Source& source) {
  try {
    if (const auto at = text.find('\0'); at != text.npos)  // where the parser would end
      throw cannotRead(source, "line " + std::to_string(1 + std::ranges::count(text.substr(0, at), '\n')) +
                                   ": a zero byte is not valid JSON; remove it");
    StructureCheck check(source);
    Json::sax_parse(text, &check);
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    const auto before = text.substr(0, error.byte);
    throw cannotRead(
        source, "line " + std::to_string(1 + std::ranges::count(before, '\n')) + ": not valid JSON; correct the line");
  } catch (const Json::exception&) {  // has no position
    throw cannotRead(source, "not valid JSON: a number is too large");
  }
}

}  // namespace

UsageError cannotRead(const Source& source, const std::string& why) {
  return UsageError(std::string("cannot read ") + source.what +
                    (source.origin.empty() ? "" : " " + inQuotes(source.origin, 300)) + ": " + why);
}

bool isShallow(std::string_view text, int mostLevels) {
  int levels = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') quoted = !quoted;
    if (quoted && c == '\\') ++i;
    if (quoted) continue;
    if ((c == '[' || c == '{') && ++levels > mostLevels) return false;
    if (c == ']' || c == '}') --levels;
  }
  return true;
}

Json parseObject(std::string_view text, const Source& source) {
  Json json = parseJson(text, source);
  if (!json.is_object()) throw cannotRead(source, "it must be a JSON object");
  return json;
}

std::string shown(const Json& json) {
  return json.is_string() ? inQuotes(json.get_ref<const std::string&>()) : excerpt(json.dump());
}

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
std::string expectation(const Field&, const FilePath&) { return "the path of a file"; }
bool read(const Field&, std::string_view text, bool& value) {
  value = text == "true";
  return value || text == "false";
}
bool read(const Field& field, std::string_view text, int& value) {
  return parseNumber(text, value) && value >= field.min && value <= field.max &&
         (!field.powerOfTwo || std::has_single_bit(static_cast<unsigned>(value)));
}
bool read(const Field& field, std::string_view text, float& value) {
  return parseNumber(text, value) && value >= static_cast<float>(field.min) && value <= static_cast<float>(field.max);
}
bool read(const Field& field, std::string_view text, glm::ivec2& value) {
  const auto cross = text.find('x');
  return cross != text.npos && read(field, text.substr(0, cross), value.x) &&
         read(field, text.substr(cross + 1), value.y);
}
bool read(const Field&, std::string_view text, MaskName& value) {
  value.text = fromJsonText(text);
  return value.isFile() ||
         std::ranges::any_of(filterMasks(), [&](const MaskEntry& entry) { return entry.name == text; });
}
bool read(const Field&, std::string_view text, FilePath& value) {
  value.text = fromJsonText(text);
  return text.find('\0') == text.npos;
}
Json toJson(bool value) { return value; }
Json toJson(int value) { return value; }
Json toJson(float value) { return Json::parse(numberText(value)); }
Json toJson(glm::ivec2 value) { return numberText(value.x) + "x" + numberText(value.y); }
Json toJson(const MaskName& value) { return toJsonText(value.text); }
Json toJson(const FilePath& value) { return toJsonText(value.text); }

}  // namespace satdof::json
