#include <array>
#include <optional>
#include <vector>

#include "app/device/gl/gl.h"
#include "app/device/gl/ping_pong.h"
#include "app/device/gl/uniforms.h"
#include "app/gl/parameter_block.h"
#include "app/gl/program.h"

namespace satdof {

namespace {

enum Pass { reducePass, doublePass, downPass };
constexpr std::array kPassDefines = {"PASS_REDUCE", "PASS_DOUBLE", "PASS_DOWN"};

// Scans the rows, then the columns, with fragment shaders (GPU Gems 3, 39.2.6; Sengupta et al. 2006). Along
// an axis of n pixels, p reduce passes add neighbours in pairs. Then ceil(log2(n / 2^p)) passes of recursive
// doubling scan the reduced elements. Then p down-sweep passes expand the scan. Work: O(n (1 + 2^-p log n)).
// Steps: p + log n. p = 0 is the algorithm of Hensley et al. 2005.
class GlFragmentTableBuilder : public TableBuilder {
 public:
  explicit GlFragmentTableBuilder(const TableSpec& spec) : format_(spec.format), reducePasses_(spec.reducePasses) {
    for (const bool fromTable : {false, true})
      for (std::size_t pass = 0; pass < kPassDefines.size(); ++pass)
        programs_[fromTable][pass] = gl::Program({"common/fullscreen.vert", "sat/fragment_scan.frag"},
                                                 {{"TABLE_UINT", format_ == TableFormat::uint32 ? "1" : "0"},
                                                  {"FROM_TABLE", fromTable ? "1" : "0"},
                                                  {kPassDefines[pass], "1"}});
  }

  void resize(glm::ivec2 size) override {
    const GLenum format = internalFormat(format_);
    for (int axis = 0; axis < 2; ++axis) {
      reduced_[axis].clear();
      glm::ivec2 reduced = size;
      for (int pass = 0; pass < reducePasses_ && reduced[axis] > 1; ++pass) {
        reduced[axis] = (reduced[axis] + 1) / 2;
        reduced_[axis].emplace_back(format, reduced);
      }
    }
    full_.reset();
    full_.emplace(format, size);
  }

  Table build(const TableSource& source, Timings& timings) override {
    const auto& [scale, ceiling, mean] = source.quantisation;
    elements_.bind(0, ElementBlock{format_ == TableFormat::float32Mean ? mean : glm::vec4(0.0f), scale, ceiling});
    const gl::Texture* rows = nullptr;
    {
      const auto scope = timings.gpu("scan rows");
      rows = scan(0, *source.texture, source.texture->format() == GL_RGBA32UI);
    }
    const auto scope = timings.gpu("scan columns");
    return describeTable(*scan(1, *rows, true), format_, source);
  }

  std::string state() const override { return std::to_string(reducePasses_) + " reduce passes"; }

 private:
  // Runs a pass from `input` to a side of `output`.
  void run(Pass pass, int axis, const gl::Texture& input, bool inputIsTable, const PingPong& output, int side,
           int distance = 0) {
    const gl::Program& program = programs_[inputIsTable][pass];
    program.use();
    program.set("along", axis == 0 ? glm::ivec2(1, 0) : glm::ivec2(0, 1));
    program.set("distance_", distance);
    input.bind(0);
    gl::drawFullScreen(output.targets[static_cast<std::size_t>(side)].name(), output.size());
  }

  // Returns the scan of `input` along an axis, in one of the two textures of full_. `input` may be the other texture.
  const gl::Texture* scan(int axis, const gl::Texture& input, bool inputIsTable) {
    auto& levels = reduced_[axis];
    const auto level = [&](std::size_t i) -> PingPong& { return i == 0 ? *full_ : levels[i - 1]; };
    const auto elements = [&](std::size_t i) -> const gl::Texture& { return i == 0 ? input : level(i).textures[0]; };
    for (std::size_t i = 0; i < levels.size(); ++i)
      run(reducePass, axis, elements(i), i > 0 || inputIsTable, level(i + 1), 0);

    std::size_t i = levels.size();
    const gl::Texture* scanned = &elements(i);
    const auto other = [&](const gl::Texture* texture) { return texture == &level(i).textures[0] ? 1 : 0; };
    bool first = i == 0;
    for (int distance = 1; first || distance < level(i).size()[axis]; distance *= 2, first = false) {
      const int side = other(scanned);
      run(doublePass, axis, *scanned, scanned != &input || inputIsTable, level(i), side, distance);
      scanned = &level(i).textures[static_cast<std::size_t>(side)];
    }
    while (i-- > 0) {
      scanned->bind(1);
      const int side = other(&elements(i));
      run(downPass, axis, elements(i), i > 0 || inputIsTable, level(i), side);
      scanned = &level(i).textures[static_cast<std::size_t>(side)];
    }
    return scanned;
  }

  TableFormat format_;
  int reducePasses_;
  std::array<std::array<gl::Program, kPassDefines.size()>, 2> programs_;  // [1]: input in table units
  gl::ParameterBlock elements_{sizeof(ElementBlock)};
  std::array<std::vector<PingPong>, 2> reduced_;  // for the scan of rows; of columns
  std::optional<PingPong> full_;
};

}  // namespace

std::unique_ptr<TableBuilder> makeGlFragmentTableBuilder(const TableSpec& spec) {
  return std::make_unique<GlFragmentTableBuilder>(spec);
}

}  // namespace satdof
