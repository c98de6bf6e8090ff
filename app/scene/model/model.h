#pragma once
#include <array>
#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/io/notes.h"

// A model as plain data: meshes, materials, images, a tree of nodes, and animations. Readers produce it without OpenGL;
// ModelScene draws it. Metres, y up, right-handed, as in glTF. An index of -1 means none.
namespace satdof {

// Limits of the readers, which they check before they allocate memory.
struct ModelLimits {
  std::size_t fileBytes = (std::size_t{2} << 30) - 1;  // of all files of the model
  std::size_t jsonBytes = std::size_t{256} << 20;
  std::size_t vertices = 20'000'000;
  std::size_t triangles = 5'000'000;
  std::size_t drawnTriangles = 50'000'000;  // of all nodes, which may share meshes
  std::size_t drawnPrimitives = 500'000;    // of all nodes: draw calls
  std::size_t nodes = 200'000;
  std::size_t items = 100'000;                    // of any other list
  std::size_t joints = 1'024;                     // of a skin
  std::size_t keys = 10'000'000;                  // of all animation channels
  std::size_t displacements = 5'000'000;          // vertices of all morph targets
  std::size_t morphWeights = 1'000'000;           // of all nodes
  std::size_t imageBytes = std::size_t{4} << 30;  // of all decoded images
  int imageSide = 8'192;
};

// An axis-aligned bounding box.
struct Bounds {
  glm::vec3 low{std::numeric_limits<float>::infinity()};
  glm::vec3 high{-std::numeric_limits<float>::infinity()};
  bool empty() const { return !(low.x <= high.x); }
  void add(const glm::vec3& point);
  void add(const Bounds& other);
  glm::vec3 centre() const { return 0.5f * (low + high); }
  float radius() const;
  // Bounds of the transformed corners.
  Bounds transformed(const glm::mat4& transform) const;
};

struct ModelVertex {
  glm::vec3 position{0.0f};
  glm::vec3 normal{0.0f, 1.0f, 0.0f};
  glm::vec4 tangent{1.0f, 0.0f, 0.0f, 1.0f};  // w: the bitangent is w cross(normal, tangent)
  glm::vec4 uv{0.0f};                         // two sets of coordinates; v grows downwards
  glm::u16vec4 colour{65535};                 // linear
};

// Up to four joints of a skin.
struct ModelWeights {
  glm::u16vec4 joints{0};
  glm::vec4 weights{0.0f};  // the sum is 1
};

// Change of a vertex by a morph target of weight 1.
struct Displacement {
  glm::vec3 position{0.0f}, normal{0.0f};
};

// A morph target of a primitive.
struct MorphTarget {
  std::uint32_t first = 0;  // in ModelData::displacements, one per vertex of the primitive
  Bounds displacement;      // bounds of the displacements of positions
};

// Bounds of the vertices of a primitive that a joint moves.
struct JointBounds {
  std::size_t joint = 0;  // in ModelSkin::joints
  Bounds bounds;          // before the skin's transform, without morph targets
};

// Triangles of one material.
struct Primitive {
  std::uint32_t firstIndex = 0, indices = 0;  // in ModelData::indices, relative to firstVertex
  std::uint32_t firstVertex = 0, vertices = 0;
  int material = 0;
  bool skinned = false;
  std::vector<JointBounds> joints;  // of a skinned primitive
  std::vector<MorphTarget> targets;
  Bounds bounds;  // before the node's transform, without morph targets
  // Conservative bounds before the node's transform, for the weights of the first morph targets.
  Bounds morphed(std::span<const float> weights) const;
  // Conservative bounds in the world, for a skinned primitive.
  Bounds skinnedBy(std::span<const glm::mat4> jointToWorld, std::span<const float> weights) const;
};

struct ModelMesh {
  std::string name;
  std::vector<Primitive> primitives;
  std::size_t targets = 0;  // largest number of morph targets of a primitive
};

// RGBA, in the encoding of the file; top row first.
struct ModelImage {
  std::string name;
  glm::ivec2 size{0};
  std::vector<glm::u8vec4> texels;
};

enum class Wrap { repeat, mirror, clamp };

// A texture of a material.
struct TextureUse {
  int image = -1;
  int uvSet = 0;
  // The texture is read at (dot(rows[0], (u, v, 1)), dot(rows[1], (u, v, 1))).
  std::array<glm::vec3, 2> rows{{{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}}};
  Wrap wrapU = Wrap::repeat, wrapV = Wrap::repeat;
  bool nearest = false;
  explicit operator bool() const { return image >= 0; }
};

enum class AlphaMode { opaque, mask, blend };

// Metallic-roughness, as in glTF 2.0.
struct ModelMaterial {
  std::string name;
  glm::vec4 baseColour{1.0f};  // linear
  float metallic = 1.0f, roughness = 1.0f;
  glm::vec3 emissive{0.0f};  // radiance, with KHR_materials_emissive_strength
  float normalScale = 1.0f, occlusionStrength = 1.0f;
  AlphaMode alphaMode = AlphaMode::opaque;
  float alphaCutoff = 0.0f;  // masked and blended surfaces have holes where alpha is smaller
  bool doubleSided = false;
  bool unlit = false;
  TextureUse baseColourTexture, metallicRoughnessTexture, normalTexture, occlusionTexture, emissiveTexture;

