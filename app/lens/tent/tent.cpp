#include "app/lens/tent/tent.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/device/gl/uniforms.h"
#include "app/gl/program.h"
#include "app/lens/blur_rule.h"

namespace satdof {

namespace {

constexpr double kFewestLevels = 0x1p8;
constexpr double kMostLevels = 0x1p22;  // a float holds them and a fraction
constexpr double kStep = 0x1p-9;        // of linear light, where the ceiling may be above its least
constexpr double kLeastCeiling = 4.0, kMostCeiling = 64.0;

// What tables of an image shrunk `shrink` times leave for tents of up to `widest` + 1 cells' half-width.
struct Levels {
  int shrink = 1, widest = 1;
  double count = 0;
};

// As tentHalfWidths() in shaders/lens/tent/tent.frag, and no less than that: (r_x r_y)^2.
double tentWeight(int n, double anamorphicRatio) {
  const double square = double(n) * n;
  return square * std::pow(std::ceil(std::sqrt(1.0 + (square - 1.0) * anamorphicRatio * anamorphicRatio)), 2);
}

// One level is kept for what rounding and dithering add.
double levels(int n, double anamorphicRatio) {
  return std::floor((0x1p32 - 1) / tentWeight(n, anamorphicRatio)) - 1;
}

// R / 2 is the standard deviation of the disc, along y; a tent of n cells has that of (n^2 - 1) / 6.
Levels levelsFor(double radiusPx, double anamorphicRatio) {
  for (const int shrink : {1, 2}) {
    const int widest = static_cast<int>(std::sqrt(1.0 + 1.5 * radiusPx * radiusPx / (shrink * shrink)));
    const double count = levels(widest + 1, anamorphicRatio);
    if (count >= kFewestLevels) return {shrink, widest, std::min(count, kMostLevels)};
  }
  int widest = 1;
  while (levels(widest + 2, anamorphicRatio) >= kFewestLevels) ++widest;
  return {2, widest, levels(widest + 1, anamorphicRatio)};
}

class TentLens final : public Lens {
 public:
  explicit TentLens(const MakeTableBuilder& makeTableBuilder)
      : quantise_({"common/fullscreen.vert", "lens/tent/quantise.frag"}),
        blur_({"common/fullscreen.vert", "lens/tent/tent.frag"}, {{"TableSampler", "usampler2D"},
                                                                  {"TableElement", "uvec4"},
                                                                  {"BLUR_RULE", kThinLensRule.define}}) {
    for (auto& tables : tables_) tables.first = makeTableBuilder(), tables.second = makeTableBuilder();
  }

  void resize(glm::ivec2 size) override {
    for (int shrink = 1; auto& tables : tables_) {
      tables.resize((size + shrink - 1) / shrink);
      ++shrink;
    }
  }

  void process(const LensInputs& inputs, const gl::Framebuffer& output, Timings& timings) override {
    const SceneFrame& scene = inputs.scene;
    const Levels levels = levelsFor(std::min(kThinLensRule.largestRadiusPx(inputs.lens, scene), 1e6f),
                                    double(inputs.lens.anamorphicRatio));
    const double ceiling = std::clamp(levels.count * kStep, kLeastCeiling, kMostCeiling);
    const double scale = levels.count / (ceiling * levels.shrink * levels.shrink);
    Tables& tables = tables_[static_cast<size_t>(levels.shrink - 1)];
    {
      const auto scope = timings.gpu("quantise");
      quantise_.set("shrink", levels.shrink);
      quantise_.set("scale", static_cast<float>(scale));
      quantise_.set("ceiling_", static_cast<float>(ceiling));
      scene.colour->bind(0);
      quantise_.use();
      gl::drawFullScreen(tables.framebuffer.name(), tables.image.size());
    }
    table_ = tables.build(timings);
    table_.scale = static_cast<float>(scale);

    const auto scope = timings.gpu("lens");
    kThinLensRule.setUniforms(blur_, inputs.lens, scene);
    bindTable(blur_, table_);
    blur_.set("size", table_.size);
    blur_.set("shrink", levels.shrink);
    blur_.set("widest", levels.widest);
    scene.colour->bind(0);
    scene.depth->bind(1);
    blur_.use();
    gl::drawFullScreen(output.name(), scene.size);
  }

  Table table() const override { return table_; }
  std::string state() const override { return tables_[0].first->state(); }

 private:
  // An image of fixed point, its table, and the table of that; each goes after what reads it.
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

    // Of a transposed table the table is that of the transposed image.
    Table build(Timings& timings) {
      const Table once = first->build({.texture = &image}, timings);
      if (const glm::ivec2 size = once.table->size(); size != secondSize) second->resize(secondSize = size);
      Table twice = second->build({.texture = once.table}, timings);
      twice.transposed = twice.transposed != once.transposed;
      twice.size = image.size();
      return twice;
    }
  };

  gl::Program quantise_, blur_;
  std::array<Tables, 2> tables_;  // of the image, and of it shrunk by 2
  Table table_;
};

}  // namespace

std::unique_ptr<Lens> makeTentLens(const MakeTableBuilder& makeTableBuilder) {
  return std::make_unique<TentLens>(makeTableBuilder);
}

std::unique_ptr<Lens> makeTentLens(const Technique& technique) {
  Technique integers = technique;
  integers.format = TableFormat::uint32;
  return makeTentLens([&] { return makeTableBuilder(integers); });
}

}  // namespace satdof
