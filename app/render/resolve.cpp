#include "app/render/resolve.h"

#include <algorithm>

#include "app/core/fields.h"
#include "app/gl/software.h"
#include "app/lens/lens.h"
#include "app/scene/registry.h"
#include "app/scene/targets.h"
#include "app/views/views.h"

namespace satdof {

namespace {

constexpr int kBestSamples = 4;  // a pixel

}  // namespace

ResolvedSettings::ResolvedSettings(const Settings& settings) : Settings(settings) {
  technique = resolve(technique);
  split.b = resolve(split.b);
  if (lens.overscan == Overscan::automatic) lens.overscan = gl::isSoftwareRenderer() ? Overscan::off : Overscan::on;
  scene.samples = offeredSamples(scene.samples);
  lens.layers = std::max(lens.layers, 1);
}

ResolvedSettings quickSettings(Settings settings, int step) {
  constexpr Prefer kSteps[kQuickSteps] = {Prefer::quality, Prefer::speedWithSprites, Prefer::speed};
  for (Technique* technique : {&settings.technique, &settings.split.b}) {
    const Technique quick = resolve(*technique, kSteps[step]);
    *technique = missingFor(quick).empty() ? quick : resolve(*technique, Prefer::quality);
  }
  return ResolvedSettings(settings);
}

bool leavesBokehOut(const Settings& settings, int step) {
  const Technique shown = quickSettings(settings, step).technique;
  return settings.technique.bokeh.enabled && !shown.bokeh.enabled && lensOf(shown.lens.kind).bokeh.has_value();
}

ResolvedSettings bestSettings(Settings settings) {
  settings.technique = resolve(settings.technique, Prefer::quality);
  settings.split.b = resolve(settings.split.b, Prefer::quality);
  if (settings.scene.samples == 0) settings.scene.samples = kBestSamples;
  const bool needsMargin = settings.split.enabled || !lensOf(settings.technique.lens.kind).accumulates;
  if (needsMargin && settings.lens.overscan == Overscan::automatic) settings.lens.overscan = Overscan::on;
  if (settings.lens.layers == 0) settings.lens.layers = sceneRow(settings.scene.kind).capabilities.bestInLayers ? 2 : 1;
  return ResolvedSettings(settings);
}

ResolvedSettings referenceSettings(Settings settings) {
  settings.lens.jitter |= settings.scene.samples == 0;
  settings.technique.lens.kind = std::ranges::find_if(lenses(), &LensRow::accumulates)->kind;
  settings.lens.lensSamples *= kRestSamples;
  clampToRanges(settings);
  return bestSettings(settings);
}

Technique restingTechnique(const Settings& settings, const Technique& technique) {
  return resolve(technique, settings.quality.adaptive ? Prefer::quality : Prefer::balance);
}

}  // namespace satdof
