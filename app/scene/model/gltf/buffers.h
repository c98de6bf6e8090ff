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

// `bytes`: a GLB.
Chunks splitGlb(std::string_view bytes);

struct View {
  std::string_view bytes;
  std::size_t stride = 0;  // 0: packed
};

// The buffers of a model and their views. Owns the bytes that are not in the file itself.
class Buffers {
 public:
  // `binary`: the chunk of a GLB, which may be the first buffer.
  Buffers(const Item& root, std::string_view binary, const ModelSource& source, LoadProgress& progress);

  // The view that `item` names, which must name one.
  const View& view(const Item& item) const;
  // The bytes of the file or the data that `item.uri` names; none if the key is missing.
  std::optional<std::string_view> uri(const Item& item);

 private:
  // `replaced`: indices of buffers that may lack their bytes.
  void readBuffers(const std::vector<Item>& buffers, const std::set<std::int64_t>& replaced,
                   std::string_view binary, LoadProgress& progress);
  void readViews(const std::vector<Item>& views, const std::vector<Item>& buffers);
  // The bytes of a buffer that the item names.
  std::string_view part(const Item& item) const;
  // `item`: the extension of a view.
  View decompressed(const Item& item);
  std::string bytesOf(const std::string& uri, const std::string& where);

  const ModelSource& source_;
  std::size_t read_;  // bytes of all files
  std::vector<std::unique_ptr<std::string>> owned_;
  std::vector<std::string_view> buffers_;
  std::vector<View> views_;
};

}  // namespace satdof::gltf
