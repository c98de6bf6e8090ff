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

// Typed values in a buffer.
struct Accessor {
  std::string where;
  std::size_t count = 0, components = 1, componentBytes = 4, stride = 4;
  int componentType = 5126;
  bool normalized = false;
  const char* data = nullptr;  // null: zeros
};

// The accessors of a model. An index is one below size().
class Accessors {
 public:
  Accessors(const Item& root, const Buffers& buffers, const ModelLimits& limits)
      : items_(root.list("accessors", limits.items * 10)), buffers_(buffers) {}

  std::size_t size() const { return items_.size(); }
  // Values in place of those in a buffer view, which the accessor lacks: of a compressed mesh. Of two for one accessor, the first
  // counts.
  void provide(int index, std::string bytes, int componentType, std::size_t components);
  void provide(int index, std::span<const std::uint32_t> values);
  // Whether a buffer view or provide() gives the accessor values.
  bool hasValues(int index) const;

  // The number of elements that the file states, before accessor() checks it.
  std::int64_t statedCount(int index) const;
  // `components`: what the caller expects, in numbers. Throws std::runtime_error unless the buffer has all elements.
  Accessor accessor(int index, std::initializer_list<std::size_t> components, std::size_t mostCount) const;

  // Calls set(element, components) for all elements, then for the sparse ones. A value that is not finite is 0.
  using Set = std::function<void(std::size_t, std::span<const float>)>;
  void forEach(int index, const Accessor& a, const Set& set) const;
  // All components of all elements.
  std::vector<float> floats(int index, std::initializer_list<std::size_t> components,
                            std::size_t mostCount) const;

 private:
  void forEachSparse(const Item& sparse, const Accessor& a, const Set& set) const;
  const char* sparseData(const Item& item, std::size_t bytes) const;

  struct Provided {
    std::string bytes;
    int componentType = 5126;
    std::size_t components = 1;
  };
  std::vector<Item> items_;
  std::map<int, Provided> provided_;
  const Buffers& buffers_;
};

// An unsigned integer in the buffer of the accessor.
std::uint32_t unsignedComponent(const Accessor& accessor, const char* at);

}  // namespace satdof::gltf
