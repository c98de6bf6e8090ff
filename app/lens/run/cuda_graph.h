#pragma once
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "app/lens/graph.h"
#include "cuda/lens/bokeh.h"
#include "cuda/lens/passes.h"
#include "cuda/lens/scatter.h"
#include "cuda/lens/sprites.h"
#include "cuda/runtime/array.h"
#include "cuda/runtime/device_array.h"
#include "cuda/sat/table_builder.h"

// A lens on CUDA, without OpenGL.
namespace satdof::on_cuda {

// Runs graphs of one lens.
class CudaGraph {
 public:
  // A table of a graph.
  struct Table {
    TableFormat format;
    glm::ivec2 size;
    bool transposed;
    cuda::DeviceArray<cuda::Texel> rows;
  };
  // Takes ownership of work that draw() enqueues. Destroy the work before resize() and before the CudaGraph.
  using Keep = std::function<void(std::unique_ptr<cuda::Work>)>;

  CudaGraph(const Technique& technique, Keep keep) : technique_(technique), keep_(std::move(keep)) {}

  // Frees everything. Keeps no graph.
  void resize(glm::ivec2 size);
  // Allocates what earlier graphs have not allocated. Returns whether the graph differs from the last one.
  bool prepare(const LensGraph& graph);
  const LensGraph& graph() const { return graph_; }
  // LensGraph::shownTable; null: there is none.
  const Table* shownTable();
  // Enqueues the graph that was prepared last. inputs: kLensInputs arrays for surface load and store, null where it reads none.
  // Neither allocates nor waits, except the first time with new arrays.
  void draw(std::span<cudaArray* const> inputs, CUstream_st* stream);

 private:
  using Memory = cuda::DeviceArray<cuda::Texel>;
  // Memory of an image of a graph.
  struct Block {
    GraphImage image;
    cuda::Array array;
    Memory memory;
  };
  // A table, and what makes it.
  struct Summed {
    Table table;
    cuda::TableBuilder* builder;
    cuda::Scatter* scatter = nullptr;  // null: the table of an image
  };
  // The sprites of a CollectStep, and what adds them.
  struct Sprites {
    cuda::Array sprites, command;
    cuda::BokehCollector* collector;
    cuda::Sprites* pass;
  };

  template <class Work>
  Work& kept(std::unique_ptr<Work> work) {
    Work& of = *work;
    keep_(std::move(work));
    return of;
  }
  Memory texels(glm::ivec2 size) const;
  std::unique_ptr<Block> makeBlock(const GraphImage& image) const;
  Summed makeScattered();
  Summed makeTable(const LensGraph& graph, const TableStep& step);
  Sprites makeSprites();
  Summed*& summed(ImageId id) { return summedOf_[static_cast<size_t>(id - kLensInputs)]; }
  bool transposedFor(const PassStep& step);
  cuda::PassImage imageAt(ImageId id) const;
  std::vector<cuda::PassImage> imagesOf(const std::vector<ImageId>& ids) const;

  Technique technique_;
  Keep keep_;
  glm::ivec2 size_{0};
  LensGraph graph_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<Block*> blockOf_;                                           // of each image of graph_
  std::vector<std::unique_ptr<Summed>> scattered_, tables_, halfTables_;  // in the order of their steps
  std::vector<Summed*> summedOf_;                                         // of each image of graph_
  Memory differences_;                                                    // of each scatter in turn
  std::shared_ptr<cuda::ScatterScratch> scratch_;
  std::vector<cuda::PassImage> images_;  // of this frame, by ImageId
  cuda::Passes* passes_ = nullptr;
  std::vector<Sprites> sprites_;  // in the order of their steps
};

}  // namespace satdof::on_cuda
