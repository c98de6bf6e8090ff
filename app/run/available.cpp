#include "app/run/available.h"

#include "app/core/fields.h"
#include "app/device/device.h"
#include "app/filter/filter.h"
#include "app/scene/bodies/solver.h"

namespace satdof {

Settings withAvailable(Settings settings) {
  describe(settings, []<class T>(const Field&, T& value) {
    if constexpr (requires { availability(value), T::automatic; })
      if (!availability(value).available) value = T::automatic;
  });
  return settings;
}

}  // namespace satdof
