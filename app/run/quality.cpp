#include "app/run/quality.h"

#include <algorithm>
#include <glm/common.hpp>
#include <span>
#include <utility>

#include "app/filter/mask.h"

namespace satdof {

namespace {

constexpr float kNewest = 0.5f;     // weight of the newest measurement
constexpr float kFastPart = 0.25f;  // below this part of the goal, slower steps are measured again
constexpr int kMaxSamples = 8;      // of the reference in a frame

// Updates an exponential moving average.
void measure(std::optional<float>& known, float timeS) {
  known = known ? (1.0f - kNewest) * *known + kNewest * timeS : timeS;
}

// The quick image after `before`: the best step that meets the goal, at the highest resolution that does. Times are
// taken as proportional to the number of pixels. A step without a measured time is tried. If the current step is
// much faster than the goal, the times of better steps are forgotten, so that they are tried again.
Quality quickImage(QualityState& state, const QualitySettings& settings, const QualityInputs& inputs,
                   const Quality& before) {
  const auto beforeStep = static_cast<std::size_t>(before.step);
  if (state.quickS[beforeStep].value_or(kGoalS) <= kFastPart * kGoalS)
    std::fill_n(state.quickS.begin(), before.step, std::nullopt);
  const std::size_t steps = settings.adaptive && !inputs.onlyBestLens ? kQuickSteps : 1,
                    scales = settings.lowerResolution ? kScales.size() : 1;
  for (std::size_t step = inputs.loading ? steps - 1 : 0; step < steps; ++step)
    for (const float scale : std::span(kScales).first(scales)) {
      const bool rises = before.shown == Shown::quick && step == beforeStep && scale > before.scale;
      const float limitS = rises ? kSurePart * kGoalS : kGoalS;  // the gap prevents flicker by noise
      if (state.quickS[step].value_or(0.0f) * scale * scale <= limitS)
        return {Shown::quick, scale, static_cast<int>(step)};
    }
  return {Shown::quick, kScales[scales - 1], static_cast<int>(steps - 1)};
}

}  // namespace

QualityState advance(QualityState state, const QualitySettings& settings, const QualityInputs& inputs) {
  const Quality before = state.chosen;
  // The area of discs, and so the time of a wide blur, grows with the square of the zoom.
  const float growth = inputs.zoom / std::exchange(state.zoom, inputs.zoom);
  for (std::optional<float>& known : state.quickS)
    if (known) *known *= growth * growth;
  if (state.bestS) *state.bestS *= growth * growth;
  if (inputs.drawnS && before.shown == Shown::quick)
    measure(state.quickS[static_cast<std::size_t>(before.step)], *inputs.drawnS / (before.scale * before.scale));
  if (inputs.drawnS && before.shown == Shown::best) measure(state.bestS, *inputs.drawnS);
  if (inputs.moving || !state.movedS) state.movedS = inputs.nowS;
  if (inputs.waiting && before.shown != Shown::reference) return state;

  const double restedS = inputs.nowS - *state.movedS;
  const bool rests = restedS >= kRestS, bestIsFast = state.bestS && *state.bestS <= kGoalS;
  Quality next{settings.adaptive ? Shown::best : Shown::quick};
  if (inputs.loading || (!rests && !(settings.adaptive && bestIsFast)))
    next = quickImage(state, settings, inputs, before);
  const bool fadesFrom = before.shown != Shown::quick || (!settings.adaptive && before.scale == 1.0f);
  if (settings.converge && inputs.mayConverge && fadesFrom && restedS >= kIdleS) next = {Shown::reference};
  state.chosen = next;
  return state;
}

float fadeOf(float progress) { return std::clamp((progress - kFadeFrom) / (kFadeTo - kFadeFrom), 0.0f, 1.0f); }

int samplesFor(int samples, float drawnS) {
  if (drawnS > kGoalS) return std::max(samples / 2, 1);
  return drawnS < 0.5f * kGoalS ? std::min(2 * samples, kMaxSamples) : samples;
}

bool willChange(const QualityState& state, const QualitySettings& settings, const QualityInputs& inputs) {
  QualityInputs later = inputs;
  later.moving = later.loading = later.waiting = false;
  later.drawnS.reset();
  later.nowS = state.movedS.value_or(inputs.nowS) + 2.0 * kIdleS;  // not exactly kIdleS: the sum may be rounded down
  return advance(state, settings, later).chosen != state.chosen;
}

Settings atScale(Settings settings, float scale) {
  settings.size = glm::max(glm::ivec2(glm::round(scale * glm::vec2(settings.size))), glm::ivec2(1));
  settings.filter = atScale(settings.filter, scale);
  return settings;
}

}  // namespace satdof
