#pragma once
#include <array>
#include <optional>

#include "app/core/settings.h"

// Adaptive quality: what the window shows while something moves, at rest, and after a longer rest.
namespace satdof {

enum class Shown {
  quick,      // quickSettings(), or, if nothing adapts, the settings as they are
  best,       // everything automatic at its best: bestSettings()
  reference,  // the reference lens, accumulated and cross-faded over the best image
};

// What one frame knows.
struct QualityInputs {
  double nowS = 0;                // of a clock
  bool moving = false;            // the image changed, or a mouse button or an orbit key is down
  bool loading = false;           // the scene reads its file: the fastest quick image
  bool waiting = false;           // a focus pick or the autofocus is unanswered: what is shown stays
  bool mayConverge = false;       // the image is one that the reference can replace
  std::optional<float> drawnS{};  // the time that the last image took to draw, by Quality as chosen then
  bool onlyBestLens = false;      // quick images lower the resolution alone
};

struct Quality {
  Shown shown = Shown::best;
  float scale = 1.0f;  // of the resolution
  int step = 0;        // of a quick image, from 0, the best, to kQuickSteps - 1, the fastest: quickSettings()
  bool operator==(const Quality&) const = default;
};

constexpr int kQuickSteps = 3;
// Few, because a change allocates images; small steps, because each is seen.
inline constexpr std::array kScales = {1.0f, 0.85f, 0.7f, 0.6f, 0.5f, 0.42f, 0.35f};

// What is remembered from frame to frame. A plain value.
struct QualityState {
  Quality chosen{Shown::quick, 1.0f};
  std::optional<double> movedS;  // when something moved last; none before the first image
  // Time of an image at full resolution.
  std::array<std::optional<float>, kQuickSteps> quickS;  // by Quality::step
  std::optional<float> bestS;
};

constexpr float kGoalS = 1.0f / 24;  // of a frame while something moves
constexpr float kSurePart = 0.75f;   // of the goal: the resolution rises only if the image then takes less
constexpr double kRestS = 0.25;      // after the last motion: the best image
constexpr double kIdleS = 2.0;       // after the last motion: the reference, over the best image
constexpr int kRestSamples = 4;      // times lensSamples: fewer leave grain in the discs of small lamps
constexpr float kFadeFrom = 0.5f, kFadeTo = 1.0f;  // progress of the reference during the cross-fade

// Returns the state for the next frame. Pure.
QualityState advance(QualityState state, const QualitySettings& settings, const QualityInputs& inputs);

// Weight of the reference over the best image, for its progress of 0 to 1.
float fadeOf(float progress);

// Samples of the reference in the next frame: as many as meet the goal, for the time of a frame with `samples`.
int samplesFor(int samples, float drawnS);

// Whether the choice will change with time alone, so that the window must wake up.
bool willChange(const QualityState& state, const QualitySettings& settings, const QualityInputs& inputs);

// Returns `settings` for a quick image. An automatic lens is, by step, the best one, the fastest one with its bokeh
// sprites, or the fastest one, which leaves slow sprites out; at its best where a view would else be empty. Needs a
// current context.
Settings quickSettings(Settings settings, int step);
// Whether a quick image leaves out the bokeh sprites that its settings ask for and its lens could draw. Needs a current
// context.
bool leavesBokehOut(const Settings& settings, int step);
// Returns `settings` for an image at `scale` times the resolution, at most 1, that is shown enlarged.
Settings atScale(Settings settings, float scale);
// Returns `settings` with everything automatic at its best: lens model, bokeh sprites, layers, samples, overscan. Needs a current
// context.
Settings bestSettings(Settings settings);
// Returns `settings` with the lens that accumulates, and kRestSamples times as many samples.
Settings referenceSettings(Settings settings);

}  // namespace satdof
