#pragma once
#include <charconv>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>

#include "app/core/fields.h"
#include "app/core/foreign_text.h"
#include "app/core/usage_error.h"

// Values of fields as text and as JSON, and the structure of files that hold them.
namespace satdof::json {

using Json = nlohmann::ordered_json;

// A file, for messages and limits. `what`: "settings" or "shot".
struct Source {
  const char* what;
  std::string origin;  // the name of the file; empty: none
  std::size_t mostKeys;
};

// cannot read settings "x.json": why
UsageError cannotRead(const Source& source, const std::string& why);

// Throws UsageError if `text` is no JSON object, too deep, too large, or a group holds a key twice.
Json parseObject(std::string_view text, const Source& source);

// Whether the JSON has at most so many groups and lists in each other: functions of the library call
// themselves for each.
bool isShallow(std::string_view text, int mostLevels);

// For messages: a text in quotes, else JSON.
std::string shown(const Json& json);

template <class T>
std::string numberText(T value) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

// One overload per type of value: expectation() describes the accepted texts, read() parses a text and
// returns false if it is invalid, toJson() writes the value.
std::string expectation(const Field& field, bool);
std::string expectation(const Field& field, int);
std::string expectation(const Field& field, float);
std::string expectation(const Field& field, glm::ivec2);
std::string expectation(const Field& field, const MaskName&);
std::string expectation(const Field& field, const FilePath&);
template <class E>
requires std::is_enum_v<E> std::string expectation(const Field&, E) {
  std::string names;
  for (const auto& entry : entries(E{})) names.append(names.empty() ? "one of " : ", ").append(entry.name);
  return names;
}

bool read(const Field& field, std::string_view text, bool& value);
bool read(const Field& field, std::string_view text, int& value);
bool read(const Field& field, std::string_view text, float& value);
bool read(const Field& field, std::string_view text, glm::ivec2& value);
bool read(const Field& field, std::string_view text, MaskName& value);
bool read(const Field& field, std::string_view text, FilePath& value);
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

// Throws UsageError, which begins with `where`, if the text is no value of the field.
template <class T>
T parsed(const std::string& where, const Field& field, std::string_view text) {
  T value{};
  if (read(field, text, value)) return value;
  throw UsageError(where + " " + (text.empty() ? "''" : excerpt(text)) + ": expected " +
                   expectation(field, value));
}

Json toJson(bool value);
Json toJson(int value);
Json toJson(float value);
Json toJson(glm::ivec2 value);
Json toJson(const MaskName& value);
Json toJson(const FilePath& value);
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

// Sets the value. Returns why that is impossible; empty if it is set.
template <class T>
std::string readEntry(const Field& field, const Json& entry, const std::string& path, T& value) {
  T readable{};
  if (!hasTypeOf<T>(entry) ||
      !read(field, entry.is_string() ? entry.get<std::string>() : entry.dump(), readable))
    return inQuotes(path) + " must be " + expectation(field, T{}) + ", not " + shown(entry);
  value = readable;
  return {};
}

}  // namespace satdof::json
