#include "app/scene/teapots/crowd.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <string>

#include "app/core/files/data_dir.h"
#include "app/scene/teapots/bezier.h"

namespace satdof {

namespace {

constexpr GLuint kOrnamentUnit = 1;
constexpr GLuint kShadowUnit = 2;
constexpr unsigned kPlaceThreads = 64;

// Allowed error of the meshes at one sample per pixel, as in previews of software OpenGL: that renderer draws small
// triangles slowly, and aliased outlines hide the error.
constexpr float kOneSampleErrorPx = 2.0f;

// The instance attributes of shaders/scene/teapots/teapot.vert.
using Instance = std::array<glm::vec4, 5>;

// The structure `Teapot` of shaders/scene/teapots/place.comp (std430).
struct StoredTeapot {
  glm::vec4 position, glaze, ornament;
  double turns, turnsPerS;
};
// The block `Moment` of place.comp (std140).
struct MomentBlock {
  double timeS;
  float centreYM;
  GLuint lampCount;
};
// The block `View` of cull.comp (std140).
struct ViewBlock {
  std::array<glm::vec4, 5> planes;
  glm::vec4 axis;
  std::array<float, kDetails> fartherM;
  std::array<glm::uvec4, kMaxCullLevels> levels;
  GLuint levelCount, reversed;
  glm::uvec2 unused;
};

// From teapot.bpt, which is z up, to the world, which is y up.
glm::vec3 fromFile(const glm::vec3& v) { return {v.x, v.z, -v.y}; }

void attribute(const gl::VertexArrayObject& array, GLuint location, GLuint binding, GLint size, std::size_t offset) {
  glEnableVertexArrayAttrib(array.name(), location);
  glVertexArrayAttribFormat(array.name(), location, size, GL_FLOAT, GL_FALSE, static_cast<GLuint>(offset));
  glVertexArrayAttribBinding(array.name(), location, binding);
}

gl::Buffer writableBuffer(std::size_t bytes) {
  return {static_cast<GLsizeiptr>(bytes), nullptr, GL_DYNAMIC_STORAGE_BIT};
}

template <class T>
void write(const gl::Buffer& buffer, std::span<const T> values, std::size_t firstValue = 0) {
  glNamedBufferSubData(buffer.name(), static_cast<GLintptr>(firstValue * sizeof(T)),
                       static_cast<GLsizeiptr>(values.size_bytes()), values.data());
}

gl::Program computeProgram(const char* file, unsigned threads) {
  const auto number = [](std::size_t value) { return std::to_string(value) + "u"; };
  return gl::Program({file}, {{"THREADS", number(threads)},
                              {"ROOTS", number(kRoots)},
                              {"DETAILS", std::to_string(kDetails)},
                              {"MAX_LEVELS", std::to_string(kMaxCullLevels)},
                              {"MAX_TEAPOTS", number(kMaxTeapots)},
                              {"FRONTIER", number((kMaxTeapots + kFanOut - 1) / kFanOut)}});
}

}  // namespace

Crowd::Crowd()
    : cull_(computeProgram("scene/teapots/cull.comp", kCullThreads)),
      place_(computeProgram("scene/teapots/place.comp", kPlaceThreads)),
      spheres_(writableBuffer(sizeof(glm::vec4) * 2 * kMaxTeapots)),
      teapots_(writableBuffer(kMaxTeapots * sizeof(StoredTeapot))),
      lists_(writableBuffer(sizeof(uint32_t) * kDetails * kMaxTeapots)),
      viewBlock_(writableBuffer(sizeof(ViewBlock))),
      momentBlock_(writableBuffer(sizeof(MomentBlock))) {
  tessellateDetails();
  for (PassDraws& passDraws : passDraws_) passDraws = makePassDraws();
  for (auto& list : cpuLists_) list.reserve(kMaxTeapots);
  for (auto& frontier : frontiers_) frontier.reserve(kMaxTeapots);
}

void Crowd::tessellateDetails() {
  const auto patches = readPatches(dataDir() / "assets" / "teapot.bpt");
  std::vector<MeshVertex> vertices;
  std::vector<uint32_t> indices;
  for (int detail = 0; detail < kDetails; ++detail) {
    const Mesh mesh = detailMesh(patches, detail);
    empty_.teapots[static_cast<std::size_t>(detail)] = {static_cast<GLuint>(mesh.indices.size()), 0,
                                                        static_cast<GLuint>(indices.size()),
                                                        static_cast<GLint>(vertices.size()), 0};
    for (const auto& vertex : mesh.vertices)
      vertices.push_back({kTeapotUnitM * fromFile(vertex.position), fromFile(vertex.normal), vertex.patchUv});
    indices.insert(indices.end(), mesh.indices.begin(), mesh.indices.end());
  }
  vertices_ = gl::Buffer(static_cast<GLsizeiptr>(vertices.size() * sizeof(MeshVertex)), vertices.data());
  indices_ = gl::Buffer(static_cast<GLsizeiptr>(indices.size() * sizeof(uint32_t)), indices.data());
}

Crowd::PassDraws Crowd::makePassDraws() const {
  PassDraws passDraws{gl::Buffer(sizeof(Draws), &empty_, GL_DYNAMIC_STORAGE_BIT),
                      gl::Buffer(kMaxTeapots * sizeof(Instance), nullptr), gl::makeVertexArray()};
  const GLuint array = passDraws.array.name();
  glVertexArrayElementBuffer(array, indices_.name());
  glVertexArrayVertexBuffer(array, 0, vertices_.name(), 0, sizeof(MeshVertex));
  glVertexArrayVertexBuffer(array, 1, passDraws.instances.name(), 0, sizeof(Instance));
  glVertexArrayBindingDivisor(array, 1, 1);
  attribute(passDraws.array, 0, 0, 3, offsetof(MeshVertex, position));
  attribute(passDraws.array, 1, 0, 3, offsetof(MeshVertex, normal));
  attribute(passDraws.array, 2, 0, 2, offsetof(MeshVertex, patchUv));
  for (GLuint i = 0; i < std::tuple_size_v<Instance>; ++i)
    attribute(passDraws.array, 3 + i, 1, 4, i * sizeof(glm::vec4));
  return passDraws;
}

void Crowd::build(const TeapotsSettings& settings) {
  if (std::ssize(hierarchy_.teapots()) == std::min(settings.count, kMaxTeapots)) return;
  hierarchy_.build(settings.count);
  std::vector<StoredTeapot> stored;
  for (const Teapot& teapot : hierarchy_.teapots())
    stored.push_back({glm::vec4(teapot.position, 1.0f), glm::vec4(teapot.glaze, 0.0f), glm::vec4(teapot.ornament, 0.0f),
                      teapot.turns, teapot.turnsPerS});
  write(teapots_, std::span<const StoredTeapot>(stored));
  write(spheres_, hierarchy_.spheres());
}

void Crowd::place(const TeapotsSettings& settings, const GeometryPass& pass, const Pinhole& main, int heightPx,
                  double timeS, Timings& timings) {
  build(settings);
  const auto stage = timings.gpu("cull");
  const CullView view = cullView(pass.pinhole, main, heightPx, pass.fine ? 1.0f : kOneSampleErrorPx);
  const PassDraws& passDraws = passDraws_[pass.index];
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, passDraws.draws.name());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, lists_.name());
  if (settings.culling == Culling::glCompute) {
    listOnGpu(view);
  } else {
    const auto onCpu = timings.cpu("traverse");
    listOnCpu(settings.culling != Culling::none, view, passDraws);
  }

  const MomentBlock moment{timeS, kTeapotCentreYM, settings.lamps ? GLuint{kLamps} : 0u};
  write(momentBlock_, std::span(&moment, 1));
  glBindBufferBase(GL_UNIFORM_BUFFER, 2, momentBlock_.name());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, teapots_.name());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 3, passDraws.instances.name());
  place_.use();
  glDispatchCompute((static_cast<GLuint>(hierarchy_.teapots().size()) + kPlaceThreads - 1) / kPlaceThreads, 1, 1);
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT | GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT |
                  GL_BUFFER_UPDATE_BARRIER_BIT);
  if (settings.culling != Culling::glCompute) return;
  if (const auto words = listedReads_.poll(); !words.empty()) listed_ = std::bit_cast<int>(words[0]);
  if (listedReads_.inFlight() == 0) listedReads_.request(passDraws.draws, offsetof(Draws, shadows), 1);
}

