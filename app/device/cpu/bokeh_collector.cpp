#include "app/device/bokeh_collector.h"

#include <glm/vec4.hpp>

#include "app/core/pixels.h"
#include "app/core/system/reallocate.h"
#include "app/device/cpu/collect_bokeh.h"
#include "app/device/cpu/cpu.h"
#include "app/gl/transfer.h"

namespace satdof {

namespace {

class CpuBokehCollector : public BokehCollector {
 public:
  CpuBokehCollector(int threads, const CpuCompactionInfo& compaction, const CpuSortInfo& sort, unsigned capacity)
      : capacity_(capacity),
        collector_(threads, compaction, sort),
        sprites_(spriteTexture(capacity)),
        command_(kCommandBytes, nullptr, GL_DYNAMIC_STORAGE_BIT) {}

  void resize(glm::ivec2 size) override {
    size_ = size;
    const auto pixels = pixelCount(size);
    reallocate(colour_, pixels);
    reallocate(depth_, pixels);
  }

  BokehDraw collect(const SceneFrame& scene, const BokehRule& rule, Timings& timings) override {
    {
      const auto scope = timings.cpu("download");
      gl::download(*scene.colour, gl::kRgbaFloat, colour_.data());
      gl::download(*scene.depth, gl::kRedFloat, depth_.data());
    }
    const auto scope = timings.cpu("collect highlights");
    collector_.collect(colour_, depth_, size_, rule, capacity_, found_);
    const GLuint command[] = {kSpriteVertices, static_cast<GLuint>(found_.size()), 0, 0};
    glNamedBufferSubData(command_.name(), 0, kCommandBytes, command);
    const auto rows = static_cast<GLsizei>(spriteRows(command[1]));
    found_.resize(static_cast<std::size_t>(rows) * kSpritesPerRow);
    if (rows > 0)
      glTextureSubImage2D(sprites_.name(), 0, 0, 0, kSpritesPerRow * kSpriteTexels, rows, GL_RGBA, GL_FLOAT,
                          found_.data());
    return {sprites_.name(), command_.name()};
  }

 private:
  unsigned capacity_;
  CpuBokehSprites collector_;
  glm::ivec2 size_{0};
  gl::Texture sprites_;
  gl::Buffer command_;
  std::vector<glm::vec4> colour_;
  std::vector<float> depth_;
  std::vector<BokehSprite> found_;
};

}  // namespace

std::unique_ptr<BokehCollector> makeCpuBokehCollector(const BokehSpec&, Scan, unsigned capacity) {
  return std::make_unique<CpuBokehCollector>(hardwareThreads(), kParallelCpuCompaction, kParallelCpuSort, capacity);
}

std::unique_ptr<BokehCollector> makeCpuSequentialBokehCollector(const BokehSpec&, Scan, unsigned capacity) {
  return std::make_unique<CpuBokehCollector>(1, kSequentialCpuCompaction, kSequentialCpuSort, capacity);
}

}  // namespace satdof
