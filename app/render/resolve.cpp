#include "app/render/resolve.h"

#include "app/lens/lens.h"
#include "app/render/overscan.h"

namespace satdof {

Settings resolved(Settings settings) {
  settings.technique = resolve(settings.technique);
  settings.split.b = resolve(settings.split.b);
  settings.lens.overscan = resolve(settings.lens.overscan);
  return settings;
}

}  // namespace satdof
