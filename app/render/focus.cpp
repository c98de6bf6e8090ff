#include "app/render/focus.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>

#include "app/core/fields.h"
#include "app/lens/lens_space.h"

namespace satdof {

namespace {

float clampDistance(float distanceM) {
  constexpr Field range = fieldOf("lens.focusDistanceM");
  return std::clamp(distanceM, static_cast<float>(range.min), static_cast<float>(range.max));
}

constexpr size_t pixels(int sidePx) { return static_cast<size_t>(sidePx) * static_cast<size_t>(sidePx); }

// `at`: 0 to 1 from the bottom left.
glm::ivec2 pixelAt(glm::vec2 at, glm::ivec2 size) {
  return glm::clamp(glm::ivec2(glm::floor(at * glm::vec2(size))), glm::ivec2(0), size - 1);
}

// By how much a lens that is in focus at `at` has its focus nearer on the axis, in units of depth.
float bendAt(const SceneFrame& scene, const LensSettings& lens, glm::vec2 at) {
  return glsl::bendAt(lensSpace(lens, scene).surface, at * glm::vec2(scene.size));
}

void requestSquare(AsyncReadback& reads, const gl::Texture& depth, glm::ivec2 centre, int sidePx) {
  const glm::ivec2 from = glm::max(centre - sidePx / 2, glm::ivec2(0));
  const glm::ivec2 to = glm::min(centre - sidePx / 2 + sidePx, depth.size());
  reads.request(depth, from, to - from, 1);
}

}  // namespace

void applyFocus(LensSettings& lens, const FocusChange& change) {
  lens.focusDistanceM = change.focusDistanceM.value_or(lens.focusDistanceM);
  lens.autofocus &= !change.endsAutofocus;
}

Focus::Focus() : pickReads_(pixels(kPickSidePx)), centreReads_(pixels(kMaxCentreSidePx)) {
  sorted_.reserve(pixels(kMaxCentreSidePx));
}

float Focus::medianDiopters(std::span<const float> depths, float nearM, float bend) {
  sorted_.assign(depths.begin(), depths.end());
  const auto middle = sorted_.begin() + static_cast<std::ptrdiff_t>(sorted_.size() / 2);
  std::nth_element(sorted_.begin(), middle, sorted_.end());
  return 1.0f / clampDistance(nearM / std::max(*middle + bend, 1e-30f));
}

void Focus::requestCentre(const SceneFrame& scene, const LensSettings& lens, glm::vec2 centre) {
  const int sidePx = std::clamp(scene.size.y / 10, 1, kMaxCentreSidePx);
  requestSquare(centreReads_, *scene.depth, pixelAt(centre, scene.size), sidePx);
  centreBend_ = bendAt(scene, lens, centre);
}

FocusChange Focus::update(const SceneFrame& scene, const LensSettings& lens, double timeS, bool alone,
                          glm::vec2 centre) {
  if (alone && lens.autofocus && !picked_) {
    while (centreReads_.inFlight() > 0) centreReads_.wait();
    requestCentre(scene, lens, centre);
    lastTimeS_ = timeS;
    startInFocus_ = seeking_ = false;
    centreDiopters_ = medianDiopters(centreReads_.wait(), scene.nearM, centreBend_);
    return {.focusDistanceM = 1.0f / *centreDiopters_};
  }
  const double advanceS = timeS - lastTimeS_.value_or(timeS);
  if (!lastTimeS_) startInFocus_ = lens.autofocus;
  lastTimeS_ = timeS;

  FocusChange change;
  if (const auto depths = pickReads_.poll(); !depths.empty())
    change.focusDistanceM = 1.0f / medianDiopters(depths, scene.nearM, pickBend_);
  if (picked_) {
    change.endsAutofocus = true;
    requestSquare(pickReads_, *scene.depth, pixelAt(*picked_, scene.size), kPickSidePx);
    pickBend_ = bendAt(scene, lens, *picked_);
    picked_.reset();
  }
  if (const auto depths = centreReads_.poll(); !depths.empty())
    centreDiopters_ = medianDiopters(depths, scene.nearM, centreBend_);
  if (!lens.autofocus || change.endsAutofocus) {
    centreDiopters_.reset();
    seeking_ = false;
    return change;
  }
  const float distanceM = change.focusDistanceM.value_or(lens.focusDistanceM);
  if (const auto followed = followCentre(scene, lens, centre, distanceM, advanceS))
    change.focusDistanceM = followed;
  return change;
}

std::optional<float> Focus::followCentre(const SceneFrame& scene, const LensSettings& lens, glm::vec2 centre,
                                         float distanceM, double advanceS) {
  std::optional<float> nextM;
  if (!centreDiopters_) {
    seeking_ = true;
  } else if (const float current = 1.0f / distanceM, target = *centreDiopters_;
             advanceS > 0.0 || startInFocus_ || std::abs(current - target) > kHeldPart * target) {
    const double stepS = advanceS > 0.0 ? advanceS : kStillStepS;
    const float step = startInFocus_ ? 1.0f : static_cast<float>(1.0 - std::exp(-stepS / kSmoothingS));
    startInFocus_ = false;
    const float next = current + (target - current) * step;
    seeking_ = std::abs(next - target) > kHeldPart * target;
    nextM = clampDistance(1.0f / (seeking_ || advanceS > 0.0 ? next : target));
  } else {
    seeking_ = false;
  }
  if (centreReads_.inFlight() == 0) requestCentre(scene, lens, centre);
  return nextM;
}

}  // namespace satdof
