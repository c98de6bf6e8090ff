#include "app/scene/teapots/crowd.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <limits>

#include "app/core/data_dir.h"
#include "app/scene/teapots/bezier.h"

namespace satdof {

namespace {

constexpr GLuint kOrnamentUnit = 1;
constexpr GLuint kShadowUnit = 2;

// A quarter of the teapot's body, of radius r, cut into n chords, has an error of
// r (1 - cos(pi / 4n)) ~ 0.31 r / n^2.
constexpr float kBodyRadiusM = 2.0f * kTeapotUnitM;
constexpr float kChordErrorPx = 1.0f;

constexpr glm::vec3 kCentre(0.0f, kTeapotCentreYM, 0.0f);

// teapot.bpt is z up; the world is y up.
glm::vec3 fromFile(const glm::vec3& v) { return {v.x, v.z, -v.y}; }

void attribute(const gl::VertexArrayObject& array, GLuint location, GLuint binding, GLint size,
               size_t offset) {
  glEnableVertexArrayAttrib(array.name(), location);
  glVertexArrayAttribFormat(array.name(), location, size, GL_FLOAT, GL_FALSE, static_cast<GLuint>(offset));
  glVertexArrayAttribBinding(array.name(), location, binding);
}

}  // namespace

Crowd::Crowd() {
  tessellateLevels();
  describeVertices();
  visible_.reserve(kMaxTeapots);
  staged_.reserve(kMaxTeapots);
}

void Crowd::tessellateLevels() {
  const auto patches = readPatches(dataDir() / "assets" / "teapot.bpt");
  std::vector<MeshVertex> vertices;
  std::vector<uint32_t> indices;
  for (size_t level = 0; level < kSegments.size(); ++level) {
    const Mesh mesh = tessellate(patches, kSegments[level]);
    levels_[level] = {static_cast<GLsizei>(mesh.indices.size()), indices.size() * sizeof(uint32_t),
                      static_cast<GLint>(vertices.size())};
    for (const auto& vertex : mesh.vertices)
      vertices.push_back({kTeapotUnitM * fromFile(vertex.position), fromFile(vertex.normal), vertex.patchUv});
    indices.insert(indices.end(), mesh.indices.begin(), mesh.indices.end());
  }
  vertices_ = gl::Buffer(static_cast<GLsizeiptr>(vertices.size() * sizeof(MeshVertex)), vertices.data());
  indices_ = gl::Buffer(static_cast<GLsizeiptr>(indices.size() * sizeof(uint32_t)), indices.data());
}

void Crowd::describeVertices() {
  const GLuint array = array_.name();
  glVertexArrayElementBuffer(array, indices_.name());
  glVertexArrayVertexBuffer(array, 0, vertices_.name(), 0, sizeof(MeshVertex));
  glVertexArrayVertexBuffer(array, 1, instances_.name(), 0, sizeof(Instance));
  glVertexArrayBindingDivisor(array, 1, 1);
  attribute(array_, 0, 0, 3, offsetof(MeshVertex, position));
  attribute(array_, 1, 0, 3, offsetof(MeshVertex, normal));
  attribute(array_, 2, 0, 2, offsetof(MeshVertex, patchUv));
  for (GLuint i = 0; i < sizeof(Instance) / sizeof(glm::vec4); ++i)
    attribute(array_, 3 + i, 1, 4, i * sizeof(glm::vec4));
}

float Crowd::place(int count, std::span<const Lamp> lamps, const Pinhole& pinhole, double timeS) {
  const float nearestM = collectVisible(count, pinhole, timeS);
  std::sort(visible_.begin(), visible_.end(), [](const Visible& a, const Visible& b) {
    return a.distanceM != b.distanceM ? a.distanceM < b.distanceM : a.index < b.index;
  });
  staged_.clear();
  for (const Visible& visible : visible_) staged_.push_back(instanceOf(visible.teapot, lamps));
  glNamedBufferSubData(instances_.name(), 0, static_cast<GLsizeiptr>(staged_.size() * sizeof(Instance)),
                       staged_.data());
  return nearestM;
}

float Crowd::collectVisible(int count, const Pinhole& pinhole, double timeS) {
  float nearestM = std::numeric_limits<float>::infinity();
  visible_.clear();
  for (int i = 0; i < std::min(count, kMaxTeapots); ++i) {
    const Teapot teapot = teapotAt(i, timeS);
    const glm::vec3 centre = teapot.position + kCentre;
    if (!pinhole.mayShow(centre, kShadowRadiusM)) continue;
    visible_.push_back({pinhole.distanceM(centre), i, teapot});
    if (pinhole.mayShow(centre, kTeapotRadiusM))
      nearestM = std::min(nearestM, visible_.back().distanceM - kTeapotRadiusM);
  }
  return nearestM;
}

// The lamp that sends the most light lights the teapot: intensity pi r^2 L, over the squared distance.
Crowd::Instance Crowd::instanceOf(const Teapot& teapot, std::span<const Lamp> lamps) {
  Instance instance{{teapot.position, std::cos(teapot.angle)},
                    {teapot.glaze, std::sin(teapot.angle)},
                    {teapot.ornament, 0.0f},
                    glm::vec4(0.0f, -1.0f, 0.0f, 1.0f),
                    glm::vec4(0.0f)};
  float strongest = 0.0f;
  for (const Lamp& lamp : lamps) {
    const glm::vec3 intensity = glm::pi<float>() * lamp.radiusM * lamp.radiusM * lamp.radiance;
    const glm::vec3 apart = lamp.position - (teapot.position + kCentre);
    const float strength = intensity.g / glm::dot(apart, apart);
    if (strength <= strongest) continue;
    strongest = strength;
    instance.lampPosition = glm::vec4(lamp.position, 1.0f);
    instance.lampIntensity = glm::vec4(intensity, 0.0f);
  }
  return instance;
}

// One draw call a level of detail: the coarsest level whose chord error is at most kChordErrorPx.
void Crowd::draw(const GeometryPass& pass) const {
  glBindVertexArray(array_.name());
  ornament_.bind(kOrnamentUnit);
  program_.use(pass);
  const float bodyPxM = pass.pinhole.focalPx(pass.size.y) * kBodyRadiusM;
  auto first = visible_.begin();
  for (size_t level = 0; level < kSegments.size() && first != visible_.end(); ++level) {
    auto last = visible_.end();
    if (level + 1 < kSegments.size()) {
      const float coarser = float(kSegments[level + 1]);
      last = std::find_if(first, visible_.end(), [&](const Visible& teapot) {
        return 0.31f * bodyPxM <= kChordErrorPx * coarser * coarser * teapot.distanceM;
      });
    }
    if (last != first)
      glDrawElementsInstancedBaseVertexBaseInstance(
          GL_TRIANGLES, levels_[level].indices, GL_UNSIGNED_INT,
          reinterpret_cast<const void*>(levels_[level].firstIndexByte), static_cast<GLsizei>(last - first),
          levels_[level].baseVertex, static_cast<GLuint>(first - visible_.begin()));
    first = last;
  }
}

void Crowd::drawShadows(const GeometryPass& pass) const {
  const BlendedDraws multiplied(GL_ZERO, GL_SRC_COLOR);
  glBindVertexArray(array_.name());
  glBindTextureUnit(kShadowUnit, shadowVolume_.name());
  shadows_.use(pass);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(visible_.size()));
}

}  // namespace satdof
