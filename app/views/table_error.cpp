#include "app/views/table_error.h"

#include "app/views/difference.h"

namespace satdof {

namespace {

constexpr float kGain = 128.0f;

// A lens on tables of one format, and its image in 32-bit float.
struct LensOnFormat {
  std::unique_ptr<Lens> lens;
  gl::Target target;

  LensOnFormat(const Technique& technique, TableFormat format) {
    Technique onFormat = technique;
    onFormat.table.format = format;
    onFormat.lens.on = LensOn::openGl;
    onFormat.bokeh.enabled = false;
    lens = makeLens(onFormat);
  }

  void resize(glm::ivec2 size) {
    lens->resize(size);
    target = gl::Target(size, GL_RGBA32F);
  }
};

class TableErrorLens final : public Lens {
 public:
  explicit TableErrorLens(const Technique& technique)
      : exact_(technique, TableFormat::uint32),
        rounded_(technique,
                 technique.table.format == TableFormat::uint32 ? TableFormat::float32 : technique.table.format) {}

  void resize(glm::ivec2 size) override {
    exact_.resize(size);
    rounded_.resize(size);
  }

  LensResult draw(const LensInputs& inputs, const gl::Target& output, Timings& timings) override {
    exact_.lens->draw(inputs, exact_.target, timings);
    const LensResult rounded = rounded_.lens->draw(inputs, rounded_.target, timings);
    const auto width = static_cast<float>(inputs.scene.size.x);
    difference_.draw(exact_.target.texture, rounded_.target.texture,
                     {.look = toneOf(inputs.scene.look),
                      .exposure = inputs.exposure,
                      .gain = kGain,
                      .firstColumn = static_cast<int>(inputs.centreX * width)},
                     output.framebuffer);
    return rounded;
  }

  std::string state() const override { return exact_.lens->state(); }

 private:
  LensOnFormat exact_, rounded_;
  DifferencePass difference_;
};

}  // namespace

std::unique_ptr<Lens> makeTableErrorLens(const Technique& technique) {
  return std::make_unique<TableErrorLens>(technique);
}

}  // namespace satdof