  std::array<const TextureUse*, 5> textures() const {
    return {&baseColourTexture, &metallicRoughnessTexture, &normalTexture, &occlusionTexture, &emissiveTexture};
  }
};

// Translation, rotation and scale. The translation is double: geographic coordinates have seven digits before the
// point.
struct Placement {
  glm::dvec3 translation{0.0};
  glm::quat rotation{1.0f, 0.0f, 0.0f, 0.0f};
  glm::vec3 scale{1.0f};
  glm::dmat4 matrix() const;
};

struct ModelNode {
  std::string name;
  int parent = -1;  // smaller than the index of the node
  Placement placement;
  std::optional<glm::dmat4> matrix;  // instead of the placement
  int mesh = -1, skin = -1;
  std::size_t firstWeight = 0;  // in ModelData::morphWeights; ModelMesh::targets of them
};

struct ModelSkin {
  std::vector<int> joints;                // nodes
  std::vector<glm::mat4> inverseBinding;  // mesh to joint
};

enum class Path { translation, rotation, scale, weight };
enum class KeyInterpolation { step, linear, cubic };

struct Channel {
  int node = 0;
  Path path = Path::translation;
  std::size_t target = 0;  // Path::weight: the morph target
  KeyInterpolation interpolation = KeyInterpolation::linear;
  std::vector<float> timesS;      // increasing
  std::vector<glm::vec4> values;  // one per time; cubic: in-tangent, value, out-tangent. Path::weight: in x
};

struct Clip {
  std::string name;
  float durationS = 0.0f;
  std::vector<Channel> channels;
};

struct ModelCamera {
  std::string name;
  int node = 0;
  float verticalFov = 0.8f;     // radians
  float focusDistanceM = 0.0f;  // `extras.focusDistance`; 0: unknown
};

enum class LightKind { directional, point, spot };

struct ModelLight {
  LightKind kind = LightKind::point;
  int node = 0;
  glm::vec3 colour{1.0f};                         // directional: irradiance; else radiant intensity
  float rangeM = 0.0f;                            // 0: infinite
  float innerCone = 0.0f, outerCone = 0.785398f;  // radians
};

struct ModelData {
  std::vector<ModelVertex> vertices;
  std::vector<ModelWeights> weights;  // empty, or one per vertex
  std::vector<std::uint32_t> indices;
  std::vector<Displacement> displacements;
  std::vector<float> morphWeights;  // of the nodes, at rest
  std::vector<ModelMesh> meshes;
  std::vector<ModelMaterial> materials;
  std::vector<ModelImage> images;
  std::vector<ModelNode> nodes;  // parents first
  std::vector<ModelSkin> skins;
  std::vector<Clip> clips;
  std::vector<ModelCamera> cameras;
  std::vector<ModelLight> lights;
  glm::dvec3 origin{0.0};  // origin of the world of pose(), in the space of the file
  Notes notes;             // assumptions, approximations and omissions of the reader

  std::size_t triangles() const { return indices.size() / 3; }
};

// Moves the origin to the centre of a model that is far from the origin, where single precision is too coarse.
void moveOrigin(ModelData& model);

// A pose of a model in the world.
struct ModelPose {
  std::vector<glm::mat4> world;  // transforms to the world, by node
  std::vector<float> weights;    // of morph targets, in place of ModelData::morphWeights
};

// The pose at `timeS` of a repeating clip; `clip` -1: at rest. O(nodes + morph weights + channels * log keys).
ModelPose pose(const ModelData& model, int clip, double timeS);
// ModelPose::world and ModelPose::weights alone.
std::vector<glm::mat4> worldTransforms(const ModelData& model, int clip, double timeS);
std::vector<float> morphWeights(const ModelData& model, int clip, double timeS);

// Appends the joint matrices, mesh to world, of the skin of a node; nothing without a skin. `world`: ModelPose::world.
void addJoints(std::vector<glm::mat4>& joints, const ModelData& model, const ModelNode& node,
               const std::vector<glm::mat4>& world);

// Conservative bounds of all drawn meshes in the world.
Bounds bounds(const ModelData& model, const ModelPose& pose);

// Interpolates a channel at `timeS`, clamped to the first and the last key. Rotations are unit quaternions (x, y, z,
// w).
glm::vec4 valueAt(const Channel& channel, float timeS);

// Sets the normals of a primitive to the normals of its triangles, which must not share vertices.
void computeFlatNormals(ModelData& model, const Primitive& primitive);
// Sets the tangents of a primitive from its first set of texture coordinates.
void computeTangents(ModelData& model, const Primitive& primitive);

}  // namespace satdof
