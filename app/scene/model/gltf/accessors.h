#pragma once
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "app/scene/model/gltf/buffers.h"

namespace satdof::gltf {

// Types of numbers, with the values of glTF.
enum ComponentType : int {
  kInt8 = 5120,
  kUint8 = 5121,
  kInt16 = 5122,
  kUint16 = 5123,
  kUint32 = 5125,
  kFloat32 = 5126,
};

// Typed values in a buffer.
struct Accessor {
  std::string where;
  std::size_t count = 0, components = 1, componentBytes = 4, stride = 4;
  int componentType = kFloat32;
  bool normalized = false;
  const char* data = nullptr;  // null: zeros
};

// The accessors of a model. Indices must be below size().
class Accessors {
 public:
  Accessors(const Item& root, const Buffers& buffers, const ModelLimits& limits)
      : items_(root.list("accessors", limits.items * 10)), buffers_(buffers) {}

  std::size_t size() const { return items_.size(); }
  // Gives an accessor the values of a compressed mesh in place of its buffer view. The first call for an accessor
  // counts.
  void provide(int index, std::string bytes, int componentType, std::size_t components);
  void provide(int index, std::span<const std::uint32_t> values);
  // Whether the accessor has a buffer view or values from provide().
  bool hasValues(int index) const;

  // The number of elements that the file states, which accessor() checks.
  std::int64_t statedCount(int index) const;
  // Returns a checked accessor. `components`: the allowed numbers of components. Throws std::runtime_error if the type
  // does not fit, if there are more than `maxCount` elements, or if the buffer is too small.
  Accessor accessor(int index, std::initializer_list<std::size_t> components, std::size_t maxCount) const;

  // Calls set(element, components) for all elements, then again for the sparse ones. Values that are not finite become
  // 0.
  using Set = std::function<void(std::size_t, std::span<const float>)>;
  void forEach(int index, const Accessor& a, const Set& set) const;
  // All components of all elements, in order. Throws like accessor().
  std::vector<float> floats(int index, std::initializer_list<std::size_t> components, std::size_t maxCount) const;

 private:
  void forEachSparse(const Item& sparse, const Accessor& a, const Set& set) const;
  const char* sparseData(const Item& item, std::size_t bytes) const;

  struct Provided {
    std::string bytes;
    int componentType = kFloat32;
    std::size_t components = 1;
  };
  std::vector<Item> items_;
  std::map<int, Provided> provided_;
  const Buffers& buffers_;
};

// Reads the unsigned integer at `at`. Throws std::runtime_error if the accessor has another type of components.
std::uint32_t unsignedComponent(const Accessor& accessor, const char* at);

}  // namespace satdof::gltf
