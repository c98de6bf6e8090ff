#include "app/lens/box/plan.h"

#include "app/lens/fixed_point.h"
#include "app/lens/thin_lens.h"

namespace satdof {

BoxPlan boxPlan(const BlurRule& rule, const LensSettings& lens, const SceneFacts& scene) {
  const BlurValues blur = rule.values(lens, scene);
  const float halfWidthPx = boxHalfWidthPx(rule.largestRadiusPx(lens, scene));
  const float ratio = blur.lens.anamorphicRatio;
  const float ceiling = fixedPointCeiling(halfWidthPx, scene.wholeSize(), ratio);
  return {blur, ceiling, fixedPointScale(halfWidthPx, scene.wholeSize(), ceiling, ratio)};
}

}  // namespace satdof
