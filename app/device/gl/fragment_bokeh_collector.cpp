#include <optional>
#include <string>

#include "app/device/bokeh_collector.h"
#include "app/device/gl/compact.h"
#include "app/device/gl/gl.h"
#include "app/gl/parameter_block.h"

namespace satdof {

namespace {

gl::Program collectProgram(const char* pass, unsigned capacity) {
  return gl::Program({"common/fullscreen.vert", "bokeh/collect.frag"},
                     {{pass, "1"},
                      {"CAPACITY", std::to_string(capacity).append("u")},
                      {"NONE", std::to_string(GlFragmentCompactor::kNone).append("u")},
                      {"VERTICES", std::to_string(kSpriteVertices).append("u")}});
}

// Collects sprites by five steps of fragment shaders: the radius of each pixel's highlight; the first highlights of
// each kind in each cell; their scan; the search for the first highlight of each sprite; the sum over the cell of each
// sprite, once for each of its three texels.
class GlFragmentBokehCollector : public BokehCollector {
 public:
  explicit GlFragmentBokehCollector(unsigned capacity)
      : capacity_(capacity),
        findRadii_(collectProgram("PASS_RADII", capacity)),
        findFirsts_(collectProgram("PASS_FIRSTS", capacity)),
        writeSprites_(collectProgram("PASS_SPRITES", capacity)),
        writeCommand_(collectProgram("PASS_COMMAND", capacity)),
        sprites_(spriteTexture(capacity)),
        commandTexel_(GL_RGBA32UI, glm::ivec2(1)),
        command_(kCommandBytes, nullptr),
        spritesTarget_(sprites_),
        commandTarget_(commandTexel_) {}

  void resize(glm::ivec2 size) override {
    radii_ = gl::Texture(GL_R32F, size);
    firsts_ = gl::Texture(GL_R32UI, size);
    radiiTarget_ = gl::Framebuffer(radii_);
    firstsTarget_ = gl::Framebuffer(firsts_);
    pixels_ = static_cast<unsigned>(size.x) * static_cast<unsigned>(size.y);
    compactor_.emplace(size.x, pixels_, kSpritesPerRow, capacity_);
  }

  BokehDraw collect(const SceneFrame& scene, const BokehRule& rule, Timings& timings) override {
    {
      const auto scope = timings.gpu("mark highlights");
      scene.colour->bind(0);
      scene.depth->bind(1);
      rule_.bind(0, rule);
      draw(findRadii_, radiiTarget_, radii_);
      radii_.bind(2);
      draw(findFirsts_, firstsTarget_, firsts_);
    }
    GlFragmentCompactor::Compacted found{};
    {
      const auto scope = timings.gpu("compact");
      found = compactor_->run(firsts_);
    }
    const auto scope = timings.gpu("write sprites");
    found.sums->bind(0);
    writeCommand_.set("width", static_cast<unsigned>(firsts_.size().x));
    writeCommand_.set("count", pixels_);
    draw(writeCommand_, commandTarget_, commandTexel_);
    scene.colour->bind(0);
    scene.depth->bind(1);
    found.indices->bind(3);
    rule_.bind(0, rule);
    draw(writeSprites_, spritesTarget_, sprites_);
    copyCommand(commandTexel_, command_);
    return {sprites_.name(), command_.name()};
  }

 private:
  static void draw(const gl::Program& program, const gl::Framebuffer& target, const gl::Texture& texture) {
    program.use();
    gl::drawFullScreen(target.name(), texture.size());
  }

  unsigned capacity_, pixels_ = 0;
  gl::Program findRadii_, findFirsts_, writeSprites_, writeCommand_;
  gl::ParameterBlock rule_{sizeof(BokehRule)};
  gl::Texture sprites_, commandTexel_, radii_, firsts_;
  gl::Buffer command_;
  gl::Framebuffer spritesTarget_, commandTarget_, radiiTarget_, firstsTarget_;
  std::optional<GlFragmentCompactor> compactor_;
};

}  // namespace

std::unique_ptr<BokehCollector> makeGlFragmentBokehCollector(const BokehSpec&, Scan, unsigned capacity) {
  return std::make_unique<GlFragmentBokehCollector>(capacity);
}

}  // namespace satdof
