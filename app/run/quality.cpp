#include "app/run/quality.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/lens/lens.h"
#include "app/scene/registry.h"
#include "app/ui/edit.h"
#include "app/views/views.h"

namespace satdof {

namespace {

constexpr std::array kScales = {1.0f, 0.75f, 0.5f, 0.35f};  // few: a change allocates images
constexpr float kNewest = 0.5f;                             // weight of the newest measurement
constexpr float kFastPart = 0.25f;                          // of the goal: a better lens is worth a try
constexpr int kBestSamples = 4;
constexpr int kMostSamples = 8;  // of the reference in a frame

void measure(std::optional<float>& known, float timeS) {
  known = known ? (1.0f - kNewest) * *known + kNewest * timeS : timeS;
}

// The best step that meets the goal. A step without a time meets it until it is measured. A step that missed the goal is
// tried again once the machine is much faster than then.
int quickStep(std::array<std::optional<float>, kQuickSteps>& timesS, int before) {
  const auto nowS = timesS[static_cast<size_t>(before)];
  if (nowS && *nowS <= kFastPart * kGoalS) std::fill_n(timesS.begin(), before, std::nullopt);
  for (int step = 0; step < kQuickSteps; ++step)
    if (timesS[static_cast<size_t>(step)].value_or(0.0f) <= kGoalS) return step;
  return kQuickSteps - 1;
}

// The largest scale at which an image of `fullS` seconds meets the goal; the time is proportional to the pixels.
float scaleFor(std::optional<float> fullS) {
  if (!fullS) return kScales.front();
  const auto fits =
      std::ranges::find_if(kScales, [&](float scale) { return *fullS * scale * scale <= kGoalS; });
  return fits == kScales.end() ? kScales.back() : *fits;
}

}  // namespace

QualityState advance(QualityState state, const QualitySettings& settings, const QualityInputs& inputs) {
  const Quality before = state.chosen;
  if (inputs.drawnS && before.shown == Shown::quick)
    measure(state.quickS[static_cast<size_t>(before.step)], *inputs.drawnS / (before.scale * before.scale));
  if (inputs.drawnS && before.shown == Shown::best) measure(state.bestS, *inputs.drawnS);
  if (inputs.moving || !state.movedS) state.movedS = inputs.nowS;
  if (inputs.waiting && before.shown != Shown::reference) return state;

  Quality next;
  const double restedS = inputs.nowS - *state.movedS;
  const bool bestIsFast = state.bestS && *state.bestS <= kGoalS;
  if (!settings.adaptive || (restedS < kRestS && !bestIsFast)) next.shown = Shown::quick;
  const bool fadesFrom = !settings.adaptive || before.shown != Shown::quick;
  if (settings.converge && inputs.mayConverge && fadesFrom && restedS >= kIdleS)
    next.shown = Shown::reference;
  if (settings.adaptive && next.shown == Shown::quick) next.step = quickStep(state.quickS, before.step);
  if (settings.lowerResolution && inputs.dragging && next.shown == Shown::quick) {
    next.scale = std::min(
        before.scale,
        scaleFor(state.quickS[static_cast<size_t>(next.step)]));  // rises only after the drag: no flicker
  }
  state.chosen = next;
  return state;
}

float fadeOf(float progress) {
  return std::clamp((progress - kFadeFrom) / (kFadeTo - kFadeFrom), 0.0f, 1.0f);
}

int samplesFor(int samples, float drawnS) {
  if (drawnS > kGoalS) return std::max(samples / 2, 1);
  return drawnS < 0.5f * kGoalS ? std::min(2 * samples, kMostSamples) : samples;
}

bool willChange(const QualityState& state, const QualitySettings& settings, const QualityInputs& inputs) {
  QualityInputs later = inputs;
  later.moving = later.dragging = later.waiting = false;
  later.drawnS.reset();
  later.nowS = state.movedS.value_or(inputs.nowS) + kIdleS;
  return advance(state, settings, later).chosen != state.chosen;
}

Settings quickSettings(Settings settings, int step) {
  for (Technique* technique : {&settings.technique, &settings.split.b}) {
    if (technique->lens.kind != LensKind::automatic) continue;
    const Technique quick = resolveFastest(*technique);
    *technique = step == 0 || !missingFor(quick).empty() ? resolveBest(*technique) : quick;
  }
  return settings;
}

Settings bestSettings(Settings settings) {
  settings.technique = resolveBest(settings.technique);
  settings.split.b = resolveBest(settings.split.b);
  if (settings.scene.samples == 0) settings.scene.samples = kBestSamples;
  return settings;
}

Settings referenceSettings(Settings settings) {
  settings = bestSettings(settings);
  settings.technique.lens.kind = std::ranges::find_if(lenses(), &LensRow::accumulates)->kind;
  settings.technique = resolve(settings.technique);
  settings.lens.lensSamples *= kRestSamples;
  clampToRanges(settings);
  return settings;
}

bool canConverge(const Settings& settings) {
  return settings.technique.lens.kind == LensKind::automatic && settings.technique.view == View{} &&
         !settings.split.enabled &&
         static_cast<bool>(sceneRow(settings.scene.kind).capabilities.otherViewpoints);
}

}  // namespace satdof
