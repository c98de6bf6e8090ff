#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/scene/model/reader.h"

namespace satdof::gltf {

using Json = nlohmann::json;

// Throws std::runtime_error with "where: what".
[[noreturn]] void fail(const std::string& where, const std::string& what);

// A JSON object of the document with its path for messages, such as "meshes[2].primitives[0]". The functions that read
// a key throw std::runtime_error if its value has the wrong type or is out of range.
class Item {
 public:
  Item(const Json& json, std::string where) : json_(&json), where_(std::move(where)) {}

  const std::string& where() const { return where_; }
  std::string whereOf(const char* key) const { return where_.empty() ? key : where_ + "." + key; }
  bool has(const char* key) const { return find(key) != nullptr; }

  // An integer from `low` to `high`; `fallback` if the key is missing.
  std::int64_t integer(const char* key, std::int64_t fallback, std::int64_t low, std::int64_t high) const;
  // An integer from 0 to `max`; 0 if the key is missing.
  std::size_t size(const char* key, std::size_t max) const {
    return static_cast<std::size_t>(integer(key, 0, 0, static_cast<std::int64_t>(max)));
  }
  // An index into a list of `size` entries; -1 if the key is missing.
  int index(const char* key, std::size_t size) const;
  // Throws std::runtime_error if the key is missing.
  int requiredIndex(const char* key, std::size_t size) const;
  float number(const char* key, float fallback) const;
  // A number, clamped to a range.
  float numberWithin(const char* key, float fallback, float low, float high) const {
    return std::clamp(number(key, fallback), low, high);
  }
  // False or empty unless the key has a value of this type.
  bool flag(const char* key) const;
  std::string text(const char* key) const;
  // A list of at most `max` numbers.
  std::vector<float> numbers(const char* key, std::size_t max) const;
  // N numbers; none if the key is missing.
  template <int N, class Number = float>
  std::optional<std::array<Number, N>> numbers(const char* key) const {
    const Json* found = find(key);
    if (found == nullptr) return std::nullopt;
    if (!found->is_array() || found->size() != N) fail(whereOf(key), "must be " + std::to_string(N) + " numbers");
    std::array<Number, N> values;
    for (std::size_t i = 0; i < N; ++i) values[i] = static_cast<Number>(asNumber((*found)[i], key));
    return values;
  }
  // None if the key is missing.
  std::optional<Item> object(const char* key) const;
  // The extension `name` of the object; none if it has none.
  std::optional<Item> extension(const char* name) const;
  // A list of indices below `size`.
  std::vector<int> indices(const char* key, std::size_t size) const;
  // The entries of a list of at most `max` objects.
  std::vector<Item> list(const char* key, std::size_t max) const;
  // The value; null if it is missing or null.
  const Json* find(const char* key) const;

 private:
  double asNumber(const Json& value, const char* key) const;
  const Json* json_;
  std::string where_;
};

// Converts an array to a vector.
template <class Number, std::size_t N>
glm::vec<static_cast<int>(N), Number> vec(const std::array<Number, N>& values) {
  glm::vec<static_cast<int>(N), Number> result;
  for (std::size_t i = 0; i < N; ++i) result[static_cast<int>(i)] = values[i];
  return result;
}

}  // namespace satdof::gltf
