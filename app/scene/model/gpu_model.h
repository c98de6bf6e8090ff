#pragma once
#include <array>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "app/gl/objects.h"
#include "app/scene/model/environment.h"
#include "app/scene/model/model.h"

namespace satdof {

void destroySampler(GLuint name);

// A model in OpenGL: buffers, textures and materials. Needs a current OpenGL context.
class GpuModel {
 public:
  // Uploads everything but the textures.
  explicit GpuModel(std::shared_ptr<const ModelData> model);
  // Uploads one texture. Returns the fraction of the textures that are uploaded. Call until it returns 1, before
  // drawing.
  float upload();
  const ModelData& model() const { return *model_; }

  // Binds vertices, indices and displacements.
  void bindGeometry() const;
  // Binds the block `Material`, textures and samplers.
  void bindMaterial(int material) const;
  // Unbinds the samplers. Call after the last bindMaterial().
  static void unbindMaterials();
  std::size_t textureBytes() const { return textureBytes_; }

 private:
  using Sampler = gl::Object<destroySampler>;
  struct Slot {
    GLuint texture = 0, sampler = 0;
  };
  struct Bound {
    std::array<Slot, 5> slots;
  };

  // An image, and whether the texture is sRGB.
  using Use = std::pair<int, bool>;

  bool hasTexels(const TextureUse& use) const;
  void makeMaterials();
  GLuint texture(const Use& use);
  GLuint sampler(const TextureUse& use);
  Slot slot(const TextureUse& use, bool srgb, GLuint fallback);

  std::shared_ptr<const ModelData> model_;
  gl::Buffer vertices_, weights_, indices_, displacements_, materials_;
  gl::VertexArrayObject array_;
  gl::Texture white_, flat_;
  std::set<Use> missing_;
  std::map<Use, gl::Texture> textures_;
  std::map<std::tuple<Wrap, Wrap, bool>, Sampler> samplers_;
  std::vector<Bound> bound_;  // by material
  std::size_t textureBytes_ = 0;
};

// An environment in OpenGL.
class GpuEnvironment {
 public:
  explicit GpuEnvironment(std::shared_ptr<const Environment> environment);
  const Environment& environment() const { return *environment_; }
  void bindSky(GLuint unit) const { sky_.bind(unit); }
  void bindPrefiltered(GLuint unit) const { prefiltered_.bind(unit); }

 private:
  std::shared_ptr<const Environment> environment_;
  gl::Texture sky_, prefiltered_;
};

}  // namespace satdof
