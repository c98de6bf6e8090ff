#pragma once
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/scene/model/gltf/item.h"
#include "app/scene/model/reader.h"

namespace satdof::gltf {

// The JSON and the binary chunk of a file.
struct Chunks {
  std::string_view json, binary;
};

// Splits a GLB file. Throws std::runtime_error if it is damaged.
Chunks splitGlb(std::string_view bytes);

// A buffer view.
struct View {
  std::string_view bytes;
  std::size_t stride = 0;  // 0: tightly packed
};

// The buffers of a model and their views. Owns the bytes that are not in the file itself.
class Buffers {
 public:
  // Reads and decompresses all buffers. `binary`: the binary chunk of a GLB, which is the first buffer if that has no
  // URI.
  Buffers(const Item& root, std::string_view binary, const ModelSource& source, LoadProgress& progress);

  // The view with the index `item.bufferView`. Throws std::runtime_error if the key is missing.
  const View& view(const Item& item) const;
  // The bytes of the file or data URI `item.uri`; none if the key is missing.
  std::optional<std::string_view> uri(const Item& item);

 private:
  // `replaced`: indices of buffers whose bytes may be missing.
  void readBuffers(const std::vector<Item>& buffers, const std::set<std::int64_t>& replaced, std::string_view binary,
                   LoadProgress& progress);
  void readViews(const std::vector<Item>& views, const std::vector<Item>& buffers);
  // The bytes from item.byteOffset on, of the buffer with the index `item.buffer`.
  std::string_view part(const Item& item) const;
  // `item`: the compression extension of a view.
  View decompressed(const Item& item);
  // The bytes of a URI.
  std::string bytesOf(const std::string& uri, const std::string& where);

  const ModelSource& source_;
  std::size_t read_;  // bytes of all files
  std::vector<std::unique_ptr<std::string>> owned_;
  std::vector<std::string_view> buffers_;
  std::vector<View> views_;
};

}  // namespace satdof::gltf
