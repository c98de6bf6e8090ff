#include "app/scene/model/gpu_model.h"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "app/gl/software.h"
#include "app/scene/model/entry.h"

namespace satdof {

namespace {

// The block `Material` of shaders/scene/model/model.frag (std140), padded to the largest offset alignment of uniform
// buffers.
struct MaterialBlock {
  glm::vec4 baseColour, emissive, surface, alpha;
  std::array<glm::vec4, 10> uvRows;
  std::array<std::uint8_t, 256 - 224> padding;
};
static_assert(sizeof(MaterialBlock) == 256);

constexpr GLuint kMaterialBinding = 1, kDisplacementBinding = 4;
constexpr std::array<GLuint, 5> kUnits = {0, 1, 2, 4, 5};  // GeometryScene uses unit 3

int levelsOf(glm::ivec2 size) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(std::max(size.x, size.y))));
}

template <class T>
gl::Buffer bufferOf(const std::vector<T>& values) {
  static const T kNone{};
  return {static_cast<GLsizeiptr>(std::max<std::size_t>(values.size(), 1) * sizeof(T)),
          values.empty() ? &kNone : values.data()};
}

gl::Texture texel(glm::u8vec4 value) {
  gl::Texture texture(GL_RGBA8, {1, 1});
  glTextureSubImage2D(texture.name(), 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, &value.x);
  return texture;
}

// Whether an entry of ModelMaterial::textures() holds colours: base colour and emission do.
constexpr bool isSrgb(std::size_t use) { return use == 0 || use == 4; }

GLint wrap(Wrap how) {
  return how == Wrap::clamp ? GL_CLAMP_TO_EDGE : how == Wrap::mirror ? GL_MIRRORED_REPEAT : GL_REPEAT;
}

}  // namespace

void destroySampler(GLuint name) { glDeleteSamplers(1, &name); }

GpuModel::GpuModel(std::shared_ptr<const ModelData> model)
    : model_(std::move(model)),
      vertices_(bufferOf(model_->vertices)),
      weights_(bufferOf(model_->weights)),
      indices_(bufferOf(model_->indices)),
      displacements_(bufferOf(model_->displacements)),
      array_(gl::makeVertexArray()),
      white_(texel(glm::u8vec4(255))),
      flat_(texel({128, 128, 255, 255})) {
  const GLuint array = array_.name();
  glVertexArrayVertexBuffer(array, 0, vertices_.name(), 0, sizeof(ModelVertex));
  glVertexArrayVertexBuffer(array, 1, weights_.name(), 0, model_->weights.empty() ? 0 : GLsizei{sizeof(ModelWeights)});
  glVertexArrayElementBuffer(array, indices_.name());
  const auto attribute = [&](GLuint index, GLuint binding, GLint size, GLenum type, GLboolean normalized,
                             std::size_t offset) {
    glEnableVertexArrayAttrib(array, index);
    glVertexArrayAttribFormat(array, index, size, type, normalized, static_cast<GLuint>(offset));
    glVertexArrayAttribBinding(array, index, binding);
  };
  attribute(0, 0, 3, GL_FLOAT, GL_FALSE, offsetof(ModelVertex, position));
  attribute(1, 0, 3, GL_FLOAT, GL_FALSE, offsetof(ModelVertex, normal));
  attribute(2, 0, 4, GL_FLOAT, GL_FALSE, offsetof(ModelVertex, tangent));
  attribute(3, 0, 4, GL_FLOAT, GL_FALSE, offsetof(ModelVertex, uv));
  attribute(4, 0, 4, GL_UNSIGNED_SHORT, GL_TRUE, offsetof(ModelVertex, colour));
  glEnableVertexArrayAttrib(array, 5);
  glVertexArrayAttribIFormat(array, 5, 4, GL_UNSIGNED_SHORT, offsetof(ModelWeights, joints));
  glVertexArrayAttribBinding(array, 5, 1);
  attribute(6, 1, 4, GL_FLOAT, GL_FALSE, offsetof(ModelWeights, weights));

  for (const ModelMaterial& m : model_->materials)
    for (std::size_t i = 0; i < m.textures().size(); ++i)
      if (hasTexels(*m.textures()[i])) missing_.emplace(m.textures()[i]->image, isSrgb(i));
}

float GpuModel::upload() {
  if (!missing_.empty()) texture(missing_.extract(missing_.begin()).value());
  if (missing_.empty() && !materials_) makeMaterials();
  const std::size_t all = missing_.size() + textures_.size();
  return missing_.empty() ? 1.0f : static_cast<float>(textures_.size()) / static_cast<float>(all);
}

