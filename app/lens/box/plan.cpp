#include "app/lens/box/plan.h"

#include "app/lens/fixed_point.h"
#include "app/lens/thin_lens.h"

namespace satdof {

BoxPlan boxPlan(const BlurRule& rule, const LensSettings& lens, const SceneFacts& scene) {
  const RadiusRule blur = rule.values(lens, scene);
  const float halfWidthPx = glsl::boxHalfWidth(rule.largestRadiusPx(lens, scene));
  const float ratio = blur.lens.anamorphicRatio;
  const float ceiling = fixedPointCeiling(halfWidthPx, scene.wholeSize(), ratio);
  return {blur, ceiling, fixedPointScale(halfWidthPx, scene.wholeSize(), ceiling, ratio)};
}

LensGraph boxGraph(const BlurRule& rule, const Technique& technique, const LensFacts& facts) {
  using enum GraphImage::Texels;
  const BoxPlan plan = boxPlan(rule, facts.lens, facts.scene);
  LensGraph graph;
  if (technique.lens.on == LensOn::cudaDirect || technique.lens.on == LensOn::cudaSeparable) {
    const bool direct = technique.lens.on == LensOn::cudaDirect;
    graph.steps.emplace_back(PassStep{ConvolutionRule{plan.blur, direct ? Convolution::direct : Convolution::separable},
                                      {kColour, kDepth},
                                      {kOutput, direct ? kNoImage : graph.add(float4)}});
    return graph;
  }
  const TableFormat format = technique.table.format;
  const bool words = format == TableFormat::uint32;
  graph.shownTable = graph.add(words ? words4 : float4, GraphImage::Extent::table);
  graph.shownScale = words ? plan.scale : 1.0f;
  graph.steps.emplace_back(TableStep{kColour, graph.shownTable, format, {plan.scale, plan.ceiling, facts.mean}});
  graph.steps.emplace_back(PassStep{BoxRule{.radius = plan.blur,
                                            .offset = format == TableFormat::float32Mean ? facts.mean : glm::vec4(0.0f),
                                            .unit = 1.0f / graph.shownScale,
                                            .floats = words ? 0 : 1},
                                    {kColour, kDepth, graph.shownTable},
                                    {kOutput}});
  return graph;
}

}  // namespace satdof
