#include "app/render/focus.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <utility>

#include "app/core/fields.h"
#include "app/core/tracking.h"
#include "app/lens/lens_space.h"

namespace satdof {

namespace {

constexpr float kCentreSize = 0.1f;  // side of the square of AutofocusOn::centre, in image heights
constexpr int kMaxSampleCells = 64;  // cells along a side in sampleDepths()

float clampDistance(float distanceM) {
  constexpr Field range = fieldOf("lens.focusDistanceM");
  return std::clamp(distanceM, static_cast<float>(range.min), static_cast<float>(range.max));
}

constexpr std::size_t pixels(int sidePx) { return static_cast<std::size_t>(sidePx) * static_cast<std::size_t>(sidePx); }

// Returns the focus distance of a depth value nearM / z.
float distanceOf(float depth, float nearM) { return clampDistance(nearM / std::max(depth, 1e-30f)); }

// Returns the pixel at a point, 0 to 1 from the bottom left.
glm::ivec2 pixelAt(glm::vec2 at, glm::ivec2 size) {
  return glm::clamp(glm::ivec2(glm::floor(at * glm::vec2(size))), glm::ivec2(0), size - 1);
}

// Returns the depth on the axis minus the depth at `at` of the surface that is in focus, as nearM / z: tilt and field
// curvature.
float bendAt(const SceneFrame& scene, const LensSettings& lens, glm::vec2 at) {
  return glsl::bendAt(lensSpace(lens, scene).surface, at * glm::vec2(scene.size));
}

// Returns the median of the samples, or the nearest after 2 % outliers. Reorders the samples.
float depthOf(std::span<float> samples, bool nearest) {
  const std::size_t left = samples.size() - 1;
  const auto at = samples.begin() + static_cast<std::ptrdiff_t>(nearest ? left - left / 50 : (left + 1) / 2);
  std::nth_element(samples.begin(), at, samples.end());
  return *at;
}

// Requests the depths of a square. Returns the size of its part inside the image.
glm::ivec2 requestSquare(AsyncReadback& reads, const gl::Texture& depth, glm::ivec2 centre, int sidePx) {
  const glm::ivec2 from = glm::max(centre - sidePx / 2, glm::ivec2(0));
  const glm::ivec2 to = glm::min(centre - sidePx / 2 + sidePx, depth.size());
  reads.request(depth, from, to - from, 1);
  return to - from;
}

}  // namespace

void applyFocus(LensSettings& lens, const FocusChange& change) {
  lens.focusDistanceM = change.focusDistanceM.value_or(lens.focusDistanceM);
  lens.autofocus &= !change.endsAutofocus;
  if (change.tracked) trackInScene(lens, change.tracked->object, change.tracked->at);
}

float FocusFollower::target(float measured, double stepS, double delayS) {
  if (!target_ || std::abs(measured - *target_) <= std::max(kJump, kRelativeJump * *target_)) {
    target_ = measured;
    waitedS_.reset();
    return measured;
  }
  waitedS_ = waitedS_.value_or(0.0) + stepS;
  if (*waitedS_ >= delayS) {
    target_ = measured;
    waitedS_.reset();
  }
  return *target_;
}

float FocusFollower::moved(float from, float to, double stepS, float speed, bool locks) {
  const float part = locks ? 1.0f : static_cast<float>(1.0 - std::exp(-stepS / kSmoothingS)),
              most = speed * static_cast<float>(stepS);
  const float step = (to - from) * part;
  return std::abs(step) <= most ? (locks ? to : from + step) : from + std::copysign(most, step);
}

void sampleDepths(std::span<const float> depths, glm::ivec2 size, std::vector<float>& samples) {
  const glm::ivec2 cells = glm::min(size, glm::ivec2(kMaxSampleCells));
  if (cells == size) return samples.assign(depths.begin(), depths.end());
  samples.clear();
  std::uint32_t random = 1;
  // Returns a pixel of [i sizePx / count, (i + 1) sizePx / count). Linear congruential generator: Numerical Recipes.
  const auto pixelOfCell = [&](int i, int sizePx, int cellCount) {
    random = 1664525u * random + 1013904223u;
    const int from = i * sizePx / cellCount, count = (i + 1) * sizePx / cellCount - from;
    return from + static_cast<int>((random >> 16) % static_cast<std::uint32_t>(count));
  };
  for (int y = 0; y < cells.y; ++y)
    for (int x = 0; x < cells.x; ++x) {
      const int row = pixelOfCell(y, size.y, cells.y);
      samples.push_back(depths[static_cast<std::size_t>(row * size.x + pixelOfCell(x, size.x, cells.x))]);
    }
}

FocusPick::FocusPick() : reads_(pixels(kSidePx)) { samples_.reserve(pixels(kSidePx)); }

std::optional<FocusPick::Depth> FocusPick::take() {
  const auto depths = reads_.poll();
  if (depths.empty()) return std::nullopt;
  samples_.assign(depths.begin(), depths.end());
  return Depth{depthOf(samples_, false), bend_};
}

bool FocusPick::start(const SceneFrame& scene, const LensSettings& lens) {
  if (!asked_) return false;
  requestSquare(reads_, *scene.depth, pixelAt(*asked_, scene.size), kSidePx);
  bend_ = bendAt(scene, lens, *asked_);
  asked_.reset();
  return true;
}

Focus::Focus() : reads_(pixels(kMaxSidePx)) { samples_.reserve(pixels(kMaxSampleCells)); }

void Focus::measure(const SceneFrame& scene, const LensSettings& lens, glm::vec2 at) {
  const bool point = lens.autofocusOn == AutofocusOn::point || lens.autofocusOn == AutofocusOn::tracked;
  const float size = lens.autofocusOn == AutofocusOn::centre ? kCentreSize : lens.autofocusSize;
  const int sidePx =
      point ? FocusPick::kSidePx : std::clamp(static_cast<int>(size * static_cast<float>(scene.size.y)), 1, kMaxSidePx);
  readSize_ = requestSquare(reads_, *scene.depth, pixelAt(at, scene.size), sidePx);
  readIsOld_ = false;
  bend_ = bendAt(scene, lens, at);
}

void Focus::take(std::span<const float> depths, const SceneFrame& scene, const LensSettings& lens) {
  measuredIsOld_ = readIsOld_;
  sampleDepths(depths, readSize_, samples_);
  const float depth = depthOf(samples_, lens.autofocusOn == AutofocusOn::nearest);
  measured_ = 1.0f / distanceOf(depth + bend_, scene.nearM);
}

FocusChange Focus::focusAtOnce(const SceneFrame& scene, const LensSettings& lens, const AutofocusRequest& request,
                               bool locks) {
  lastTimeS_ = request.timeS;
  startInFocus_ = false;
  follower_.reset();
  if (!locks) {
    while (reads_.inFlight() > 0) reads_.wait();
    measure(scene, lens, request.at);
    take(reads_.wait(), scene, lens);
  }
  return {.focusDistanceM = 1.0f / *measured_};
}

FocusChange Focus::servePick(const SceneFrame& scene, const LensSettings& lens) {
  const bool tracked = tracks(lens);
  FocusChange change;
  if (const auto picked = pick_.take()) {
    if (tracked)
      change.pickedM = distanceOf(picked->depth, scene.nearM);
    else
      change.focusDistanceM = distanceOf(picked->depth + picked->bend, scene.nearM);
  }
  change.endsAutofocus = pick_.start(scene, lens) && !tracked;
  return change;
}

FocusChange Focus::update(const SceneFrame& scene, const LensSettings& lens, const AutofocusRequest& request) {
  const bool locks = lens.autofocusOn == AutofocusOn::tracked && request.tracked;
  if (locks)
    measured_ = 1.0f / distanceOf(scene.nearM / request.tracked->distanceM + bendAt(scene, lens, request.tracked->at),
                                  scene.nearM);
  seeking_ = false;
  if (request.standalone && lens.autofocus && !pick_.asked()) return focusAtOnce(scene, lens, request, locks);

  const double advanceS = request.timeS - lastTimeS_.value_or(request.timeS);
  if (!lastTimeS_) startInFocus_ = lens.autofocus;
  lastTimeS_ = request.timeS;
  const bool advances = advanceS > 0.0, plays = std::exchange(advanced_, advances) && advances;
  if (request.changed) measuredIsOld_ = readIsOld_ = true;

  FocusChange change = servePick(scene, lens);
  if (const auto depths = reads_.poll(); !depths.empty() && !locks) take(depths, scene, lens);
  if (!lens.autofocus || change.endsAutofocus) {
    measured_.reset();
    follower_.reset();
    return change;
  }
  bool arrives = false;
  if (locks || !request.held) {
    const Step step = follow(lens, change.focusDistanceM.value_or(lens.focusDistanceM), advanceS, locks);
    if (step.distanceM) change.focusDistanceM = step.distanceM;
    arrives = step.arrives;
    if (!locks && reads_.inFlight() == 0) measure(scene, lens, request.at);
  }
  const bool awaitsDepths = measuredIsOld_ && !locks && !plays, awaitsTrackedPoint = change.pickedM.has_value();
  seeking_ = !arrives || awaitsDepths || awaitsTrackedPoint;
  return change;
}

Focus::Step Focus::follow(const LensSettings& lens, float distanceM, double advanceS, bool locks) {
  if (!measured_) return {};
  if (std::exchange(startInFocus_, false)) return {1.0f / follower_.target(*measured_, 0.0, 0.0), true};
  const bool paused = advanceS <= 0.0;
  const double stepS = paused ? kPausedStepS : advanceS;
  const float from = 1.0f / distanceM;
  const float to = follower_.target(*measured_, stepS, locks ? 0.0 : static_cast<double>(lens.autofocusDelayS));
  const bool waits = follower_.waits();
  if (paused && std::abs(from - to) <= kTolerance * to) return {std::nullopt, !waits};
  const float next = FocusFollower::moved(from, to, stepS, lens.autofocusSpeed, locks), left = std::abs(next - to);
  const bool arrives =
      left <= kTolerance * to && left <= lens.autofocusSpeed * static_cast<float>(stepS) - std::abs(next - from);
  return {clampDistance(1.0f / (paused && arrives ? to : next)), arrives && !waits};
}

}  // namespace satdof
