#include "app/scene/scene.h"

#include <algorithm>
#include <string>

#include "app/core/fields.h"

namespace satdof {

void applyFraming(Settings& settings, const Framing& framing) {
  const Settings before = settings;
  settings.camera = framing.camera;
  settings.lens.focusDistanceM = framing.focusDistanceM;
  if (framing.focalLengthMm) settings.lens.focalLengthMm = *framing.focalLengthMm;
  if (framing.sensorHeightMm) settings.lens.sensorHeightMm = *framing.sensorHeightMm;
  settings.scene.frame = false;
  settings.scene.typed.paths.clear();
  describe(settings, before, [&](const Field& field, auto& value, const auto& typed) {
    if (std::ranges::find(before.scene.typed.paths, field.path()) != before.scene.typed.paths.end())
      value = typed;
  });
}

}  // namespace satdof
