#include <array>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "app/device/cuda/conversions.h"
#include "app/device/cuda/cuda_pass.h"
#include "app/lens/run/cuda_graph.h"
#include "app/lens/run/graph_lens.h"
#include "app/lens/run/on_cuda.h"

// Runs the graphs of a lens on CUDA. All steps of a frame run between one map and one unmap of OpenGL textures.
namespace satdof::on_cuda {

namespace {

class CudaLens final : public GraphLens {
 public:
  CudaLens(const Technique& technique, const LensRow& row)
      : GraphLens(technique, row), graph_(technique, [this](auto work) { crossing_.own(std::move(work)); }) {}

  LensResult draw(const LensInputs& inputs, const gl::Target& output, Timings& timings) override {
    const Frame frame = frameOf(inputs, output.texture);
    const bool changed = graph_.prepare(frame.graph);
    std::vector<CudaCrossing<cudaArray*>::Shared> shared;
    std::vector<std::size_t> ids;
    for (std::size_t id = 0; id < kLensInputs; ++id)
      if (const gl::Texture* texture = frame.textures[id]) {
        shared.push_back({*texture, id == kOutput ? cuda::Access::write : cuda::Access::read});
        ids.push_back(id);
      }
    const CudaGraph::Table* const table = inputs.wantsTable ? graph_.shownTable() : nullptr;
    if (table != nullptr) {
      gl::Texture& texture = shown_[table];
      if (!texture) texture = tableTexture(table->format, table->size, table->transposed);
      shared.push_back({texture, cuda::Access::write});
    }
    crossing_.run(shared, changed, timings, [&](std::span<cudaArray* const> arrays, CUstream_st* stream) {
      std::array<cudaArray*, kLensInputs> images{};
      for (std::size_t i = 0; i < ids.size(); ++i) images[ids[i]] = arrays[i];
      graph_.draw(images, stream);
      if (table != nullptr) copy(*table, arrays.back(), shown_[table].size(), stream);
    });
    if (table == nullptr) return {};
    return {.table = cudaTable(shown_[table], table->format,
                               {.quantisation = {.scale = frame.graph.shownScale, .mean = inputs.mean}}, table->size,
                               table->transposed)};
  }

  std::string state() const override { return crossing_.state(); }

 private:
  void reset(glm::ivec2 size) override {
    crossing_.reset();
    shown_.clear();
    graph_.resize(size);
  }
  void allocate(const LensGraph& graph) override { graph_.prepare(graph); }

  // Copies a table to the texture in which OpenGL reads it.
  static void copy(const CudaGraph::Table& table, cudaArray* to, glm::ivec2 size, CUstream_st* stream) {
    const std::size_t rowBytes = static_cast<std::size_t>(size.x) * sizeof(cuda::Texel);
    SATDOF_CUDA(cudaMemcpy2DToArrayAsync(to, 0, 0, table.rows.data(), rowBytes, rowBytes,
                                         static_cast<std::size_t>(size.y), cudaMemcpyDeviceToDevice, stream));
  }

  std::map<const CudaGraph::Table*, gl::Texture> shown_;  // copies of tables for OpenGL
  CudaGraph graph_;
  CudaCrossing<cudaArray*> crossing_;  // destroyed before the memory that its work refers to
};

}  // namespace

std::unique_ptr<Lens> makeLens(const Technique& technique, const LensRow& row) {
  return std::make_unique<CudaLens>(technique, row);
}

}  // namespace satdof::on_cuda
