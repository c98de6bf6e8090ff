#include "app/views/table_error.h"

#include "app/gl/program.h"
#include "app/lens/box/box.h"

namespace satdof {

namespace {

constexpr float kGain = 128.0f;

Method withFormat(Method method, SatFormat format) {
  method.format = format;
  return method;
}

// A table, its look-ups, and their picture in single precision.
struct Half {
  SingleTableLens lens;
  gl::Texture picture;
  gl::Framebuffer framebuffer;

  explicit Half(const Method& method)
      : lens(method, method.lens == LensKind::gems ? kLinearRule : kThinLensRule) {}

  void resize(glm::ivec2 size) {
    lens.resize(size);
    picture = gl::Texture(GL_RGBA32F, size);
    framebuffer = gl::Framebuffer(picture);
  }
};

class TableErrorLens final : public Lens {
 public:
  explicit TableErrorLens(const Method& method)
      : exact_(withFormat(method, SatFormat::uint32)),
        rounded_(method.format == SatFormat::uint32 ? withFormat(method, SatFormat::float32) : method),
        difference_({"common/fullscreen.vert", "views/difference.frag"}) {}

  void resize(glm::ivec2 size) override {
    exact_.resize(size);
    rounded_.resize(size);
  }

  void process(const LensInputs& inputs, const gl::Framebuffer& output, Timings& timings) override {
    exact_.lens.process(inputs, exact_.framebuffer, timings);
    rounded_.lens.process(inputs, rounded_.framebuffer, timings);
    const glm::ivec2 size = inputs.scene.size;
    exact_.picture.bind(0);
    rounded_.picture.bind(1);
    difference_.set("exposure", inputs.exposure);
    difference_.set("gain", kGain);
    difference_.set("firstColumn", size.x / 2);
    difference_.use();
    gl::drawFullScreen(output.name(), size);
  }

  SatView table() const override { return rounded_.lens.table(); }
  std::string state() const override { return exact_.lens.state(); }

 private:
  Half exact_, rounded_;
  gl::Program difference_;
};

}  // namespace

std::unique_ptr<Lens> makeTableErrorLens(const Method& method) {
  return std::make_unique<TableErrorLens>(method);
}

}  // namespace satdof
