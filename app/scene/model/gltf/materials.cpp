#include "app/scene/model/gltf/materials.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <glm/common.hpp>
#include <glm/exponential.hpp>
#include <set>
#include <stdexcept>

#include "app/core/system/resources.h"
#include "app/core/system/thread_pool.h"
#include "app/core/text/foreign_text.h"
#include "app/scene/model/entry.h"
#include "app/scene/model/gltf/extensions.h"

namespace satdof::gltf {

namespace {

// Constants of OpenGL in the samplers of glTF.
constexpr int kNearest = 9728, kLinear = 9729, kRepeat = 10497, kClampToEdge = 33071, kMirroredRepeat = 33648;

// Approximates transmission by alpha blending without refraction: 10 % of the base colour and the reflections stay. A
// volume tints the base colour by its transmittance over the thickness (Beer-Lambert).
void readGlass(const Item& item, ModelMaterial& m, ModelData& model) {
  const auto glass = item.extension("KHR_materials_transmission");
  float passed = glass ? glass->numberWithin("transmissionFactor", 0.0f, 0.0f, 1.0f) : 0.0f;
  if (passed == 0.0f) return;
  const auto volume = item.extension("KHR_materials_volume");
  const float thickness = volume ? volume->numberWithin("thicknessFactor", 0.0f, 0.0f, 1e9f) : 0.0f;
  const float distance = volume ? volume->numberWithin("attenuationDistance", 0.0f, 0.0f, 1e9f) : 0.0f;
  if (thickness > 0.0f && distance > 0.0f) {
    const glm::vec3 colour =
        glm::clamp(vec(volume->numbers<3>("attenuationColor").value_or(std::array{1.0f, 1.0f, 1.0f})), 0.0f, 1.0f);
    const glm::vec3 tint = glm::pow(colour, glm::vec3(thickness / distance));
    m.baseColour = glm::vec4(glm::vec3(m.baseColour) * tint, m.baseColour.a);
    passed *= (tint.r + tint.g + tint.b) / 3.0f;
    addNote(model.notes, "volumes are drawn as a tint");
  }
  if (m.alphaMode == AlphaMode::opaque) m.baseColour.a = 1.0f;
  m.alphaMode = AlphaMode::blend;
  m.baseColour.a *= 1.0f - 0.9f * passed;
  m.alphaCutoff *= 1.0f - 0.9f * passed;
  addNote(model.notes, "transmission is drawn as blending, without refraction");
}

}  // namespace

Images::Images(const Item& root, Buffers& buffers, const ModelLimits& limits) : limits_(limits) {
  for (const Item& image : root.list("images", limits.items)) {
    Encoded& encoded = encoded_.emplace_back();
    encoded.where = image.where();
    try {
      const auto bytes = buffers.uri(image);
      encoded.bytes = bytes ? *bytes : buffers.view(image).bytes;
    } catch (const std::runtime_error& error) {
      encoded.problem = error.what();
    }
  }
  const auto samplers = root.list("samplers", limits.items);
  for (const Item& texture : root.list("textures", limits.items)) {
    TextureUse use;
    use.image = texture.index("source", encoded_.size());
    constexpr const char* kWebp = "EXT_texture_webp";
    if (const auto webp = texture.extension(kWebp); webp && webp->has("source") && (isRead(kWebp) || use.image < 0))
      use.image = webp->index("source", encoded_.size());
    const Json* const others = texture.find("extensions");
    if (use.image < 0 && others != nullptr && others->is_object() && !others->empty())
      addNote(notes_, excerpt(others->begin().key()) + " is not read: textures without another image are left out");
    if (texture.has("sampler")) {
      const Item& sampler = entry(samplers, texture.index("sampler", samplers.size()));
      const auto wrap = [&](const char* key) {
        const auto value = sampler.integer(key, kRepeat, 0, 65535);
        return value == kClampToEdge ? Wrap::clamp : value == kMirroredRepeat ? Wrap::mirror : Wrap::repeat;
      };
      use.wrapU = wrap("wrapS");
      use.wrapV = wrap("wrapT");
      use.nearest = sampler.integer("magFilter", kLinear, 0, 65535) == kNearest;
    }
    textures_.push_back(use);
  }
}

TextureUse Images::texture(const std::optional<Item>& item, const char* key) const {
  const auto info = item ? item->object(key) : std::nullopt;
  if (!info) return {};
  TextureUse use = entry(textures_, info->requiredIndex("index", textures_.size()));
  use.uvSet = static_cast<int>(info->integer("texCoord", 0, 0, 1));
  if (const auto transform = info->extension("KHR_texture_transform")) {
    use.uvSet = static_cast<int>(transform->integer("texCoord", use.uvSet, 0, 1));
    const auto offset = transform->numbers<2>("offset").value_or(std::array{0.0f, 0.0f});
    const auto scale = transform->numbers<2>("scale").value_or(std::array{1.0f, 1.0f});
    // The rotation is counter-clockwise where v grows downwards.
    const float angle = transform->number("rotation", 0.0f), c = std::cos(angle), s = std::sin(angle);
    use.rows = {{{c * scale[0], s * scale[1], offset[0]}, {-s * scale[0], c * scale[1], offset[1]}}};
  }
  return use;
}

// Throws std::runtime_error if these images together exceed the limits or the free memory.
void Images::requireImageMemory(const std::vector<int>& images) {
  ModelLimits left = limits_;
  for (const int image : images) {
    Encoded& encoded = entry(encoded_, image);
    if (!encoded.problem.empty()) continue;
    try {
      reserveImage(encoded.bytes, left);
    } catch (const ImageBudgetExceeded& error) {
      fail(encoded.where, error.what());
    } catch (const std::runtime_error& error) {
      encoded.problem = error.what();
    }
  }
  constexpr double kCopies = 3.0;  // decoded, as texels, and as textures with mipmaps
  try {
    requireMemory(kCopies * static_cast<double>(limits_.imageBytes - left.imageBytes));
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(std::string("its images are too large: ") + error.what());
  }
}

void Images::decode(ModelData& model, LoadProgress& progress) {
  std::set<int> used;
  for (const ModelMaterial& m : model.materials)
    for (const TextureUse* use : m.textures())
      if (*use) used.insert(use->image);
  model.images.resize(encoded_.size());
  const std::vector<int> wanted(used.begin(), used.end());
  requireImageMemory(wanted);
  std::atomic<std::size_t> done = 0;
  ThreadPool pool(std::max(1, std::min(hardwareThreads(), static_cast<int>(wanted.size()))));
  pool.forEach(static_cast<int>(wanted.size()), [&](int i) {
    const auto at = static_cast<std::size_t>(entry(wanted, i));
    Encoded& encoded = encoded_[at];
    if (!encoded.problem.empty()) return;
    try {
      progress.report(0.5f + 0.45f * static_cast<float>(done) / static_cast<float>(wanted.size()),
                      "decoding " + std::to_string(wanted.size()) + " textures");
      model.images[at] = decodeImage(encoded.bytes, limits_);
      ++done;
    } catch (const LoadCancelled&) {
    } catch (const std::exception& error) {
      encoded.problem = error.what();
    }
  });
  progress.throwIfCancelled();
  for (const std::string& note : notes_) addNote(model.notes, note);
  for (const int image : wanted)
    if (const Encoded& encoded = entry(encoded_, image); !encoded.problem.empty())
      addNote(model.notes, encoded.where + " is left out: " + encoded.problem);
}

std::vector<Glossiness> readMaterials(const Item& root, const Images& images, const ModelLimits& limits,
                                      ModelData& model) {
  std::vector<Glossiness> glossiness;
  for (const Item& item : root.list("materials", limits.items)) {
    ModelMaterial m;
    m.name = item.text("name");
    const auto pbr = item.object("pbrMetallicRoughness");
    if (pbr) {
      if (const auto colour = pbr->numbers<4>("baseColorFactor")) m.baseColour = vec(*colour);
      m.baseColour = glm::clamp(m.baseColour, 0.0f, 1.0f);
      m.metallic = pbr->numberWithin("metallicFactor", 1.0f, 0.0f, 1.0f);
      m.roughness = pbr->numberWithin("roughnessFactor", 1.0f, 0.0f, 1.0f);
    }
    m.baseColourTexture = images.texture(pbr, "baseColorTexture");
    m.metallicRoughnessTexture = images.texture(pbr, "metallicRoughnessTexture");
    const auto glossy = item.extension("KHR_materials_pbrSpecularGlossiness");
    if (glossy) {
      glossiness.push_back(readGlossiness(*glossy, images, m));
      glossiness.back().material = model.materials.size();
    }
    m.normalTexture = images.texture(item, "normalTexture");
    m.occlusionTexture = images.texture(item, "occlusionTexture");
    m.emissiveTexture = images.texture(item, "emissiveTexture");
    if (const auto normal = item.object("normalTexture")) m.normalScale = normal->number("scale", 1.0f);
    if (const auto occlusion = item.object("occlusionTexture"))
      m.occlusionStrength = occlusion->numberWithin("strength", 1.0f, 0.0f, 1.0f);
    if (const auto colour = item.numbers<3>("emissiveFactor")) m.emissive = glm::max(vec(*colour), 0.0f);
    if (const auto strength = item.extension("KHR_materials_emissive_strength"))
      m.emissive *= strength->numberWithin("emissiveStrength", 1.0f, 0.0f, 1e4f);
    const std::string mode = item.text("alphaMode");
    m.alphaMode = mode == "MASK" ? AlphaMode::mask : mode == "BLEND" ? AlphaMode::blend : AlphaMode::opaque;
    m.alphaCutoff = m.alphaMode == AlphaMode::mask ? item.number("alphaCutoff", 0.5f) : 0.0f;
    m.doubleSided = item.flag("doubleSided");
    m.unlit = item.extension("KHR_materials_unlit").has_value();
    const AlphaMode stated = m.alphaMode;
    if (glossy) m.baseColour = glm::vec4(1.0f);
    readGlass(item, m, model);
    if (glossy) {
      glossiness.back().glass = m.baseColour;
      if (m.alphaMode != stated) glossiness.back().diffuse.a = 1.0f;
    }
    model.materials.push_back(m);
  }
  return glossiness;
}

}  // namespace satdof::gltf
