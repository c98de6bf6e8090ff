#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "app/core/pixels.h"
#include "app/device/bokeh_collector.h"
#include "app/device/cuda/conversions.h"
#include "app/device/cuda/cuda_pass.h"
#include "app/device/cuda/table_store.h"
#include "app/lens/run/graph_lens.h"
#include "app/lens/run/on_cuda.h"
#include "cuda/lens/bokeh.h"
#include "cuda/lens/passes.h"
#include "cuda/lens/scatter.h"
#include "cuda/lens/sprites.h"
#include "cuda/runtime/array.h"
#include "cuda/sat/table_builder.h"

// Runs the graphs of a lens on CUDA: all steps between one map and one unmap.
namespace satdof::on_cuda {

namespace {

using Extent = GraphImage::Extent;
using Memory = cuda::DeviceArray<cuda::Texel>;

Memory texels(glm::ivec2 size) { return Memory(pixelCount(size)); }

class CudaLens final : public GraphLens {
 public:
  CudaLens(LensPlanner plan, const Technique& technique, const LensRow& row)
      : GraphLens(std::move(plan), row.layers, technique.bokeh.enabled ? row.bokeh : std::nullopt),
        technique_(technique) {}

  void resize(glm::ivec2 size) override {
    GraphLens::resize(size);
    crossing_.reset();
    size_ = size;
    passes_ = &crossing_.own(cuda::makePasses());
    graph_ = {};
    blocks_.clear();
    scattered_.clear();
    tables_.clear();
    halfTables_.clear();
    differences_ = {};
    scratch_.reset();
    sprites_.clear();
    allocate(commonGraph(size));
  }

  void prepareBlended() override {
    GraphLens::prepareBlended();
    allocate(commonGraph(size_));
  }

  LensResult draw(const LensInputs& inputs, const gl::Target& output, Timings& timings) override {
    const Frame frame = frameOf(inputs, output.texture);
    const bool changed = allocate(frame.graph);
    std::vector<CudaCrossing<cudaArray*>::Shared> shared;
    std::vector<ImageId> ids;
    for (ImageId id = 0; id < kLensInputs; ++id)
      if (const gl::Texture* texture = frame.textures[static_cast<size_t>(id)]) {
        shared.push_back({*texture, id == kOutput ? cuda::Access::write : cuda::Access::read});
        ids.push_back(id);
      }
    CudaTableStore* const shown = shownTable();
    if (shown != nullptr) shown->plan(inputs.wantsTable, shared);
    crossing_.run(shared, changed, timings, [&](std::span<cudaArray* const> arrays, CUstream_st* stream) {
      images_.assign(kLensInputs + graph_.images.size(), {});
      for (size_t i = 0; i < ids.size(); ++i) images_[static_cast<size_t>(ids[i])].array = arrays[i];
      runSteps(stream);
      if (shown != nullptr) shown->copy(arrays, stream);
    });
    LensResult result;
    if (shown != nullptr)
      result.table = shown->table({.quantisation = {.scale = graph_.shownScale, .mean = inputs.mean}});
    return result;
  }

  std::string state() const override { return crossing_.state(); }

 private:
  // Memory of an image of a graph.
  struct Block {
    GraphImage image;
    cuda::Array array;
    Memory memory;
  };
  // A table, and what makes it.
  struct Summed {
    CudaTableStore store;
    cuda::TableBuilder* builder = nullptr;
    cuda::Scatter* scatter = nullptr;  // null: the table of an image
    bool transposed = false;
  };

  // The sprites of a CollectStep, and what adds them.
  struct Sprites {
    cuda::Array sprites, command;
    cuda::BokehCollector* collector;
    cuda::Sprites* pass;
  };

