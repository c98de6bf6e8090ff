#include "app/lens/bokeh/plan.h"

#include <algorithm>
#include <tuple>

#include "app/lens/aperture/aperture.h"
#include "app/lens/thin_lens.h"

namespace satdof {

namespace {

struct SpriteInput {
  ImageId colour, depth;
};

// Makes all steps read `by` in place of `image`.
void replace(LensGraph& graph, ImageId image, ImageId by) {
  for (LensStep& step : graph.steps)
    if (auto* pass = std::get_if<PassStep>(&step))
      std::ranges::replace(pass->reads, image, by);
    else if (auto* table = std::get_if<TableStep>(&step))
      table->image = table->image == image ? by : table->image;
    else if (auto* scatter = std::get_if<ScatterStep>(&step))
      scatter->colour = scatter->colour == image ? by : scatter->colour;
}

}  // namespace

BokehRule bokehRule(const LensSettings& lens, const SceneFacts& scene) {
  const glm::ivec2 size = scene.wholeSize();
  return {.lens = thinLens(lens, scene.sensorPx(), scene.nearM),
          .threshold = lens.highlightThreshold,
          .maxRadiusPx = static_cast<float>(std::max(size.x, size.y))};
}

SpriteRule spriteRule(const LensSettings& lens, const SceneFacts& scene, NearField nearField, bool added,
                      bool blended) {
  const ThinLens thin = thinLens(lens, scene.sensorPx(), scene.nearM);
  return {.lens = thin,
          .aperture = apertureOf(lens, scene),
          .scattered = nearField == NearField::scattered,
          .blended = blended,
          .nearest = glsl::signedRadius(thin, scene.nearM / scene.nearestM),
          .margin = added ? 0.0f : kOwnSurfacePx};
}

void addSprites(LensGraph& graph, const LensFacts& facts, NearField nearField, LensImage image) {
  std::vector<LensStep> first;
  std::vector<SpriteInput> layers{{kColour, kDepth}};
  if (graph.uses(kBehindColour)) layers.push_back({kBehindColour, kBehindDepth});
  if (facts.blended)
    for (const auto& [colour, sums] : {SpriteInput{kBackColour, kBackDepth}, SpriteInput{kFrontColour, kFrontDepth}}) {
      layers.push_back({colour, graph.add(GraphImage::Texels::float1)});
      first.emplace_back(PassStep{BlendedDepthRule{}, {sums}, {layers.back().depth}});
    }
  SpritesStep sprites;
  if (facts.blended) std::tie(sprites.backColour, sprites.backDepth) = std::tuple(kBackColour, kBackDepth);
  for (const SpriteInput& layer : layers) {
    const ImageId reduced = graph.add(GraphImage::Texels::half4);
    replace(graph, layer.colour, reduced);
    first.emplace_back(CollectStep{layer.colour, layer.depth, reduced, bokehRule(facts.lens, facts.scene)});
    const bool added = !sprites.rules.empty();
    sprites.rules.push_back(spriteRule(facts.lens, facts.scene, nearField, added, facts.blended));
  }
  sprites.rules.front().alone = image == LensImage::sprites;
  graph.steps.insert(graph.steps.begin(), first.begin(), first.end());
  if (image == LensImage::blurred || image == LensImage::sprites) graph.steps.emplace_back(sprites);
}

}  // namespace satdof
