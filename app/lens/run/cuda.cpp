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

// Runs the graphs of a lens on CUDA: all steps between one map and one unmap.
namespace satdof::on_cuda {

namespace {

class CudaLens final : public GraphLens {
 public:
  CudaLens(LensPlanner plan, const Technique& technique, const LensRow& row)
      : GraphLens(std::move(plan), row.layers, technique.bokeh.enabled ? row.bokeh : std::nullopt),
        graph_(technique, [this](auto work) { crossing_.own(std::move(work)); }) {}

  void resize(glm::ivec2 size) override {
    GraphLens::resize(size);
    crossing_.reset();
    size_ = size;
    shown_.clear();
    graph_.resize(size);
    graph_.prepare(commonGraph(size));
  }

  void prepareBlended() override {
    GraphLens::prepareBlended();
    graph_.prepare(commonGraph(size_));
  }

  LensResult draw(const LensInputs& inputs, const gl::Target& output, Timings& timings) override {
    const Frame frame = frameOf(inputs, output.texture);
    const bool changed = graph_.prepare(frame.graph);
    std::vector<CudaCrossing<cudaArray*>::Shared> shared;
    std::vector<size_t> ids;
    for (size_t id = 0; id < kLensInputs; ++id)
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
      for (size_t i = 0; i < ids.size(); ++i) images[ids[i]] = arrays[i];
      graph_.draw(images, stream);
      if (table != nullptr) copy(*table, arrays.back(), shown_[table].size(), stream);
    });
    if (table == nullptr) return {};
    return {.table = cudaTable(shown_[table], table->format,
                               {.quantisation = {.scale = frame.graph.shownScale, .mean = inputs.mean}},
                               table->size, table->transposed)};
  }

  std::string state() const override { return crossing_.state(); }

 private:
  static void copy(const CudaGraph::Table& table, cudaArray* to, glm::ivec2 size, CUstream_st* stream) {
    const size_t rowBytes = static_cast<size_t>(size.x) * sizeof(cuda::Texel);
    SATDOF_CUDA(cudaMemcpy2DToArrayAsync(to, 0, 0, table.rows.data(), rowBytes, rowBytes,
                                         static_cast<size_t>(size.y), cudaMemcpyDeviceToDevice, stream));
  }

  glm::ivec2 size_{0};
  std::map<const CudaGraph::Table*, gl::Texture> shown_;  // tables that OpenGL has shown
  CudaGraph graph_;
  CudaCrossing<cudaArray*> crossing_;  // destroyed before the memory that its work refers to
};

}  // namespace

std::unique_ptr<Lens> makeLens(const Technique& technique, const LensRow& row) {
  const auto plan = [technique, &row](const LensFacts& facts) { return row.plan(technique, facts); };
  return std::make_unique<CudaLens>(plan, technique, row);
}

}  // namespace satdof::on_cuda
