#include "app/scene/scene.h"

#include <algorithm>
#include <string_view>
#include <type_traits>

#include "app/core/fields.h"

namespace satdof {

namespace {

constexpr std::string_view kExposurePath = "present.exposureStops";

}  // namespace

void applyFraming(Settings& settings, const Framing& framing) {
  const Settings before = settings;
  settings.camera = framing.camera;
  settings.lens.focusDistanceM = framing.focusDistanceM;
  if (framing.focalLengthMm) settings.lens.focalLengthMm = *framing.focalLengthMm;
  if (framing.sensorHeightMm) settings.lens.sensorHeightMm = *framing.sensorHeightMm;
  if (framing.exposureStops) settings.present.exposureStops = *framing.exposureStops;
  settings.scene.frame = false;
  settings.scene.typed.paths.clear();
  describe(settings, []<class T>(const Field& field, T& value) {
    if constexpr (std::is_floating_point_v<T>)
      if (isFramed(field)) value = std::clamp(value, static_cast<T>(field.min), static_cast<T>(field.max));
  });
  describe(settings, before, [&](const Field& field, auto& value, const auto& typed) {
    if (std::ranges::find(before.scene.typed.paths, field.path()) != before.scene.typed.paths.end()) value = typed;
  });
}

bool isFramed(const Field& field) {
  const std::string path = field.path();
  return path.starts_with("camera.") || path.starts_with("lens.") || path == kExposurePath;
}

void exposeAgain(SceneSettings& scene) {
  if (scene.frame) return;
  scene.frame = true;
  scene.typed.paths.clear();
  const Settings any;
  describe(any, [&](const Field& field, const auto&) {
    if (isFramed(field) && field.path() != kExposurePath) scene.typed.add(field.path());
  });
}

}  // namespace satdof
