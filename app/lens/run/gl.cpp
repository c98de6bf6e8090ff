#include "app/lens/run/gl.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "app/device/device.h"
#include "app/device/gl/gl.h"
#include "app/device/gl/uniforms.h"
#include "app/gl/parameter_block.h"
#include "app/gl/program.h"
#include "app/lens/bokeh/sprites.h"

namespace satdof {

namespace {

using Extent = GraphImage::Extent;

// Resources of bokeh sprites besides the images of a graph.
struct Sprites {
  gl::Program reduce{{"bokeh/reduce.comp"}};
  gl::ParameterBlock rule{sizeof(BokehRule)};
  std::vector<std::unique_ptr<BokehCollector>> collectors;  // in the order of their steps
  std::unique_ptr<SpritePass> pass = makeSpritePass();
};

class GlLens final : public GraphLens {
 public:
  GlLens(LensPlanner plan, bool separates, std::optional<NearField> sprites, GlLensParts parts)
      : GraphLens(std::move(plan), separates, sprites),
        parts_(std::move(parts)),
        layerScratch_(makeGlScatterScratch()) {
    for (const LensGraph& graph : {fullGraph(), commonGraph({64, 64})}) addPasses(graph);
    if (sprites) sprites_.emplace();
  }

  LensResult draw(const LensInputs& inputs, const gl::Target& output, Timings& timings) override {
    const Frame frame = frameOf(inputs, output.texture);
    placeImages(frame.graph);
    images_.assign(frame.textures.begin(), frame.textures.end());
    const GraphMemory& memory = *memory_;
    for (const int block : memory.blockOf)
      images_.push_back(block < 0 ? nullptr : &blocks_[static_cast<std::size_t>(block)].texture);
    tables_.assign(images_.size(), {});
    std::size_t near = 0, layers = 0, tables = 0, halves = 0;
    std::vector<BokehDraw> found;
    for (const LensStep& step : frame.graph.steps)
      if (const auto* scatter = std::get_if<ScatterStep>(&step)) {
        SceneFrame scene = inputs.scene;
        scene.colour = at(scatter->colour);
        scene.depth = at(scatter->depth);
        const bool ofScene = scatter->scattered == Scattered::nearPixels;
        setTable(scatter->table,
                 scatterFor(scatter->scattered, ofScene ? near : layers).scatter(scene, scatter->rule, timings));
      } else if (const auto* table = std::get_if<TableStep>(&step)) {
        buildTable(frame.graph, *table, tables, halves, timings);
      } else if (const auto* collecting = std::get_if<CollectStep>(&step)) {
        found.push_back(collect(*collecting, inputs.scene, found.size(), timings));
      } else if (const auto* sprites = std::get_if<SpritesStep>(&step)) {
        drawSprites(*sprites, found, output, timings);
      } else {
        runPass(std::get<PassStep>(step), output, timings);
      }
    if (frame.graph.shownTable == kNoImage) return {};
    LensResult result{.table = tables_[static_cast<std::size_t>(frame.graph.shownTable)]};
    result.table.scale = frame.graph.shownScale;
    return result;
  }

  std::string state() const override {
    const auto& builders = builders_.empty() ? halfBuilders_ : builders_;
    return builders.empty() ? std::string() : builders.front().builder->state();
  }

 private:
  struct Pass {
    Pass(gl::PixelPass made, std::size_t ruleBytes) : pass(std::move(made)), rule(ruleBytes) {}
    gl::PixelPass pass;
    gl::ParameterBlock rule;
  };
  struct Block {
    GraphImage image;
    gl::Texture texture;
    gl::Framebuffer framebuffer;  // of passes in fragment shaders
  };
  // A builder and the size of its images. The size may change: the table of a table may be transposed.
  struct Builder {
    std::unique_ptr<TableBuilder> builder;
    glm::ivec2 size{0};
    TableBuilder& sizeTo(glm::ivec2 wanted) {
      if (std::exchange(size, wanted) != wanted) builder->resize(wanted);
      return *builder;
    }
  };

  void addPasses(const LensGraph& graph) {
    gl::Defines defines = tableDefines(TableFormat::uint32);
    for (const LensStep& step : graph.steps)
      if (const auto* table = std::get_if<TableStep>(&step)) defines = tableDefines(table->format);
    for (const LensStep& step : graph.steps) {
      const auto* pass = std::get_if<PassStep>(&step);
      if (pass == nullptr || passes_[pass->rule.index()]) continue;
      const PassRow& row = rowOf(pass->rule);
      const gl::PixelStage stage = row.ofPixelStage ? parts_.stage : gl::PixelStage::compute;
      const std::size_t bytes = std::visit([](const auto& rule) { return sizeof rule; }, pass->rule);
      passes_[pass->rule.index()].emplace(gl::PixelPass(stage, row.shader, row.ofPixelStage ? defines : gl::Defines{}),
                                          bytes);
      if (row.levels == PassRow::Levels::means && !means_) means_ = gl::Program({"lens/layered/means.comp"});
    }
  }

