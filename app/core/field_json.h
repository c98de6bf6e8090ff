#pragma once
#include <charconv>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>

#include "app/core/fields.h"
#include "app/core/text/foreign_text.h"
#include "app/core/usage_error.h"

// Reads and writes the values of fields as text and as JSON.
namespace satdof::json {

using Json = nlohmann::ordered_json;

// Where a JSON text comes from, for messages, and its limit.
struct Source {
  const char* what;    // "settings" or "shot"
  std::string origin;  // name of the file; empty: the text has none
  std::size_t mostKeys;
};

// Returns the error `cannot read settings "x.json": why`.
UsageError cannotRead(const Source& source, const std::string& why);

// Parses a JSON object. Throws UsageError if `text` is not an object, is nested too deeply, has too many keys, or
// repeats a key in a group.
Json parseObject(std::string_view text, const Source& source);

// Whether objects and lists are nested at most `mostLevels` deep. nlohmann::json recurses once a level.
bool isShallow(std::string_view text, int mostLevels);

// Returns a value for a message: a string in quotes, anything else as JSON.
std::string shown(const Json& json);

template <class T>
std::string numberText(T value) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

// One overload per type of value: expectation() describes the valid texts, read() parses a text and returns false if it
// is invalid, toJson() writes the value.
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

// Returns the value of `text`. Throws UsageError if the text is not a valid value of the field; the message begins with
// `where`.
template <class T>
T parsed(const std::string& where, const Field& field, std::string_view text) {
  T value{};
  if (read(field, text, value)) return value;
  throw UsageError(where + " " + (text.empty() ? "''" : excerpt(text)) + ": expected " + expectation(field, value));
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

// Whether the JSON type of the value is the one that toJson(T) writes.
template <class T>
bool hasTypeOf(const Json& json) {
  if constexpr (std::is_same_v<T, bool>) return json.is_boolean();
  if constexpr (std::is_same_v<T, int>) return json.is_number_integer();
  if constexpr (std::is_same_v<T, float>) return json.is_number();
  return json.is_string();
}

// Sets `value` from `entry`. Returns the reason if the entry is invalid; empty on success.
template <class T>
std::string readEntry(const Field& field, const Json& entry, const std::string& path, T& value) {
  T readable{};
  if (!hasTypeOf<T>(entry) || !read(field, entry.is_string() ? entry.get<std::string>() : entry.dump(), readable))
    return inQuotes(path) + " must be " + expectation(field, T{}) + ", not " + shown(entry);
  value = readable;
  return {};
}

}  // namespace satdof::json
