#include "app/scene/scene_pass.h"

#include <stb_image.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/vec4.hpp>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/core/data_dir.h"
#include "app/gl/program.h"
#include "app/gl/software.h"
#include "app/scene/bezier.h"
#include "app/scene/camera.h"
#include "app/scene/layout.h"

namespace satdof {

namespace {

constexpr float kNearM = 0.1f;
constexpr GLsizei kLampVertices = 3 * 20;  // as in shaders/scene/lamp.vert

// Quads along a patch's side, finest first. A quarter of the teapot's body, of radius r, cut into n chords is
// off by r (1 - cos(pi / 4n)) ~ 0.31 r / n^2.
constexpr std::array kSegments = {16, 12, 9, 7, 5, 4, 3, 2};
constexpr float kBodyRadiusM = 2.0f * kTeapotUnitM;
constexpr float kChordErrorPx = 1.0f;

constexpr int kShadowTurns = 16;  // images in shadows.png, one below the other

// As in the block `Scene` of shaders/scene/common.glsl (std140).
struct SceneBlock {
  glm::mat4 worldToClip;
  glm::vec4 eye;
};

// As the instance attributes of shaders/scene/teapot.vert.
struct TeapotInstance {
  glm::vec4 placement;  // w: cosine of the turn
  glm::vec4 glaze;      // w: sine of the turn
  glm::vec4 ornament;
  glm::vec4 lampPosition, lampIntensity;
};

// As in the block `Lamps` of shaders/scene/lamps.glsl (std140).
struct LampBlock {
  struct {
    glm::vec4 centreAndRadius, radiance;
  } lamps[kLamps];
};

using Volume = gl::Object<gl::destroyTexture>;

struct Piece {
  GLsizei indices;
  size_t firstIndexByte;
  GLint baseVertex;
};

struct VisibleTeapot {
  float distanceM;
  int index;
  Teapot teapot;
};

struct Image {
  glm::ivec2 size;
  std::unique_ptr<stbi_uc, void (*)(void*)> pixels;
};

Image loadImage(const char* name, int channels) {
  const auto path = (dataDir() / "assets" / name).string();
  glm::ivec2 size(0);
  int stored = 0;
  Image image{size, {stbi_load(path.c_str(), &size.x, &size.y, &stored, channels), stbi_image_free}};
  if (!image.pixels)
    throw std::runtime_error("cannot read the texture " + path + ": " + stbi_failure_reason() +
                             "; make it with scripts/make_textures.py");
  image.size = size;
  return image;
}

// Repeats, with mipmaps: trilinear and anisotropic, or from one level each where software does it. `format`
// is GL_SRGB8_ALPHA8 or GL_R8.
gl::Texture loadTexture(const char* name, GLenum format) {
  const bool grey = format == GL_R8;
  const Image image = loadImage(name, grey ? 1 : 4);
  const auto longest = static_cast<unsigned>(std::max(image.size.x, image.size.y));
  gl::Texture texture(format, image.size, 1, std::bit_width(longest));
  glTextureSubImage2D(texture.name(), 0, 0, 0, image.size.x, image.size.y, grey ? GL_RED : GL_RGBA,
                      GL_UNSIGNED_BYTE, image.pixels.get());
  glGenerateTextureMipmap(texture.name());
  const bool software = gl::isSoftwareRenderer();
  glTextureParameteri(texture.name(), GL_TEXTURE_MIN_FILTER,
                      software ? GL_LINEAR_MIPMAP_NEAREST : GL_LINEAR_MIPMAP_LINEAR);
  if (!software && GLAD_GL_ARB_texture_filter_anisotropic)
    glTextureParameterf(texture.name(), GL_TEXTURE_MAX_ANISOTROPY, 8.0f);
  glTextureParameteri(texture.name(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTextureParameteri(texture.name(), GL_TEXTURE_WRAP_S, GL_REPEAT);
  glTextureParameteri(texture.name(), GL_TEXTURE_WRAP_T, GL_REPEAT);
  return texture;
}

// A stack of images, one below the other in the file, as a volume that repeats over the third axis.
Volume loadShadows() {
  const Image image = loadImage("shadows.png", 2);
  const int height = image.size.y / kShadowTurns;
  GLuint name = 0;
  glCreateTextures(GL_TEXTURE_3D, 1, &name);
  Volume volume(name);
  glTextureStorage3D(name, 1, GL_RG8, image.size.x, height, kShadowTurns);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTextureSubImage3D(name, 0, 0, 0, 0, image.size.x, height, kShadowTurns, GL_RG, GL_UNSIGNED_BYTE,
                      image.pixels.get());
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glTextureParameteri(name, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTextureParameteri(name, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTextureParameteri(name, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTextureParameteri(name, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTextureParameteri(name, GL_TEXTURE_WRAP_R, GL_REPEAT);
  return volume;
}

// The teapot's file is z up; the world is y up.
glm::vec3 fromFile(const glm::vec3& v) { return {v.x, v.z, -v.y}; }

// What is kept of the geometry: all of it, what lies behind a depth image, or one side of the focus plane.
enum class Keep { all, behind, side };

struct GeometryProgram {
  explicit GeometryProgram(const std::vector<std::string>& files)
      : variants{gl::Program(files), gl::Program(files, {{"PEEL", "1"}}),
                 gl::Program(files, {{"SIDE", "1"}})} {}
  std::array<gl::Program, 3> variants;
  // `side` as in shaders/scene/project.glsl.
  void use(Keep keep, glm::vec2 side) const {
    const gl::Program& program = variants[static_cast<size_t>(keep)];
    if (keep == Keep::side) program.set("side", side);
    program.use();
  }
};

void attribute(const gl::VertexArrayObject& array, GLuint location, GLuint binding, GLint size,
               size_t offset) {
  glEnableVertexArrayAttrib(array.name(), location);
  glVertexArrayAttribFormat(array.name(), location, size, GL_FLOAT, GL_FALSE, static_cast<GLuint>(offset));
  glVertexArrayAttribBinding(array.name(), location, binding);
}

}  // namespace

struct ScenePass::Parts {
  GeometryProgram teapots{{"scene/teapot.vert", "scene/teapot.frag"}};
  GeometryProgram ground{{"scene/ground.vert", "scene/ground.frag"}};
  GeometryProgram shadows{{"scene/shadow.vert", "scene/shadow.frag"}};
  GeometryProgram lamps{{"scene/lamp.vert", "scene/lamp.frag"}};
  GeometryProgram glows{{"scene/glow.vert", "scene/glow.frag"}};
  gl::Program sky{{"scene/sky.vert", "scene/sky.frag"}};
  gl::Program resolve;

  gl::Texture groundAlbedo = loadTexture("ground.png", GL_SRGB8_ALPHA8);
  gl::Texture ornament = loadTexture("ornament.png", GL_R8);
  Volume shadowVolume = loadShadows();
  gl::Buffer sceneBlock{sizeof(SceneBlock), nullptr, GL_DYNAMIC_STORAGE_BIT};
  gl::Buffer lampBlock{sizeof(LampBlock), nullptr, GL_DYNAMIC_STORAGE_BIT};
  gl::Buffer vertices, indices;
  gl::Buffer instances{kMaxTeapots * sizeof(TeapotInstance), nullptr, GL_DYNAMIC_STORAGE_BIT};
  gl::VertexArrayObject teapotArray = gl::makeVertexArray();
  gl::VertexArrayObject emptyArray = gl::makeVertexArray();
  std::array<Piece, kSegments.size()> pieces;

  glm::ivec2 size{0};
  int samples = 0;
  gl::Texture zBuffer, sampledColour;  // several samples a pixel where asked for
  gl::Texture colour, depth;           // one sample a pixel: drawn or resolved
  gl::Framebuffer sampled, resolved;

  std::vector<VisibleTeapot> visible;
  std::vector<TeapotInstance> staged;
  std::array<Lamp, kLamps> lit;

  Parts();
  // Both return the nearest distance of what can be seen, and upload what the draws read.
  float placeLamps(const Pinhole& pinhole, double timeS);
  float placeTeapots(const SceneSettings& scene, const Pinhole& pinhole, double timeS);
  void chooseLamp(const glm::vec3& point, TeapotInstance& instance) const;
  void drawTeapots(const Pinhole& pinhole) const;
  // Everything but the sky, or one side of it; returns the nearest distance of what can be seen.
  float drawGeometry(const SceneSettings& scene, const Pinhole& pinhole, double timeS, Keep keep,
                     glm::vec2 side);
};

ScenePass::Parts::Parts() {
  const auto patches = readPatches(dataDir() / "assets" / "teapot.bpt");
  std::vector<MeshVertex> allVertices;
  std::vector<uint32_t> allIndices;
  for (size_t level = 0; level < kSegments.size(); ++level) {
    const Mesh mesh = tessellate(patches, kSegments[level]);
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

float ScenePass::Parts::placeLamps(const Pinhole& pinhole, double timeS) {
  float nearestM = std::numeric_limits<float>::infinity();
  LampBlock block;
  for (int i = 0; i < kLamps; ++i) {
    const Lamp& lamp = lit[static_cast<size_t>(i)] = lampAt(i, timeS);
    block.lamps[i] = {glm::vec4(lamp.position, lamp.radiusM), glm::vec4(lamp.radiance, 0.0f)};
    if (pinhole.mayShow(lamp.position, lamp.radiusM))
      nearestM = std::min(nearestM, pinhole.distanceM(lamp.position) - lamp.radiusM);
  }
  glNamedBufferSubData(lampBlock.name(), 0, sizeof block, &block);
  return nearestM;
}

float ScenePass::Parts::placeTeapots(const SceneSettings& scene, const Pinhole& pinhole, double timeS) {
  const glm::vec3 up(0.0f, kTeapotCentreYM, 0.0f);
  float nearestM = std::numeric_limits<float>::infinity();
  visible.clear();
  for (int i = 0; i < std::min(scene.teapots, kMaxTeapots); ++i) {
    const Teapot teapot = teapotAt(i, timeS);
    const glm::vec3 centre = teapot.position + up;
    if (!pinhole.mayShow(centre, kShadowRadiusM)) continue;
    visible.push_back({pinhole.distanceM(centre), i, teapot});
    if (pinhole.mayShow(centre, kTeapotRadiusM))
      nearestM = std::min(nearestM, visible.back().distanceM - kTeapotRadiusM);
  }
  std::sort(visible.begin(), visible.end(), [](const VisibleTeapot& a, const VisibleTeapot& b) {
    return a.distanceM != b.distanceM ? a.distanceM < b.distanceM : a.index < b.index;
  });

  staged.clear();
  for (const auto& [distanceM, index, teapot] : visible) {
    TeapotInstance instance{{teapot.position, std::cos(teapot.angle)},
                            {teapot.glaze, std::sin(teapot.angle)},
                            {teapot.ornament, 0.0f},
                            glm::vec4(0.0f, -1.0f, 0.0f, 1.0f),
                            glm::vec4(0.0f)};
    if (scene.lamps) chooseLamp(teapot.position + up, instance);
    staged.push_back(instance);
  }
  glNamedBufferSubData(instances.name(), 0, static_cast<GLsizeiptr>(staged.size() * sizeof(TeapotInstance)),
                       staged.data());
  return nearestM;
}

// Lets the lamp that sends most light to `point` shine on it: intensity pi r^2 L, over the squared distance.
void ScenePass::Parts::chooseLamp(const glm::vec3& point, TeapotInstance& instance) const {
  float strongest = 0.0f;
  for (const Lamp& lamp : lit) {
    const glm::vec3 intensity = glm::pi<float>() * lamp.radiusM * lamp.radiusM * lamp.radiance;
    const glm::vec3 apart = lamp.position - point;
    const float strength = intensity.g / glm::dot(apart, apart);
    if (strength <= strongest) continue;
    strongest = strength;
    instance.lampPosition = glm::vec4(lamp.position, 1.0f);
    instance.lampIntensity = glm::vec4(intensity, 0.0f);
  }
}

// Nearest first, one draw call a level of detail: the coarsest whose chords are off by kChordErrorPx at most.
void ScenePass::Parts::drawTeapots(const Pinhole& pinhole) const {
  const float bodyPxM = 0.5f * float(size.y) * pinhole.scale.y * kBodyRadiusM;
  auto first = visible.begin();
  for (size_t level = 0; level < kSegments.size() && first != visible.end(); ++level) {
    auto last = visible.end();
    if (level + 1 < kSegments.size()) {
      const float coarser = float(kSegments[level + 1]);
      last = std::find_if(first, visible.end(), [&](const VisibleTeapot& teapot) {
        return 0.31f * bodyPxM <= kChordErrorPx * coarser * coarser * teapot.distanceM;
      });
    }
    if (last != first)
      glDrawElementsInstancedBaseVertexBaseInstance(
          GL_TRIANGLES, pieces[level].indices, GL_UNSIGNED_INT,
          reinterpret_cast<const void*>(pieces[level].firstIndexByte), static_cast<GLsizei>(last - first),
          pieces[level].baseVertex, static_cast<GLuint>(first - visible.begin()));
    first = last;
  }
}

float ScenePass::Parts::drawGeometry(const SceneSettings& scene, const Pinhole& pinhole, double timeS,
                                     Keep keep, glm::vec2 side) {
  const SceneBlock block{pinhole.worldToClip(), glm::vec4(pinhole.frame.eye, 1.0f)};
  glNamedBufferSubData(sceneBlock.name(), 0, sizeof block, &block);
  float nearestM = pinhole.nearestGroundM();
  if (scene.lamps) nearestM = std::min(nearestM, placeLamps(pinhole, timeS));
  nearestM = std::min(nearestM, placeTeapots(scene, pinhole, timeS));

  glBindVertexArray(teapotArray.name());
  teapots.use(keep, side);
  drawTeapots(pinhole);
  glBindVertexArray(emptyArray.name());
  if (scene.lamps) {
    lamps.use(keep, side);
    glDrawArraysInstanced(GL_TRIANGLES, 0, kLampVertices, kLamps);
  }
  ground.use(keep, side);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);

  glDepthMask(GL_FALSE);
  glColorMaski(1, GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ZERO, GL_SRC_COLOR);
  glBindVertexArray(teapotArray.name());
  shadows.use(keep, side);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(visible.size()));
  glBindVertexArray(emptyArray.name());
  if (scene.lamps) {
    glBlendFunc(GL_ONE, GL_ONE);
    glows.use(keep, side);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, kLanterns);
  }
  glDisable(GL_BLEND);
  glDepthMask(GL_TRUE);
  glColorMaski(1, GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  return nearestM;
}

ScenePass::ScenePass() : parts_(std::make_unique<Parts>()) {}
ScenePass::~ScenePass() = default;

void ScenePass::resize(glm::ivec2 size, int samples) {
  if (samples == 0) samples = gl::isSoftwareRenderer() ? 1 : 4;
  auto& p = *parts_;
  for (const GLenum limit : {GL_MAX_SAMPLES, GL_MAX_COLOR_TEXTURE_SAMPLES, GL_MAX_DEPTH_TEXTURE_SAMPLES}) {
    GLint offered = 1;
    glGetIntegerv(limit, &offered);
    samples = std::min(samples, offered);
  }
  samples = std::max(samples, 1);
  p.size = size;
  p.zBuffer = gl::Texture(GL_DEPTH_COMPONENT32F, size, samples);
  if (p.colour.size() != size) {
    p.colour = gl::Texture(GL_RGBA16F, size);
    p.depth = gl::Texture(GL_R32F, size);
  }
  p.resolved = gl::Framebuffer(p.colour, p.depth, samples > 1 ? nullptr : &p.zBuffer);
  p.sampledColour = samples > 1 ? gl::Texture(GL_RGBA16F, size, samples) : gl::Texture();
  p.sampled = samples > 1 ? gl::Framebuffer(p.sampledColour, &p.zBuffer) : gl::Framebuffer();
  // The driver may give more samples than were asked for.
  if (samples > 1) glGetNamedFramebufferParameteriv(p.sampled.name(), GL_SAMPLES, &samples);
  if (samples > 1 && samples != p.samples)
    p.resolve =
        gl::Program({"common/fullscreen.vert", "scene/resolve.frag"}, {{"SAMPLES", std::to_string(samples)}});
  p.samples = samples;
}

SceneFrame ScenePass::draw(const SceneSettings& scene, const CameraSettings& camera, double timeS,
                           Timings& timings, const ViewOffset& offset, const gl::Texture* behind) {
  auto& p = *parts_;
  const auto time = timings.gpu("scene");
  const auto scaled = [&](float scale) {
    return makePinhole(camera, p.size, kNearM, {offset.apertureM * scale, offset.focusDistanceM});
  };
  const Pinhole pinhole = scaled(offset.farScale);
  glBindBufferBase(GL_UNIFORM_BUFFER, 0, p.sceneBlock.name());
  glBindBufferBase(GL_UNIFORM_BUFFER, 1, p.lampBlock.name());
  p.groundAlbedo.bind(0);
  p.ornament.bind(1);
  glBindTextureUnit(2, p.shadowVolume.name());
  if (behind != nullptr) behind->bind(3);

  const GLuint target = (p.samples > 1 ? p.sampled : p.resolved).name();
  glBindFramebuffer(GL_FRAMEBUFFER, target);
  glViewport(0, 0, p.size.x, p.size.y);
  glClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_GREATER);
  glEnable(GL_CULL_FACE);
  glDisable(GL_BLEND);
  const float infinity = 0.0f;
  glClearNamedFramebufferfv(target, GL_DEPTH, 0, &infinity);

  float nearestM = 0.0f;
  if (offset.nearScale == offset.farScale) {
    nearestM = p.drawGeometry(scene, pinhole, timeS, behind != nullptr ? Keep::behind : Keep::all, {});
  } else {
    const float focusM = offset.focusDistanceM;
    glEnable(GL_CLIP_DISTANCE0);
    nearestM = p.drawGeometry(scene, pinhole, timeS, Keep::side, {1.0f, -focusM});
    nearestM = std::min(nearestM,
                        p.drawGeometry(scene, scaled(offset.nearScale), timeS, Keep::side, {-1.0f, focusM}));
    glDisable(GL_CLIP_DISTANCE0);
  }

  p.sky.use();
  p.sky.set("forward", pinhole.frame.forward);
  p.sky.set("rightPerNdc", pinhole.frame.right / pinhole.scale.x);
  p.sky.set("upPerNdc", pinhole.frame.up / pinhole.scale.y);
  p.sky.set("shear", pinhole.shear);
  glDepthFunc(GL_GEQUAL);
  glDrawArrays(GL_TRIANGLES, 0, 3);

  glDepthFunc(GL_LESS);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_CULL_FACE);
  glClipControl(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
  if (p.samples > 1) {
    p.sampledColour.bind(0);
    p.zBuffer.bind(1);
    p.resolve.use();
    gl::drawFullScreen(p.resolved.name(), p.size);
  }
  return {{p.size, 0.5f * pinhole.scale.y * float(p.size.y), kNearM, std::max(nearestM, kNearM)},
          &p.colour,
          &p.depth};
}

}  // namespace satdof