  void reset(glm::ivec2) override {
    memory_.reset();
    blocks_.clear();
    for (auto* pool : {&builders_, &halfBuilders_}) pool->clear();
    for (auto* pool : {&nearScatters_, &layerScatters_}) pool->clear();
    layerScratch_ = makeGlScatterScratch();
    if (sprites_) sprites_->collectors.clear();
  }

  void allocate(const LensGraph& graph) override {
    placeImages(graph);
    std::size_t near = 0, layers = 0, tables = 0, halves = 0, collectors = 0;
    for (const LensStep& step : graph.steps)
      if (const auto* table = std::get_if<TableStep>(&step))
        builderFor(graph.image(table->table), table->format, tables, halves)
            .sizeTo(extentOf(graph.image(table->table), size()));
      else if (const auto* scatter = std::get_if<ScatterStep>(&step))
        scatterFor(scatter->scattered, scatter->scattered == Scattered::nearPixels ? near : layers);
      else if (std::holds_alternative<CollectStep>(step))
        collectorFor(collectors++);
  }

  // Allocates the blocks of the graph. Reuses blocks of the last graph.
  void placeImages(const LensGraph& graph) {
    if (graph_ == graph && memory_) return;
    memory_.emplace(graph);
    // Each block takes the first old block of the same kind that is not taken.
    std::vector<Block> old = std::exchange(blocks_, {});
    for (const GraphImage& image : memory_->blocks) {
      const auto known =
          std::ranges::find_if(old, [&](const Block& block) { return block.texture && block.image == image; });
      if (known != old.end()) {
        blocks_.push_back(std::move(*known));
        known->texture = {};
        continue;
      }
      Block block{image,
                  gl::Texture(formatOf(image.texels), extentOf(image, size()), 1,
                              image.extent == Extent::pyramid ? glsl::kFillLevels : 1),
                  {}};
      if (image.extent == Extent::half || (image.extent == Extent::image && image.texels == GraphImage::Texels::words4))
        if (parts_.stage == gl::PixelStage::fragment) block.framebuffer = gl::Framebuffer(block.texture);
      blocks_.push_back(std::move(block));
    }
    graph_ = graph;
  }

  const gl::Texture* at(ImageId id) const { return id == kNoImage ? nullptr : images_[static_cast<std::size_t>(id)]; }

  // Sets an image of this frame to a table.
  void setTable(ImageId id, const Table& table) {
    tables_[static_cast<std::size_t>(id)] = table;
    images_[static_cast<std::size_t>(id)] = table.texture;
  }

  Builder& builderFor(const GraphImage& table, TableFormat format, std::size_t& tables, std::size_t& halves) {
    const bool half = table.extent == Extent::halfTable;
    auto& pool = half ? halfBuilders_ : builders_;
    std::size_t& next = half ? halves : tables;
    if (next == pool.size()) pool.push_back({parts_.makeTable(format)});
    return pool[next++];
  }

  void buildTable(const LensGraph& graph, const TableStep& step, std::size_t& tables, std::size_t& halves,
                  Timings& timings) {
    TableSource source{at(step.image), step.quantisation};
    const Table& first = tables_[static_cast<std::size_t>(step.image)];  // empty for the table of an image
    TableBuilder& builder =
        builderFor(graph.image(step.table), step.format, tables, halves).sizeTo(source.texture->size());
    Table table = builder.build(source, timings);
    // Transposed twice, the table of a table is not transposed.
    table.transposed = table.transposed != first.transposed;
    if (first.texture != nullptr) table.size = first.size;
    setTable(step.table, table);
  }

  NearScatter& scatterFor(Scattered scattered, std::size_t& next) {
    const bool ofScene = scattered == Scattered::nearPixels;
    auto& pool = ofScene ? nearScatters_ : layerScatters_;
    if (next == pool.size()) {
      auto made =
          ofScene ? parts_.makeScatter() : makeGlLayerScatter(parts_.makeTable(TableFormat::uint32), layerScratch_);
      made->resize(size());
      pool.push_back(std::move(made));
    }
    return *pool[next++];
  }

  BokehCollector& collectorFor(std::size_t place) {
    auto& collectors = sprites_->collectors;
    if (place == collectors.size()) {
      collectors.push_back(parts_.makeCollector());
      collectors.back()->resize(size());
    }
    return *collectors[place];
  }

  BokehDraw collect(const CollectStep& step, SceneFrame scene, std::size_t place, Timings& timings) {
    scene.colour = at(step.colour);
    scene.depth = at(step.depth);
    const BokehDraw found = collectorFor(place).collect(scene, step.rule, timings);
    const auto scope = timings.gpu("highlights");
    sprites_->rule.bind(0, step.rule);
    scene.colour->bind(0);
    scene.depth->bind(1);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, found.command);
    bindImages({step.reduced}, 0);
    sprites_->reduce.dispatch(size());
    return found;
  }

