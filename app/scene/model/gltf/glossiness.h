#pragma once
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <vector>

#include "app/scene/model/gltf/item.h"
#include "app/scene/model/model.h"

namespace satdof::gltf {

class Images;

// KHR_materials_pbrSpecularGlossiness of a material. Until convertGlossiness(), baseColourTexture of the material holds the diffuse
// texture, metallicRoughnessTexture the texture of specular colour and glossiness.
struct Glossiness {
  std::size_t material = 0;
  glm::vec4 diffuse{1.0f};
  glm::vec3 specular{1.0f};
  float glossiness = 1.0f;
  glm::vec4 glass{1.0f};  // what transmission and volume leave of the base colour
};

Glossiness readGlossiness(const Item& extension, const Images& images, ModelMaterial& material);

// Sets base colour, metal and roughness of the materials, and makes their textures. Call once the images are decoded. Throws
// std::runtime_error if the new textures exceed limits.imageBytes.
void convertGlossiness(const std::vector<Glossiness>& all, const ModelLimits& limits, ModelData& model);

// The metal-roughness material with the same brightness, as far as there is one (KHR_materials_pbrSpecularGlossiness, Khronos
// 2017, appendix). All linear.
struct Metal {
  glm::vec3 baseColour{1.0f};
  float metallic = 0.0f;
};
Metal metalOf(const glm::vec3& diffuse, const glm::vec3& specular);

}  // namespace satdof::gltf
