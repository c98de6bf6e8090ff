#include "app/scene/model/gltf/glossiness.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <map>
#include <tuple>
#include <utility>

#include "app/core/pixels.h"
#include "app/core/system/resources.h"
#include "app/core/system/thread_pool.h"
#include "app/io/light.h"
#include "app/scene/model/entry.h"
#include "app/scene/model/gltf/materials.h"

namespace satdof::gltf {

namespace {

constexpr float kDielectric = 0.04f;  // specular reflectance of materials that are not metal

// Perceived brightness, with the weights of the extension's appendix.
float brightness(const glm::vec3& colour) {
  return std::sqrt(glm::dot(colour * colour, glm::vec3(0.299f, 0.587f, 0.114f)));
}

float largest(const glm::vec3& colour) { return std::max({colour.r, colour.g, colour.b}); }

// The texels of a texture; white without an image.
class Texels {
 public:
  Texels(const ModelData& model, const TextureUse& use) {
    if (use && !entry(model.images, use.image).texels.empty()) image_ = &entry(model.images, use.image);
  }
  glm::ivec2 size() const { return image_ == nullptr ? glm::ivec2(1) : image_->size; }
  std::size_t count() const { return pixelCount(size()); }
  // A single texel with the mean of all texels.
  Texels mean() const {
    Texels result;
    glm::dvec4 sum(0.0);
    for (int y = 0; y < size().y; ++y)
      for (int x = 0; x < size().x; ++x) sum += glm::dvec4(at({x, y}, size()));
    result.uniform_ = glm::vec4(sum / static_cast<double>(count()));
    return result;
  }
  // The nearest texel to a place in an image of `size`: linear colour, and alpha.
  glm::vec4 at(glm::ivec2 place, glm::ivec2 size) const {
    static const std::array<float, 256> kLinear = [] {
      std::array<float, 256> table;
      for (std::size_t i = 0; i < table.size(); ++i) table[i] = decodeSrgb(static_cast<float>(i) / 255.0f);
      return table;
    }();
    if (image_ == nullptr) return uniform_;
    const glm::ivec2 from = (2 * place + 1) * image_->size / (2 * size);
    const glm::u8vec4 texel = image_->texels[pixelIndex(image_->size, from)];
    return {kLinear[texel.r], kLinear[texel.g], kLinear[texel.b], static_cast<float>(texel.a) / 255.0f};
  }