  // Allocates what earlier graphs have not allocated. Returns whether the graph differs from the last one.
  bool allocate(const LensGraph& graph) {
    if (graph_ == graph) return false;
    graph_ = {};
    const GraphMemory memory(graph);
    // The blocks of a kind, in their order.
    std::vector<bool> taken(blocks_.size(), false);
    std::vector<size_t> place;
    for (const GraphImage& image : memory.blocks) {
      size_t at = 0;
      while (at < blocks_.size() && (taken[at] || blocks_[at]->image != image)) ++at;
      if (at == blocks_.size()) {
        blocks_.push_back(makeBlock(image));
        taken.push_back(false);
      }
      taken[at] = true;
      place.push_back(at);
    }
    blockOf_.clear();
    for (const int block : memory.blockOf)
      blockOf_.push_back(block < 0 ? nullptr : blocks_[place[static_cast<size_t>(block)]].get());
    summedOf_.assign(graph.images.size(), nullptr);
    size_t scattered = 0, tables = 0, halves = 0, collects = 0;
    for (const LensStep& step : graph.steps)
      if (const auto* scatter = std::get_if<ScatterStep>(&step))
        summed(scatter->table) = &nextOf(scattered_, scattered, [&] { return makeScattered(); });
      else if (const auto* table = std::get_if<TableStep>(&step)) {
        const bool half = graph.image(table->table).extent == Extent::halfTable;
        summed(table->table) = &nextOf(half ? halfTables_ : tables_, half ? halves : tables,
                                       [&] { return makeTable(graph, *table); });
      } else if (std::holds_alternative<CollectStep>(step)) {
        if (collects++ == sprites_.size()) sprites_.push_back(makeSprites());
      }
    graph_ = graph;
    return true;
  }

  template <class Make>
  static Summed& nextOf(std::vector<std::unique_ptr<Summed>>& pool, size_t& next, const Make& make) {
    if (next == pool.size()) pool.push_back(std::make_unique<Summed>(make()));
    return *pool[next++];
  }
  Summed*& summed(ImageId id) { return summedOf_[static_cast<size_t>(id - kLensInputs)]; }

  std::unique_ptr<Block> makeBlock(const GraphImage& image) const {
    auto block = std::make_unique<Block>(Block{image, {}, {}});
    const glm::ivec2 size = extentOf(image, size_);
    const bool half = image.texels == GraphImage::Texels::half4;
    if (image.extent == Extent::pyramid)
      block->memory = Memory(half ? (cuda::pyramidCells(size_) + 1) / 2 : cuda::pyramidCells(size_));
    else if (half || image.texels == GraphImage::Texels::float1)
      block->array = cuda::Array(half ? cuda::TexelFormat::rgba16f : cuda::TexelFormat::r32f, size.x, size.y);
    else
      block->memory = texels(size);
    return block;
  }

  Summed makeScattered() {
    if (scratch_ == nullptr) scratch_ = cuda::makeScatterScratch(size_.x, size_.y);
    if (differences_.size() == 0) differences_ = texels(size_);
    TableSpec integers = technique_.table;
    integers.format = TableFormat::uint32;
    Summed made;
    made.scatter = &crossing_.own(cuda::makeScatter(size_.x, size_.y, scratch_));
    made.builder = &crossing_.own(cuda::makeTableBuilder(tableOptions(integers, size_)));
    made.transposed = made.builder->transposed();
    made.store.resize(integers.format, size_, made.transposed);
    return made;
  }

  Sprites makeSprites() {
    const BokehSpec& bokeh = technique_.bokeh;
    return {{cuda::TexelFormat::rgba32f, kSpritesPerRow * kSpriteTexels, spriteRows(kBokehCapacity)},
            {cuda::TexelFormat::rgba32ui, 1, 1},
            &crossing_.own(cuda::makeBokehCollector(
                {size_.x, size_.y, kBokehCapacity, bokeh.compaction, bokeh.sort, technique_.table.scan})),
            &crossing_.own(cuda::makeSprites(size_.x, size_.y, kBokehCapacity))};
  }

  // The two transpositions of the table of a table cancel.
  Summed makeTable(const LensGraph& graph, const TableStep& step) {
    TableSpec spec = technique_.table;
    spec.format = step.format;
    const Summed* first = step.image < kLensInputs ? nullptr : summed(step.image);
    const glm::ivec2 size = extentOf(graph.image(step.table), size_);
    const bool turned = first != nullptr && first->transposed;
    Summed made;
    made.builder = &crossing_.own(
        cuda::makeTableBuilder(tableOptions(spec, turned ? glm::ivec2(size.y, size.x) : size)));
    made.transposed = made.builder->transposed() != turned;
    made.store.resize(spec.format, size, made.transposed);
    return made;
  }

  CudaTableStore* shownTable() {
    return graph_.shownTable == kNoImage ? nullptr : &summed(graph_.shownTable)->store;
  }

  // Whether the table of a table is transposed or its first table: all tables that a pass reads are alike.
  bool transposedFor(const PassStep& step) {
    for (const ImageId id : step.reads)
      if (id >= kLensInputs && summed(id) != nullptr) return summed(id)->transposed;
    return false;
  }

