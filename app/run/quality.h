#pragma once
#include <array>
#include <optional>

#include "app/render/resolve.h"

// Adaptive quality: which image the window shows during motion, at rest and after a longer rest.
namespace satdof {

enum class Shown {
  quick,      // quickSettings(); the settings as they are, if quality does not adapt
  best,       // bestSettings()
  reference,  // the reference lens, accumulated and cross-faded over the best image
};

// Inputs of advance() for a frame.
struct QualityInputs {
  double nowS = 0;                // time of a clock
  bool moving = false;            // the image changed, or a mouse button or key is held since it changed
  bool loading = false;           // the scene reads its file: chooses the fastest quick image
  bool waiting = false;           // the focus is being measured: the quality stays
  bool mayConverge = false;       // the reference may replace the image
  std::optional<float> drawnS{};  // seconds that the last image took, drawn with QualityState::chosen
  bool onlyBestLens = false;      // quick images differ by resolution alone
  float zoom = 1.0f;              // magnification of the image
};

struct Quality {
  Shown shown = Shown::best;
  float scale = 1.0f;  // of width and height
  int step = 0;        // of quickSettings(), from 0, the best, to kQuickSteps - 1, the fastest
  bool operator==(const Quality&) const = default;
};

// Scales of quick images: few, because each change allocates images, but in steps too small to disturb.
inline constexpr std::array kScales = {1.0f, 0.85f, 0.7f, 0.6f, 0.5f, 0.42f, 0.35f};

// State from frame to frame; a plain value.
struct QualityState {
  Quality chosen{Shown::quick, 1.0f};
  std::optional<double> movedS;  // time of the last motion; none before the first image
  // Seconds of an image at full resolution; none: not measured.
  std::array<std::optional<float>, kQuickSteps> quickS;  // by Quality::step
  std::optional<float> bestS;
  float zoom = 1.0f;  // of these times
};

constexpr float kGoalS = 1.0f / 24;                // longest frame time during motion
constexpr float kSurePart = 0.75f;                 // the resolution rises only to images below this part of the goal
constexpr float kPatienceS = 1.0f;                 // see ShownQuality::endedBy()
constexpr double kRestS = 0.25;                    // from the last motion to the best image
constexpr double kIdleS = 2.0;                     // from the last motion to the reference
constexpr float kFadeFrom = 0.5f, kFadeTo = 1.0f;  // progress of the reference during the cross-fade

// Returns the state for the next frame. Pure.
QualityState advance(QualityState state, const QualitySettings& settings, const QualityInputs& inputs);

// Weight of the reference over the image below it, 0 to 1, at its progress of 0 to 1.
float fadeOf(float progress);

// Samples of the reference in the next frame: doubles or halves `samples`, which took `drawnS`, towards kGoalS.
int samplesFor(int samples, float drawnS);

// Whether the choice will change with time alone, so that a resting window must wake up.
bool willChange(const QualityState& state, const QualitySettings& settings, const QualityInputs& inputs);

// Returns `settings` with size and filter scaled by `scale`, at most 1. The image is shown enlarged.
Settings atScale(Settings settings, float scale);

}  // namespace satdof
