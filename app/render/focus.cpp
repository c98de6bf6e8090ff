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

Focus::Focus() : pickReads_(pixels(kPickSidePx)), reads_(pixels(kMaxSidePx)) {
  samples_.reserve(pixels(kMaxSampleCells));
}

float Focus::depthOfSamples(bool nearest) {
  const std::size_t left = samples_.size() - 1;
  const auto at = samples_.begin() + static_cast<std::ptrdiff_t>(nearest ? left - left / 50 : (left + 1) / 2);
  std::nth_element(samples_.begin(), at, samples_.end());
  return *at;
}

void Focus::measure(const SceneFrame& scene, const LensSettings& lens, glm::vec2 at) {
  const bool point = lens.autofocusOn == AutofocusOn::point || lens.autofocusOn == AutofocusOn::tracked;
  const float size = lens.autofocusOn == AutofocusOn::centre ? kCentreSize : lens.autofocusSize;
  const int sidePx =
      point ? kPickSidePx : std::clamp(static_cast<int>(size * static_cast<float>(scene.size.y)), 1, kMaxSidePx);
  readSize_ = requestSquare(reads_, *scene.depth, pixelAt(at, scene.size), sidePx);
  readIsOld_ = false;
  bend_ = bendAt(scene, lens, at);
}

void Focus::take(std::span<const float> depths, const SceneFrame& scene, const LensSettings& lens) {
  measuredIsOld_ = readIsOld_;
  sampleDepths(depths, readSize_, samples_);
  const float depth = depthOfSamples(lens.autofocusOn == AutofocusOn::nearest);
  measured_ = 1.0f / distanceOf(depth + bend_, scene.nearM);
}

FocusChange Focus::update(const SceneFrame& scene, const LensSettings& lens, const AutofocusRequest& request) {
  const bool mayTrack = lens.autofocusOn == AutofocusOn::tracked, tracks = mayTrack && request.tracked;
  if (tracks)
    measured_ = 1.0f / distanceOf(scene.nearM / request.tracked->distanceM + bendAt(scene, lens, request.tracked->at),
                                  scene.nearM);
  if (request.standalone && lens.autofocus && !picked_) {
    lastTimeS_ = request.timeS;
    startInFocus_ = seeking_ = false;
    follower_.reset();
    if (!tracks) {
      while (reads_.inFlight() > 0) reads_.wait();
      measure(scene, lens, request.at);
      take(reads_.wait(), scene, lens);
    }
    return {.focusDistanceM = measured_ ? std::optional(1.0f / *measured_) : std::nullopt};
  }
  const double advanceS = request.timeS - lastTimeS_.value_or(request.timeS);
  if (!lastTimeS_) startInFocus_ = lens.autofocus;
  lastTimeS_ = request.timeS;
  const bool plays = advanceS > 0.0 && advanced_;
  advanced_ = advanceS > 0.0;
  if (request.changed) measuredIsOld_ = readIsOld_ = true;

  FocusChange change;
  const bool picksTracked = lens.autofocus && mayTrack;
  if (const auto depths = pickReads_.poll(); !depths.empty()) {
    samples_.assign(depths.begin(), depths.end());
    const float depth = depthOfSamples(false);
    if (picksTracked)
      change.pickedM = distanceOf(depth, scene.nearM);
    else
      change.focusDistanceM = distanceOf(depth + pickBend_, scene.nearM);
  }
  if (picked_) {
    change.endsAutofocus = !picksTracked;
    requestSquare(pickReads_, *scene.depth, pixelAt(*picked_, scene.size), kPickSidePx);
    pickBend_ = bendAt(scene, lens, *picked_);
    picked_.reset();
  }
  if (const auto depths = reads_.poll(); !depths.empty() && !tracks) take(depths, scene, lens);
  if (!lens.autofocus || change.endsAutofocus) {
    measured_.reset();
    follower_.reset();
    seeking_ = false;
    return change;
  }
  if (request.held && !tracks) {
    seeking_ = true;
    return change;
  }
  const float distanceM = change.focusDistanceM.value_or(lens.focusDistanceM);
  if (const auto followed = follow(lens, distanceM, advanceS, tracks)) change.focusDistanceM = followed;
  if (!tracks && reads_.inFlight() == 0) measure(scene, lens, request.at);
  seeking_ |= measuredIsOld_ && !tracks && !plays;
  seeking_ |= change.pickedM.has_value();  // the next update has the picked point
  return change;
}

std::optional<float> Focus::follow(const LensSettings& lens, float distanceM, double advanceS, bool tracks) {
  if (!measured_) {
    seeking_ = !tracks;
    return std::nullopt;
  }
  if (std::exchange(startInFocus_, false)) {
    seeking_ = false;
    return 1.0f / follower_.target(*measured_, 0.0, 0.0);
  }
  const bool paused = advanceS <= 0.0;
  const double stepS = paused ? kPausedStepS : advanceS;
  const float from = 1.0f / distanceM;
  const float to = follower_.target(*measured_, stepS, tracks ? 0.0 : static_cast<double>(lens.autofocusDelayS));
  seeking_ = follower_.waits();
  if (paused && std::abs(from - to) <= kTolerance * to) return std::nullopt;
  const float next = FocusFollower::moved(from, to, stepS, lens.autofocusSpeed, tracks), left = std::abs(next - to);
  const bool arrives =
      left <= kTolerance * to && left <= lens.autofocusSpeed * static_cast<float>(stepS) - std::abs(next - from);
  seeking_ = seeking_ || !arrives;
  return clampDistance(1.0f / (paused && arrives ? to : next));
}

}  // namespace satdof