 private:
  Texels() = default;
  const ModelImage* image_ = nullptr;
  glm::vec4 uniform_{1.0f};  // the value without an image
};

glm::ivec2 sizeOf(const Texels& a, const Texels& b) { return glm::max(a.size(), b.size()); }

// Whether two textures have the same coordinates, transform and wrapping.
bool sameMapping(const TextureUse& a, const TextureUse& b) {
  return a.uvSet == b.uvSet && a.wrapU == b.wrapU && a.wrapV == b.wrapV && a.rows == b.rows;
}

// Textures of base colour, and of metallic and roughness.
struct Pair {
  ModelImage colour, metal;
};

// Converts texel by texel, at the larger of both sizes.
Pair converted(const Glossiness& source, const Texels& diffuse, const Texels& specular, ThreadPool& threads) {
  const glm::ivec2 size = sizeOf(diffuse, specular);
  Pair pair;
  for (ModelImage* image : {&pair.colour, &pair.metal}) {
    image->size = size;
    image->texels.resize(pixelCount(size));
  }
  threads.forEach(size.y, [&](int y) {
    for (int x = 0; x < size.x; ++x) {
      const glm::vec4 d = source.diffuse * diffuse.at({x, y}, size), s = specular.at({x, y}, size);
      const Metal metal = metalOf(glm::vec3(d), source.specular * glm::vec3(s));
      const std::size_t at = pixelIndex(size, {x, y});
      const auto byte = [](float v) { return static_cast<std::uint8_t>(std::lround(255.0f * v)); };
      pair.colour.texels[at] = {encodeSrgb(metal.baseColour.r), encodeSrgb(metal.baseColour.g),
                                encodeSrgb(metal.baseColour.b), byte(d.a)};
      pair.metal.texels[at] = {0, byte(1.0f - source.glossiness * s.a), byte(metal.metallic), 255};
    }
  });
  return pair;
}

// Releases the images that no material uses.
void dropUnused(ModelData& model) {
  std::vector<bool> used(model.images.size());
  for (const ModelMaterial& m : model.materials)
    for (const TextureUse* use : m.textures())
      if (*use) entry(used, use->image) = true;
  for (std::size_t i = 0; i < used.size(); ++i)
    if (!used[i]) model.images[i] = {};
}

}  // namespace

Metal metalOf(const glm::vec3& diffuse, const glm::vec3& specular) {
  constexpr float kMinPart = 1e-6f;
  const float rest = 1.0f - largest(specular), mirrored = brightness(specular);
  float metallic = 0.0f;
  if (mirrored > kDielectric) {
    const float a = kDielectric, b = brightness(diffuse) * rest / (1.0f - kDielectric) + mirrored - 2.0f * kDielectric,
                c = kDielectric - mirrored;
    metallic = std::clamp((-b + std::sqrt(std::max(b * b - 4.0f * a * c, 0.0f))) / (2.0f * a), 0.0f, 1.0f);
  }
  const glm::vec3 ofDiffuse = diffuse * (rest / (1.0f - kDielectric) / std::max(1.0f - metallic, kMinPart));
  const glm::vec3 ofSpecular = (specular - kDielectric * (1.0f - metallic)) / std::max(metallic, kMinPart);
  return {glm::clamp(glm::mix(ofDiffuse, ofSpecular, metallic * metallic), 0.0f, 1.0f), metallic};
}

Glossiness readGlossiness(const Item& extension, const Images& images, ModelMaterial& material) {
  Glossiness result;
  if (const auto colour = extension.numbers<4>("diffuseFactor")) result.diffuse = glm::clamp(vec(*colour), 0.0f, 1.0f);
  if (const auto colour = extension.numbers<3>("specularFactor"))
    result.specular = glm::clamp(vec(*colour), 0.0f, 1.0f);
  result.glossiness = extension.numberWithin("glossinessFactor", 1.0f, 0.0f, 1.0f);
  material.baseColourTexture = images.texture(extension, "diffuseTexture");
  material.metallicRoughnessTexture = images.texture(extension, "specularGlossinessTexture");
  return result;
}

void convertGlossiness(const std::vector<Glossiness>& all, const ModelLimits& limits, ModelData& model) {
  if (all.empty()) return;
  addNote(model.notes, "KHR_materials_pbrSpecularGlossiness is converted to metal and roughness");
  std::size_t bytes = 0;
  for (const ModelImage& image : model.images) bytes += image.texels.size() * sizeof(glm::u8vec4);
  // Materials with equal keys share converted textures.
  using Key = std::tuple<int, int, bool, std::array<float, 7>>;
  ThreadPool threads(hardwareThreads());
  std::map<Key, int> known;  // index of the colour image; the image of metallic and roughness is the next one
  for (const Glossiness& source : all) {
    ModelMaterial& material = model.materials[source.material];
    TextureUse &diffuse = material.baseColourTexture, &specular = material.metallicRoughnessTexture;
    if (!specular && (!diffuse || brightness(source.specular) <= kDielectric)) {
      const Metal metal = metalOf(glm::vec3(source.diffuse), source.specular);
      material.baseColour = glm::vec4(metal.baseColour, source.diffuse.a) * source.glass;
      material.metallic = metal.metallic;
      material.roughness = 1.0f - source.glossiness;
      continue;
    }
    // The alpha of the factor stays a factor.
    Glossiness opaque = source;
    opaque.diffuse.a = 1.0f;
    const bool apart = diffuse && specular && !sameMapping(diffuse, specular);
    if (apart)
      addNote(model.notes, "textures of colour and glossiness with different coordinates are converted separately");
    const Key key{diffuse.image,
                  specular.image,
                  apart,
                  {source.diffuse.r, source.diffuse.g, source.diffuse.b, source.glossiness, source.specular.r,
                   source.specular.g, source.specular.b}};
    auto found = known.find(key);
    if (found == known.end()) {
      const Texels colours(model, diffuse), mirrors(model, specular);
      const std::size_t added =
          sizeof(glm::u8vec4) * (apart ? colours.count() + mirrors.count() : 2 * pixelCount(sizeOf(colours, mirrors)));
      if (added > limits.imageBytes - std::min(bytes, limits.imageBytes))
        fail("materials", "all images together take too much memory, once they are converted");
      requireMemory(static_cast<double>(added));
      bytes += added;
      Pair pair = apart ? Pair{converted(opaque, colours, mirrors.mean(), threads).colour,
                               converted(opaque, colours.mean(), mirrors, threads).metal}
                        : converted(opaque, colours, mirrors, threads);
      found = known.emplace(key, static_cast<int>(model.images.size())).first;
      model.images.push_back(std::move(pair.colour));
      model.images.push_back(std::move(pair.metal));
    }
    material.baseColour = glm::vec4(1.0f, 1.0f, 1.0f, source.diffuse.a) * source.glass;
    material.metallic = material.roughness = 1.0f;
    if (!specular) specular = diffuse;
    if (!diffuse) diffuse = specular;
    diffuse.image = found->second;
    specular.image = found->second + 1;
  }
  dropUnused(model);
}

}  // namespace satdof::gltf
