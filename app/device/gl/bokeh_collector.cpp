#include <string>

#include "app/device/bokeh_collector.h"
#include "app/device/gl/gl.h"
#include "app/gl/parameter_block.h"
#include "app/gl/program.h"

namespace satdof {

namespace {

constexpr GLuint kOffsetThreads = 1024;

gl::Program collectProgram(bool count, unsigned capacity) {
  return gl::Program({"bokeh/collect.comp"}, {{"TILE", std::to_string(kMaxCellPx)},
                                              {"SPRITES_PER_ROW", std::to_string(kSpritesPerRow) + "u"},
                                              {"CAPACITY", std::to_string(capacity) + "u"},
                                              {"COUNT", count ? "1" : "0"}});
}

// Collects sprites by three compute passes: count the sprites of every tile; scan the counts to offsets; write the
// sprites of every tile from its offset on.
class GlBokehCollector : public BokehCollector {
 public:
  explicit GlBokehCollector(unsigned capacity)
      : count_(collectProgram(true, capacity)),
        offsets_({"bokeh/offsets.comp"}, {{"THREADS", std::to_string(kOffsetThreads) + "u"},
                                          {"CAPACITY", std::to_string(capacity) + "u"},
                                          {"VERTICES", std::to_string(kSpriteVertices) + "u"}}),
        write_(collectProgram(false, capacity)),
        sprites_(spriteTexture(capacity)),
        command_(kCommandBytes, nullptr) {}

  void resize(glm::ivec2 size) override {
    tiles_ = (size + static_cast<int>(kMaxCellPx) - 1) / static_cast<int>(kMaxCellPx);
    counts_ = gl::Buffer(GLsizeiptr{4} * tiles_.x * tiles_.y, nullptr);
  }

  BokehDraw collect(const SceneFrame& scene, const BokehRule& rule, Timings& timings) override {
    const auto scope = timings.gpu("collect highlights");
    scene.colour->bind(0);
    scene.depth->bind(1);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, counts_.name());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, command_.name());
    glBindImageTexture(0, sprites_.name(), 0, GL_FALSE, 0, GL_WRITE_ONLY, sprites_.format());
    rule_.bind(0, rule);
    count_.dispatchGroups(tiles_);
    offsets_.dispatchGroups(glm::ivec2(1));
    write_.dispatchGroups(tiles_);
    return {sprites_.name(), command_.name()};
  }

 private:
  gl::Program count_, offsets_, write_;
  gl::ParameterBlock rule_{sizeof(BokehRule)};
  gl::Texture sprites_;
  gl::Buffer command_, counts_;
  glm::ivec2 tiles_{0};
};

}  // namespace

std::unique_ptr<BokehCollector> makeGlBokehCollector(const BokehSpec&, Scan, unsigned capacity) {
  return std::make_unique<GlBokehCollector>(capacity);
}

}  // namespace satdof
