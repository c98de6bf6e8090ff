#include "app/scene/model/gltf/materials.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <glm/common.hpp>
#include <mutex>
#include <set>
#include <stdexcept>

#include "app/core/resources.h"
#include "app/core/thread_pool.h"

namespace satdof::gltf {

Images::Images(const Item& root, Buffers& buffers, const ModelLimits& limits) : limits_(limits) {
  for (const Item& image : root.list("images", limits.items)) {
    const auto bytes = buffers.uri(image);
    encoded_.push_back({bytes ? *bytes : buffers.view(image).bytes, image.where()});
  }
  const auto samplers = root.list("samplers", limits.items);
  for (const Item& texture : root.list("textures", limits.items)) {
    TextureUse use;
    use.image = texture.index("source", encoded_.size());
    if (texture.has("sampler")) {
      const Item& sampler = samplers[static_cast<std::size_t>(texture.index("sampler", samplers.size()))];
      const auto wrap = [&](const char* key) {
        const auto value = sampler.integer(key, 10497, 0, 65535);
        return value == 33071 ? Wrap::clamp : value == 33648 ? Wrap::mirror : Wrap::repeat;
      };
      use.wrapU = wrap("wrapS");
      use.wrapV = wrap("wrapT");
      use.nearest = sampler.integer("magFilter", 9729, 0, 65535) == 9728;
    }
    textures_.push_back(use);
  }
}

TextureUse Images::texture(const std::optional<Item>& item, const char* key) const {
  const auto info = item ? item->object(key) : std::nullopt;
  if (!info) return {};
  TextureUse use = textures_[static_cast<std::size_t>(info->neededIndex("index", textures_.size()))];
  use.uvSet = static_cast<int>(info->integer("texCoord", 0, 0, 1));
  if (const auto transform = info->extension("KHR_texture_transform")) {
    use.uvSet = static_cast<int>(transform->integer("texCoord", use.uvSet, 0, 1));
    const auto offset = transform->numbers<2>("offset").value_or(std::array{0.0f, 0.0f});
    const auto scale = transform->numbers<2>("scale").value_or(std::array{1.0f, 1.0f});
    // Counter-clockwise in coordinates whose v grows downwards.
    const float angle = transform->number("rotation", 0.0f), c = std::cos(angle), s = std::sin(angle);
    use.rows = {{{c * scale[0], s * scale[1], offset[0]}, {-s * scale[0], c * scale[1], offset[1]}}};
  }
  return use;
}

// Throws std::runtime_error if these images exceed the limits or the free memory together.
void Images::requireRoomFor(const std::vector<int>& images) const {
  ModelLimits left = limits_;
  for (const int image : images) {
    const Encoded& encoded = encoded_[static_cast<std::size_t>(image)];
    try {
      reserveImage(encoded.bytes, left);
    } catch (const std::runtime_error& error) {
      fail(encoded.where, error.what());
    }
  }
  constexpr double kCopies = 3.0;  // decoded, as texels, and as textures with their smaller levels
  try {
    requireMemory(kCopies * static_cast<double>(limits_.imageBytes - left.imageBytes));
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(std::string("its images are too large: ") + error.what());
  }
}

void Images::decode(ModelData& model, LoadProgress& progress) const {
  std::set<int> used;
  for (const ModelMaterial& m : model.materials)
    for (const TextureUse* use : {&m.baseColourTexture, &m.metallicRoughnessTexture, &m.normalTexture,
                                  &m.occlusionTexture, &m.emissiveTexture})
      if (*use) used.insert(use->image);
  model.images.resize(encoded_.size());
  const std::vector<int> wanted(used.begin(), used.end());
  requireRoomFor(wanted);
  std::atomic<std::size_t> done = 0;
  std::mutex mutex;
  std::string problem;
  ThreadPool pool(std::max(1, std::min(hardwareThreads(), static_cast<int>(wanted.size()))));
  pool.forEach(static_cast<int>(wanted.size()), [&](int i) {
    const auto at = static_cast<std::size_t>(wanted[static_cast<std::size_t>(i)]);
    try {
      progress.report(0.5f + 0.45f * static_cast<float>(done) / static_cast<float>(wanted.size()),
                      "decoding " + std::to_string(wanted.size()) + " textures");
      model.images[at] = decodeImage(encoded_[at].bytes, limits_);
      ++done;
    } catch (const LoadCancelled&) {
    } catch (const std::exception& error) {
      const std::lock_guard lock(mutex);
      if (problem.empty()) problem = encoded_[at].where + ": " + error.what();
    }
  });
  progress.throwIfCancelled();
  if (!problem.empty()) throw std::runtime_error(problem);
}

void readMaterials(const Item& root, const Images& images, const ModelLimits& limits, ModelData& model) {
  for (const Item& item : root.list("materials", limits.items)) {
    ModelMaterial m;
    m.name = item.text("name");
    const auto pbr = item.object("pbrMetallicRoughness");
    if (pbr) {
      if (const auto colour = pbr->numbers<4>("baseColorFactor")) m.baseColour = vec<4>(*colour);
      m.baseColour = glm::clamp(m.baseColour, 0.0f, 1.0f);
      m.metallic = pbr->numberWithin("metallicFactor", 1.0f, 0.0f, 1.0f);
      m.roughness = pbr->numberWithin("roughnessFactor", 1.0f, 0.0f, 1.0f);
    }
    m.baseColourTexture = images.texture(pbr, "baseColorTexture");
    m.metallicRoughnessTexture = images.texture(pbr, "metallicRoughnessTexture");
    m.normalTexture = images.texture(item, "normalTexture");
    m.occlusionTexture = images.texture(item, "occlusionTexture");
    m.emissiveTexture = images.texture(item, "emissiveTexture");
    if (const auto normal = item.object("normalTexture")) m.normalScale = normal->number("scale", 1.0f);
    if (const auto occlusion = item.object("occlusionTexture"))
      m.occlusionStrength = occlusion->numberWithin("strength", 1.0f, 0.0f, 1.0f);
    if (const auto colour = item.numbers<3>("emissiveFactor")) m.emissive = glm::max(vec<3>(*colour), 0.0f);
    if (const auto strength = item.extension("KHR_materials_emissive_strength"))
      m.emissive *= strength->numberWithin("emissiveStrength", 1.0f, 0.0f, 1e4f);
    const std::string mode = item.text("alphaMode");
    m.alphaMode = mode == "MASK" ? AlphaMode::mask : mode == "BLEND" ? AlphaMode::blend : AlphaMode::opaque;
    m.alphaCutoff = item.number("alphaCutoff", 0.5f);
    m.doubleSided = item.flag("doubleSided");
    m.unlit = item.extension("KHR_materials_unlit").has_value();
    // Glass: no refraction, but its reflections and a part of its colour stay.
    if (const auto glass = item.extension("KHR_materials_transmission")) {
      const float passed = glass->numberWithin("transmissionFactor", 0.0f, 0.0f, 1.0f);
      if (passed > 0.0f && m.alphaMode == AlphaMode::opaque) {
        m.alphaMode = AlphaMode::blend;
        m.baseColour.a *= 1.0f - 0.9f * passed;
        note(model, "transmission is drawn as blending, without refraction");
      }
    }
    model.materials.push_back(m);
  }
}

}  // namespace satdof::gltf
