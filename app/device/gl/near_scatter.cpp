#include "app/device/near_scatter.h"

#include <array>
#include <stdexcept>
#include <string>

#include "app/device/gl/gl.h"
#include "app/device/gl/uniforms.h"
#include "app/gl/program.h"

namespace satdof {

namespace {

constexpr struct { int groupX = 32, groupY = 8; } kTuning;
constexpr GLsizeiptr kWordBytes = 4;

class GlNearScatter : public NearScatter {
 public:
  explicit GlNearScatter(std::unique_ptr<TableBuilder> table, const gl::Defines& defines = {})
      : scatter_(program("lens/layered/scatter.comp", defines)),
        take_(program("lens/layered/differences.comp", {})),
        table_(std::move(table)) {}

  void resize(glm::ivec2 size) override {
    requireAddressable(size);
    const GLuint zero = 0;
    for (gl::Buffer& plane : planes_) {
      plane = gl::Buffer(kWordBytes * size.x * size.y, nullptr);
      glClearNamedBufferData(plane.name(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &zero);
    }
    differences_ = gl::Texture(GL_RGBA32UI, size);
    table_->resize(size);
  }

  Table scatter(const SceneFrame& scene, const ScatterRule& rule, Timings& timings) override {
    scatterDifferences(scene, rule, timings);
    return table_->build({.texture = &differences_}, timings);
  }

 private:
  // Throws std::runtime_error if shaders cannot address a plane.
  static void requireAddressable(glm::ivec2 size) {
    GLint64 most = 0;
    glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &most);
    if (kWordBytes * size.x * size.y > most)
      throw std::runtime_error("cannot scatter the near field of " + std::to_string(size.x) + "x" +
                               std::to_string(size.y) +
                               " pixels with compute shaders: OpenGL takes at most " +
                               std::to_string(most / kWordBytes) + " pixels; choose a smaller --size");
  }
  void scatterDifferences(const SceneFrame& scene, const ScatterRule& rule, Timings& timings) {
    const auto scope = timings.gpu("scatter");
    for (GLuint i = 0; i < planes_.size(); ++i)
      glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, planes_[i].name());
    setThinLens(scatter_, rule.lens);
    scatter_.set("steps", rule.steps);
    scatter_.set("band.fromPx", rule.band.fromPx);
    scatter_.set("band.rise", rule.band.rise);
    scatter_.set("band.untilPx", rule.band.untilPx);
    scatter_.set("band.fall", rule.band.fall);
    scene.colour->bind(0);
    scene.depth->bind(1);
    const glm::ivec2 group(kTuning.groupX, kTuning.groupY);
    scatter_.dispatch(differences_.size(), group);
    glBindImageTexture(0, differences_.name(), 0, GL_FALSE, 0, GL_WRITE_ONLY, differences_.format());
    take_.dispatch(differences_.size(), group);
  }
  static gl::Program program(const char* file, gl::Defines defines) {
    defines.emplace_back("GROUP_X", std::to_string(kTuning.groupX));
    defines.emplace_back("GROUP_Y", std::to_string(kTuning.groupY));
    return gl::Program({file}, std::move(defines));
  }

  gl::Program scatter_, take_;
  std::array<gl::Buffer, 4> planes_;  // one a channel; all zero between frames
  gl::Texture differences_;
  std::unique_ptr<TableBuilder> table_;
};

}  // namespace

std::unique_ptr<NearScatter> makeGlNearScatter(std::unique_ptr<TableBuilder> table) {
  return std::make_unique<GlNearScatter>(std::move(table));
}

std::unique_ptr<NearScatter> makeGlLayerScatter(std::unique_ptr<TableBuilder> table) {
  return std::make_unique<GlNearScatter>(std::move(table), gl::Defines{{"LAYER", "1"}});
}

}  // namespace satdof
