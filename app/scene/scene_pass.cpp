#include "app/scene/scene_pass.h"

#include <stb_image.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <glm/vec4.hpp>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/data_dir.h"
#include "app/gl/program.h"
#include "app/scene/bezier.h"
#include "app/scene/camera.h"
#include "app/scene/layout.h"

namespace satdof {

namespace {

constexpr float kNearM = 0.1f;

// Quads along a patch's side, and the projected teapot radius in pixels from which on they are used.
struct LevelOfDetail {
  int segments;
  float radiusPx;
};
constexpr std::array kLevels = {LevelOfDetail{16, 400}, LevelOfDetail{10, 160}, LevelOfDetail{7, 70},
                                LevelOfDetail{4, 25},   LevelOfDetail{3, 10},   LevelOfDetail{2, 0}};

// As in the block `Scene` of shaders/scene_common.glsl (std140).
struct SceneBlock {
  glm::mat4 worldToClip;
  glm::vec4 eye;
};

// As the instance attributes of shaders/scene_teapot.vert.
struct TeapotInstance {
  glm::vec4 placement;  // w: cosine of the turn
  glm::vec4 glaze;      // w: sine of the turn
  glm::vec4 ornament;
};

struct Piece {
  GLsizei indices;
  size_t firstIndexByte;
  GLint baseVertex;
};

struct VisibleTeapot {
  float distanceM;
  int index;
};

gl::Texture loadTexture(const char* name) {
  const auto path = (dataDir() / "assets" / name).string();
  glm::ivec2 size;
  int channels = 0;
  stbi_set_flip_vertically_on_load_thread(1);
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
      stbi_load(path.c_str(), &size.x, &size.y, &channels, 4), stbi_image_free);
  if (!pixels)
    throw std::runtime_error("cannot read the texture " + path + ": " + stbi_failure_reason() +
                             "; make it with scripts/make_textures.py");
  const int levels = std::bit_width(static_cast<unsigned>(std::max(size.x, size.y)));
  gl::Texture texture(GL_SRGB8_ALPHA8, size, 1, levels);
  glTextureSubImage2D(texture.name(), 0, 0, 0, size.x, size.y, GL_RGBA, GL_UNSIGNED_BYTE, pixels.get());
  glGenerateTextureMipmap(texture.name());
  glTextureParameteri(texture.name(), GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  glTextureParameteri(texture.name(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTextureParameteri(texture.name(), GL_TEXTURE_WRAP_S, GL_REPEAT);
  glTextureParameteri(texture.name(), GL_TEXTURE_WRAP_T, GL_REPEAT);
  return texture;
}

// The teapot's file is z up; the world is y up.
glm::vec3 fromFile(const glm::vec3& v) { return {v.x, v.z, -v.y}; }

// Programs that draw geometry, without and with peeling.
struct PeelablePrograms {
  explicit PeelablePrograms(const std::vector<std::string>& files)
      : plain(files), peeling(files, {{"PEEL", "1"}}) {}
  gl::Program plain, peeling;
  const gl::Program& choose(bool peel) const { return peel ? peeling : plain; }
};

void attribute(const gl::VertexArrayObject& array, GLuint location, GLuint binding, GLint size,
               size_t offset) {
  glEnableVertexArrayAttrib(array.name(), location);
  glVertexArrayAttribFormat(array.name(), location, size, GL_FLOAT, GL_FALSE, static_cast<GLuint>(offset));
  glVertexArrayAttribBinding(array.name(), location, binding);
}

}  // namespace

struct ScenePass::Parts {
  PeelablePrograms teapots{{"scene_teapot.vert", "scene_teapot.frag"}};
  PeelablePrograms ground{{"scene_ground.vert", "scene_ground.frag"}};
  gl::Program sky{{"scene_sky.vert", "scene_sky.frag"}};
  gl::Program resolve;

  gl::Texture groundAlbedo = loadTexture("ground.png");
  gl::Texture ornament = loadTexture("ornament.png");
  gl::Buffer sceneBlock{sizeof(SceneBlock), nullptr, GL_DYNAMIC_STORAGE_BIT};
  gl::Buffer vertices, indices;
  gl::Buffer instances{kMaxTeapots * sizeof(TeapotInstance), nullptr, GL_DYNAMIC_STORAGE_BIT};
  gl::VertexArrayObject teapotArray = gl::makeVertexArray();
  gl::VertexArrayObject emptyArray = gl::makeVertexArray();
  std::array<Piece, kLevels.size()> pieces;

  glm::ivec2 size{0};
  int samples = 0;
  gl::Texture sampledColour, sampledDepth;  // what is drawn into
  gl::Texture colour, depth;                // one sample a pixel; with one sample only depth is resolved
  gl::Framebuffer drawn, resolved;

  std::vector<VisibleTeapot> visible;
  std::vector<TeapotInstance> staged;

  Parts();
  void drawTeapots(const SceneSettings& scene, const Pinhole& pinhole, double timeS, float& nearestM);
};

ScenePass::Parts::Parts() {
  const auto patches = readPatches(dataDir() / "assets" / "teapot.bpt");
  std::vector<MeshVertex> allVertices;
  std::vector<uint32_t> allIndices;
  for (size_t level = 0; level < kLevels.size(); ++level) {
    const Mesh mesh = tessellate(patches, kLevels[level].segments);
    pieces[level] = {static_cast<GLsizei>(mesh.indices.size()), allIndices.size() * sizeof(uint32_t),
                     static_cast<GLint>(allVertices.size())};
    for (const auto& vertex : mesh.vertices)
      allVertices.push_back(
          {kTeapotUnitM * fromFile(vertex.position), fromFile(vertex.normal), vertex.patchUv});
    allIndices.insert(allIndices.end(), mesh.indices.begin(), mesh.indices.end());
  }
  vertices = gl::Buffer(static_cast<GLsizeiptr>(allVertices.size() * sizeof(MeshVertex)), allVertices.data());
  indices = gl::Buffer(static_cast<GLsizeiptr>(allIndices.size() * sizeof(uint32_t)), allIndices.data());

  const GLuint array = teapotArray.name();
  glVertexArrayElementBuffer(array, indices.name());
  glVertexArrayVertexBuffer(array, 0, vertices.name(), 0, sizeof(MeshVertex));
  glVertexArrayVertexBuffer(array, 1, instances.name(), 0, sizeof(TeapotInstance));
  glVertexArrayBindingDivisor(array, 1, 1);
  attribute(teapotArray, 0, 0, 3, offsetof(MeshVertex, position));
  attribute(teapotArray, 1, 0, 3, offsetof(MeshVertex, normal));
  attribute(teapotArray, 2, 0, 2, offsetof(MeshVertex, patchUv));
  for (GLuint i = 0; i < sizeof(TeapotInstance) / sizeof(glm::vec4); ++i)
    attribute(teapotArray, 3 + i, 1, 4, i * sizeof(glm::vec4));

  visible.reserve(kMaxTeapots);
  staged.reserve(kMaxTeapots);
}

// Nearest first, one draw call a level of detail.
void ScenePass::Parts::drawTeapots(const SceneSettings& scene, const Pinhole& pinhole, double timeS,
                                   float& nearestM) {
  const glm::vec3 up(0.0f, kTeapotCentreYM, 0.0f);
  visible.clear();
  for (int i = 0; i < std::min(scene.teapots, kMaxTeapots); ++i) {
    const glm::vec3 centre = teapotAt(i, timeS).position + up;
    if (pinhole.mayShow(centre, kTeapotRadiusM)) visible.push_back({pinhole.distanceM(centre), i});
  }
  if (visible.empty()) return;
  std::sort(visible.begin(), visible.end(), [](const VisibleTeapot& a, const VisibleTeapot& b) {
    return a.distanceM != b.distanceM ? a.distanceM < b.distanceM : a.index < b.index;
  });
  nearestM = std::min(nearestM, visible.front().distanceM - kTeapotRadiusM);

  staged.clear();
  for (const auto& [distanceM, index] : visible) {
    const Teapot teapot = teapotAt(index, timeS);
    staged.push_back({{teapot.position, std::cos(teapot.angle)},
                      {teapot.glaze, std::sin(teapot.angle)},
                      {teapot.ornament, 0.0f}});
  }
  glNamedBufferSubData(instances.name(), 0, static_cast<GLsizeiptr>(staged.size() * sizeof(TeapotInstance)),
                       staged.data());

  glBindVertexArray(teapotArray.name());
  const float radiusPxM = 0.5f * float(size.y) * pinhole.scale.y * kTeapotRadiusM;
  auto first = visible.begin();
  for (size_t level = 0; level < kLevels.size(); ++level) {
    const auto last = std::find_if(first, visible.end(), [&](const VisibleTeapot& teapot) {
      return radiusPxM < kLevels[level].radiusPx * teapot.distanceM;
    });
    if (last != first)
      glDrawElementsInstancedBaseVertexBaseInstance(
          GL_TRIANGLES, pieces[level].indices, GL_UNSIGNED_INT,
          reinterpret_cast<const void*>(pieces[level].firstIndexByte), static_cast<GLsizei>(last - first),
          pieces[level].baseVertex, static_cast<GLuint>(first - visible.begin()));
    first = last;
  }
}

ScenePass::ScenePass() : parts_(std::make_unique<Parts>()) {}
ScenePass::~ScenePass() = default;

void ScenePass::resize(glm::ivec2 size, int samples) {
  auto& p = *parts_;
  for (const GLenum limit : {GL_MAX_SAMPLES, GL_MAX_COLOR_TEXTURE_SAMPLES, GL_MAX_DEPTH_TEXTURE_SAMPLES}) {
    GLint offered = 1;
    glGetIntegerv(limit, &offered);
    samples = std::min(samples, offered);
  }
  samples = std::max(samples, 1);
  if (samples != p.samples)
    p.resolve =
        gl::Program({"fullscreen.vert", "scene_resolve.frag"}, {{"SAMPLES", std::to_string(samples)}});
  p.samples = samples;
  p.size = size;
  p.sampledDepth = gl::Texture(GL_DEPTH_COMPONENT32F, size, samples);
  p.colour = gl::Texture(GL_RGBA16F, size);
  p.depth = gl::Texture(GL_R32F, size);
  if (samples > 1) {
    p.sampledColour = gl::Texture(GL_RGBA16F, size, samples);
    p.drawn = gl::Framebuffer(p.sampledColour, &p.sampledDepth);
    p.resolved = gl::Framebuffer(p.colour, p.depth, nullptr);
  } else {
    p.sampledColour = {};
    p.drawn = gl::Framebuffer(p.colour, &p.sampledDepth);
    p.resolved = gl::Framebuffer(p.depth);
  }
}

SceneFrame ScenePass::draw(const SceneSettings& scene, const CameraSettings& camera, double timeS,
                           Timings& timings, const ViewOffset& offset, const gl::Texture* behind) {
  auto& p = *parts_;
  const auto time = timings.gpu("scene");
  const Pinhole pinhole = makePinhole(camera, p.size, kNearM, offset);
  const SceneBlock block{pinhole.worldToClip(), glm::vec4(pinhole.frame.eye, 1.0f)};
  glNamedBufferSubData(p.sceneBlock.name(), 0, sizeof block, &block);
  glBindBufferBase(GL_UNIFORM_BUFFER, 0, p.sceneBlock.name());
  p.groundAlbedo.bind(0);
  p.ornament.bind(1);
  if (behind != nullptr) behind->bind(3);
  const bool peel = behind != nullptr;

  glBindFramebuffer(GL_FRAMEBUFFER, p.drawn.name());
  glViewport(0, 0, p.size.x, p.size.y);
  glClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_GREATER);
  glEnable(GL_CULL_FACE);
  glDisable(GL_BLEND);
  const float infinity = 0.0f;
  glClearNamedFramebufferfv(p.drawn.name(), GL_DEPTH, 0, &infinity);

  float nearestM = pinhole.nearestGroundM();
  p.teapots.choose(peel).use();
  p.drawTeapots(scene, pinhole, timeS, nearestM);

  glBindVertexArray(p.emptyArray.name());
  p.ground.choose(peel).use();
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);

  p.sky.use();
  p.sky.set("forward", pinhole.frame.forward);
  p.sky.set("rightPerNdc", pinhole.frame.right / pinhole.scale.x);
  p.sky.set("upPerNdc", pinhole.frame.up / pinhole.scale.y);
  p.sky.set("shear", pinhole.shear);
  glDepthFunc(GL_GEQUAL);
  glDrawArrays(GL_TRIANGLES, 0, 3);

  glDepthFunc(GL_LESS);
  glClipControl(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
  if (p.samples > 1) p.sampledColour.bind(0);
  p.sampledDepth.bind(1);
  p.resolve.use();
  gl::drawFullScreen(p.resolved.name(), p.size);
  return {&p.colour, &p.depth,
          p.size,    0.5f * pinhole.scale.y * float(p.size.y),
          kNearM,    std::max(nearestM, kNearM)};
}

}  // namespace satdof