void GpuModel::makeMaterials() {
  std::vector<MaterialBlock> blocks;
  for (const ModelMaterial& m : model_->materials) {
    const auto uses = m.textures();
    MaterialBlock block{};
    Bound bound;
    for (std::size_t i = 0; i < uses.size(); ++i) {
      block.uvRows[2 * i] = glm::vec4(uses[i]->rows[0], static_cast<float>(uses[i]->uvSet));
      block.uvRows[2 * i + 1] = glm::vec4(uses[i]->rows[1], 0.0f);
      bound.slots[i] = slot(*uses[i], isSrgb(i), i == 2 ? flat_.name() : white_.name());
    }
    bound_.push_back(bound);
    block.baseColour = m.baseColour;
    block.emissive = glm::vec4(m.emissive, m.unlit ? 1.0f : 0.0f);
    block.surface = {m.metallic, m.roughness, m.normalScale, m.occlusionTexture ? m.occlusionStrength : 0.0f};
    block.alpha = {m.alphaCutoff, 0.0f, 0.0f, 0.0f};
    blocks.push_back(block);
  }
  materials_ = bufferOf(blocks);
}

GLuint GpuModel::texture(const Use& use) {
  const auto known = textures_.find(use);
  if (known != textures_.end()) return known->second.name();
  const auto& [image, srgb] = use;
  const ModelImage& from = entry(model_->images, image);
  gl::Texture texture(srgb ? GL_SRGB8_ALPHA8 : GL_RGBA8, from.size, 1, levelsOf(from.size));
  glTextureSubImage2D(texture.name(), 0, 0, 0, from.size.x, from.size.y, GL_RGBA, GL_UNSIGNED_BYTE, from.texels.data());
  glGenerateTextureMipmap(texture.name());
  textureBytes_ += from.texels.size() * 16 / 3;
  return textures_.emplace(use, std::move(texture)).first->second.name();
}

GLuint GpuModel::sampler(const TextureUse& use) {
  Sampler& made = samplers_[{use.wrapU, use.wrapV, use.nearest}];
  if (made) return made.name();
  GLuint name = 0;
  glCreateSamplers(1, &name);
  made = Sampler(name);
  const bool software = gl::isSoftwareRenderer();
  glSamplerParameteri(name, GL_TEXTURE_MIN_FILTER, software ? GL_LINEAR_MIPMAP_NEAREST : GL_LINEAR_MIPMAP_LINEAR);
  glSamplerParameteri(name, GL_TEXTURE_MAG_FILTER, use.nearest ? GL_NEAREST : GL_LINEAR);
  glSamplerParameteri(name, GL_TEXTURE_WRAP_S, wrap(use.wrapU));
  glSamplerParameteri(name, GL_TEXTURE_WRAP_T, wrap(use.wrapV));
  if (!software && GLAD_GL_ARB_texture_filter_anisotropic) glSamplerParameterf(name, GL_TEXTURE_MAX_ANISOTROPY, 8.0f);
  return name;
}

bool GpuModel::hasTexels(const TextureUse& use) const {
  return use && !entry(model_->images, use.image).texels.empty();
}

GpuModel::Slot GpuModel::slot(const TextureUse& use, bool srgb, GLuint fallback) {
  return hasTexels(use) ? Slot{texture({use.image, srgb}), sampler(use)} : Slot{fallback, 0};
}

void GpuModel::bindGeometry() const {
  glBindVertexArray(array_.name());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kDisplacementBinding, displacements_.name());
}

void GpuModel::bindMaterial(int material) const {
  const auto index = static_cast<std::size_t>(material);
  glBindBufferRange(GL_UNIFORM_BUFFER, kMaterialBinding, materials_.name(),
                    static_cast<GLintptr>(index * sizeof(MaterialBlock)),
                    sizeof(MaterialBlock) - sizeof(MaterialBlock::padding));
  for (std::size_t i = 0; i < kUnits.size(); ++i) {
    glBindTextureUnit(kUnits[i], bound_[index].slots[i].texture);
    glBindSampler(kUnits[i], bound_[index].slots[i].sampler);
  }
}

void GpuModel::unbindMaterials() {
  for (const GLuint unit : kUnits) glBindSampler(unit, 0);
}

GpuEnvironment::GpuEnvironment(std::shared_ptr<const Environment> environment) : environment_(std::move(environment)) {
  const SkyImage& sky = environment_->sky;
  const auto prepare = [](const gl::Texture& texture) {
    glTextureParameteri(texture.name(), GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTextureParameteri(texture.name(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTextureParameteri(texture.name(), GL_TEXTURE_WRAP_S, GL_REPEAT);
    glTextureParameteri(texture.name(), GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  };
  const auto upload = [](const gl::Texture& texture, int level, const SkyImage& image) {
    glTextureSubImage2D(texture.name(), level, 0, 0, image.size.x, image.size.y, GL_RGB, GL_FLOAT,
                        image.radiance.data());
  };
  sky_ = gl::Texture(GL_RGBA16F, sky.size, 1, levelsOf(sky.size));
  upload(sky_, 0, sky);
  glGenerateTextureMipmap(sky_.name());
  prepare(sky_);
  const auto& prefiltered = environment_->prefiltered;
  prefiltered_ = gl::Texture(GL_RGBA16F, prefiltered[0].size, 1, static_cast<int>(prefiltered.size()));
  for (std::size_t i = 0; i < prefiltered.size(); ++i) upload(prefiltered_, static_cast<int>(i), prefiltered[i]);
  prepare(prefiltered_);
}

}  // namespace satdof
