#include "app/scene/scene.h"

#include <string>
#include <type_traits>

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
  for (const std::string& path : before.scene.typed.paths)
    describe(settings, [&]<class V>(const Field& field, V& value) {
      if (field.path() != path) return;
      describe(before, [&]<class W>(const Field& same, const W& typed) {
        if constexpr (std::is_same_v<V, W>)
          if (same.path() == path) value = typed;
      });
    });
}

}  // namespace satdof
