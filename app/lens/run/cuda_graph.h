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

// Runs the graphs of one lens on a stream.
class CudaGraph {
 public:
  // A table of a graph.
  struct Table {
    TableFormat format;
    glm::ivec2 size;
    bool transposed;
    cuda::DeviceArray<cuda::Texel> rows;
  };
  // Takes ownership of work that draw() enqueues. The owner destroys the work before resize() and before the CudaGraph.
  using OwnWork = std::function<void(std::unique_ptr<cuda::Work>)>;

  CudaGraph(const Technique& technique, OwnWork ownWork) : technique_(technique), ownWork_(std::move(ownWork)) {}

  // Frees everything. Keeps no graph.
  void resize(glm::ivec2 size);
  // Allocates everything that the graph needs and earlier graphs have not allocated. Returns whether the graph differs
  // from the last one.
  bool prepare(const LensGraph& graph);
  const LensGraph& graph() const { return graph_; }
  // The table LensGraph::shownTable; null if there is none.
  const Table* shownTable();
  // Enqueues the graph that was prepared last. `inputs`: kLensInputs arrays for surface load and store; null for images
  // that the graph does not use. Neither allocates nor waits, except for new arrays.
  void draw(std::span<cudaArray* const> inputs, CUstream_st* stream);

 private:
  using Memory = cuda::DeviceArray<cuda::Texel>;
  // Memory of an image of a graph.
  struct Block {
    GraphImage image;
    cuda::Array array;
    Memory memory;
  };
  // A table, and the work that builds it.
  struct Summed {
    Table table;
    cuda::TableBuilder* builder;
    cuda::Scatter* scatter = nullptr;  // null if no scatter precedes the table
  };
  // The sprites of a CollectStep, and the work that collects and adds them.
  struct Sprites {
    cuda::Array sprites, command;
    cuda::BokehCollector* collector;
    cuda::Sprites* pass;
  };

  template <class Work>
  Work& own(std::unique_ptr<Work> work) {
    Work& owned = *work;
    ownWork_(std::move(work));
    return owned;
  }
  Memory texels(glm::ivec2 size) const;
  std::unique_ptr<Block> makeBlock(const GraphImage& image) const;
  Summed makeScattered();
  Summed makeTable(const LensGraph& graph, const TableStep& step);
  Sprites makeSprites();
  Summed*& summed(ImageId id) { return summedOf_[static_cast<std::size_t>(id - kLensInputs)]; }
  bool transposedFor(const PassStep& step);
  // Fills images_ for a frame.
  void placeImages(std::span<cudaArray* const> inputs);
  void enqueue(const ScatterStep& step, CUstream_st* stream);
  void enqueue(const TableStep& step, CUstream_st* stream);
  void enqueue(const PassStep& step, CUstream_st* stream);
  void enqueue(const CollectStep& step, CUstream_st* stream);
  void enqueue(const SpritesStep& step, CUstream_st* stream);
  cuda::PassImage imageAt(ImageId id) const;
  std::vector<cuda::PassImage> imagesOf(const std::vector<ImageId>& ids) const;

  Technique technique_;
  OwnWork ownWork_;
  glm::ivec2 size_{0};
  LensGraph graph_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<Block*> blockOf_;                                           // by image of graph_
  std::vector<std::unique_ptr<Summed>> scattered_, tables_, halfTables_;  // in the order of their steps
  std::vector<Summed*> summedOf_;                                         // by image of graph_; null: no table
  Memory differences_;                                                    // shared by all scatters
  std::shared_ptr<cuda::ScatterScratch> scratch_;
  std::vector<cuda::PassImage> images_;  // of this frame, by ImageId
  cuda::Passes* passes_ = nullptr;
  std::vector<Sprites> sprites_;  // in the order of their steps
  std::size_t nextCollect_ = 0;   // index of the next CollectStep in draw()
};

}  // namespace satdof::on_cuda
