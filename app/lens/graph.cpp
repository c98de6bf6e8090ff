#include "app/lens/graph.h"

#include <algorithm>

namespace satdof {

namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

PassRow rowFor(const BoxRule&) {
  return {.shader = "lens/box/box", .stage = "lens", .ofPixelStage = true, .readsTables = true};
}
PassRow rowFor(const ConvolutionRule&) { return {.shader = nullptr, .stage = "lens"}; }
PassRow rowFor(const glsl::TentCellRule&) {
  return {.shader = "lens/tent/quantise", .stage = "quantise", .ofPixelStage = true};
}
PassRow rowFor(const glsl::TentRule&) {
  return {.shader = "lens/tent/blur", .stage = "lens", .ofPixelStage = true, .readsTables = true};
}
PassRow rowFor(const glsl::FillRule&) {
  return {.shader = "lens/layered/fill", .stage = "fill", .levels = PassRow::Levels::own};
}
PassRow rowFor(const glsl::FarRule&) {
  return {.shader = "lens/layered/far", .stage = "background", .levels = PassRow::Levels::means};
}
PassRow rowFor(const glsl::HiddenRule&) {
  return {.shader = "lens/layered/hidden", .stage = "background", .levels = PassRow::Levels::means};
}
PassRow rowFor(const glsl::BackgroundRule&) { return {.shader = "lens/layered/background", .stage = "background"}; }
PassRow rowFor(const glsl::ComposeRule&) {
  return {.shader = "lens/layered/compose", .stage = "lens", .readsTables = true};
}
PassRow rowFor(const BlendedDepthRule&) { return {.shader = "bokeh/blended_depth", .stage = "highlights"}; }

double texelBytes(GraphImage::Texels texels) {
  switch (texels) {
    case GraphImage::Texels::half4:
      return 8.0;
    case GraphImage::Texels::float1:
      return 4.0;
    case GraphImage::Texels::float4:
    case GraphImage::Texels::words4:
      break;
  }
  return 16.0;
}

// Calls use(id) for each image that the step reads or writes.
template <class Use>
void forEachImage(const LensStep& step, const Use& use) {
  std::visit(Overloaded{[&](const ScatterStep& scatter) {
                          for (const ImageId id : {scatter.colour, scatter.depth, scatter.table}) use(id);
                        },
                        [&](const TableStep& table) {
                          for (const ImageId id : {table.image, table.table}) use(id);
                        },
                        [&](const PassStep& pass) {
                          for (const ImageId id : pass.reads) use(id);
                          for (const ImageId id : pass.writes) use(id);
                        },
                        [&](const CollectStep& collect) {
                          for (const ImageId id : {collect.colour, collect.depth, collect.reduced}) use(id);
                        },
                        [&](const SpritesStep& sprites) {
                          for (const ImageId id : {sprites.backColour, sprites.backDepth, kDepth, kOutput}) use(id);
                        }},
             step);
}

bool isTable(const GraphImage& image) {
  return image.extent == GraphImage::Extent::table || image.extent == GraphImage::Extent::halfTable;
}

}  // namespace

ImageId LensGraph::add(GraphImage::Texels texels, GraphImage::Extent extent) {
  images.push_back({texels, extent});
  return kLensInputs + static_cast<ImageId>(images.size()) - 1;
}

bool LensGraph::uses(ImageId id) const {
  bool found = false;
  for (const LensStep& step : steps) forEachImage(step, [&](ImageId used) { found |= used == id; });
  return found;
}

PassRow rowOf(const PassRule& rule) {
  return std::visit([](const auto& of) { return rowFor(of); }, rule);
}

GraphMemory::GraphMemory(const LensGraph& graph) : blockOf(graph.images.size(), -1) {
  std::vector<std::size_t> last(graph.images.size(), 0);  // of each image: the last step that uses it
  for (std::size_t i = 0; i < graph.steps.size(); ++i)
    forEachImage(graph.steps[i], [&](ImageId id) {
      if (id >= kLensInputs) last[static_cast<std::size_t>(id - kLensInputs)] = i;
    });
  std::vector<std::size_t> freeFrom;  // of each block: the first step that may take it for another image
  for (std::size_t i = 0; i < graph.steps.size(); ++i)
    forEachImage(graph.steps[i], [&](ImageId id) {
      if (id < kLensInputs || isTable(graph.image(id))) return;
      const auto at = static_cast<std::size_t>(id - kLensInputs);
      if (blockOf[at] >= 0) return;
      std::size_t block = 0;
      while (block < blocks.size() && !(blocks[block] == graph.image(id) && freeFrom[block] <= i)) ++block;
      if (block == blocks.size()) {
        blocks.push_back(graph.image(id));
        freeFrom.push_back(0);
      }
      freeFrom[block] = last[at] + 1;
      blockOf[at] = static_cast<int>(block);
    });
}

glm::ivec2 extentOf(const GraphImage& image, glm::ivec2 size) {
  switch (image.extent) {
    case GraphImage::Extent::half:
    case GraphImage::Extent::halfTable:
      return (size + 1) / 2;
    case GraphImage::Extent::pyramid:
      return glsl::fillSizeOf(size);
    case GraphImage::Extent::image:
    case GraphImage::Extent::table:
      break;
  }
  return size;
}

double bytesOf(const LensGraph& graph, glm::ivec2 size) {
  constexpr double kScatterBytes = 32.0;  // scratch memory a pixel
  const auto bytes = [&](const GraphImage& image) {
    const glm::dvec2 extent(extentOf(image, size));
    const double levels = image.extent == GraphImage::Extent::pyramid ? 4.0 / 3.0 : 1.0;
    return extent.x * extent.y * levels * texelBytes(image.texels);
  };
  double sum = 0.0;
  for (const GraphImage& block : GraphMemory(graph).blocks) sum += bytes(block);
  for (const GraphImage& image : graph.images)
    if (isTable(image)) sum += bytes(image);
  const bool scatters =
      std::ranges::any_of(graph.steps, [](const LensStep& step) { return std::holds_alternative<ScatterStep>(step); });
  return sum + (scatters ? kScatterBytes * size.x * size.y : 0.0);
}

}  // namespace satdof
