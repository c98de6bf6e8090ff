#include "app/run/available.h"

#include "app/core/fields.h"
#include "app/device/device.h"
#include "app/filter/filter.h"
#include "app/scene/bodies/solver.h"

namespace satdof {

Settings withAvailable(Settings settings) {
  const Settings wanted = settings;
  describe(settings, []<class T>(const Field&, T& value) {
    if constexpr (requires { availability(value), T::automatic; })
      if (!availability(value).available) value = T::automatic;
  });
  // If the device of the tables is replaced, the lens becomes automatic, too.
  const auto follow = [](Technique& now, const Technique& before) {
    if (now.device != before.device) now.lens.on = LensOn::automatic;
  };
  follow(settings.technique, wanted.technique);
  follow(settings.split.b, wanted.split.b);
  return settings;
}

}  // namespace satdof
