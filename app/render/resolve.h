#pragma once
#include "app/core/settings.h"

// Decides what `automatic` means in the settings of a frame. All functions need a current context.
namespace satdof {

// Settings without `automatic`: of techniques, overscan, samples and depth layers. Made once a frame; what draws the
// frame takes only this type.
struct ResolvedSettings : Settings {
  explicit ResolvedSettings(const Settings& settings);
};

// Resolves for a quick image. An automatic lens depends on the step: 0, the best lens; 1, the fastest lens with its
// bokeh sprites; 2, the fastest lens without slow sprites. Keeps the best lens for a view that needs it.
ResolvedSettings quickSettings(Settings settings, int step);
constexpr int kQuickSteps = 3;
// Whether a quick image lacks bokeh sprites that the settings ask for and the lens could draw.
bool leavesBokehOut(const Settings& settings, int step);
// Resolves for the best image, however slow.
ResolvedSettings bestSettings(Settings settings);
// bestSettings() with the reference lens and kRestSamples times as many samples.
ResolvedSettings referenceSettings(Settings settings);
constexpr int kRestSamples = 4;  // with fewer, discs of small lights are grainy

// Resolves a technique as a window shows it while nothing moves.
Technique restingTechnique(const Settings& settings, const Technique& technique);

}  // namespace satdof
