#include "app/lens/run/cuda_graph.h"

#include <algorithm>

#include "app/core/pixels.h"
#include "app/device/cuda/table_options.h"

namespace satdof::on_cuda {

using Extent = GraphImage::Extent;

namespace {

bool isPass(const LensStep& step) { return std::holds_alternative<PassStep>(step); }

// The stages of cuda::Passes: one a pass, and one with an empty name for all other steps between two passes.
std::vector<const char*> stagesOf(std::span<const LensStep> steps) {
  std::vector<const char*> stages;
  const auto firstPass = std::ranges::find_if(steps, isPass);
  const auto lastPass = std::find_if(steps.rbegin(), steps.rend(), isPass).base();
  for (auto step = firstPass; step != lastPass; ++step)
    if (const auto* pass = std::get_if<PassStep>(&*step))
      stages.push_back(rowOf(pass->rule).stage);
    else if (*stages.back() != 0)
      stages.push_back("");
  return stages;
}

}  // namespace

void CudaGraph::resize(glm::ivec2 size) {
  size_ = size;
  passes_ = &own(cuda::makePasses());
  graph_ = {};
  blocks_.clear();
  scattered_.clear();
  tables_.clear();
  halfTables_.clear();
  differences_ = {};
  scratch_.reset();
  sprites_.clear();
}

bool CudaGraph::prepare(const LensGraph& graph) {
  if (graph_ == graph) return false;
  graph_ = {};
  const auto nextOf = [](auto& pool, std::size_t& next, const auto& make) {
    if (next == pool.size()) pool.push_back(std::make_unique<Summed>(make()));
    return pool[next++].get();
  };
  const GraphMemory memory(graph);
  // Each block of the graph takes the first block of the same kind that is not taken.
  std::vector<bool> taken(blocks_.size(), false);
  std::vector<std::size_t> place;
  for (const GraphImage& image : memory.blocks) {
    std::size_t at = 0;
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
    blockOf_.push_back(block < 0 ? nullptr : blocks_[place[static_cast<std::size_t>(block)]].get());
  summedOf_.assign(graph.images.size(), nullptr);
  std::size_t scattered = 0, tables = 0, halves = 0, collects = 0;
  for (const LensStep& step : graph.steps)
    if (const auto* scatter = std::get_if<ScatterStep>(&step))
      summed(scatter->table) = nextOf(scattered_, scattered, [&] { return makeScattered(); });
    else if (const auto* table = std::get_if<TableStep>(&step)) {
      const bool half = graph.image(table->table).extent == Extent::halfTable;
      summed(table->table) =
          nextOf(half ? halfTables_ : tables_, half ? halves : tables, [&] { return makeTable(graph, *table); });
    } else if (std::holds_alternative<CollectStep>(step)) {
      if (collects++ == sprites_.size()) sprites_.push_back(makeSprites());
    }
  graph_ = graph;
  return true;
}

const CudaGraph::Table* CudaGraph::shownTable() {
  return graph_.shownTable == kNoImage ? nullptr : &summed(graph_.shownTable)->table;
}

CudaGraph::Memory CudaGraph::texels(glm::ivec2 size) const { return Memory(pixelCount(size)); }

std::unique_ptr<CudaGraph::Block> CudaGraph::makeBlock(const GraphImage& image) const {
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

CudaGraph::Summed CudaGraph::makeScattered() {
  if (scratch_ == nullptr) scratch_ = cuda::makeScatterScratch(size_.x, size_.y);
  if (differences_.size() == 0) differences_ = texels(size_);
  TableSpec integers = technique_.table;
  integers.format = TableFormat::uint32;
  auto& scatter = own(cuda::makeScatter(size_.x, size_.y, scratch_));
  auto& builder = own(cuda::makeTableBuilder(tableOptions(integers, size_)));
  return {{integers.format, size_, builder.transposed(), texels(size_)}, &builder, &scatter};
}

CudaGraph::Sprites CudaGraph::makeSprites() {
  const BokehSpec& bokeh = technique_.bokeh;
  return {{cuda::TexelFormat::rgba32f, kSpritesPerRow * kSpriteTexels, spriteRows(kBokehCapacity)},
          {cuda::TexelFormat::rgba32ui, 1, 1},
          &own(cuda::makeBokehCollector(
              {size_.x, size_.y, kBokehCapacity, bokeh.compaction, bokeh.sort, technique_.table.scan})),
          &own(cuda::makeSprites(size_.x, size_.y, kBokehCapacity))};
}

// Transposed twice, the table of a table is not transposed.
CudaGraph::Summed CudaGraph::makeTable(const LensGraph& graph, const TableStep& step) {
  TableSpec spec = technique_.table;
  spec.format = step.format;
  const Summed* first = step.image < kLensInputs ? nullptr : summed(step.image);
  const glm::ivec2 size = extentOf(graph.image(step.table), size_);
  const bool turned = first != nullptr && first->table.transposed;
  auto& builder = own(cuda::makeTableBuilder(tableOptions(spec, turned ? glm::ivec2(size.y, size.x) : size)));
  return {{spec.format, size, builder.transposed() != turned, texels(size)}, &builder};
}

// Whether the tables that a pass reads are transposed: all of them, or none.
bool CudaGraph::transposedFor(const PassStep& step) {
  for (const ImageId id : step.reads)
    if (id >= kLensInputs && summed(id) != nullptr) return summed(id)->table.transposed;
  return false;
}

void CudaGraph::draw(std::span<cudaArray* const> inputs, CUstream_st* stream) {
  placeImages(inputs);
  nextCollect_ = 0;
  bool begun = false;
  for (std::size_t i = 0; i < graph_.steps.size(); ++i) {
    if (isPass(graph_.steps[i])) {
      if (!std::exchange(begun, true))
        passes_->begin(stagesOf(graph_.steps), stream);
      else if (!isPass(graph_.steps[i - 1]))
        passes_->skip(stream);
    }
    std::visit([&](const auto& step) { enqueue(step, stream); }, graph_.steps[i]);
  }
}

void CudaGraph::placeImages(std::span<cudaArray* const> inputs) {
  images_.assign(kLensInputs + graph_.images.size(), {});
  for (std::size_t i = 0; i < inputs.size(); ++i) images_[i].array = inputs[i];
  for (std::size_t i = 0; i < graph_.images.size(); ++i) {
    cuda::PassImage& image = images_[kLensInputs + i];
    if (summedOf_[i] != nullptr)
      image.memory = summedOf_[i]->table.rows.data();
    else if (blockOf_[i] != nullptr)
      image = {blockOf_[i]->array.get(), blockOf_[i]->memory.data()};
  }
}

void CudaGraph::enqueue(const ScatterStep& step, CUstream_st* stream) {
  Summed& to = *summed(step.table);
  to.scatter->run(step.scattered, imageAt(step.colour).array, imageAt(step.depth).array, step.rule, differences_.data(),
                  stream);
  to.builder->build(differences_.data(), cuda::ImageFormat::uint4, {}, to.table.rows.data(), stream);
}

void CudaGraph::enqueue(const TableStep& step, CUstream_st* stream) {
  Summed& to = *summed(step.table);
  const cuda::PassImage& from = imageAt(step.image);
  if (from.array != nullptr)
    to.builder->build(from.array, cuda::ImageFormat::half4, quantisationFor(step.format, step.quantisation),
                      to.table.rows.data(), stream);
  else
    to.builder->build(static_cast<cuda::Texel*>(from.memory), cuda::ImageFormat::uint4, {}, to.table.rows.data(),
                      stream);
}

void CudaGraph::enqueue(const PassStep& step, CUstream_st* stream) {
  passes_->run(step.rule, {size_, transposedFor(step), imagesOf(step.reads), imagesOf(step.writes)}, stream);
}

void CudaGraph::enqueue(const CollectStep& step, CUstream_st* stream) {
  const Sprites& to = sprites_[nextCollect_++];
  to.collector->collect({imageAt(step.colour).array, imageAt(step.depth).array, to.sprites.get(), to.command.get(),
                         imageAt(step.reduced).array},
                        step.rule, stream);
}

void CudaGraph::enqueue(const SpritesStep& step, CUstream_st* stream) {
  for (std::size_t i = 0; i < step.rules.size(); ++i)
    sprites_[i].pass->draw(
        {sprites_[i].sprites.get(), sprites_[i].command.get(), imageAt(kDepth).array, imageAt(kOutput).array,
         imageAt(step.backColour).array, imageAt(step.backDepth).array, imageAt(kAperture).array},
        step.rules[i], stream);
}

cuda::PassImage CudaGraph::imageAt(ImageId id) const {
  return id == kNoImage ? cuda::PassImage{} : images_[static_cast<std::size_t>(id)];
}

std::vector<cuda::PassImage> CudaGraph::imagesOf(const std::vector<ImageId>& ids) const {
  std::vector<cuda::PassImage> images;
  images.reserve(ids.size());
  for (const ImageId id : ids) images.push_back(imageAt(id));
  return images;
}

}  // namespace satdof::on_cuda