  void drawSprites(const SpritesStep& step, std::span<const BokehDraw> found, const gl::Target& output,
                   Timings& timings) {
    std::vector<SpriteLayer> layers;
    for (std::size_t i = 0; i < found.size(); ++i) layers.push_back({found[i], step.rules[i], at(kAperture)});
    sprites_->pass->draw(layers, *at(kDepth), {at(step.backColour), at(step.backDepth)}, output, timings);
  }

  void runPass(const PassStep& step, const gl::Target& output, Timings& timings) {
    const PassRow& row = rowOf(step.rule);
    Pass& pass = *passes_[step.rule.index()];
    const gl::Program& program = pass.pass.program();
    const auto scope = timings.gpu(row.stage);
    std::visit([&](const auto& rule) { pass.rule.bind(0, rule); }, step.rule);
    for (GLuint unit = 0; const ImageId id : step.reads) bindTexture(unit++, at(id));
    if (row.readsTables)
      for (const ImageId id : step.reads)
        if (id != kNoImage && tables_[static_cast<std::size_t>(id)].texture != nullptr)
          program.set("transposed", static_cast<int>(tables_[static_cast<std::size_t>(id)].transposed));
    if (row.ofPixelStage) {
      const gl::Texture& to = *at(step.writes[0]);
      pass.pass.run(to, step.writes[0] == kOutput ? output.framebuffer : framebufferOf(to));
      return;
    }
    bindImages(step.writes, 0);
    if (row.levels == PassRow::Levels::own)
      return drawLevels(program, step.writes, 0, static_cast<GLuint>(step.reads.size()));
    program.dispatch(at(step.writes.back() == kNoImage ? step.writes.front() : step.writes.back())->size());
    if (row.levels == PassRow::Levels::means) drawLevels(*means_, {step.writes.back()}, 1, 0);
  }

  // Draws the levels of pyramids from `first` on. The program reads the level below in texture units from `unit` on.
  void drawLevels(const gl::Program& program, const std::vector<ImageId>& pyramids, int first, GLuint unit) {
    for (const ImageId id : pyramids) bindTexture(unit++, at(id));
    for (int level = first; level < glsl::kFillLevels; ++level) {
      program.set("level", level);
      bindImages(pyramids, level);
      program.dispatch(glm::max(at(pyramids[0])->size() >> level, 1));
    }
  }

  void bindImages(const std::vector<ImageId>& images, int level) const {
    for (GLuint unit = 0; const ImageId id : images) {
      if (const gl::Texture* texture = at(id))
        glBindImageTexture(unit, texture->name(), level, GL_FALSE, 0, GL_WRITE_ONLY, texture->format());
      ++unit;
    }
  }
  static void bindTexture(GLuint unit, const gl::Texture* texture) {
    glBindTextureUnit(unit, texture == nullptr ? 0 : texture->name());
  }
  const gl::Framebuffer& framebufferOf(const gl::Texture& texture) const {
    return std::ranges::find_if(blocks_, [&](const Block& block) { return &block.texture == &texture; })->framebuffer;
  }

  GlLensParts parts_;
  std::array<std::optional<Pass>, std::variant_size_v<PassRule>> passes_;
  std::optional<gl::Program> means_;
  LensGraph graph_;
  std::optional<GraphMemory> memory_;  // of graph_
  std::vector<Block> blocks_;          // outlive the builders, which may share them with CUDA
  std::vector<Builder> builders_, halfBuilders_;
  std::shared_ptr<GlScatterScratch> layerScratch_;
  std::vector<std::unique_ptr<NearScatter>> nearScatters_, layerScatters_;
  std::optional<Sprites> sprites_;
  std::vector<const gl::Texture*> images_;  // of this frame, by ImageId
  std::vector<Table> tables_;               // by ImageId; empty for other images
};

}  // namespace

std::unique_ptr<Lens> makeGlLens(LensPlanner plan, bool separates, std::optional<NearField> sprites,
                                 GlLensParts parts) {
  return std::make_unique<GlLens>(std::move(plan), separates, sprites, std::move(parts));
}

GlLensParts glLensParts(const Technique& technique) {
  const Device& device = availableDevice(technique.device);
  return {
      .makeTable =
          [&device, spec = technique.table](TableFormat format) {
            TableSpec formatted = spec;
            formatted.format = format;
            return device.makeTableBuilder(formatted);
          },
      .makeScatter =
          [&device, spec = technique.table] {
            TableSpec integers = spec;
            integers.format = TableFormat::uint32;
            return device.makeNearScatter(integers);
          },
      .makeCollector = [&device, bokeh = technique.bokeh,
                        scan = technique.table.scan] { return device.makeBokehCollector(bokeh, scan, kBokehCapacity); },
      .stage = device.lensStage};
}

}  // namespace satdof
