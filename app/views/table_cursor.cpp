#include "app/views/table_cursor.h"

#include <bit>

#include "app/device/gl/uniforms.h"
#include "app/lens/blur_rule.h"

namespace satdof {

namespace {

gl::Program makeProgram(TableFormat format) {
  gl::Defines defines = tableDefines(format);
  defines.emplace_back("WORDS", format == TableFormat::uint32 ? "" : "floatBitsToUint");
  return gl::Program({"views/table_cursor.comp"}, defines);
}

// Reads the output of the shader value by value.
struct WordReader {
  std::span<const float> from;
  std::size_t next = 0;

  std::uint32_t word() { return std::bit_cast<std::uint32_t>(from[next++]); }
  int integer() { return static_cast<int>(word()); }
  glm::ivec2 point() {
    const int x = integer();
    return {x, integer()};
  }
  glm::uvec4 element() {
    glm::uvec4 words;
    for (int i = 0; i < 4; ++i) words[i] = word();
    return words;
  }
  TableBox box() {
    TableBox box;
    box.from = point();
    box.to = point();
    for (glm::uvec4& corner : box.corners) corner = element();
    return box;
  }
};

}  // namespace

TableCursor::TableCursor()
    : integerProgram_(makeProgram(TableFormat::uint32)),
      floatProgram_(makeProgram(TableFormat::float32)),
      words_(static_cast<GLsizeiptr>(kWords * sizeof(float)), nullptr, 0) {}

void TableCursor::read(const SceneFrame& scene, const LensSettings& settings, const LensRow& lens, const Table& table,
                       glm::ivec2 at, bool repeats) {
  if (const auto values = reads_.poll(); !values.empty()) {
    WordReader words{values};
    reading_ = request_;
    reading_->element = words.element();
    reading_->radiusPx = std::bit_cast<float>(words.word());
    reading_->outerWeight = std::bit_cast<float>(words.word());
    reading_->blurs &= words.word() != 0;
    words.word();
    reading_->inner = words.box();
    reading_->outer = words.box();
  }
  if (table.texture == nullptr) {
    at_ = requested_ = std::nullopt;
    reading_.reset();
    return;
  }
  at_ = at;
  if (!repeats) requested_.reset();
  if (reads_.inFlight() > 0 || requested_ == at_) return;
  // The tent lens has second-order tables, some of a smaller image: there are no boxes to show.
  const bool boxes = lens.footprint != Footprint::tent;
  request_ = {.format = table.format,
              .scale = table.scale,
              .mean = table.mean,
              .pixel = at * table.size / scene.size,
              .blurs = boxes,
              .isMean = lens.footprint == Footprint::box};
  const gl::Program& program = table.format == TableFormat::uint32 ? integerProgram_ : floatProgram_;
  radius_.bind(0, lens.rule->values(settings, scene));
  bindTable(program, table);
  cursor_.bind(1, Cursor{at, request_.pixel, table.size});
  scene.depth->bind(1);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, words_.name());
  program.use();
  glDispatchCompute(1, 1, 1);
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  glBindTextureUnit(2, 0);
  reads_.request(words_, 0, kWords);
  requested_ = at;
}

}  // namespace satdof