void Crowd::listOnCpu(bool cull, const CullView& view, const PassDraws& passDraws) {
  if (cull)
    listVisible(hierarchy_, view, frontiers_, cpuLists_);
  else
    listAll(hierarchy_, view, cpuLists_);
  Draws draws = empty_;
  for (std::size_t detail = 0; detail < kDetails; ++detail) {
    const auto listed = static_cast<GLuint>(cpuLists_[detail].size());
    draws.teapots[detail].instances = listed;
    draws.teapots[detail].baseInstance = draws.shadows;
    draws.shadows += listed;
    if (listed > 0) write(lists_, std::span<const uint32_t>(cpuLists_[detail]), detail * kMaxTeapots);
  }
  write(passDraws.draws, std::span<const Draws>(&draws, 1));
  listed_ = static_cast<int>(draws.shadows);
}

void Crowd::listOnGpu(const CullView& view) const {
  ViewBlock block{view.planes, view.axis, view.fartherM, {}, 0, view.reversed, {}};
  for (const auto& level : hierarchy_.levels()) block.levels[block.levelCount++] = {level.first, level.size, 0, 0};
  write(viewBlock_, std::span<const ViewBlock>(&block, 1));
  glBindBufferBase(GL_UNIFORM_BUFFER, 2, viewBlock_.name());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, spheres_.name());
  cull_.use();
  glDispatchCompute(1, 1, 1);
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

void Crowd::draw(const GeometryPass& pass, SkyLight light) const {
  const PassDraws& passDraws = passDraws_[pass.index];
  glBindVertexArray(passDraws.array.name());
  ornament_.bind(kOrnamentUnit);
  program_.use(pass, light);
  glBindBuffer(GL_DRAW_INDIRECT_BUFFER, passDraws.draws.name());
  glMultiDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_INT, nullptr, kDetails, sizeof(DrawElements));
}

void Crowd::drawShadows(const GeometryPass& pass, SkyLight light) const {
  const BlendedDraws multiplied(GL_ZERO, GL_SRC_COLOR);
  const PassDraws& passDraws = passDraws_[pass.index];
  glBindVertexArray(passDraws.array.name());
  glBindTextureUnit(kShadowUnit, shadowVolume_.name());
  shadows_.use(pass, light);
  glBindBuffer(GL_DRAW_INDIRECT_BUFFER, passDraws.draws.name());
  glDrawArraysIndirect(GL_TRIANGLE_STRIP, reinterpret_cast<const void*>(offsetof(Draws, shadowVertices)));
}

}  // namespace satdof
