#include "app/device/gl/gl.h"
#include "app/gl/program.h"

namespace satdof {

namespace {

constexpr struct {
  int tile = 32;  // pixels, a side
  int run = 4;    // pixels a thread
  int carryThreads = 64;
  int carryBatch = 8;  // loads in flight
  int rowThreads = 256;
} kTuning;

constexpr GLsizeiptr kTexelBytes = 16;

int ceilDivide(int a, int b) { return (a + b - 1) / b; }

// Builds the table in tiles, in four passes: sum the rows and the columns of each tile; scan these sums over
// the tiles (exclusive) to carries; scan the column carries along rows; write the table. Reads each pixel
// twice and writes it once. There are 2/tile carries for each pixel.
class GlComputeTableBuilder : public TableBuilder {
 public:
  explicit GlComputeTableBuilder(const TableSpec& spec) : format_(spec.format) {
    const auto program = [&](const char* file, bool fromTable) {
      return gl::Program({file}, {{"TABLE_UINT", format_ == TableFormat::uint32 ? "1" : "0"},
                                  {"FROM_TABLE", fromTable ? "1" : "0"},
                                  {"TILE", std::to_string(kTuning.tile)},
                                  {"RUN", std::to_string(kTuning.run)},
                                  {"CARRY_THREADS", std::to_string(kTuning.carryThreads)},
                                  {"CARRY_BATCH", std::to_string(kTuning.carryBatch)},
                                  {"ROW_THREADS", std::to_string(kTuning.rowThreads)}});
    };
    carries_ = program("sat/carries.comp", false);
    carryRows_ = program("sat/carry_rows.comp", false);
    for (const bool words : {false, true}) {
      if (words && format_ != TableFormat::uint32) break;
      tileSums_[words] = program("sat/tile_sums.comp", words);
      tables_[words] = program("sat/table.comp", words);
    }
  }

  void resize(glm::ivec2 size) override {
    tiles_ = {ceilDivide(size.x, kTuning.tile), ceilDivide(size.y, kTuning.tile)};
    table_ = gl::Texture(internalFormat(format_), size);
    rowCarries_ = gl::Buffer(kTexelBytes * tiles_.x * size.y, nullptr);
    columnCarries_ = gl::Buffer(kTexelBytes * tiles_.y * size.x, nullptr);
  }

  Table build(const TableSource& source, Timings& timings) override {
    const glm::ivec2 size = table_.size();
    const bool words = source.texture->format() == GL_RGBA32UI;
    const Table view = describeTable(table_, format_, source);
    source.texture->bind(0);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, rowCarries_.name());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, columnCarries_.name());
    glBindImageTexture(0, table_.name(), 0, GL_FALSE, 0, GL_WRITE_ONLY, table_.format());
    for (const gl::Program* reader : {&tileSums_[words], &tables_[words]}) {
      reader->set("scale", source.quantisation.scale);
      reader->set("ceiling_", source.quantisation.ceiling);
      reader->set("mean", view.mean);
    }
    const auto run = [&](const gl::Program& program, glm::ivec2 groups) {
      program.use();
      program.set("size", size);
      // Also orders these writes after reads of the last table and its carries.
      glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
      glDispatchCompute(static_cast<GLuint>(groups.x), static_cast<GLuint>(groups.y), 1);
    };
    {
      const auto scope = timings.gpu("tile sums");
      run(tileSums_[words], tiles_);
    }
    {
      const auto scope = timings.gpu("tile carries");
      run(carries_, {ceilDivide(size.x + size.y, kTuning.carryThreads), 1});
      run(carryRows_, {tiles_.y, 1});
    }
    {
      const auto scope = timings.gpu("table");
      run(tables_[words], tiles_);
    }
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT);
    return view;
  }

 private:
  TableFormat format_;
  gl::Program tileSums_[2], carries_, carryRows_, tables_[2];  // [1]: for RGBA32UI images
  glm::ivec2 tiles_{0};
  gl::Buffer rowCarries_, columnCarries_;
  gl::Texture table_;
};

}  // namespace

std::unique_ptr<TableBuilder> makeGlComputeTableBuilder(const TableSpec& spec) {
  return std::make_unique<GlComputeTableBuilder>(spec);
}

}  // namespace satdof
