#include "app/lens/tent/tent.h"

#include <array>
#include <utility>

#include "app/device/device.h"
#include "app/device/gl/uniforms.h"
#include "app/gl/program.h"
#include "app/lens/tent/plan.h"

namespace satdof {

namespace {

class TentLens final : public Lens {
 public:
  TentLens(const std::function<std::unique_ptr<TableBuilder>()>& makeBuilder, gl::PixelStage stage)
      : quantise_(stage, "lens/tent/quantise"),
        blur_(stage, "lens/tent/blur",
              {{"TableSampler", "usampler2D"},
               {"TableElement", "uvec4"},
               {"BLUR_RULE", kThinLensRule.define}}) {
    for (auto& tables : tables_) tables.first = makeBuilder(), tables.second = makeBuilder();
  }

  void resize(glm::ivec2 size) override {
    for (int shrink = 1; auto& tables : tables_) {
      tables.resize((size + shrink - 1) / shrink);
      ++shrink;
    }
  }

  LensResult draw(const LensInputs& inputs, const gl::Target& output, Timings& timings) override {
    const SceneFrame& scene = inputs.scene;
    const TentPlan plan = tentPlan(inputs.lens, scene);
    Tables& tables = tables_[static_cast<size_t>(plan.shrink - 1)];
    {
      const auto scope = timings.gpu("quantise");
      const gl::Program& program = quantise_.program();
      program.set("shrink", plan.shrink);
      program.set("scale", plan.scale);
      program.set("ceiling_", plan.ceiling);
      scene.colour->bind(0);
      quantise_.run(tables.image, tables.framebuffer);
    }
    Table table = tables.build(timings);
    table.scale = plan.scale;

    const auto scope = timings.gpu("lens");
    const gl::Program& program = blur_.program();
    setBlurRule(program, plan.blur);
    bindTable(program, table);
    program.set("scale", table.scale);
    program.set("size", table.size);
    program.set("shrink", plan.shrink);
    program.set("widest", plan.widest);
    scene.colour->bind(0);
    scene.depth->bind(1);
    blur_.run(output.texture, output.framebuffer);
    return {.table = table};
  }

  std::string state() const override { return tables_[0].first->state(); }

 private:
  // A fixed-point image, its table, and the table of this table. Members are destroyed before what they read.
  struct Tables {
    gl::Texture image;
    gl::Framebuffer framebuffer;
    std::unique_ptr<TableBuilder> first, second;
    glm::ivec2 secondSize{0};

    void resize(glm::ivec2 size) {
      second->resize(secondSize = size);
      first->resize(size);
      image = gl::Texture(GL_RGBA32UI, size);
      framebuffer = gl::Framebuffer(image);
    }

    // The two transpositions cancel if both builders transpose.
    Table build(Timings& timings) {
      const Table once = first->build({.texture = &image}, timings);
      if (const glm::ivec2 size = once.texture->size(); size != secondSize) second->resize(secondSize = size);
      Table twice = second->build({.texture = once.texture}, timings);
      twice.transposed = twice.transposed != once.transposed;
      twice.size = image.size();
      return twice;
    }
  };

  gl::PixelPass quantise_, blur_;
  std::array<Tables, 2> tables_;  // at full size and at half the size
};

}  // namespace

std::unique_ptr<Lens> makeTentLens(const std::function<std::unique_ptr<TableBuilder>()>& makeBuilder,
                                   gl::PixelStage stage) {
  return std::make_unique<TentLens>(makeBuilder, stage);
}

std::unique_ptr<Lens> makeTentLens(const Technique& technique) {
  TableSpec integers = technique.table;
  integers.format = TableFormat::uint32;
  const Device& device = availableDevice(technique.device);
  return makeTentLens([&] { return device.makeTableBuilder(integers); }, device.lensStage);
}

}  // namespace satdof
