#pragma once
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <vector>

#include "app/scene/model/gltf/item.h"
#include "app/scene/model/model.h"

namespace satdof::gltf {

class Images;

// KHR_materials_pbrSpecularGlossiness of a material. Until convertGlossiness(), ModelMaterial::baseColourTexture is the
// diffuse texture, and metallicRoughnessTexture the texture of specular colour and glossiness.
struct Glossiness {
  std::size_t material = 0;  // in ModelData::materials
  glm::vec4 diffuse{1.0f};
  glm::vec3 specular{1.0f};
  float glossiness = 1.0f;
  glm::vec4 glass{1.0f};  // factor of the base colour by transmission and volume
};

Glossiness readGlossiness(const Item& extension, const Images& images, ModelMaterial& material);

// Converts the materials and their textures to metallic-roughness. Call after the images are decoded. Throws
// std::runtime_error if the new textures exceed limits.imageBytes.
void convertGlossiness(const std::vector<Glossiness>& all, const ModelLimits& limits, ModelData& model);

// The metallic-roughness material that is closest to diffuse and specular colours, all linear
// (KHR_materials_pbrSpecularGlossiness, Khronos 2017, appendix).
struct Metal {
  glm::vec3 baseColour{1.0f};
  float metallic = 0.0f;
};
Metal metalOf(const glm::vec3& diffuse, const glm::vec3& specular);

}  // namespace satdof::gltf