  void runSteps(CUstream_st* stream) {
    for (size_t i = 0; i < graph_.images.size(); ++i) {
      cuda::PassImage& image = images_[kLensInputs + i];
      if (summedOf_[i] != nullptr)
        image.memory = summedOf_[i]->store.rows();
      else if (blockOf_[i] != nullptr)
        image = {blockOf_[i]->array.get(), blockOf_[i]->memory.data()};
    }
    const auto& steps = graph_.steps;
    const auto isPass = [](const LensStep& step) { return std::holds_alternative<PassStep>(step); };
    const auto firstPass = std::ranges::find_if(steps, isPass);
    const auto lastPass = std::find_if(steps.rbegin(), steps.rend(), isPass).base();
    // An empty name for the other steps between two passes.
    std::vector<const char*> stages;
    for (auto step = firstPass; step != lastPass; ++step)
      if (const auto* pass = std::get_if<PassStep>(&*step))
        stages.push_back(rowOf(pass->rule).stage);
      else if (*stages.back() != 0)
        stages.push_back("");
    bool begun = false;
    size_t collects = 0;
    for (auto step = steps.begin(); step != steps.end(); ++step) {
      if (const auto* pass = std::get_if<PassStep>(&*step)) {
        if (!std::exchange(begun, true))
          passes_->begin(stages, stream);
        else if (!isPass(step[-1]))
          passes_->skip(stream);
        passes_->run(pass->rule, {size_, transposedFor(*pass), imagesOf(pass->reads), imagesOf(pass->writes)},
                     stream);
      } else if (const auto* scatter = std::get_if<ScatterStep>(&*step)) {
        Summed& to = *summed(scatter->table);
        to.scatter->run(scatter->scattered, imageAt(scatter->colour).array, imageAt(scatter->depth).array,
                        scatter->rule, differences_.data(), stream);
        to.builder->build(differences_.data(), cuda::ImageFormat::uint4, {}, to.store.rows(), stream);
      } else if (const auto* collect = std::get_if<CollectStep>(&*step)) {
        const Sprites& to = sprites_[collects++];
        to.collector->collect({imageAt(collect->colour).array, imageAt(collect->depth).array,
                               to.sprites.get(), to.command.get(), imageAt(collect->reduced).array},
                              collect->rule, stream);
      } else if (const auto* sprites = std::get_if<SpritesStep>(&*step)) {
        for (size_t i = 0; i < sprites->rules.size(); ++i)
          sprites_[i].pass->draw({sprites_[i].sprites.get(), sprites_[i].command.get(), imageAt(kDepth).array,
                                  imageAt(kOutput).array, imageAt(sprites->paneColour).array,
                                  imageAt(sprites->paneDepth).array, imageAt(kAperture).array},
                                 sprites->rules[i], stream);
      } else {
        const auto& table = std::get<TableStep>(*step);
        Summed& to = *summed(table.table);
        const cuda::PassImage& from = imageAt(table.image);
        if (from.array != nullptr)
          to.builder->build(from.array, cuda::ImageFormat::half4,
                            quantisationFor(table.format, table.quantisation), to.store.rows(), stream);
        else
          to.builder->build(static_cast<cuda::Texel*>(from.memory), cuda::ImageFormat::uint4, {},
                            to.store.rows(), stream);
      }
    }
  }

  cuda::PassImage imageAt(ImageId id) const {
    return id == kNoImage ? cuda::PassImage{} : images_[static_cast<size_t>(id)];
  }
  std::vector<cuda::PassImage> imagesOf(const std::vector<ImageId>& ids) const {
    std::vector<cuda::PassImage> images;
    images.reserve(ids.size());
    for (const ImageId id : ids) images.push_back(imageAt(id));
    return images;
  }

  Technique technique_;
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
  std::vector<Sprites> sprites_;       // in the order of their steps
  CudaCrossing<cudaArray*> crossing_;  // destroyed before the memory that its work refers to
};

}  // namespace

std::unique_ptr<Lens> makeLens(const Technique& technique, const LensRow& row) {
  const auto plan = [technique, &row](const LensFacts& facts) { return row.plan(technique, facts); };
  return std::make_unique<CudaLens>(plan, technique, row);
}

}  // namespace satdof::on_cuda
