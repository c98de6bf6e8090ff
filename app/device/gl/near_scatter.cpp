#include "app/device/near_scatter.h"

#include <array>
#include <stdexcept>
#include <string>

#include "app/device/gl/gl.h"
#include "app/gl/parameter_block.h"
#include "app/gl/program.h"

namespace satdof {

namespace {

constexpr struct { int groupX = 32, groupY = 8; } kTuning;
constexpr GLsizeiptr kWordBytes = 4;

}  // namespace

struct GlScatterScratch {
  std::array<gl::Buffer, 4> planes;  // one a channel; all zero between scatters
  gl::Texture differences;

  void resize(glm::ivec2 size) {
    if (differences.size() == size) return;
    const GLuint zero = 0;
    for (gl::Buffer& plane : planes) {
      plane = gl::Buffer(kWordBytes * size.x * size.y, nullptr);
      glClearNamedBufferData(plane.name(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &zero);
    }
    differences = gl::Texture(GL_RGBA32UI, size);
  }
};

namespace {

class GlNearScatter : public NearScatter {
 public:
  GlNearScatter(std::unique_ptr<TableBuilder> table, std::shared_ptr<GlScatterScratch> scratch,
                const gl::Defines& defines = {})
      : scatter_(program("lens/layered/scatter.comp", defines)),
        take_(program("lens/layered/differences.comp", {})),
        scratch_(std::move(scratch)),
        table_(std::move(table)) {}

  void resize(glm::ivec2 size) override {
    requireAddressable(size);
    scratch_->resize(size);
    table_->resize(size);
  }

  Table scatter(const SceneFrame& scene, const ScatterRule& rule, Timings& timings) override {
    scatterDifferences(scene, rule, timings);
    return table_->build({.texture = &scratch_->differences}, timings);
  }

 private:
  // Throws std::runtime_error if shaders cannot address a plane.
  static void requireAddressable(glm::ivec2 size) {
    GLint64 most = 0;
    glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &most);
    if (kWordBytes * size.x * size.y > most)
      throw std::runtime_error("cannot scatter the near field of " + std::to_string(size.x) + "x" +
                               std::to_string(size.y) + " pixels with compute shaders: OpenGL takes at most " +
                               std::to_string(most / kWordBytes) + " pixels; choose a smaller --size");
  }
  void scatterDifferences(const SceneFrame& scene, const ScatterRule& rule, Timings& timings) {
    const auto scope = timings.gpu("scatter");
    const auto& [planes, differences] = *scratch_;
    for (GLuint i = 0; i < planes.size(); ++i) glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, planes[i].name());
    rule_.bind(0, rule);
    scene.colour->bind(0);
    scene.depth->bind(1);
    const glm::ivec2 group(kTuning.groupX, kTuning.groupY);
    scatter_.dispatch(differences.size(), group);
    glBindImageTexture(0, differences.name(), 0, GL_FALSE, 0, GL_WRITE_ONLY, differences.format());
    take_.dispatch(differences.size(), group);
  }
  static gl::Program program(const char* file, gl::Defines defines) {
    defines.emplace_back("GROUP_X", std::to_string(kTuning.groupX));
    defines.emplace_back("GROUP_Y", std::to_string(kTuning.groupY));
    return gl::Program({file}, std::move(defines));
  }

  gl::Program scatter_, take_;
  gl::ParameterBlock rule_{sizeof(ScatterRule)};
  std::shared_ptr<GlScatterScratch> scratch_;
  std::unique_ptr<TableBuilder> table_;
};

}  // namespace

std::shared_ptr<GlScatterScratch> makeGlScatterScratch() { return std::make_shared<GlScatterScratch>(); }

std::unique_ptr<NearScatter> makeGlNearScatter(std::unique_ptr<TableBuilder> table) {
  return std::make_unique<GlNearScatter>(std::move(table), makeGlScatterScratch());
}

std::unique_ptr<NearScatter> makeGlLayerScatter(std::unique_ptr<TableBuilder> table,
                                                std::shared_ptr<GlScatterScratch> scratch) {
  return std::make_unique<GlNearScatter>(std::move(table), std::move(scratch), gl::Defines{{"LAYER", "1"}});
}

}  // namespace satdof
