#include "app/device/gl/compute_table.h"

#include "app/device/gl/gl.h"
#include "app/device/gl/uniforms.h"
#include "app/gl/parameter_block.h"
#include "app/gl/program.h"
#include "app/gl/software.h"

namespace satdof {

namespace {

constexpr unsigned kLastBuild = 0xffff;
constexpr GLsizeiptr kItemBytes = 8, kHeadBytes = 32;

// Builds the table in a single pass over tiles.
class GlComputeTableBuilder : public TableBuilder {
 public:
  GlComputeTableBuilder(const TableSpec& spec, const ComputeTableTuning& tuning)
      : format_(spec.format), tuning_(tuning) {
    for (const bool words : {false, true})
      if (!words || format_ == TableFormat::uint32) programs_[words] = program(words);
  }

  void resize(glm::ivec2 size) override {
    tiles_ = (size + tuning_.tile - 1) / tuning_.tile;
    table_ = gl::Texture(internalFormat(format_), size);
    const GLsizeiptr items = GLsizeiptr{4} * (tuning_.tile.x + tuning_.tile.y + 1);
    words_ = gl::Buffer(kHeadBytes + kItemBytes * items * tiles_.x * tiles_.y, nullptr);
    clear(tuning_.firstBuild);
  }

  Table build(const TableSource& source, Timings& timings) override {
    const Table view = describeTable(table_, format_, source);
    const gl::Program& program = programs_[source.texture->format() == GL_RGBA32UI];
    source.texture->bind(0);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, words_.name());
    glBindImageTexture(0, table_.name(), 0, GL_FALSE, 0, GL_WRITE_ONLY, table_.format());
    elements_.bind(0, ElementBlock{view.mean, source.quantisation.scale, source.quantisation.ceiling});
    program.set("build", build_);
    program.set("firstTicket", firstTicket_);
    program.use();
    const auto scope = timings.gpu("table");
    // Also orders the writes of this build after reads of the last table and of its words.
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    glDispatchCompute(static_cast<GLuint>(tiles_.x), static_cast<GLuint>(tiles_.y), 1);
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT);
    firstTicket_ += static_cast<unsigned>(tiles_.x * tiles_.y);
    if (build_++ == kLastBuild) {
      glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
      clear(1);
    }
    return view;
  }

 private:
  gl::Program program(bool words) const {
    return gl::Program({"sat/table.comp"}, {{"TABLE_UINT", format_ == TableFormat::uint32 ? "1" : "0"},
                                            {"FROM_TABLE", words ? "1" : "0"},
                                            {"TILE_WIDTH", std::to_string(tuning_.tile.x)},
                                            {"TILE_HEIGHT", std::to_string(tuning_.tile.y)},
                                            {"THREADS", std::to_string(tuning_.threads)},
                                            {"CARRY_EVERY", std::to_string(tuning_.carryEvery)},
                                            {"POLLS", std::to_string(tuning_.polls)},
                                            {"STALL_EVERY", std::to_string(tuning_.stallEvery)},
                                            {"STALL_POLLS", std::to_string(tuning_.stallPolls)}});
  }

  // Clears the words: a word of 0 belongs to no build.
  void clear(unsigned nextBuild) {
    glClearNamedBufferData(words_.name(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
    build_ = nextBuild;
    firstTicket_ = 0;
  }

  TableFormat format_;
  ComputeTableTuning tuning_;
  gl::Program programs_[2];  // [1]: for RGBA32UI images
  gl::ParameterBlock elements_{sizeof(ElementBlock)};
  glm::ivec2 tiles_{0};
  unsigned build_ = 0, firstTicket_ = 0;
  gl::Buffer words_;
  gl::Texture table_;
};

}  // namespace

std::unique_ptr<TableBuilder> makeGlComputeTableBuilder(const TableSpec& spec, const ComputeTableTuning& tuning) {
  return std::make_unique<GlComputeTableBuilder>(spec, tuning);
}
std::unique_ptr<TableBuilder> makeGlComputeTableBuilder(const TableSpec& spec) {
  ComputeTableTuning tuning;
  if (gl::isSoftwareRenderer()) tuning.tile = {64, 32};
  return makeGlComputeTableBuilder(spec, tuning);
}

}  // namespace satdof
