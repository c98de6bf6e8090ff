#include "app/scene/scene.h"

namespace satdof {

void applyFraming(Settings& settings, const Framing& framing) {
  settings.camera = framing.camera;
  settings.lens.focusDistanceM = framing.focusDistanceM;
  if (framing.focalLengthMm) settings.lens.focalLengthMm = *framing.focalLengthMm;
  if (framing.sensorHeightMm) settings.lens.sensorHeightMm = *framing.sensorHeightMm;
  settings.scene.frame = false;
}

}  // namespace satdof
