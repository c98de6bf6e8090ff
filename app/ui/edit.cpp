#include "app/ui/edit.h"

#include <algorithm>
#include <cmath>
#include <glm/trigonometric.hpp>
#include <type_traits>

#include "app/core/fields.h"
#include "app/device/device.h"
#include "app/lens/lens.h"
#include "app/scene/camera.h"

namespace satdof {

namespace {

constexpr float kDioptersPerStep = 0.02f;
constexpr float kZoomPerStep = 1.1f;

template <class E>
bool canRun(E value) {
  if constexpr (requires { E::automatic; })
    if (value == E::automatic) return false;
  if constexpr (requires { availability(value); })
    return availability(value).available;
  else
    return true;
}

template <class E>
void cycleEntries(E& value) {
  const auto all = entries(value);
  auto at = static_cast<size_t>(
      std::find_if(all.begin(), all.end(), [&](const auto& entry) { return entry.value == value; }) -
      all.begin());
  for (size_t tried = 0; tried < all.size(); ++tried) {
    at = (at + 1) % all.size();
    if (canRun(all[at].value)) {
      value = all[at].value;
      return;
    }
  }
}

}  // namespace

void clampToRanges(Settings& settings) {
  describe(settings, []<class V>(const Field& field, V& value) {
    if constexpr (std::is_same_v<V, float> || std::is_same_v<V, int>)
      value = static_cast<V>(std::clamp(static_cast<double>(value), field.min, field.max));
  });
}

void orbit(CameraSettings& camera, float yawDegrees, float pitchDegrees) {
  camera.yawDegrees = std::remainder(camera.yawDegrees + yawDegrees, 360.0f);
  camera.pitchDegrees += pitchDegrees;
}

void pan(CameraSettings& camera, glm::vec2 fraction) {
  const auto frame = cameraFrame(camera);
  const float heightM = 2.0f * camera.distanceM * std::tan(glm::radians(camera.verticalFovDegrees) / 2.0f);
  const auto move = -heightM * (fraction.x * frame.right + fraction.y * frame.up);
  camera.targetXM += move.x;
  camera.targetYM += move.y;
  camera.targetZM += move.z;
}

void zoom(CameraSettings& camera, float steps) { camera.distanceM *= std::pow(kZoomPerStep, -steps); }

void moveFocus(LensSettings& lens, float steps) {
  const float diopters = 1.0f / lens.focusDistanceM - steps * kDioptersPerStep;
  lens.focusDistanceM = 1.0f / std::max(diopters, 1e-4f);
  lens.autofocus = false;
}

void moveFNumber(LensSettings& lens, int steps) {
  lens.fNumber *= std::exp2(static_cast<float>(steps) / 6.0f);
}

void cycle(DeviceId& device) {
  device = resolve(device);
  cycleEntries(device);
}
void cycle(Scan& scan) { cycleEntries(scan); }
void cycle(TableFormat& format) { cycleEntries(format); }
void cycle(LensKind& lens) {
  lens = resolve(lens);
  cycleEntries(lens);
}

}  // namespace satdof
