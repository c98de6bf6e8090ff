#include "app/lens/layered.h"

#include <algorithm>
#include <cmath>

#include "app/gl/program.h"
#include "app/lens/circle_of_confusion.h"

namespace satdof {

namespace {

constexpr int kGroup = 16;
constexpr float kCeiling = 64.0f;  // of a channel, linear light
constexpr float kSpreadScale =
    16777216.0f;  // coverage of 1: 2^24 leaves room for 64 x 4 layers of overlap in 2^32

struct Layered final : Lens {
  explicit Layered(const Method& method)
      : spread_({"layered_spread.comp"}),
        background_({"layered_background.comp"}),
        compose_({"fullscreen.vert", "layered_compose.frag"}) {
    Method exact = method;
    exact.format = SatFormat::uint32;
    for (auto& backend : backends_) backend = makeSatBackend(exact);
  }

  void resize(glm::ivec2 size) override {
    size_ = size;
    for (auto& backend : backends_) backend->resize(size);
    differences_ = gl::Buffer(GLsizeiptr{16} * size.x * size.y, nullptr);
    for (auto* picture : {&differencePicture_, &fillColour_, &fillRadius_, &farPicture_})
      *picture = gl::Texture(GL_RGBA32UI, size);
    backgroundColour_ = gl::Texture(GL_RGBA16F, size);
    backgroundRadius_ = gl::Texture(GL_R32F, size);
  }

  void process(const LensInputs& inputs, const gl::Framebuffer& output, Timings& timings) override {
    const LensSettings& lens = inputs.lens;
    const CircleOfConfusion coc = circleOfConfusion(lens, size_.y, inputs.scene.nearM);
    const float farthest = std::max(coc.beta, 1.0f) * lens.farScale;
    const float nearest = largestRadiusPx(coc, inputs.scene) * lens.nearScale;
    const int largestFill = std::clamp(static_cast<int>(2 * nearest) + 8, 16, 256);
    const auto fillArea = static_cast<float>(largestFill);
    const float fillScale = fixedPointScale(fillArea, size_, kCeiling);
    const float fillRadiusScale = fixedPointScale(fillArea, size_, std::max(farthest, 1.0f));
    const float farScale = fixedPointScale(farthest * std::max(1.0f, lens.stretch), size_, kCeiling);
    const auto dispatch = [&] {
      glDispatchCompute((size_.x + kGroup - 1) / kGroup, (size_.y + kGroup - 1) / kGroup, 1);
      glMemoryBarrier(GL_ALL_BARRIER_BITS);
    };
    const auto useWithLens = [&](const gl::Program& program) {
      program.use();
      program.set("alpha", coc.alpha);
      program.set("beta", coc.beta);
      program.set("sideScale", glm::vec2(lens.nearScale, lens.farScale));
      program.set("steps", lens.kernelSteps);
      program.set("stretch", lens.stretch);
    };

    {
      const auto scope = timings.gpu("spread");
      const GLuint zero = 0;
      glClearNamedBufferData(differences_.name(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &zero);
      useWithLens(spread_);
      spread_.set("spreadScale", kSpreadScale);
      spread_.set("fillScale", fillScale);
      spread_.set("fillRadiusScale", fillRadiusScale);
      spread_.set("ceiling_", kCeiling);
      inputs.scene.colour->bind(0);
      inputs.scene.depth->bind(1);
      bindImage(0, fillColour_);
      bindImage(1, fillRadius_);
      glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, differences_.name());
      dispatch();
      glBindBuffer(GL_PIXEL_UNPACK_BUFFER, differences_.name());
      glTextureSubImage2D(differencePicture_.name(), 0, 0, 0, size_.x, size_.y, GL_RGBA_INTEGER,
                          GL_UNSIGNED_INT, nullptr);
      glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    }
    const SatView near = backends_[0]->build({.texture = &differencePicture_}, timings);
    const SatView fillTable = backends_[1]->build({.texture = &fillColour_}, timings);
    const SatView fillRadiusTable = backends_[2]->build({.texture = &fillRadius_}, timings);
    {
      const auto scope = timings.gpu("background");
      useWithLens(background_);
      background_.set("farScale", farScale);
      background_.set("ceiling_", kCeiling);
      background_.set("largestFill", largestFill);
      background_.set("fillRadiusScale", fillRadiusScale);
      background_.set("fillScale", fillScale);
      background_.set("secondLayer", 0);
      background_.set("transposed", fillTable.transposed ? 1 : 0);
      inputs.scene.colour->bind(0);
      inputs.scene.depth->bind(1);
      glBindTextureUnit(2, fillTable.texture);
      glBindTextureUnit(3, fillRadiusTable.texture);
      bindImage(0, backgroundColour_);
      bindImage(1, backgroundRadius_);
      bindImage(2, farPicture_);
      dispatch();
    }
    table_ = backends_[3]->build({.texture = &farPicture_}, timings);
    const auto scope = timings.gpu("lens");
    useWithLens(compose_);
    compose_.set("farUnit", kCeiling);
    compose_.set("spreadScale", kSpreadScale);
    compose_.set("transposed", table_.transposed ? 1 : 0);
    glBindTextureUnit(0, near.texture);
    glBindTextureUnit(1, table_.texture);
    backgroundColour_.bind(2);
    backgroundRadius_.bind(3);
    gl::drawFullScreen(output.name(), size_);
  }

  SatView table() const override { return table_; }
  std::string state() const override { return backends_[0]->state(); }

 private:
  static void bindImage(GLuint unit, const gl::Texture& texture) {
    glBindImageTexture(unit, texture.name(), 0, GL_FALSE, 0, GL_WRITE_ONLY, texture.format());
  }

  gl::Program spread_, background_, compose_;
  std::unique_ptr<SatBackend> backends_[4];
  glm::ivec2 size_{0};
  gl::Buffer differences_;
  gl::Texture differencePicture_, fillColour_, fillRadius_, farPicture_, backgroundColour_, backgroundRadius_;
  SatView table_;
};

}  // namespace

std::unique_ptr<Lens> makeLayeredLens(const Method& method) { return std::make_unique<Layered>(method); }

}  // namespace satdof
