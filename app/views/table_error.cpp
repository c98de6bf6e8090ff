#include "app/views/table_error.h"

#include "app/gl/program.h"
#include "app/lens/box/box.h"

namespace satdof {

namespace {

constexpr float kGain = 128.0f;

Technique withFormat(Technique technique, TableFormat format) {
  technique.format = format;
  return technique;
}

// A table, its look-ups, and their image in single precision.
struct Half {
  SingleTableLens lens;
  gl::Texture image;
  gl::Framebuffer framebuffer;

  explicit Half(const Technique& technique)
      : lens(technique, technique.lens == LensKind::gems ? kLinearRule : kThinLensRule) {}

  void resize(glm::ivec2 size) {
    lens.resize(size);
    image = gl::Texture(GL_RGBA32F, size);
    framebuffer = gl::Framebuffer(image);
  }
};

class TableErrorLens final : public Lens {
 public:
  explicit TableErrorLens(const Technique& technique)
      : exact_(withFormat(technique, TableFormat::uint32)),
        rounded_(technique.format == TableFormat::uint32 ? withFormat(technique, TableFormat::float32)
                                                         : technique),
        difference_({"common/fullscreen.vert", "views/difference.frag"}) {}

  void resize(glm::ivec2 size) override {
    exact_.resize(size);
    rounded_.resize(size);
  }

  void process(const LensInputs& inputs, const gl::Framebuffer& output, Timings& timings) override {
    exact_.lens.process(inputs, exact_.framebuffer, timings);
    rounded_.lens.process(inputs, rounded_.framebuffer, timings);
    const glm::ivec2 size = inputs.scene.size;
    exact_.image.bind(0);
    rounded_.image.bind(1);
    difference_.set("exposure", inputs.exposure);
    difference_.set("gain", kGain);
    difference_.set("firstColumn", size.x / 2);
    difference_.use();
    gl::drawFullScreen(output.name(), size);
  }

  Table table() const override { return rounded_.lens.table(); }
  std::string state() const override { return exact_.lens.state(); }

 private:
  Half exact_, rounded_;
  gl::Program difference_;
};

}  // namespace

std::unique_ptr<Lens> makeTableErrorLens(const Technique& technique) {
  return std::make_unique<TableErrorLens>(technique);
}

}  // namespace satdof
