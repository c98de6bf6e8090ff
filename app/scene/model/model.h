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

// A model as plain data: meshes, materials, images, a tree of nodes, and what moves them. Readers make it, without
// OpenGL; ModelScene draws it. Metres, y up, right-handed, as in glTF. An index of -1 means none.
namespace satdof {

// What a reader accepts. More is refused before memory is allocated for it.
struct ModelLimits {
  std::size_t fileBytes = (std::size_t{2} << 30) - 1;  // of all files together
  std::size_t jsonBytes = std::size_t{256} << 20;
  std::size_t vertices = 20'000'000;
  std::size_t triangles = 5'000'000;
  std::size_t drawnTriangles = 50'000'000;  // of all nodes: several may show one mesh
  std::size_t drawnPrimitives = 500'000;    // the same; each is a call of OpenGL
  std::size_t nodes = 200'000;
  std::size_t items = 100'000;                    // of any other list
  std::size_t joints = 1'024;                     // of a skin
  std::size_t keys = 10'000'000;                  // of all animation channels
  std::size_t displacements = 5'000'000;          // vertices of all morph targets
  std::size_t morphWeights = 1'000'000;           // of all nodes
  std::size_t imageBytes = std::size_t{4} << 30;  // of all decoded images
  int imageSide = 8'192;
};

struct Bounds {
  glm::vec3 low{std::numeric_limits<float>::infinity()};
  glm::vec3 high{-std::numeric_limits<float>::infinity()};
  bool empty() const { return !(low.x <= high.x); }
  void add(const glm::vec3& point);
  void add(const Bounds& other);
  glm::vec3 centre() const { return 0.5f * (low + high); }
  float radius() const;
  // Of the box's corners.
  Bounds transformed(const glm::mat4& transform) const;
};

struct ModelVertex {
  glm::vec3 position{0.0f};
  glm::vec3 normal{0.0f, 1.0f, 0.0f};
  glm::vec4 tangent{1.0f, 0.0f, 0.0f, 1.0f};  // w: the bitangent is w cross(normal, tangent)
  glm::vec4 uv{0.0f};                         // two sets; v grows downwards
  glm::u16vec4 colour{65535};                 // linear
};

// Up to four joints of a skin.
struct ModelWeights {
  glm::u16vec4 joints{0};
  glm::vec4 weights{0.0f};  // the sum is 1
};

// What a morph target of weight 1 adds to a vertex.
struct Displacement {
  glm::vec3 position{0.0f}, normal{0.0f};
};

// A morph target of a primitive.
struct MorphTarget {
  std::uint32_t first = 0;  // in ModelData::displacements; one a vertex of the primitive
  Bounds displacement;      // of the positions
};

// The vertices of a primitive that a joint moves.
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
  // Bounds for weights of the first targets.
  Bounds morphed(std::span<const float> weights) const;
  // Bounds in the world under the joints of a skin.
  Bounds skinnedBy(std::span<const glm::mat4> jointToWorld, std::span<const float> weights) const;
};

struct ModelMesh {
  std::string name;
  std::vector<Primitive> primitives;
  std::size_t targets = 0;  // the most of a primitive
};

// RGBA, top row first, as in the file.
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
  float alphaCutoff = 0.0f;  // below it, masked and blended surfaces have holes
  bool doubleSided = false;
  bool unlit = false;
  TextureUse baseColourTexture, metallicRoughnessTexture, normalTexture, occlusionTexture, emissiveTexture;

  std::array<const TextureUse*, 5> textures() const {
    return {&baseColourTexture, &metallicRoughnessTexture, &normalTexture, &occlusionTexture,
            &emissiveTexture};
  }
};

// In double precision: coordinates of maps have seven digits before the point.
struct Placement {
  glm::dvec3 translation{0.0};
  glm::quat rotation{1.0f, 0.0f, 0.0f, 0.0f};
  glm::vec3 scale{1.0f};
  glm::dmat4 matrix() const;
};

struct ModelNode {
  std::string name;
  int parent = -1;  // a smaller index
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
  std::vector<glm::vec4> values;  // one a time; cubic: in-tangent, value, out-tangent. A weight is x
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
  float focusDistanceM = 0.0f;  // `extras.focusDistance`; 0: not known
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
  std::vector<ModelWeights> weights;  // empty, or one a vertex
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
  glm::dvec3 origin{0.0};  // of the world in which pose() places the model
  Notes notes;             // what the reader assumed, approximated or left out

  std::size_t triangles() const { return indices.size() / 3; }
};

// Puts the origin into the middle of a model that is far from it: float has too few digits there.
void moveOrigin(ModelData& model);

// World transforms of the nodes at `timeS` of a clip, which repeats. `clip` -1: as at rest. O(nodes + log keys).
std::vector<glm::mat4> pose(const ModelData& model, int clip, double timeS);

// Appends the joints of a node with a skin, for the results of pose().
void addJoints(std::vector<glm::mat4>& joints, const ModelData& model, const ModelNode& node,
               const std::vector<glm::mat4>& world);

// ModelData::morphWeights at `timeS` of a clip, as for pose().
std::vector<float> morphWeights(const ModelData& model, int clip, double timeS);

// Of everything drawn, for the results of pose() and morphWeights(). Skinned meshes count with their joints.
Bounds bounds(const ModelData& model, const std::vector<glm::mat4>& world, const std::vector<float>& weights);

// The value of a channel at `timeS`, clamped to its ends. Rotations are unit quaternions (x, y, z, w).
glm::vec4 valueAt(const Channel& channel, float timeS);

// Fills what a file leaves out: normals of a primitive (flat: one for each triangle, so vertices must not be
// shared), tangents from the first set of coordinates.
void computeFlatNormals(ModelData& model, const Primitive& primitive);
void computeTangents(ModelData& model, const Primitive& primitive);

}  // namespace satdof
