#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/scene/model/gltf/buffers.h"
#include "app/scene/model/gltf/glossiness.h"

namespace satdof::gltf {

// The encoded images of a model and the textures that use them.
class Images {
 public:
  Images(const Item& root, Buffers& buffers, const ModelLimits& limits);

  // The texture with the index `item.key.index`; none if a key is missing.
  TextureUse texture(const std::optional<Item>& item, const char* key) const;
  // Decodes the images that materials use, on all cores. An unreadable image stays empty and adds a note.
  void decode(ModelData& model, LoadProgress& progress);

 private:
  struct Encoded {
    std::string_view bytes;
    std::string where;
    std::string problem;  // why the image cannot be read; empty: none
  };
  void requireImageMemory(const std::vector<int>& images);

  const ModelLimits& limits_;
  std::vector<Encoded> encoded_;
  std::vector<TextureUse> textures_;
  Notes notes_;
};

// Adds the materials to the model. Returns those with KHR_materials_pbrSpecularGlossiness, for convertGlossiness().
std::vector<Glossiness> readMaterials(const Item& root, const Images& images, const ModelLimits& limits,
                                      ModelData& model);

}  // namespace satdof::gltf
