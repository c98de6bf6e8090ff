#include "app/scene/model/gltf/accessors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "app/scene/model/entry.h"

namespace satdof::gltf {

namespace {

static_assert(std::endian::native == std::endian::little, "component() reads the file's byte order");

std::size_t bytesOfComponent(int type) {
  return type == kInt8 || type == kUint8 ? 1 : type == kInt16 || type == kUint16 ? 2 : 4;
}

// Reads a component, scaled to [-1, 1] if the accessor is normalized.
float component(const Accessor& accessor, const char* at) {
  const auto read = [&]<class T>(T value) {
    std::memcpy(&value, at, sizeof value);
    const auto number = static_cast<float>(value);
    if constexpr (std::is_same_v<T, float>) return number;
    if (!accessor.normalized) return number;
    return std::max(number / static_cast<float>(std::numeric_limits<T>::max()), -1.0f);
  };
  switch (accessor.componentType) {
    case kInt8:
      return read(std::int8_t{});
    case kUint8:
      return read(std::uint8_t{});
    case kInt16:
      return read(std::int16_t{});
    case kUint16:
      return read(std::uint16_t{});
    case kUint32:
      return read(std::uint32_t{});
    default:
      return read(0.0f);
  }
}

// The components of an element as floats.
class Element {
 public:
  // `at`: the data of the element; null: zeros.
  Element(const Accessor& accessor, const char* at) : count_(accessor.components) {
    for (std::size_t c = 0; c < count_ && at != nullptr; ++c) {
      const float value = component(accessor, at + c * accessor.componentBytes);
      values_[c] = std::isfinite(value) ? value : 0.0f;
    }
  }
  std::span<const float> values() const { return std::span(values_).first(count_); }

 private:
  std::array<float, 16> values_{};
  std::size_t count_;
};

}  // namespace

std::uint32_t unsignedComponent(const Accessor& accessor, const char* at) {
  const auto read = [&]<class T>(T value) {
    std::memcpy(&value, at, sizeof value);
    return static_cast<std::uint32_t>(value);
  };
  switch (accessor.componentType) {
    case kUint8:
      return read(std::uint8_t{});
    case kUint16:
      return read(std::uint16_t{});
    case kUint32:
      return read(std::uint32_t{});
    default:
      fail(accessor.where, "must have unsigned integers");
  }
}

void Accessors::provide(int index, std::string bytes, int componentType, std::size_t components) {
  provided_.try_emplace(index, Provided{std::move(bytes), componentType, components});
}

void Accessors::provide(int index, std::span<const std::uint32_t> values) {
  provide(index, std::string(reinterpret_cast<const char*>(values.data()), values.size_bytes()), kUint32, 1);
}

bool Accessors::hasValues(int index) const {
  return provided_.contains(index) || entry(items_, index).has("bufferView");
}

std::int64_t Accessors::statedCount(int index) const { return entry(items_, index).integer("count", 0, 0, INT64_MAX); }

Accessor Accessors::accessor(int index, std::initializer_list<std::size_t> components, std::size_t maxCount) const {
  static const std::map<std::string, std::size_t, std::less<>> kTypes = {
      {"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
  const Item& item = entry(items_, index);
  Accessor a;
  a.where = item.where();
  a.count = item.size("count", maxCount);
  a.componentType = static_cast<int>(item.integer("componentType", 0, kInt8, kFloat32));
  const auto provided = provided_.find(index);
  if (provided != provided_.end()) a.componentType = provided->second.componentType;
  a.normalized = item.flag("normalized");
  const auto type = kTypes.find(item.text("type"));
  if (type == kTypes.end() || std::ranges::find(components, type->second) == components.end())
    fail(item.whereOf("type"), "does not fit its use");
  a.components = type->second;
  if (a.componentType == 5124)  // signed 32 bits
    fail(item.whereOf("componentType"), "must be 5120 to 5123, 5125 or 5126");
  a.componentBytes = bytesOfComponent(a.componentType);
  const std::size_t element = a.components * a.componentBytes;
  a.stride = element;
  if (provided != provided_.end()) {
    const Provided& values = provided->second;
    if (values.components != a.components || values.bytes.size() != a.count * element)
      fail(item.where(), "has other elements than its compressed mesh");
    a.data = values.bytes.data();
    return a;
  }
  if (!item.has("bufferView")) return a;
  const View& view = buffers_.view(item);
  const std::size_t offset = item.size("byteOffset", view.bytes.size());
  if (view.stride != 0) a.stride = view.stride;
  if (a.stride < element) fail(item.where(), "has elements larger than the stride");
  const std::size_t room = view.bytes.size() - offset;
  if (a.count > 0 && (room < element || (room - element) / a.stride < a.count - 1))
    fail(item.where(), "ends beyond its buffer view");
  a.data = view.bytes.data() + offset;
  return a;
}

void Accessors::forEach(int index, const Accessor& a, const Set& set) const {
  for (std::size_t i = 0; i < a.count; ++i)
    set(i, Element(a, a.data == nullptr ? nullptr : a.data + i * a.stride).values());
  if (const auto sparse = entry(items_, index).object("sparse")) forEachSparse(*sparse, a, set);
}

void Accessors::forEachSparse(const Item& sparse, const Accessor& a, const Set& set) const {
  const std::size_t count = sparse.size("count", a.count);
  const auto indices = sparse.object("indices"), values = sparse.object("values");
  if (!indices || !values) fail(sparse.where(), "needs indices and values");
  Accessor at;
  at.where = indices->where();
  at.componentType = static_cast<int>(indices->integer("componentType", 0, kUint8, kUint32));
  at.componentBytes = bytesOfComponent(at.componentType);
  at.data = sparseData(*indices, count * at.componentBytes);
  const std::size_t bytes = a.components * a.componentBytes;
  const char* const data = sparseData(*values, count * bytes);
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t i = unsignedComponent(at, at.data + k * at.componentBytes);
    if (i >= a.count) fail(indices->where(), "has an index beyond the accessor");
    set(i, Element(a, data + k * bytes).values());
  }
}

const char* Accessors::sparseData(const Item& item, std::size_t bytes) const {
  const View& view = buffers_.view(item);
  const std::size_t offset = item.size("byteOffset", view.bytes.size());
  if (view.bytes.size() - offset < bytes) fail(item.where(), "ends beyond its buffer view");
  return view.bytes.data() + offset;
}

std::vector<float> Accessors::floats(int index, std::initializer_list<std::size_t> components,
                                     std::size_t maxCount) const {
  const Accessor a = accessor(index, components, maxCount);
  std::vector<float> values(a.count * a.components);
  forEach(index, a, [&](std::size_t i, std::span<const float> element) {
    std::ranges::copy(element, values.begin() + static_cast<std::ptrdiff_t>(i * a.components));
  });
  return values;
}

}  // namespace satdof::gltf
