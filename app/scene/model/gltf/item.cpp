#include "app/scene/model/gltf/item.h"

#include <cmath>
#include <stdexcept>

namespace satdof::gltf {

void fail(const std::string& where, const std::string& what) {
  throw std::runtime_error(where.empty() ? what : where + ": " + what);
}

std::int64_t Item::integer(const char* key, std::int64_t fallback, std::int64_t low, std::int64_t high) const {
  const Json* found = find(key);
  if (found == nullptr) return fallback;
  // Some exporters write integers as 3.0.
  const bool whole = found->is_number_integer() || (found->is_number_float() && std::abs(found->get<double>()) < 1e15 &&
                                                    std::trunc(found->get<double>()) == found->get<double>());
  const auto tooLarge = found->is_number_unsigned() && found->get<std::uint64_t>() > std::uint64_t(INT64_MAX);
  const std::int64_t value = whole && !tooLarge ? found->get<std::int64_t>() : low - 1;
  if (value < low || value > high)
    fail(whereOf(key), "must be an integer from " + std::to_string(low) + " to " + std::to_string(high));
  return value;
}

int Item::index(const char* key, std::size_t size) const {
  if (has(key) && size == 0) fail(whereOf(key), "names an entry of an empty list");
  return static_cast<int>(integer(key, -1, 0, static_cast<std::int64_t>(size) - 1));
}

int Item::requiredIndex(const char* key, std::size_t size) const {
  if (!has(key)) fail(whereOf(key), "is missing");
  return index(key, size);
}

float Item::number(const char* key, float fallback) const {
  const Json* found = find(key);
  return found == nullptr ? fallback : static_cast<float>(asNumber(*found, key));
}

bool Item::flag(const char* key) const {
  const Json* found = find(key);
  return found != nullptr && found->is_boolean() && found->get<bool>();
}

std::string Item::text(const char* key) const {
  const Json* found = find(key);
  return found != nullptr && found->is_string() ? found->get<std::string>() : std::string();
}

std::vector<float> Item::numbers(const char* key, std::size_t max) const {
  std::vector<float> values;
  const Json* found = find(key);
  if (found == nullptr) return values;
  if (!found->is_array() || found->size() > max)
    fail(whereOf(key), "must be at most " + std::to_string(max) + " numbers");
  for (const Json& value : *found) values.push_back(static_cast<float>(asNumber(value, key)));
  return values;
}

std::optional<Item> Item::object(const char* key) const {
  const Json* found = find(key);
  if (found == nullptr) return std::nullopt;
  if (!found->is_object()) fail(whereOf(key), "must be an object");
  return Item(*found, whereOf(key));
}

std::optional<Item> Item::extension(const char* name) const {
  const auto all = object("extensions");
  return all ? all->object(name) : std::nullopt;
}

std::vector<int> Item::indices(const char* key, std::size_t size) const {
  std::vector<int> result;
  const Json* found = find(key);
  if (found == nullptr) return result;
  if (!found->is_array()) fail(whereOf(key), "must be a list");
  for (const Json& value : *found) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= size)
      fail(whereOf(key), "must be indices below " + std::to_string(size));
    result.push_back(value.get<int>());
  }
  return result;
}

std::vector<Item> Item::list(const char* key, std::size_t max) const {
  std::vector<Item> result;
  const Json* found = find(key);
  if (found == nullptr) return result;
  if (!found->is_array()) fail(whereOf(key), "must be a list");
  if (found->size() > max)
    fail(whereOf(key), "has " + std::to_string(found->size()) + " entries; the limit is " + std::to_string(max));
  result.reserve(found->size());
  for (const Json& value : *found) {
    std::string where = whereOf(key);
    where.append("[").append(std::to_string(result.size())).append("]");
    if (!value.is_object()) fail(where, "must be an object");
    result.emplace_back(value, std::move(where));
  }
  return result;
}

const Json* Item::find(const char* key) const {
  if (!json_->is_object()) return nullptr;
  const auto found = json_->find(key);
  return found == json_->end() || found->is_null() ? nullptr : &*found;
}

// The number, checked to be in the range of float.
double Item::asNumber(const Json& value, const char* key) const {
  if (!value.is_number()) fail(whereOf(key), "must be a number");
  const auto number = value.get<double>();
  if (!std::isfinite(static_cast<float>(number))) fail(whereOf(key), "must be a finite number");
  return number;
}

}  // namespace satdof::gltf
