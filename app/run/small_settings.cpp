#include "app/run/small_settings.h"

#include <algorithm>
#include <glm/common.hpp>

namespace satdof {

Settings smallSettings(const Settings& settings, glm::ivec2 of, float sidePx) {
  Settings small = settings;
  const glm::vec2 size(of);
  small.size = glm::max(glm::ivec2(glm::round(sidePx / std::max(size.x, size.y) * size)), glm::ivec2(1));
  small.lens.overscan = Overscan::off;
  small.lens.autofocus = false;
  small.split = {};
  small.quality = {};
  small.present = {.exposureStops = settings.present.exposureStops};
  return small;
}

Settings sharpSettings(const Settings& settings, glm::ivec2 of, float sidePx) {
  Settings small = smallSettings(settings, of, sidePx);
  small.lens = {.overscan = Overscan::off};
  small.filter = {};
  small.technique = {};
  small.technique.device = DeviceId::glCompute;
  small.technique.lens.kind = LensKind::box;
  small.technique.view = View::sharp;
  return small;
}

}  // namespace satdof
